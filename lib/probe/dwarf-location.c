/* SPDX-License-Identifier: GPL-2.0 */
/* Translates DWARF's locations into what the kernel can fetch. */
#include "lib/probe/dwarf.h"

#include <dwarf.h>
#include <stdio.h>

/* --- the frame ------------------------------------------------------------------------------------------------ */

/* A register and an offset. */
struct base {
	unsigned int number;
	int64_t offset;
};

static bool base_of(const Dwarf_Op *op, struct base *out)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		*out = (struct base){ op->atom - DW_OP_breg0, (int64_t)op->number };
	else if (op->atom == DW_OP_bregx)
		*out = (struct base){ (unsigned int)op->number, (int64_t)op->number2 };
	else if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		*out = (struct base){ op->atom - DW_OP_reg0, 0 };
	else
		return false;
	return true;
}

/* Finds the canonical frame address at @addr. */
static bool frame_address(const struct scopes *s, GElf_Addr addr, struct base *out)
{
	Dwarf_CFI *cfis[2];
	GElf_Addr bias;

	cfis[0] = dwfl_module_eh_cfi(s->elf->module, &bias);
	cfis[1] = dwfl_module_dwarf_cfi(s->elf->module, &bias);
	for (size_t i = 0; i < ARRAY_LEN(cfis); i++) {
		Dwarf_Frame *frame = NULL;
		Dwarf_Op *ops;
		bool found;
		size_t n;

		if (!cfis[i] || dwarf_cfi_addrframe(cfis[i], addr, &frame))
			continue;
		found = dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 && base_of(ops, out);
		free(frame);
		return found;
	}
	return false;
}

/* Finds what DW_OP_fbreg counts from. If *@cfa becomes true, it is the canonical frame address, and @out is not set. */
static bool frame_base(const struct scopes *s, struct base *out, bool *cfa)
{
	Dwarf_Die function = s->function;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(&function, DW_AT_frame_base, &attr) || dwarf_getlocation_addr(&attr, s->addr, &ops, &n, 1) != 1 || n != 1)
		return false;
	*cfa = ops->atom == DW_OP_call_frame_cfa;
	return *cfa || base_of(ops, out);
}

bool dwarf_frame_offset(const struct scopes *s, int64_t by, int64_t *out)
{
	struct base base, frame;
	bool cfa;

	if (!frame_base(s, &base, &cfa))
		return false;
	*out = by;
	if (cfa)
		return true;
	if (!s->body || !frame_address(s, s->body, &frame) || frame.number != base.number)
		return false;
	*out = by + base.offset - frame.offset;
	return true;
}

/*
 * Returns true if a frame base that is the value of a register is valid at this address. It is valid if the register has the same value as behind the
 * prologue.
 */
static bool base_is_set(const struct scopes *s, const struct base *base)
{
	struct base now, then;

	if (s->body && s->addr < s->body)
		return false;
	/* If nothing is known of the frame, there is nothing to compare. */
	if (!s->body || !frame_address(s, s->body, &then) || !frame_address(s, s->addr, &now))
		return !s->entry;
	return then.number != base->number || (now.number == then.number && now.offset == then.offset);
}

/* Finds the address at @by behind the frame base, as a register and an offset. Returns -EAGAIN when the function has not put anything there yet. */
static int frame_relative(const struct scopes *s, int64_t by, struct base *out)
{
	bool early = s->entry || (s->body && s->addr < s->body), cfa;
	int64_t offset;

	if (!frame_base(s, out, &cfa))
		return -ENOTSUP;
	if (early || cfa) {
		/* A value in the caller's frame is already there at the entry. */
		if (!dwarf_frame_offset(s, by, &offset) || (early && offset < 0))
			return -EAGAIN;
		if (!frame_address(s, s->addr, out))
			return -ENOTSUP;
		by = offset;
	} else if (!base_is_set(s, out)) {
		return -EAGAIN;
	}
	out->offset += by;
	return 0;
}

/* --- one location --------------------------------------------------------------------------------------------- */

/* The value is in the register @number. */
static int in_register(const struct scopes *s, unsigned int number, struct place *p)
{
	const char *name = elf_register(s->elf, number);
	struct ctype_info info;

	p->type.ops->info(&p->type, &info);
	if (name && info.kind != CTYPE_STRUCT && info.kind != CTYPE_ARRAY) {
		str_add(&p->text, name);
		return str_ok(&p->text);
	}
	p->n_parts = 1;
	p->parts[0] = (struct place_part){ .size = (unsigned int)MIN(info.size, name ? (uint64_t)8 : UINT64_C(64)) };
	snprintf(p->parts[0].text, sizeof(p->parts[0].text), "%s", name ? name : "");
	return 0;
}

