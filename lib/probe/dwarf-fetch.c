/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the arguments of user probes: registers by the calling convention, and variables by name from DWARF. */
#include "lib/base/err.h"
#include "lib/probe/dwarf.h"

#include <dwarf.h>

/* Finds where a variable is. Returns 0, and the caller has to free @p. Otherwise returns an -errno without a message, and *@why is the reason. */
static int locate(const struct scopes *s, Dwarf_Die *var, struct place *p, const char **why)
{
	int err;

	if (s->entry && dwarf_tag(var) == DW_TAG_formal_parameter)
		return dwarf_at_entry(s, var, p, why);
	err = dwarf_location(s, var, p);
	*why = err == -ENODATA	? "it is optimised out at this place"
	       : err == -EAGAIN ? "the function has not yet put it into its place here"
				: "it is in a place that no fetch argument reaches (split up, computed, or global)";
	return err;
}

/* Returns "; it is known at main.c:42, behind the function's prologue", in new memory. Returns NULL when the variable is not known there either. */
static char *known_behind(const struct scopes *s, Dwarf_Die *var, uint64_t offset)
{
	uint64_t behind = s->body > s->addr ? s->body - s->addr : 0;
	__cleanup(free_ptr) char *line = NULL;
	Dwarf_Die function = s->function;
	struct scopes body = *s;
	struct place p = { 0 };
	Dwarf_Addr low;

	body.addr = s->body;
	body.entry = false;
	if (!behind || dwarf_entrypc(&function, &low) || dwarf_location(&body, var, &p))
		return NULL;
	place_fini(&p);
	line = elf_line_of(s->elf, offset + behind);
	if (line)
		return str_printf("; it is known at %s, behind the function's prologue", line);
	return str_printf("; it is known at %s+0x%llx, behind the function's prologue", dwarf_diename(&function) ? dwarf_diename(&function) : "FUNCTION",
			  (unsigned long long)(s->body - low));
}

/* --- arguments --------------------------------------------------------------------------------------------- */

static int no_variable(const struct probe_spec *spec, struct scopes *s, const struct probe_arg *arg, size_t len)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 };
	int err;

	scopes_names(s, &names);
	near = place_suggestion(arg->expr, len, &names);
	err = probe_fail(spec, arg->column, ENOENT, "there is no variable '%.*s' in %s here%s", prec(len), arg->expr,
			 dwarf_diename(&s->function) ? dwarf_diename(&s->function) : "the function", near ? near : "");
	strv_fini(&names);
	return err;
}

static int variable_fetch(const struct probe_spec *spec, struct scopes *s, uint64_t offset, const struct probe_arg *arg, struct fetch *out)
{
	size_t len = place_name(arg->expr);
	struct place p = { 0 };
	const char *why;
	Dwarf_Die var;
	int err;

	if (!scopes_variable(s, arg->expr, len, &var))
		return no_variable(spec, s, arg, len);
	err = locate(s, &var, &p, &why);
	if (err && err != -ENOMEM) {
		__cleanup(free_ptr) char *behind = known_behind(s, &var, offset);

		return probe_fail(spec, arg->column, -err, "'%.*s' cannot be fetched at this place: %s%s", prec(len), arg->expr, why, behind ? behind : "");
	}
	err = err ? err : place_walk(&p, spec, arg, arg->expr + len);
	err = err ? err : place_fetch(&p, spec, arg, out);
	place_fini(&p);
	return err;
}

/* Fetches $retval as it is. This is used when its type is not known or is the one that the user has asked for. */
static int plain_retval(const struct probe_arg *arg, struct fetch *out)
{
	bool string = arg->type && strstr(arg->type, "string");

	out->text = strdup(string ? "+0($retval)" : "$retval");
	out->type = arg->type ? strdup(arg->type) : NULL;
	return out->text ? 0 : -ENOMEM;
}

static int retval_fetch(const struct probe_spec *spec, struct scopes *s, bool known, const struct probe_arg *arg, struct fetch *out)
{
	const char *rest = arg->expr + strlen("$retval"), *why;
	struct place p = { 0 };
	int err;

	if (!known && *rest)
		return probe_fail(spec, arg->column + strlen("$retval"), ENODATA, "members need debug information, which is not there");
	if (!known)
		return plain_retval(arg, out);
	err = dwarf_result(s, &p, &why);
	if (err && err != -ENOMEM)
		return probe_fail(spec, arg->column, -err, "$retval cannot be fetched: %s", why);
	err = err ? err : place_walk(&p, spec, arg, rest);
	err = err ? err : place_fetch(&p, spec, arg, out);
	place_fini(&p);
	return err;
}

