/* SPDX-License-Identifier: GPL-2.0 */
/* Arguments of user probes: registers by the calling convention, variables by name from DWARF. */
#include "lib/base/err.h"
#include "lib/probe/elf-file.h"
#include "lib/probe/place.h"

#include <dwarf.h>

/* The function and the blocks around an address, innermost first. */
struct scopes {
	GElf_Addr addr;		/* by the debug information */
	Dwarf_Die *unit;
	Dwarf_Die *dies;	/* malloc'd by libdw */
	int n;
	Dwarf_Die function;	/* the innermost one that is no inlined copy */
	bool entry;		/* the address is its first instruction */
};

/* The compilation unit with the code at @addr; NULL: no debug information for it. */
static Dwarf_Die *unit_at(struct elf_file *elf, GElf_Addr addr, GElf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(elf->module, addr + elf->bias, bias);

	/* Not all compilers write .debug_aranges: clang and Go do not. */
	if (!unit)
		while ((unit = dwfl_module_nextcu(elf->module, unit, bias)) && dwarf_haspc(unit, addr + elf->bias - *bias) <= 0)
			;
	return unit;
}

/* false: no debug information there. */
static bool scopes_at(struct elf_file *elf, uint64_t offset, struct scopes *out)
{
	GElf_Addr addr, bias;
	Dwarf_Addr low;
	bool found = false;

	*out = (struct scopes){ 0 };
	if (!elf_address(elf, offset, &addr))
		return false;
	out->unit = unit_at(elf, addr, &bias);
	if (!out->unit)
		return false;
	out->addr = addr + elf->bias - bias;
	out->n = dwarf_getscopes(out->unit, out->addr, &out->dies);
	for (int i = 0; i < out->n && !found; i++)
		if (dwarf_tag(&out->dies[i]) == DW_TAG_subprogram) {
			out->function = out->dies[i];
			found = true;
		}
	out->entry = found && dwarf_lowpc(&out->function, &low) == 0 && low == out->addr;
	if (!found) {
		free(out->dies);
		out->dies = NULL;
	}
	return found;
}

/* --- where a variable is --------------------------------------------------------------------------------------- */

/*
 * The register of a function's integer parameter at its entry, where its own location is not yet valid in code that was
 * not optimised. NULL: it is not passed in one, or what stands before it is too complicated to count.
 */
static const char *entry_register(const struct elf_file *elf, Dwarf_Die *function, Dwarf_Die *wanted)
{
	uint64_t reg = 1;
	Dwarf_Die child;

	if (dwarf_child(function, &child))
		return NULL;
	do {
		struct ctype type = dwarf_ctype_of(&child);
		struct ctype_info info;

		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		type.ops->info(&type, &info);
		if (dwarf_dieoffset(&child) == dwarf_dieoffset(wanted))
			return info.kind == CTYPE_INT || info.kind == CTYPE_ENUM || info.kind == CTYPE_POINTER ?
				       elf_argument(elf, reg) : NULL;
		if (info.kind == CTYPE_STRUCT && info.size <= 16)
			return NULL;
		reg += info.kind != CTYPE_OTHER && info.kind != CTYPE_STRUCT;
	} while (dwarf_siblingof(&child, &child) == 0);
	return NULL;
}

/* A location of one operation: a register, or memory behind one. */
static int simple_location(const struct elf_file *elf, const Dwarf_Op *op, struct place *p)
{
	unsigned int number = 0;
	const char *name;

	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		number = op->atom - DW_OP_reg0;
	} else if (op->atom == DW_OP_regx) {
		number = (unsigned int)op->number;
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		number = op->atom - DW_OP_breg0;
		p->offset = (int64_t)op->number;
		p->memory = true;
	} else if (op->atom == DW_OP_bregx) {
		number = (unsigned int)op->number;
		p->offset = (int64_t)op->number2;
		p->memory = true;
	} else {
		return -ENOTSUP;
	}
	name = elf_register(elf, number);
	if (!name)
		return -ENOTSUP;
	str_add(&p->text, name);
	return str_ok(&p->text);
}

