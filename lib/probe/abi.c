/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes where parameters and results are passed. The sources are the System V ABI, x86-64 supplement, 3.2.3 (classes, passing, returning), and the
 * Procedure Call Standard for the Arm 64-bit Architecture, 6.8 (stages A to C).
 */
#include "lib/probe/abi.h"

#include <elf.h>

static struct ctype_info info_of(const struct ctype *type)
{
	struct ctype_info info = { 0 };

	type->ops->info(type, &info);
	return info;
}

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return to ? (n + to - 1) / to * to : n;
}

/* --- alignment ----------------------------------------------------------------------------------------------- */

static uint64_t alignment(const struct ctype *type);

static int widest_member(void *ctx, const struct cmember *m)
{
	uint64_t *align = ctx;

	*align = MAX(*align, MAX(m->align, alignment(&m->type)));
	return 0;
}

static uint64_t alignment(const struct ctype *type)
{
	struct ctype_info info = info_of(type);
	uint64_t align = MAX(info.align, (uint64_t)1);

	if (info.kind == CTYPE_STRUCT)
		type->ops->members(type, widest_member, &align);
	else if (info.kind == CTYPE_ARRAY)
		align = MAX(align, alignment(&info.to));
	else if (info.size && !(info.size & (info.size - 1)))
		align = MAX(align, info.is_complex ? info.size / 2 : info.size);
	else
		align = MAX(align, (uint64_t)8);
	return align;
}

/* --- x86-64 -------------------------------------------------------------------------------------------------- */

enum x86_class { X86_NONE, X86_SSE, X86_SSEUP, X86_INTEGER };

struct x86_classes {
	enum x86_class of[2]; /* the class of each eight bytes */
	bool memory;	      /* the value is passed in memory */
	const char *unsure;
};

struct x86_walk {
	struct x86_classes *out;
	uint64_t at;
};

static void x86_merge(struct x86_classes *c, uint64_t at, uint64_t size, enum x86_class class)
{
	for (uint64_t i = at / 8; i < 2 && i * 8 < at + size; i++) {
		enum x86_class old = c->of[i];

		/* If an upper half (SSEUP) meets a value of class SSE, both are of class SSE. */
		c->of[i] = old == X86_NONE || old == class ? class : MAX(old, class) == X86_INTEGER ? X86_INTEGER : X86_SSE;
	}
}

static void x86_classify(const struct ctype *type, uint64_t at, struct x86_classes *out);

static int x86_member(void *ctx, const struct cmember *m)
{
	struct x86_walk *w = ctx;

	if (m->bits)
		x86_merge(w->out, (w->at * 8 + m->bit) / 8, (m->bit % 8 + m->bits + 7) / 8, X86_INTEGER);
	else
		x86_classify(&m->type, w->at + m->bit / 8, w->out);
	return w->out->memory || w->out->unsure;
}

static void x86_wide(uint64_t at, struct x86_classes *out)
{
	x86_merge(out, at, 8, X86_SSE);
	x86_merge(out, at + 8, 8, X86_SSEUP);
}

/* Adds the classes of what lies @at bytes behind the beginning of a value. The value has at most 16 bytes. */
static void x86_classify(const struct ctype *type, uint64_t at, struct x86_classes *out)
{
	struct ctype_info info = info_of(type);

	switch (info.kind) {
	case CTYPE_STRUCT:
		type->ops->members(type, x86_member, &(struct x86_walk){ out, at });
		return;
	case CTYPE_ARRAY:
		for (uint64_t i = 0, size = info_of(&info.to).size; size && i < info.elements && at + i * size < 16; i++)
			x86_classify(&info.to, at + i * size, out);
		return;
	case CTYPE_INT:
	case CTYPE_ENUM:
	case CTYPE_POINTER:
	case CTYPE_FLOAT:
	case CTYPE_VECTOR:
		break;
	default:
		out->unsure = "its type is not known";
		return;
	}
	if (!info.size || info.size > 16)
		out->unsure = "its size is not known";
	else if (info.is_x87 || at % alignment(type))
		out->memory = true;
	else if (info.kind == CTYPE_FLOAT || info.kind == CTYPE_VECTOR)
		info.size == 16 && !info.is_complex ? x86_wide(at, out) : x86_merge(out, at, info.size, X86_SSE);
	else
		x86_merge(out, at, info.size, X86_INTEGER);
}

