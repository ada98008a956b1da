/* SPDX-License-Identifier: GPL-2.0 */
/* A place as the kernel's fetch argument, with the type that prints it well; and lists of such places. */
#include "lib/base/err.h"
#include "lib/probe/place.h"

#include <stdio.h>

enum { ARRAY_MOST = 64 }; /* the kernel's MAX_ARRAY_LEN */

struct values {
	struct str text;
	unsigned int n;
	uint64_t size;		/* bytes of the enum */
};

static int add_value(void *ctx, const char *name, int64_t value)
{
	struct values *v = ctx;
	uint64_t mask = v->size && v->size < 8 ? (1ULL << v->size * 8) - 1 : UINT64_MAX;

	str_addf(&v->text, "%s{ %lld, \"%s\" }", v->n++ ? ", " : "", (long long)value, name);
	/* Some that print it take a signed field of four bytes for an unsigned number. */
	if (value < 0 && mask != UINT64_MAX)
		str_addf(&v->text, ", { %llu, \"%s\" }", (unsigned long long)((uint64_t)value & mask), name);
	return 0;
}

static bool wants_string(const char *type)
{
	return type && (strcmp(type, "string") == 0 || strcmp(type, "ustring") == 0);
}

/* The kernel's name for a number of this type; "" when it is none. */
static void number_type(const struct ctype *type, const struct ctype_info *info, char out[static 16])
{
	struct ctype_info to = { 0 };

	out[0] = '\0';
	if (info->kind == CTYPE_POINTER) {
		info->to.ops->info(&info->to, &to);
		snprintf(out, 16, "%s", to.kind == CTYPE_FUNCTION && type->ops->kernel ? "symbol" : "x64");
	} else if ((info->kind == CTYPE_INT || info->kind == CTYPE_ENUM) &&
		   (info->size == 1 || info->size == 2 || info->size == 4 || info->size == 8)) {
		snprintf(out, 16, "%c%u", info->is_signed ? 's' : 'u', (unsigned int)info->size * 8);
	}
}

/* b<width>@<offset>/<container>: in the unit of its declared type that holds it. */
static int bitfield(const struct place *p, const struct ctype_info *info, struct str *text, char type[static 16])
{
	uint64_t container = info->size * 8, within;

	if ((info->kind != CTYPE_INT && info->kind != CTYPE_ENUM) || !container)
		return -EINVAL;
	within = p->bit % container;
	if (within + p->bits > container)
		return -EINVAL;
	str_addf(text, "%+lld(%s)", (long long)(p->offset + (int64_t)(p->bit / container * info->size)),
		 str_text(&p->text));
	snprintf(type, 16, "b%u@%u/%u", p->bits, (unsigned int)within, (unsigned int)container);
	return 0;
}

/* -EISDIR: a structure. -EINVAL: nothing to fetch. */
static int describe(const struct place *p, const char *wish, struct str *text, char type[static 16])
{
	struct ctype_info info = { 0 }, of = { 0 };
	bool string = false;

	p->type.ops->info(&p->type, &info);
	type[0] = '\0';
	if (p->bits)
		return bitfield(p, &info, text, type);
	if (info.kind == CTYPE_VOID || info.kind == CTYPE_FUNCTION)
		return -EINVAL;
	if (info.kind == CTYPE_POINTER || info.kind == CTYPE_ARRAY)
		info.to.ops->info(&info.to, &of);
	if ((info.kind == CTYPE_STRUCT || info.kind == CTYPE_INCOMPLETE) && !wish)
		return -EISDIR;
	if (info.kind == CTYPE_ARRAY && !of.is_char && !wish) {
		char each[16];

		number_type(&info.to, &of, each);
		if (!each[0] || !info.elements)
			return -EISDIR;
		snprintf(type, 16, "%.8s[%u]", each, (unsigned int)MIN(info.elements, (uint64_t)ARRAY_MOST));
	} else if (of.is_char && !wish) {
		snprintf(type, 16, "string");
	} else {
		number_type(&p->type, &info, type);
		if (!type[0] && !wish)
			return -EINVAL;
	}
	string = info.kind == CTYPE_POINTER && (wants_string(wish) || (!wish && of.is_char));
	str_add(text, string ? "+0(" : "");
	if (p->memory)
		str_addf(text, "%+lld(%s)", (long long)p->offset, str_text(&p->text));
	else
		str_add(text, str_text(&p->text));
	str_add(text, string ? ")" : "");
	return 0;
}

/*
 * The printable characters as names of their values, "'a'": %c in a print format is not known to libtraceevent. Those that a name
 * in it would have to escape, and the others, are numbers.
 */
static char *characters(void)
{
	struct str s = { 0 };

	for (int c = ' '; c <= '~'; c++)
		if (c != '"' && c != '\\')
			str_addf(&s, "%s{ %d, \"'%c'\" }", s.len ? ", " : "", c, c);
	return str_take(&s);
}

static int make_fetch(const struct place *p, const char *wish, struct fetch *out)
{
	struct str text = { 0 };
	struct ctype_info info = { 0 };
	char its[16];
	int err = describe(p, wish, &text, its);

	err = err ? err : str_ok(&text);
	if (!err) {
		p->type.ops->info(&p->type, &info);
		out->text = str_take(&text);
		out->type = strdup(wish ? wish : its);
		if (info.kind == CTYPE_ENUM && !wish) {
			struct values v = { .size = info.size };

			p->type.ops->values(&p->type, add_value, &v);
			if (v.n)
				out->enums = str_take(&v.text);
		} else if (info.is_bool && !wish) {
			out->enums = strdup("{ 0, \"false\" }, { 1, \"true\" }");
		} else if (info.is_char && !wish) {
			out->enums = characters();
		}
		err = out->text && out->type ? 0 : -ENOMEM;
	}
	str_fini(&text);
	return err;
}