/* The canonical frame address at the place, as a register and an offset. */
static int frame_address(struct elf_file *elf, GElf_Addr addr, struct place *p)
{
	GElf_Addr bias;
	Dwarf_CFI *cfis[2];

	cfis[0] = dwfl_module_eh_cfi(elf->module, &bias);
	cfis[1] = dwfl_module_dwarf_cfi(elf->module, &bias);
	for (size_t i = 0; i < ARRAY_LEN(cfis); i++) {
		Dwarf_Frame *frame = NULL;
		Dwarf_Op *ops;
		size_t n;
		int err = -ENOTSUP;

		if (!cfis[i] || dwarf_cfi_addrframe(cfis[i], addr, &frame))
			continue;
		if (dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1)
			err = simple_location(elf, ops, p);
		free(frame);
		return err;
	}
	return -ENOTSUP;
}

/* Memory at @by behind the frame base of the function around. */
static int frame_relative(struct elf_file *elf, struct scopes *s, int64_t by, struct place *p)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;
	int err = -ENOTSUP;

	if (!dwarf_attr_integrate(&s->function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, s->addr, &ops, &n, 1) != 1 || n != 1)
		return -ENOTSUP;
	err = ops->atom == DW_OP_call_frame_cfa ? frame_address(elf, s->addr, p) : simple_location(elf, ops, p);
	p->memory = true;
	p->offset += by;
	return err;
}

/* -ENODATA: optimised out here. -ENOTSUP: somewhere that no fetch argument reaches. */
static int locate(struct elf_file *elf, struct scopes *s, Dwarf_Die *var, struct place *p)
{
	/* Go has a calling convention of its own, which its locations at the entry say. */
	bool by_convention = s->entry && dwarf_tag(var) == DW_TAG_formal_parameter && dwarf_srclang(s->unit) != DW_LANG_Go;
	const char *reg = by_convention ? entry_register(elf, &s->function, var) : NULL;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	*p = (struct place){ .type = dwarf_ctype_of(var) };
	if (reg) {
		str_add(&p->text, reg);
		return str_ok(&p->text);
	}
	if (!dwarf_attr_integrate(var, DW_AT_location, &attr))
		return -ENODATA;
	if (dwarf_getlocation_addr(&attr, s->addr, &ops, &n, 1) != 1 || n == 0)
		return -ENODATA;
	if (n == 1 && ops->atom == DW_OP_fbreg)
		return frame_relative(elf, s, (int64_t)ops->number, p);
	if (ops->atom == DW_OP_entry_value || ops->atom == DW_OP_GNU_entry_value || ops->atom == DW_OP_implicit_pointer)
		return -ENODATA;
	return n == 1 ? simple_location(elf, ops, p) : -ENOTSUP;
}

/* --- arguments --------------------------------------------------------------------------------------------- */

static void names_in(Dwarf_Die *scope, strv_t *names)
{
	Dwarf_Die child;

	if (dwarf_child(scope, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if ((tag == DW_TAG_formal_parameter || tag == DW_TAG_variable) && dwarf_diename(&child))
			strv_add(names, dwarf_diename(&child));
	} while (dwarf_siblingof(&child, &child) == 0);
}

static bool find_variable(struct scopes *s, const char *name, size_t len, Dwarf_Die *out)
{
	for (int i = 0; i < s->n; i++) {
		Dwarf_Die child;

		if (dwarf_child(&s->dies[i], &child))
			continue;
		do {
			int tag = dwarf_tag(&child);
			const char *its = dwarf_diename(&child);

			if ((tag == DW_TAG_formal_parameter || tag == DW_TAG_variable) && its && strlen(its) == len &&
			    strncmp(its, name, len) == 0) {
				*out = child;
				return true;
			}
		} while (dwarf_siblingof(&child, &child) == 0);
		if (dwarf_tag(&s->dies[i]) == DW_TAG_subprogram)
			break;
	}
	return false;
}

static int no_variable(const struct probe_spec *spec, struct scopes *s, const struct probe_arg *arg, size_t len)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 };
	int err;

	for (int i = 0; i < s->n; i++) {
		names_in(&s->dies[i], &names);
		if (dwarf_tag(&s->dies[i]) == DW_TAG_subprogram)
			break;
	}
	near = place_suggestion(arg->expr, len, &names);
	err = probe_fail(spec, arg->column, ENOENT, "there is no variable '%.*s' in %s here%s", prec(len), arg->expr,
			 dwarf_diename(&s->function) ? dwarf_diename(&s->function) : "the function", near ? near : "");
	strv_fini(&names);
	return err;
}

