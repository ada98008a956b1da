/* SPDX-License-Identifier: GPL-2.0 */
/* Finds parameters at a function's entry, and results at its return. */
#include "lib/probe/dwarf.h"

#include <dwarf.h>
#include <stdio.h>

/* --- is the function what its declaration says? ----------------------------------------------------------------- */

/* Returns true for a copy of a function that GCC has made with other parameters: f.isra.0, f.constprop.0, f.part.0. */
static bool is_clone(const struct scopes *s)
{
	static const char *const marks[] = { ".isra.", ".constprop.", ".part.", ".cold" };
	int n = dwfl_module_getsymtab(s->elf->module);
	Dwarf_Addr low;
	GElf_Addr bias;
	Dwarf_Die function = s->function;

	if (dwarf_entrypc(&function, &low) || !dwfl_module_getdwarf(s->elf->module, &bias))
		return true;
	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr addr;
		const char *name = dwfl_module_getsym_info(s->elf->module, i, &sym, &addr, NULL, NULL, NULL);

		if (!name || GELF_ST_TYPE(sym.st_info) != STT_FUNC || addr != low + bias)
			continue;
		for (size_t j = 0; j < ARRAY_LEN(marks); j++)
			if (strstr(name, marks[j]))
				return true;
	}
	return false;
}

static bool made_by_llvm(const struct scopes *s)
{
	Dwarf_Attribute attr;
	const char *producer = dwarf_attr(s->unit, DW_AT_producer, &attr) ? dwarf_formstring(&attr) : NULL;

	return !producer || !strstr(producer, "GNU");
}

static bool other_convention(const struct scopes *s)
{
	Dwarf_Die function = s->function;
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr_integrate(&function, DW_AT_calling_convention, &attr) && dwarf_formudata(&attr, &value) == 0 && value != DW_CC_normal &&
	       value != DW_CC_program;
}

/* Returns 1 if the parameter has no place. LLVM removes parameters without renaming the function, but a parameter that has a place is still passed. */
static int is_nowhere(void *ctx, Dwarf_Die *parameter)
{
	struct location l;
	unsigned int atom;

	dwarf_written_location(ctx, parameter, &l);
	atom = l.n ? l.ops[0].atom : 0;
	return atom != DW_OP_fbreg && atom != DW_OP_regx && atom != DW_OP_bregx && atom != DW_OP_piece && !(atom >= DW_OP_reg0 && atom <= DW_OP_breg31);
}

/* Returns how many parameters "f(int, g<a, b>, ...)" names. "..." is not counted, because it has no type. Returns -1 when they cannot be counted. */
static int count_named(const char *demangled)
{
	const char *end = strrchr(demangled, ')');
	size_t at = end ? (size_t)(end - demangled) + 1 : 0, len;
	int depth = 0, n = 1;

	while (at-- > 0) {
		depth += (strchr(")>]}", demangled[at]) != NULL) - (strchr("(<[{", demangled[at]) != NULL);
		if (!depth)
			break;
		n += demangled[at] == ',' && depth == 1;
	}
	if (!end || depth)
		return -1;
	len = (size_t)(end - demangled) - at;
	if (len == 1)
		return 0;
	return n - (len > 3 && strncmp(end - 3, "...", 3) == 0);
}

static int count_parameter(void *ctx, Dwarf_Die *parameter)
{
	int *n = ctx;

	*n += !dwarf_hasattr_integrate(parameter, DW_AT_artificial);
	return 0;
}

/*
 * Returns true if DWARF lacks parameters. Without optimisation, Clang does not describe an unused class that is passed by reference. Only the linker's name
 * has it.
 */
static bool lacks_parameters(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_attr_integrate(function, DW_AT_linkage_name, &attr) ? dwarf_formstring(&attr) : NULL;
	__cleanup(free_ptr) char *demangled = name ? elf_demangle(name) : NULL;
	int n = 0;

	dwarf_parameters(function, count_parameter, &n);
	return demangled && n < count_named(demangled);
}

/* Returns why the calling convention does not tell where this function's parameters are. Returns NULL when it does tell. */
static const char *not_by_convention(const struct scopes *s)
{
	Dwarf_Die function = s->function;

	if (dwarf_language(s->unit) == DWARF_OTHER)
		return "where this language passes its parameters is not known here";
	if (other_convention(s))
		return "this function does not follow the calling convention";
	if (is_clone(s))
		return "the compiler has made a copy of this function with other parameters";
	if (made_by_llvm(s) && (lacks_parameters(&function) || dwarf_parameters(&function, is_nowhere, (void *)s)))
		return "the compiler may have changed this function's parameters";
	return NULL;
}