/* Fetches arg1 … arg6, which are registers of the calling convention right at a function's entry. */
static int register_fetch(const struct elf_file *elf, const struct probe_spec *spec, const struct probe_arg *arg, const char *digits, struct fetch *out)
{
	const char *reg = elf_argument(elf, strtoull(digits, NULL, 10));
	bool string = arg->type && strstr(arg->type, "string");

	if (!reg)
		return probe_fail(spec, arg->column, ERANGE, "only arg1 to arg%d are passed in registers", elf->machine == EM_AARCH64 ? 8 : 6);
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

int elf_fetch(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret, const struct probe_arg *arg, struct fetch *out)
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
		return probe_fail(spec, arg->column, EINVAL,
				  ret ? "the parameters are gone at the return: fetch them with a uprobe, or $retval here"
				      : "$retval is there at the return only: use a uretprobe");
	known = scopes_at(elf, offset, &s);
	if (ret)
		err = retval_fetch(spec, &s, known, arg, out);
	else if (is_argument(arg->expr, &digits))
		err = register_fetch(elf, spec, arg, digits, out);
	else if (!known)
		err = probe_fail(spec, arg->column, ENODATA,
				 "%s has no debug information for this place, so variables have no names; use arg1 to arg6, or install it", elf->path);
	else
		err = variable_fetch(spec, &s, offset, arg, out);
	if (known)
		scopes_fini(&s);
	return err;
}

/* --- lists ------------------------------------------------------------------------------------------------------ */

struct list {
	const struct scopes *s;
	unsigned int depth;
	variables_t *out;
};

static int list_parameter(void *ctx, Dwarf_Die *parameter)
{
	const char *name = dwarf_diename(parameter), *why;
	struct ctype type = dwarf_ctype_of(parameter);
	struct list *l = ctx;
	struct place p;
	int err;

	if (!name)
		return 0;
	err = locate(l->s, parameter, &p, &why);
	if (err)
		return err == -ENOMEM ? err : place_list_why(&type, name, why, l->out);
	err = place_list(&p, name, l->depth, l->out);
	place_fini(&p);
	return err;
}

int elf_variables(struct elf_file *elf, const char *function, unsigned int depth, variables_t *out)
{
	struct scopes s = { 0 };
	struct probe_spec spec = { .text = (char *)function, .function = (char *)function };
	uint64_t offset;
	int err = elf_place(elf, &spec, &offset);

	if (!err && !scopes_at(elf, offset, &s))
		err = fail(ENODATA, "%s has no debug information for %s", elf->path, function);
	err = err ? err : dwarf_parameters(&s.function, list_parameter, &(struct list){ &s, depth, out });
	scopes_fini(&s);
	return err;
}

static int names_of_all(const struct scopes *s, strv_t *out)
{
	strv_t names = { 0 };
	Dwarf_Die die;
	int err = 0;

	scopes_names(s, &names);
	vec_each (&names, name) {
		struct place p;
		const char *why;

		/* Variables that would be refused are not offered. */
		if (err || !scopes_variable(s, *name, strlen(*name), &die) || locate(s, &die, &p, &why))
			continue;
		err = place_can_be_fetched(&p) ? place_candidate(*name, &p.type, out) : 0;
		place_fini(&p);
	}
	strv_fini(&names);
	return err;
}

int elf_names(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret, const struct probe_arg *base, strv_t *out)
{
	size_t len = base ? place_name(base->expr) : 0;
	struct place p = { 0 };
	struct scopes s;
	Dwarf_Die die;
	int err = 0;

	if (!scopes_at(elf, offset, &s))
		return fail(ENODATA, "%s has no debug information for this place", elf->path);
	if (base && (ret || scopes_variable(&s, base->expr, len, &die))) {
		/* Only the type matters here, and not the place. The type is known even if the variable was optimised out. */
		p = (struct place){ .type = dwarf_ctype_of(ret ? &s.function : &die), .memory = true };
		err = place_walk(&p, spec, base, base->expr + len);
		err = err ? err : place_members(&p, out);
	} else if (!base && ret) {
		struct ctype type = dwarf_ctype_of(&s.function);

		err = place_candidate("$retval", &type, out);
	} else if (!base) {
		err = names_of_all(&s, out);
	}
	place_fini(&p);
	scopes_fini(&s);
	return err;
}
