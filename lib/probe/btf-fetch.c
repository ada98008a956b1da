/* SPDX-License-Identifier: GPL-2.0 */
/* Expressions over a kernel function's parameters, and the list of those that can be fetched. */
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/probe/btf.h"

#include <ctype.h>

static size_t name_length(const char *at)
{
	size_t n = *at == '$';

	while (isalnum((unsigned char)at[n]) || at[n] == '_')
		n++;
	return n;
}

static void add_members(const struct btf *btf, const struct btf_type *t, strv_t *names)
{
	for (uint16_t i = 0; i < btf_vlen(t); i++) {
		const struct btf_member *m = &btf_members(t)[i];
		const char *name = btf__name_by_offset(btf, m->name_off);
		const struct btf_type *inner = btf_plain(btf, m->type, NULL);

		if (name && *name)
			strv_add(names, name);
		else if (inner && btf_is_composite(inner))
			add_members(btf, inner, names);
	}
}

/* "; the nearest are a or b", else "; there are a, b, c …"; new memory. */
static char *suggestion(const char *word, size_t len, const strv_t *names)
{
	__cleanup(free_ptr) char *key = strndup(word, len);
	strv_t best = { 0 };
	struct str s = { 0 };

	if (key)
		nearest_names(key, names, 3, &best);
	if (best.n) {
		__cleanup(free_ptr) char *joined = join_names(&best, "; did you mean ", "?");

		str_add(&s, joined ? joined : "");
	} else if (names->n) {
		str_add(&s, "; there are ");
		for (size_t i = 0; i < names->n && i < 12; i++)
			str_addf(&s, "%s%s", i ? ", " : "", names->at[i]);
		str_add(&s, names->n > 12 ? ", …" : "");
	}
	strv_fini(&best);
	return str_take(&s);
}

static int no_parameter(const struct probe_spec *spec, const struct kfunc *func, const char *function,
			const char *word, size_t len, size_t column)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 };
	int err;

	for (uint16_t i = 0; i < btf_vlen(func->proto); i++) {
		const char *name = btf__name_by_offset(func->btf, btf_params(func->proto)[i].name_off);

		if (name && *name)
			strv_add(&names, name);
	}
	near = suggestion(word, len, &names);
	err = probe_fail(spec, column, ENOENT, "%s has no parameter '%.*s'%s", function, prec(len), word,
			 names.n ? near ? near : "" : "; it has none at all");
	strv_fini(&names);
	return err;
}

static int no_member(const struct probe_spec *spec, const struct btf *btf, uint32_t type_id, const char *word,
		     size_t len, size_t column)
{
	__cleanup(free_ptr) char *near = NULL;
	const struct btf_type *t = btf_plain(btf, type_id, NULL);
	struct str type = { 0 };
	strv_t names = { 0 };
	int err;

	btf_spell(btf, type_id, &type);
	if (t && btf_is_composite(t)) {
		add_members(btf, t, &names);
		near = suggestion(word, len, &names);
		err = probe_fail(spec, column, ENOENT, "%s has no member '%.*s'%s", str_text(&type), prec(len), word,
				 near ? near : "");
	} else if (t && btf_is_fwd(t)) {
		err = probe_fail(spec, column, ENOTSUP, "what %s consists of is not in this kernel's BTF", str_text(&type));
	} else {
		err = probe_fail(spec, column, EINVAL, "%s is no structure: it has no members", str_text(&type));
	}
	str_fini(&type);
	strv_fini(&names);
	return err;
}

/* "->name" and ".name": an arrow follows a pointer first, and so does a dot where there is one. */
static int step_member(struct place *p, const struct probe_spec *spec, const struct btf *btf, const char *word,
		       size_t len, size_t column)
{
	const struct btf_type *t = btf_plain(btf, p->type_id, NULL);
	int err = t && btf_is_ptr(t) ? place_follow(p, btf) : 0;

	if (err)
		return err;
	err = place_member(p, btf, word, len);
	return err == -ENOENT || err == -EINVAL ? no_member(spec, btf, p->type_id, word, len, column) : err;
}