/* --- by the calling convention ----------------------------------------------------------------------------------- */

struct search {
	const struct scopes *s;
	struct abi_call call;
	Dwarf_Off wanted;
	struct abi_place *out;
	struct ctype type;
};

/* Returns how a class is passed, if its location tells that. */
static enum abi_how how_passed(const struct scopes *s, Dwarf_Die *parameter)
{
	struct location l;

	dwarf_written_location(s, parameter, &l);
	if (l.n == 1 && l.ops[0].atom == DW_OP_fbreg)
		return ABI_BY_VALUE;
	if (l.n == 2 && l.ops[0].atom == DW_OP_fbreg && l.ops[1].atom == DW_OP_deref)
		return ABI_BY_REFERENCE;
	return ABI_BY_TYPE;
}

/* Returns false for __in_chrg. Constructors and destructors have this parameter, but the functions that the linker sees do not. */
static bool is_passed(Dwarf_Die *parameter)
{
	const char *name = dwarf_diename(parameter);

	return !name || strcmp(name, "__in_chrg");
}

/*
 * Returns true if the place of this parameter is known. Rust promises nothing. The places are counted only for types that all its versions pass in the same
 * way: numbers and pointers take one register, and slices take two.
 */
static bool rust_next(struct search *search, const struct ctype_info *info)
{
	struct str spelt = { 0 };
	bool slice;

	if (info->kind != CTYPE_STRUCT)
		return info->size <= 8;
	search->type.ops->spell(&search->type, &spelt);
	slice = info->size == 16 && str_starts(str_text(&spelt), "struct &");
	str_fini(&spelt);
	return (slice && search->call.integers != 5) || !info->size;
}

static int next_parameter(void *ctx, Dwarf_Die *parameter)
{
	struct search *search = ctx;
	enum abi_how how = how_passed(search->s, parameter);
	struct ctype_info info;

	if (!is_passed(parameter))
		return 0;
	search->type = dwarf_ctype_of(parameter);
	search->type.ops->info(&search->type, &info);
	if (dwarf_language(search->s->unit) == DWARF_RUST && how != ABI_BY_REFERENCE && !rust_next(search, &info))
		search->call.unsure = "where Rust passes this, or what stands before it, differs from version to version";
	abi_next(&search->call, &search->type, how, search->out);
	return dwarf_dieoffset(parameter) == search->wanted;
}

static struct ctype result_type(const struct scopes *s)
{
	Dwarf_Die function = s->function;

	return dwarf_ctype_of(&function);
}

static void by_convention(const struct scopes *s, Dwarf_Die *parameter, struct abi_place *out)
{
	struct search search = { .s = s, .wanted = dwarf_dieoffset(parameter), .out = out };
	struct ctype result = result_type(s);
	Dwarf_Die function = s->function;
	struct ctype_info info;

	abi_begin(&search.call, s->elf->machine, &result);
	result.ops->info(&result, &info);
	if (dwarf_language(s->unit) == DWARF_RUST && info.kind == CTYPE_STRUCT && info.size > 8 && info.size <= 16)
		search.call.unsure = "how Rust returns a result of this size differs from version to version";
	if (dwarf_parameters(&function, next_parameter, &search) != 1)
		*out = (struct abi_place){ .kind = ABI_UNSURE, .why = "it is not among this function's parameters" };
}

/* --- as what can be fetched --------------------------------------------------------------------------------------- */

/* Sets @out to the name of a register of a call or of a result. It becomes "" if the kernel cannot fetch that register. */
static void register_text(const struct scopes *s, const struct abi_part *part, bool result, char out[static 12])
{
	const char *second = s->elf->machine == EM_X86_64 ? "%dx" : "%x1";
	const char *name = part->class != ABI_INTEGER ? "" : !result ? elf_argument(s->elf, part->number) : part->number == 1 ? "$retval" : second;

	snprintf(out, 12, "%s", name ? name : "");
}