static int variable_fetch(struct elf_file *elf, const struct probe_spec *spec, struct scopes *s,
			  const struct probe_arg *arg, struct fetch *out)
{
	size_t len = place_name(arg->expr);
	struct place p = { 0 };
	Dwarf_Die var;
	int err;

	if (!find_variable(s, arg->expr, len, &var))
		return no_variable(spec, s, arg, len);
	err = locate(elf, s, &var, &p);
	if (err == -ENODATA)
		err = probe_fail(spec, arg->column, ENODATA,
				 "'%.*s' is optimised out at this place; try the function's entry or another line", prec(len), arg->expr);
	else if (err == -ENOTSUP)
		err = probe_fail(spec, arg->column, ENOTSUP,
				 "'%.*s' is in a place that no fetch argument reaches (split up, computed, or global)", prec(len),
				 arg->expr);
	err = err ? err : place_walk(&p, spec, arg, arg->expr + len);
	err = err ? err : place_fetch(&p, spec, arg, out);
	place_fini(&p);
	return err;
}

static int retval_fetch(const struct probe_spec *spec, struct scopes *s, bool known, const struct probe_arg *arg,
			struct fetch *out)
{
	struct place p = { 0 };
	int err;

	if (!known || arg->type || arg->expr[7] == '\0') {
		bool string = arg->type && strstr(arg->type, "string");

		if (!known || arg->type) {
			if (arg->expr[7])
				return probe_fail(spec, arg->column + 7, ENODATA, "members need debug information, which is not there");
			out->text = strdup(string ? "+0($retval)" : "$retval");
			out->type = arg->type ? strdup(arg->type) : NULL;
			return out->text ? 0 : -ENOMEM;
		}
	}
	p.type = dwarf_ctype_of(&s->function);
	str_add(&p.text, "$retval");
	err = str_ok(&p.text);
	err = err ? err : place_walk(&p, spec, arg, arg->expr + 7);
	err = err ? err : place_fetch(&p, spec, arg, out);
	place_fini(&p);
	return err;
}

/* arg1 … arg6: the registers of the calling convention, right at a function's entry. */
static int register_fetch(const struct elf_file *elf, const struct probe_spec *spec, const struct probe_arg *arg,
			  const char *digits, struct fetch *out)
{
	const char *reg = elf_argument(elf, strtoull(digits, NULL, 10));
	bool string = arg->type && strstr(arg->type, "string");

	if (!reg)
		return probe_fail(spec, arg->column, ERANGE, "only arg1 to arg%d are passed in registers",
				  elf->machine == EM_AARCH64 ? 8 : 6);
	out->text = str_printf(string ? "+0(%s)" : "%s", reg);
	out->type = arg->type ? strdup(arg->type) : NULL;
	return out->text ? 0 : -ENOMEM;
}

static bool is_argument(const char *expr, const char **digits)
{
	expr += *expr == '$';
	if (!str_starts(expr, "arg") || !expr[3])
		return false;
	*digits = expr + 3;
	return expr[3 + strspn(expr + 3, "0123456789")] == '\0';
}