static int at_register(const struct scopes *s, const struct base *base, struct place *p)
{
	const char *name = elf_register(s->elf, base->number);

	if (!name)
		return -ENOTSUP;
	str_add(&p->text, name);
	p->memory = true;
	p->offset = base->offset;
	return str_ok(&p->text);
}

/* Finds what the register held at the entry. This works only if the probe is at the entry. */
static int entry_value(const struct scopes *s, Dwarf_Attribute *attr, const Dwarf_Op *op, struct place *p)
{
	Dwarf_Attribute inner;
	struct base base;
	Dwarf_Op *ops;
	size_t n;

	if (!s->entry || dwarf_getlocation_attr(attr, op, &inner) || dwarf_getlocation(&inner, &ops, &n) || n != 1 || !base_of(ops, &base))
		return -ENODATA;
	return at_register(s, &base, p);
}

/* Takes the first operation of a location. It gives an address or is the whole location. */
static int first_operation(const struct scopes *s, Dwarf_Attribute *attr, const Dwarf_Op *op, struct place *p)
{
	struct base base;
	int err;

	switch (op->atom) {
	case DW_OP_fbreg:
		err = frame_relative(s, (int64_t)op->number, &base);
		return err ? err : at_register(s, &base, p);
	case DW_OP_call_frame_cfa:
		return frame_address(s, s->addr, &base) ? at_register(s, &base, p) : -ENOTSUP;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return entry_value(s, attr, op, p);
	case DW_OP_regx:
		return in_register(s, (unsigned int)op->number, p);
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
	case DW_OP_implicit_value:
		return -ENODATA;
	}
	if (!base_of(op, &base))
		return -ENOTSUP;
	return op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31 ? in_register(s, base.number, p) : at_register(s, &base, p);
}

static int one_location(const struct scopes *s, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n, struct place *p)
{
	int err = first_operation(s, attr, &ops[0], p);

	for (size_t i = 1; !err && i < n; i++) {
		if (!p->memory)
			return -ENOTSUP;
		if (ops[i].atom == DW_OP_plus_uconst) {
			p->offset += (int64_t)ops[i].number;
		} else if (ops[i].atom == DW_OP_deref) {
			err = place_load(p);
			p->memory = true;
		} else if (ops[i].atom == DW_OP_stack_value && i + 1 == n && !p->offset) {
			p->memory = false;
		} else {
			return -ENOTSUP;
		}
	}
	return err;
}

/* Takes several places that together hold one value. */
static int pieces(const struct scopes *s, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n, struct place *p)
{
	unsigned int at = 0;

	for (size_t i = 0, begin = 0; i < n; i++) {
		struct place one = { .type = p->type };
		struct place_part *part = &p->parts[p->n_parts];

		if (ops[i].atom == DW_OP_bit_piece)
			return -ENOTSUP;
		if (ops[i].atom != DW_OP_piece)
			continue;
		if (p->n_parts == PLACE_PARTS)
			return -ENOTSUP;
		*part = (struct place_part){ .at = at, .size = (unsigned int)ops[i].number };
		if (i > begin && one_location(s, attr, ops + begin, i - begin, &one) == 0 && !one.memory)
			snprintf(part->text, sizeof(part->text), "%s", one.n_parts ? one.parts[0].text : str_text(&one.text));
		place_fini(&one);
		at += part->size;
		begin = i + 1;
		p->n_parts++;
	}
	return 0;
}

static bool in_pieces(const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].atom == DW_OP_piece || ops[i].atom == DW_OP_bit_piece)
			return true;
	return false;
}

static bool has_location(const struct scopes *s, Dwarf_Die *var, Dwarf_Attribute *attr, struct location *out)
{
	*out = (struct location){ 0 };
	if (!dwarf_attr_integrate(var, DW_AT_location, attr))
		return false;
	out->list = dwarf_whatform(attr) != DW_FORM_exprloc && dwarf_whatform(attr) != DW_FORM_block1 && dwarf_whatform(attr) != DW_FORM_block2 &&
		    dwarf_whatform(attr) != DW_FORM_block4 && dwarf_whatform(attr) != DW_FORM_block;
	if (dwarf_getlocation_addr(attr, s->addr, &out->ops, &out->n, 1) != 1)
		out->n = 0;
	return out->n;
}

void dwarf_written_location(const struct scopes *s, Dwarf_Die *var, struct location *out)
{
	Dwarf_Attribute attr;

	has_location(s, var, &attr, out);
}

int dwarf_location(const struct scopes *s, Dwarf_Die *var, struct place *p)
{
	struct location l;
	Dwarf_Attribute attr;
	int err;

	*p = (struct place){ .type = dwarf_ctype_of(var) };
	if (!has_location(s, var, &attr, &l))
		return -ENODATA;
	err = in_pieces(l.ops, l.n) ? pieces(s, &attr, l.ops, l.n, p) : one_location(s, &attr, l.ops, l.n, p);
	if (err)
		place_fini(p);
	return err;
}