static int place_registers(const struct scopes *s, const struct abi_place *abi, bool result, struct place *p)
{
	struct ctype_info info;

	p->type.ops->info(&p->type, &info);
	for (unsigned int i = 0; i < abi->n; i++) {
		struct place_part *part = &p->parts[i];

		*part = (struct place_part){ .at = abi->parts[i].at, .size = abi->parts[i].size };
		register_text(s, &abi->parts[i], result, part->text);
	}
	p->n_parts = abi->n;
	if (!abi->reference && (abi->n > 1 || info.kind == CTYPE_STRUCT || !p->parts[0].text[0]))
		return 0;
	str_add(&p->text, p->parts[0].text);
	p->n_parts = 0;
	p->memory = abi->reference;
	return str_ok(&p->text);
}

static int place_stack(const struct scopes *s, const struct abi_place *abi, struct place *p)
{
	/* On x86, the return address is on the stack, too. */
	uint64_t at = abi->stack + (s->elf->machine == EM_X86_64 ? 8 : 0);

	str_add(&p->text, "%sp");
	p->memory = true;
	p->offset = (int64_t)at;
	if (abi->reference) {
		int err = place_load(p);

		p->memory = true;
		return err;
	}
	return str_ok(&p->text);
}

static int place_abi(const struct scopes *s, const struct abi_place *abi, bool result, struct place *p, const char **why)
{
	*why = abi->kind == ABI_NOTHING ? "a value without bytes is not passed" : abi->why;
	switch (abi->kind) {
	case ABI_REGISTERS:
		return place_registers(s, abi, result, p);
	case ABI_STACK:
		return place_stack(s, abi, p);
	default:
		return -ENOTSUP;
	}
}

/*
 * Returns true if DWARF's location of a parameter does not contradict the place in which it was passed. DWARF has one location here, which holds for the
 * whole function.
 */
static bool agrees(const struct scopes *s, const struct location *l, const struct abi_place *abi, const struct place *p)
{
	const char *name;
	int64_t offset;

	if (!l->n || l->list)
		return true;
	if (l->ops[0].atom == DW_OP_fbreg) {
		/*
		 * The location is either in the function's own frame or in the caller's frame. In the caller's frame, it must be where the parameter was
		 * passed.
		 */
		if (!dwarf_frame_offset(s, (int64_t)l->ops[0].number, &offset) || offset < 0)
			return true;
		return abi->kind == ABI_STACK && (uint64_t)offset == abi->stack;
	}
	if (l->n != 1 || l->ops[0].atom < DW_OP_reg0 || l->ops[0].atom > DW_OP_reg31)
		return true;
	name = elf_register(s->elf, l->ops[0].atom - DW_OP_reg0);
	return name ? strcmp(p->n_parts ? p->parts[0].text : str_text(&p->text), name) == 0 : abi->n && abi->parts[0].class == ABI_VECTOR;
}

int dwarf_at_entry(const struct scopes *s, Dwarf_Die *parameter, struct place *p, const char **why)
{
	const char *unsure = not_by_convention(s);
	struct abi_place abi;
	struct location l;
	int err;

	dwarf_written_location(s, parameter, &l);
	*why = "it is not known at the function's entry";
	/* If there is a list of locations, one of them is exactly for the entry. A single location for the whole function may hold only in its body. */
	if (l.n && (l.list || unsure)) {
		err = dwarf_location(s, parameter, p);
		if (!err)
			return 0;
	}
	*p = (struct place){ .type = dwarf_ctype_of(parameter) };
	if (unsure) {
		*why = unsure;
		return -ENOTSUP;
	}
	by_convention(s, parameter, &abi);
	err = place_abi(s, &abi, false, p, why);
	if (!err && !agrees(s, &l, &abi, p)) {
		*why = "the debug information contradicts the calling convention";
		err = -ENOTSUP;
	}
	if (err)
		place_fini(p);
	return err;
}

int dwarf_result(const struct scopes *s, struct place *p, const char **why)
{
	struct abi_place abi;
	struct ctype_info info;

	*p = (struct place){ .type = result_type(s) };
	p->type.ops->info(&p->type, &info);
	abi_result(s->elf->machine, &p->type, &abi);
	if (dwarf_language(s->unit) != DWARF_C && dwarf_language(s->unit) != DWARF_CXX && (info.kind == CTYPE_STRUCT || info.size > 8))
		abi = (struct abi_place){ .kind = ABI_UNSURE, .why = "where this language returns such a value is not known here" };
	if (abi.kind == ABI_NOTHING)
		abi = (struct abi_place){ .kind = ABI_UNSURE, .why = "the function returns nothing" };
	return place_abi(s, &abi, true, p, why);
}