int place_fetch(const struct place *p, const struct probe_spec *spec, const struct probe_arg *arg,
		struct fetch *out)
{
	int err = make_fetch(p, arg->type, out);
	__cleanup(free_ptr) char *some = NULL;
	struct ctype_info info = { 0 };
	struct str type = { 0 };
	strv_t names = { 0 };

	if (!err || err == -ENOMEM)
		return err;
	p->type.ops->info(&p->type, &info);
	p->type.ops->spell(&p->type, &type);
	if (info.kind == CTYPE_STRUCT) {
		place_member_names(&p->type, &names);
		some = place_suggestion("", 0, &names);
		err = probe_fail(spec, arg->column, EINVAL, "%s is a structure; fetch one of its members%s",
				 str_text(&type), some ? some : "");
	} else {
		err = probe_fail(spec, arg->column, EINVAL, "a value of type %s cannot be fetched", str_text(&type));
	}
	str_fini(&type);
	strv_fini(&names);
	return err;
}

/* --- lists ------------------------------------------------------------------------------------------------- */

static int list_one(const struct place *p, const char *expr, variables_t *out)
{
	struct variable v = { .expr = strdup(expr) };
	struct str type = { 0 };
	int err = v.expr ? make_fetch(p, NULL, &v.fetch) : -ENOMEM;

	p->type.ops->spell(&p->type, &type);
	v.type = str_take(&type);
	v.fetch.name = place_field(expr);
	if (err || !v.type || !v.fetch.name || vec_push(out, v)) {
		variables_t one = { 0 };

		if (!vec_push(&one, v))
			variables_fini(&one);
		return err == -EISDIR || err == -EINVAL ? 0 : -ENOMEM;
	}
	return 0;
}

struct member_list {
	const struct place *base;
	const char *expr, *joint;
	uint64_t bit;
	unsigned int depth;
	variables_t *out;
};

static int list_member(void *ctx, const struct cmember *m)
{
	struct member_list *l = ctx, inner = *l;
	__cleanup(free_ptr) char *expr = NULL;
	struct ctype_info info = { 0 };
	struct place p;
	int err;

	inner.bit += m->bit;
	if (!*m->name) {
		m->type.ops->info(&m->type, &info);
		return info.kind == CTYPE_STRUCT ? m->type.ops->members(&m->type, list_member, &inner) : 0;
	}
	expr = str_printf("%s%s%s", l->expr, l->joint, m->name);
	err = expr ? place_copy(&p, l->base) : -ENOMEM;
	if (err)
		return err;
	p.type = m->type;
	p.bits = m->bits;
	p.bit = m->bits ? inner.bit : 0;
	p.offset += m->bits ? 0 : (int64_t)(inner.bit / 8);
	err = place_list(&p, expr, l->depth - 1, l->out);
	place_fini(&p);
	return err;
}

int place_list(const struct place *p, const char *expr, unsigned int depth, variables_t *out)
{
	struct ctype_info info = { 0 }, to = { 0 };
	struct member_list l = { .expr = expr, .joint = ".", .depth = depth, .out = out };
	struct place inner;
	int err = list_one(p, expr, out);

	if (err || depth == 0)
		return err;
	p->type.ops->info(&p->type, &info);
	if (info.kind == CTYPE_POINTER)
		info.to.ops->info(&info.to, &to);
	if (info.kind != CTYPE_STRUCT && to.kind != CTYPE_STRUCT)
		return 0;
	err = place_copy(&inner, p);
	if (err)
		return err;
	if (to.kind == CTYPE_STRUCT) {
		l.joint = "->";
		if (inner.memory) {
			str_clear(&inner.text);
			str_addf(&inner.text, "%+lld(%s)", (long long)p->offset, str_text(&p->text));
		}
		inner.memory = true;
		inner.offset = 0;
		inner.type = info.to;
	}
	l.base = &inner;
	if (inner.memory)
		err = inner.type.ops->members(&inner.type, list_member, &l);
	place_fini(&inner);
	return err;
}

/* --- names for completion -------------------------------------------------------------------------------------- */

int place_candidate(const char *name, const struct ctype *type, strv_t *out)
{
	struct str s = { 0 };

	str_addf(&s, "%s\t", name);
	type->ops->spell(type, &s);
	return strv_own(out, str_take(&s));
}

static int add_member(void *ctx, const struct cmember *m)
{
	struct ctype_info info = { 0 };

	if (*m->name)
		return place_candidate(m->name, &m->type, ctx);
	m->type.ops->info(&m->type, &info);
	return info.kind == CTYPE_STRUCT ? m->type.ops->members(&m->type, add_member, ctx) : 0;
}

int place_members(const struct place *p, strv_t *out)
{
	struct ctype type = p->type;
	struct ctype_info info = { 0 };

	type.ops->info(&type, &info);
	if (info.kind == CTYPE_POINTER) {
		type = info.to;
		type.ops->info(&type, &info);
	}
	return info.kind == CTYPE_STRUCT ? type.ops->members(&type, add_member, out) : 0;
}