static int step_index(struct place *p, const struct probe_spec *spec, const struct btf *btf, const char **at,
		      size_t column)
{
	char *end;
	uint64_t index = strtoull(*at, &end, 0);
	int err;

	if (end == *at || *end != ']')
		return probe_fail(spec, column, EINVAL, "an index is a number: [0]");
	err = place_index(p, btf, index);
	if (err == -EINVAL)
		return probe_fail(spec, column, EINVAL, "only arrays and pointers have elements");
	if (err == -ERANGE)
		return probe_fail(spec, column, ERANGE, "element %llu lies beyond the end of the array",
				  (unsigned long long)index);
	*at = end + 1;
	return err;
}

static int walk(struct place *p, const struct probe_spec *spec, const struct kfunc *func, const char *function,
		const struct probe_arg *arg)
{
	const char *at = arg->expr;
	size_t len = name_length(at);
	int err = place_begin(p, func, at, len);

	if (err == -ENOTSUP)
		return probe_fail(spec, arg->column, ENOTSUP,
				  "'%.*s' is a structure passed by value, which no fetch argument reaches", prec(len), at);
	if (err == -ENOENT)
		return no_parameter(spec, func, function, at, len, arg->column);
	for (at += len; !err && *at;) {
		size_t column = arg->column + (size_t)(at - arg->expr);

		if (*at == '[') {
			at++;
			err = step_index(p, spec, func->btf, &at, column + 1);
			continue;
		}
		if (*at != '.' && strncmp(at, "->", 2))
			return probe_fail(spec, column, EINVAL, "'%s' is not understood: members follow with -> or ., elements with [N]", at);
		at += *at == '.' ? 1 : 2;
		len = name_length(at);
		err = step_member(p, spec, func->btf, at, len, arg->column + (size_t)(at - arg->expr));
		at += len;
	}
	return err;
}