static struct x86_classes x86_classes_of(const struct ctype *type, uint64_t size)
{
	struct x86_classes c = { .memory = size > 16 };

	if (!c.memory)
		x86_classify(type, 0, &c);
	if (c.of[1] == X86_SSEUP && c.of[0] != X86_SSE)
		c.of[1] = X86_SSE;
	return c;
}

/* Chooses the registers of a value that is passed in registers. @integers and @vectors are the numbers of registers that are taken already. */
static void x86_parts(const struct x86_classes *c, uint64_t size, unsigned int integers, unsigned int vectors, struct abi_place *out)
{
	out->kind = ABI_NOTHING;
	for (unsigned int i = 0; i < 2; i++) {
		struct abi_part part = { .at = i * 8, .size = (unsigned int)MIN(size > i * 8 ? size - i * 8 : 0, (uint64_t)8) };

		if (c->of[i] == X86_NONE)
			continue;
		part.class = c->of[i] == X86_INTEGER ? ABI_INTEGER : ABI_VECTOR;
		part.number = c->of[i] == X86_INTEGER ? ++integers : c->of[i] == X86_SSE ? ++vectors : vectors;
		out->parts[out->n++] = part;
		out->kind = ABI_REGISTERS;
	}
}

static bool x86_fits(const struct abi_call *c, const struct x86_classes *classes)
{
	unsigned int integers = c->integers, vectors = c->vectors;

	for (int i = 0; i < 2; i++) {
		integers += classes->of[i] == X86_INTEGER;
		vectors += classes->of[i] == X86_SSE;
	}
	return integers <= 6 && vectors <= 8;
}

/* --- arm64 --------------------------------------------------------------------------------------------------- */

/* A homogeneous aggregate has up to four floats or vectors of one size, and nothing else. */
struct arm_floats {
	uint64_t size; /* the size of each; 0: none was found yet */
	uint64_t at[4];
	unsigned int n;
	uint64_t base;
	bool other; /* the value has something else, too */
};

static void arm_collect(const struct ctype *type, uint64_t at, struct arm_floats *f);

static int arm_member(void *ctx, const struct cmember *m)
{
	struct arm_floats *f = ctx;
	uint64_t base = f->base;

	if (m->bits)
		f->other = true;
	else
		arm_collect(&m->type, base + m->bit / 8, f);
	f->base = base;
	return f->other;
}

static void arm_float(uint64_t at, uint64_t size, struct arm_floats *f)
{
	for (unsigned int i = 0; i < f->n; i++)
		if (f->at[i] == at && f->size == size)
			return;
	f->other |= f->n == 4 || (f->n && f->size != size);
	if (f->other)
		return;
	f->size = size;
	f->at[f->n++] = at;
}

static void arm_collect(const struct ctype *type, uint64_t at, struct arm_floats *f)
{
	struct ctype_info info = info_of(type);

	if (info.kind == CTYPE_STRUCT) {
		f->base = at;
		type->ops->members(type, arm_member, f);
	} else if (info.kind == CTYPE_ARRAY) {
		for (uint64_t i = 0, size = info_of(&info.to).size; size && i < info.elements && !f->other; i++)
			arm_collect(&info.to, at + i * size, f);
	} else if (info.kind == CTYPE_FLOAT || info.kind == CTYPE_VECTOR) {
		arm_float(at, info.is_complex ? info.size / 2 : info.size, f);
		if (info.is_complex)
			arm_float(at + info.size / 2, info.size / 2, f);
	} else {
		f->other = true;
	}
}

/* Splits a value into parts in registers, whose numbers count from 1. The result is ABI_STACK when the value is too large for registers. */
static void arm_parts(const struct ctype *type, const struct ctype_info *info, struct abi_place *out)
{
	struct arm_floats f = { 0 };

	arm_collect(type, 0, &f);
	out->kind = ABI_REGISTERS;
	if (!f.other && f.n) {
		for (unsigned int i = 0; i < f.n; i++)
			out->parts[out->n++] = (struct abi_part){ ABI_VECTOR, i + 1, (unsigned int)f.at[i], (unsigned int)f.size };
	} else if (info->size > 16) {
		out->kind = ABI_STACK;
	} else {
		for (unsigned int at = 0; at < info->size; at += 8)
			out->parts[out->n++] = (struct abi_part){ ABI_INTEGER, at / 8 + 1, at, (unsigned int)MIN(info->size - at, (uint64_t)8) };
	}
}

/* --- the next parameter --------------------------------------------------------------------------------------- */