int elf_fetch(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret,
	      const struct probe_arg *arg, struct fetch *out)
{
	const char *digits;
	struct scopes s;
	bool known;
	int err;

	*out = (struct fetch){ .name = arg->name ? strdup(arg->name) : place_field(arg->expr) };
	if (!out->name)
		return -ENOMEM;
	if (strchr("%@+-\\", arg->expr[0]) || str_starts(arg->expr, "$stack") || strcmp(arg->expr, "$comm") == 0) {
		out->text = strdup(arg->expr);
		out->type = arg->type ? strdup(arg->type) : NULL;
		return out->text ? 0 : -ENOMEM;
	}
	if (str_starts(arg->expr, "$retval") != ret)
		return probe_fail(spec, arg->column, EINVAL, ret ? "the parameters are gone at the return: fetch them with a uprobe, or $retval here" :
				  "$retval is there at the return only: use a uretprobe");
	known = scopes_at(elf, offset, &s);
	if (ret)
		err = retval_fetch(spec, &s, known, arg, out);
	else if (is_argument(arg->expr, &digits))
		err = register_fetch(elf, spec, arg, digits, out);
	else if (!known)
		err = probe_fail(spec, arg->column, ENODATA,
				 "%s has no debug information for this place, so variables have no names; use arg1 to arg6, or install it",
				 elf->path);
	else
		err = variable_fetch(elf, spec, &s, arg, out);
	free(s.dies);
	return err;
}

int elf_variables(struct elf_file *elf, const char *function, unsigned int depth, variables_t *out)
{
	elf_symbols_t found = { 0 };
	struct scopes s = { 0 };
	Dwarf_Die child;
	int err = elf_functions(elf, function, &found);

	if (!err && !found.n)
		err = fail(ENOENT, "%s has no function '%s'; `ringside probe syms` lists them", elf->path, function);
	if (!err && !scopes_at(elf, found.at[0].offset, &s))
		err = fail(ENODATA, "%s has no debug information for %s", elf->path, function);
	if (!err && dwarf_child(&s.function, &child) == 0) {
		do {
			struct place p = { 0 };

			if (dwarf_tag(&child) == DW_TAG_formal_parameter && dwarf_diename(&child) &&
			    locate(elf, &s, &child, &p) == 0)
				err = place_list(&p, dwarf_diename(&child), depth, out);
			place_fini(&p);
		} while (!err && dwarf_siblingof(&child, &child) == 0);
	}
	free(s.dies);
	elf_symbols_fini(&found);
	return err;
}

int elf_names(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret, const struct probe_arg *base, strv_t *out)
{
	size_t len = base ? place_name(base->expr) : 0;
	struct place p = { 0 };
	struct scopes s;
	struct ctype type;
	Dwarf_Die die;
	int err = 0;

	if (!scopes_at(elf, offset, &s))
		return fail(ENODATA, "%s has no debug information for this place", elf->path);
	if (base && (ret || find_variable(&s, base->expr, len, &die))) {
		/* Where it is does not matter, only its type; that is known even if it was optimised out. */
		p = (struct place){ .type = dwarf_ctype_of(ret ? &s.function : &die), .memory = !ret };
		err = place_walk(&p, spec, base, base->expr + len);
		err = err ? err : place_members(&p, out);
	} else if (!base && ret) {
		type = dwarf_ctype_of(&s.function);
		err = place_candidate("$retval", &type, out);
	}
	for (int i = 0; !err && !base && !ret && i < s.n; i++) {
		strv_t names = { 0 };

		names_in(&s.dies[i], &names);
		vec_each (&names, name)
			if (!err && find_variable(&s, *name, strlen(*name), &die)) {
				type = dwarf_ctype_of(&die);
				err = place_candidate(*name, &type, out);
			}
		strv_fini(&names);
		if (dwarf_tag(&s.dies[i]) == DW_TAG_subprogram)
			break;
	}
	place_fini(&p);
	free(s.dies);
	return err;
}