/* Names a field by the last name in the expression: "file->f_path.dentry->d_name.name" is "name". */
static char *field_name(const char *expr)
{
	const char *name = expr, *at;
	size_t len;

	for (at = expr; *at; at++)
		if ((isalpha((unsigned char)*at) || *at == '_') &&
		    (at == expr || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')))
			name = at;
	if (strncmp(expr, "$retval", 7) == 0 && !expr[7])
		return strdup("ret");
	len = name_length(name);
	return len ? strndup(name, len) : strdup("arg");
}

/* What the kernel understands by itself. */
static bool is_kernels_own(const char *expr)
{
	static const char *const own[] = { "$arg", "$stack", "$comm", "$ret", "%", "@", "+", "-", "\\" };

	if (strncmp(expr, "$retval", 7) == 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (str_starts(expr, own[i]))
			return true;
	return false;
}

static int pass_through(const struct probe_arg *arg, struct fetch *out)
{
	out->text = strdup(arg->expr);
	out->type = arg->type ? strdup(arg->type) : NULL;
	return out->text && (out->type || !arg->type) ? 0 : -ENOMEM;
}

static int fetch_refused(const struct probe_spec *spec, const struct btf *btf, const struct place *p,
			 const struct probe_arg *arg, int err)
{
	struct str type = { 0 };
	const struct btf_type *t = btf_plain(btf, p->type_id, NULL);

	btf_spell(btf, p->type_id, &type);
	if (err == -EISDIR && t && btf_is_composite(t)) {
		strv_t names = { 0 };
		__cleanup(free_ptr) char *some = NULL;

		add_members(btf, t, &names);
		some = suggestion("", 0, &names);
		err = probe_fail(spec, arg->column, EINVAL, "%s is a structure; fetch one of its members%s",
				 str_text(&type), some ? some : "");
		strv_fini(&names);
	} else if (err != -ENOMEM) {
		err = probe_fail(spec, arg->column, EINVAL, "a value of type %s cannot be fetched", str_text(&type));
	}
	str_fini(&type);
	return err;
}

static int compile(const struct kfunc *func, const struct probe_spec *spec, const char *function,
		   const struct probe_arg *arg, struct fetch *out)
{
	struct place p = { 0 };
	int err = walk(&p, spec, func, function, arg);

	if (!err) {
		err = place_fetch(&p, func->btf, arg->type, out);
		if (err)
			err = fetch_refused(spec, func->btf, &p, arg, err);
	}
	place_fini(&p);
	return err;
}

int kbtf_fetch(struct kbtf *k, const struct probe_spec *spec, const char *function, const struct probe_arg *arg,
	       struct fetch *out)
{
	struct kfunc func;
	int err;

	*out = (struct fetch){ .name = arg->name ? strdup(arg->name) : field_name(arg->expr) };
	if (!out->name)
		return -ENOMEM;
	if (is_kernels_own(arg->expr))
		return pass_through(arg, out);
	err = kbtf_function(k, function, &func);
	if (err == -ENOENT && strcmp(arg->expr, "$retval") == 0)
		return pass_through(arg, out);
	if (err == -ENOENT)
		return probe_fail(spec, arg->column, ENOENT,
				  "%s is not in this kernel's BTF, so its parameters have no names; use $arg1, $arg2 …", function);
	return err ? err : compile(&func, spec, function, arg, out);
}

/* --- the list of what can be fetched ---------------------------------------------------------------------- */

struct listing {
	const struct kfunc *func;
	variables_t *out;
};

static int list_place(const struct listing *l, const struct place *p, const char *expr, unsigned int depth);

static int list_members(const struct listing *l, const struct place *p, const struct btf_type *t, const char *expr,
			const char *joint, unsigned int depth)
{
	strv_t names = { 0 };
	int err = 0;

	add_members(l->func->btf, t, &names);
	for (size_t i = 0; !err && i < names.n; i++) {
		__cleanup(free_ptr) char *inner = str_printf("%s%s%s", expr, joint, names.at[i]);
		struct place member = *p;

		member.text = (struct str){ 0 };
		str_add(&member.text, str_text(&p->text));
		err = inner ? place_member(&member, l->func->btf, names.at[i], strlen(names.at[i])) : -ENOMEM;
		err = err ? err : list_place(l, &member, inner, depth);
		place_fini(&member);
	}
	strv_fini(&names);
	return err;
}

static int list_one(const struct listing *l, const struct place *p, const char *expr)
{
	struct variable v = { .expr = strdup(expr) };
	struct str type = { 0 };
	int err = v.expr ? place_fetch(p, l->func->btf, NULL, &v.fetch) : -ENOMEM;

	btf_spell(l->func->btf, p->type_id, &type);
	v.type = str_take(&type);
	v.fetch.name = field_name(expr);
	if (err || !v.type || !v.fetch.name || vec_push(l->out, v)) {
		free(v.expr);
		free(v.type);
		free(v.fetch.name);
		free(v.fetch.text);
		free(v.fetch.type);
		free(v.fetch.enums);
		return err == -EISDIR || err == -EINVAL ? 0 : -ENOMEM;
	}
	return 0;
}

static int list_place(const struct listing *l, const struct place *p, const char *expr, unsigned int depth)
{
	const struct btf *btf = l->func->btf;
	const struct btf_type *t = btf_plain(btf, p->type_id, NULL);
	const struct btf_type *to = t && btf_is_ptr(t) ? btf_plain(btf, t->type, NULL) : NULL;
	struct place inner;
	int err = t ? list_one(l, p, expr) : 0;

	if (err || !t || depth == 0)
		return err;
	if (btf_is_composite(t))
		return list_members(l, p, t, expr, ".", depth - 1);
	if (!to || !btf_is_composite(to))
		return 0;
	inner = *p;
	inner.text = (struct str){ 0 };
	str_add(&inner.text, str_text(&p->text));
	err = place_follow(&inner, btf);
	err = err ? err : list_members(l, &inner, to, expr, "->", depth - 1);
	place_fini(&inner);
	return err;
}

int kbtf_variables(struct kbtf *k, const char *function, unsigned int depth, variables_t *out)
{
	struct kfunc func;
	struct listing l = { &func, out };
	int err = kbtf_function(k, function, &func);

	if (err)
		return fail(-err, "%s is not in this kernel's BTF", function);
	for (uint16_t i = 0; !err && i <= btf_vlen(func.proto); i++) {
		bool ret = i == btf_vlen(func.proto);
		const char *name = ret ? "$retval" : btf__name_by_offset(func.btf, btf_params(func.proto)[i].name_off);
		struct place p = { 0 };

		if (!name || !*name)
			continue;
		err = place_begin(&p, &func, name, strlen(name));
		err = err == -ENOTSUP ? 0 : err ? err : list_place(&l, &p, name, depth);
		place_fini(&p);
	}
	return err;
}