static const struct {
	unsigned int machine;
	unsigned int integers; /* the number of general registers for arguments */
} machines[] = {
	{ EM_X86_64, 6 },
	{ EM_AARCH64, 8 },
};

static unsigned int integers_of(unsigned int machine)
{
	for (size_t i = 0; i < ARRAY_LEN(machines); i++)
		if (machines[i].machine == machine)
			return machines[i].integers;
	return 0;
}

static void unsure(struct abi_place *out, const char *why)
{
	*out = (struct abi_place){ .kind = ABI_UNSURE, .why = why };
}

static void on_stack(struct abi_call *c, uint64_t size, uint64_t align, struct abi_place *out)
{
	if (c->stack_unsure) {
		unsure(out, c->stack_unsure);
		return;
	}
	c->stack = round_up(c->stack, MAX(align, (uint64_t)8));
	out->kind = ABI_STACK;
	out->n = 0;
	out->stack = c->stack;
	c->stack += round_up(size, 8);
}

/* Takes the next general register. When none is left, takes eight bytes on the stack. */
static void next_word(struct abi_call *c, uint64_t size, struct abi_place *out)
{
	if (c->integers < integers_of(c->machine)) {
		out->kind = ABI_REGISTERS;
		out->parts[out->n++] = (struct abi_part){ ABI_INTEGER, ++c->integers, 0, (unsigned int)size };
	} else {
		on_stack(c, 8, 8, out);
	}
}

static void x86_next(struct abi_call *c, const struct ctype *type, const struct ctype_info *info, struct abi_place *out)
{
	struct x86_classes classes = x86_classes_of(type, info->size);

	if (info->kind == CTYPE_VECTOR && info->size > 16) {
		/* With AVX it is in one register, and otherwise in memory. The debug information does not tell which of them the file uses. */
		c->stack_unsure = "a vector of more than 16 bytes stands before it";
		unsure(out, "it is a vector of more than 16 bytes");
		return;
	}
	if (classes.unsure) {
		c->unsure = "the type of a parameter before it is not known";
		unsure(out, classes.unsure);
	} else if (classes.memory || !x86_fits(c, &classes)) {
		on_stack(c, info->size, alignment(type), out);
	} else {
		x86_parts(&classes, info->size, c->integers, c->vectors, out);
		for (unsigned int i = 0; i < 2; i++) {
			c->integers += classes.of[i] == X86_INTEGER;
			c->vectors += classes.of[i] == X86_SSE;
		}
	}
}

static void arm_next(struct abi_call *c, const struct ctype *type, const struct ctype_info *info, struct abi_place *out)
{
	uint64_t align = MIN(alignment(type), (uint64_t)16);
	unsigned int *taken;

	arm_parts(type, info, out);
	if (out->kind == ABI_STACK) {
		/* The caller makes a copy on the stack and passes its address. */
		out->reference = true;
		next_word(c, 8, out);
		return;
	}
	taken = out->n && out->parts[0].class == ABI_VECTOR ? &c->vectors : &c->integers;
	if (taken == &c->integers && align == 16 && *taken < 8)
		*taken = (unsigned int)round_up(*taken, 2);
	if (*taken + out->n <= 8) {
		for (unsigned int i = 0; i < out->n; i++)
			out->parts[i].number += *taken;
		*taken += out->n;
	} else {
		*taken = 8;
		on_stack(c, info->size, align, out);
	}
}

/* Handles a processor whose calling convention is not known here: a value that fits into a register takes one. */
static void other_next(struct abi_call *c, const struct ctype_info *info, struct abi_place *out)
{
	static const char why[] = "the calling convention of this processor is not known here";

	if (info->size > sizeof(long) || (info->kind != CTYPE_INT && info->kind != CTYPE_ENUM && info->kind != CTYPE_POINTER)) {
		c->unsure = why;
		unsure(out, why);
		return;
	}
	out->kind = ABI_REGISTERS;
	out->parts[out->n++] = (struct abi_part){ ABI_INTEGER, ++c->integers, 0, (unsigned int)info->size };
}

static bool by_reference(const struct ctype *type, enum abi_how how)
{
	return how == ABI_BY_REFERENCE || (how == ABI_BY_TYPE && type->ops->passing(type) == CTYPE_BY_REFERENCE);
}

void abi_next(struct abi_call *c, const struct ctype *type, enum abi_how how, struct abi_place *out)
{
	struct ctype_info info = info_of(type);

	*out = (struct abi_place){ 0 };
	if (c->unsure) {
		unsure(out, c->unsure);
		return;
	}
	/* In C, an array as a parameter is a pointer. Other languages that can pass an array pass its address as well. */
	if (by_reference(type, how) || info.kind == CTYPE_ARRAY) {
		out->reference = true;
		next_word(c, 8, out);
		return;
	}
	if (how == ABI_BY_TYPE && type->ops->passing(type) == CTYPE_UNSURE) {
		c->unsure = "a class stands before it of which it is not known whether it is passed by value";
		unsure(out, "whether this class is passed by value or by its address is not in the debug information");
	} else if (info.kind == CTYPE_VOID || info.kind == CTYPE_INCOMPLETE || info.kind == CTYPE_OTHER || info.kind == CTYPE_FUNCTION) {
		c->unsure = "the type of a parameter before it is not known";
		unsure(out, "its type is not known");
	} else if (!info.size) {
		out->kind = ABI_NOTHING;
	} else if (c->machine == EM_X86_64) {
		x86_next(c, type, &info, out);
	} else if (c->machine == EM_AARCH64) {
		arm_next(c, type, &info, out);
	} else {
		other_next(c, &info, out);
	}
}

/* --- results -------------------------------------------------------------------------------------------------- */

/* Finds a result that was returned in memory. On x86-64 its address is in the first register. On arm64 the address is not kept. */
static void in_memory(unsigned int machine, struct abi_place *out)
{
	if (machine != EM_X86_64) {
		unsure(out, "its address is in no register when the function returns");
		return;
	}
	*out = (struct abi_place){ .kind = ABI_REGISTERS, .reference = true, .n = 1, .parts = { { ABI_INTEGER, 1, 0, 8 } } };
}

static void x86_result(const struct ctype *type, const struct ctype_info *info, struct abi_place *out)
{
	struct x86_classes classes = x86_classes_of(type, info->size);

	if (info->kind == CTYPE_FLOAT && info->is_x87) {
		out->kind = ABI_REGISTERS;
		out->parts[out->n++] = (struct abi_part){ ABI_VECTOR, 1, 0, (unsigned int)info->size };
		return;
	}
	if (info->kind == CTYPE_VECTOR && info->size > 16) {
		unsure(out, "it is a vector of more than 16 bytes");
		return;
	}
	if (classes.unsure)
		unsure(out, classes.unsure);
	else if (classes.memory)
		in_memory(EM_X86_64, out);
	else
		x86_parts(&classes, info->size, 0, 0, out);
}

void abi_result(unsigned int machine, const struct ctype *type, struct abi_place *out)
{
	struct ctype_info info = info_of(type);
	enum ctype_passing passing = type->ops->passing(type);

	*out = (struct abi_place){ 0 };
	if (info.kind == CTYPE_VOID || (info.kind == CTYPE_STRUCT && !info.size)) {
		out->kind = ABI_NOTHING;
	} else if (passing == CTYPE_BY_REFERENCE || (info.kind == CTYPE_STRUCT && info.size > 16 && machine == EM_X86_64)) {
		in_memory(machine, out);
	} else if (passing == CTYPE_UNSURE) {
		unsure(out, "whether the class that the function returns is passed by value is not in the debug information");
	} else if (info.kind == CTYPE_INCOMPLETE || info.kind == CTYPE_OTHER || info.kind == CTYPE_FUNCTION || info.kind == CTYPE_ARRAY) {
		unsure(out, "what the function returns is not described in the debug information");
	} else if (machine == EM_X86_64) {
		x86_result(type, &info, out);
	} else if (machine == EM_AARCH64) {
		arm_parts(type, &info, out);
		if (out->kind == ABI_STACK)
			in_memory(machine, out);
	} else {
		other_next(&(struct abi_call){ .machine = machine }, &info, out);
	}
}

void abi_begin(struct abi_call *c, unsigned int machine, const struct ctype *result)
{
	struct abi_place place;

	*c = (struct abi_call){ .machine = machine };
	abi_result(machine, result, &place);
	/* On x86-64, the address of a result in memory takes the first register. On arm64 it has a register of its own. */
	if (machine == EM_X86_64)
		c->integers = place.reference;
	if (place.kind == ABI_UNSURE && machine != EM_AARCH64 && info_of(result).kind != CTYPE_VECTOR)
		c->unsure = place.why;
}
