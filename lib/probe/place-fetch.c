/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the kernel's fetch argument of a place, with a type that prints it well. Also makes lists of such places. */
#include "lib/base/err.h"
#include "lib/probe/place.h"

#include <stdio.h>

enum { ARRAY_MOST = 64 }; /* the kernel's MAX_ARRAY_LEN */

struct values {
	struct str text;
	unsigned int n;
	unsigned int bits; /* the width of the field in bits */
};

static int add_value(void *ctx, const char *name, int64_t value)
{
	struct values *v = ctx;
	uint64_t mask = v->bits && v->bits < 64 ? (1ULL << v->bits) - 1 : UINT64_MAX;

	str_addf(&v->text, "%s{ %lld, \"%s\" }", v->n++ ? ", " : "", (long long)value, name);
	/* Some programs print a signed field of four bytes as an unsigned number. */
	if (value < 0 && mask != UINT64_MAX)
		str_addf(&v->text, ", { %llu, \"%s\" }", (unsigned long long)((uint64_t)value & mask), name);
	return 0;
}

static bool wants_string(const char *type)
{
	return type && (strcmp(type, "string") == 0 || strcmp(type, "ustring") == 0);
}

/* Sets @out to the kernel's name for a number of this type, or to "" when the type is no number. */
static void number_type(const struct ctype *type, const struct ctype_info *info, char out[static 16])
{
	struct ctype_info to = { 0 };

	out[0] = '\0';
	if (info->kind == CTYPE_POINTER) {
		info->to.ops->info(&info->to, &to);
		snprintf(out, 16, "%s", to.kind == CTYPE_FUNCTION && type->ops->kernel ? "symbol" : "x64");
	} else if ((info->kind == CTYPE_INT || info->kind == CTYPE_ENUM) && (info->size == 1 || info->size == 2 || info->size == 4 || info->size == 8)) {
		snprintf(out, 16, "%c%u", info->is_signed ? 's' : 'u', (unsigned int)info->size * 8);
	}
}

/* What will be fetched, as far as it is known yet. */
struct description {
	struct str text;
	char type[16];
	char shown; /* as in struct fetch */
	unsigned int bits;
};

/* Describes some bits of a container, b<width>@<first>/<container>. The kernel prints these unsigned. @wish is the type of a number (u8, s32, x64) or NULL. */
static int some_bits(const struct ctype_info *info, const char *wish, uint64_t bits, uint64_t first, uint64_t container, struct description *out)
{
	bool is_signed = wish ? wish[0] == 's' : info->is_signed;

	if (wish && (!strchr("usx", wish[0]) || strspn(wish + 1, "0123456789") != strlen(wish + 1)))
		return -EINVAL;
	snprintf(out->type, sizeof(out->type), "b%u@%u/%u", (unsigned int)bits, (unsigned int)first, (unsigned int)container);
	out->shown = wish && wish[0] == 'x' ? 'x' : is_signed ? 's' : 0;
	out->bits = (unsigned int)bits;
	return 0;
}

/* Describes a bitfield. The container is the unit of its declared type that holds it. */
static int bitfield(const struct place *p, const struct ctype_info *info, const char *wish, struct description *out)
{
	uint64_t container = info->size * 8, within;

	if ((info->kind != CTYPE_INT && info->kind != CTYPE_ENUM) || !container)
		return -EINVAL;
	if (p->n_parts) {
		uint64_t bit = (uint64_t)p->offset * 8 + p->bit;
		const struct place_part *part = place_part(p, bit / 8, (bit % 8 + p->bits + 7) / 8);

		if (!part)
			return -ENOTSUP;
		str_add(&out->text, part->text);
		return some_bits(info, wish, p->bits, bit - part->at * UINT64_C(8), 64, out);
	}
	within = p->bit % container;
	if (within + p->bits > container)
		return -EINVAL;
	str_addf(&out->text, "%+lld(%s)", (long long)(p->offset + (int64_t)(p->bit / container * info->size)), str_text(&p->text));
	return some_bits(info, wish, p->bits, within, container, out);
}

/* Describes a number or pointer in a register. It need not be at the beginning of the register. */
static int in_part(const struct place *p, const struct ctype_info *info, const char *wish, bool string, struct description *out)
{
	const struct place_part *part = place_part(p, (uint64_t)p->offset, info->size);

	if (!part || info->kind == CTYPE_ARRAY || info->kind == CTYPE_STRUCT)
		return info->kind == CTYPE_STRUCT ? -EISDIR : -ENOTSUP;
	str_addf(&out->text, string ? "+0(%s)" : "%s", part->text);
	if ((uint64_t)p->offset == part->at)
		return 0;
	return some_bits(info, wish, info->size * 8, ((uint64_t)p->offset - part->at) * 8, 64, out);
}

static int array_type(const struct ctype_info *info, const struct ctype_info *of, char out[static 16])
{
	char each[16];

	number_type(&info->to, of, each);
	if (!each[0] || !info->elements)
		return -EISDIR;
	snprintf(out, 16, "%.8s[%u]", each, (unsigned int)MIN(info->elements, (uint64_t)ARRAY_MOST));
	return 0;
}

/*
 * Describes what has to be fetched for a place. Returns 0 or an -errno without a message:
 * - -EISDIR: the place is a structure.
 * - -EINVAL: there is nothing to fetch.
 * - -ENOTSUP: no general register holds the whole value.
 */
static int describe(const struct place *p, const char *wish, struct description *out)
{
	struct ctype_info info = { 0 }, of = { 0 };
	bool string = false;

	p->type.ops->info(&p->type, &info);
	if (p->bits)
		return bitfield(p, &info, wish, out);
	if (info.kind == CTYPE_VOID || info.kind == CTYPE_FUNCTION)
		return -EINVAL;
	if (info.kind == CTYPE_POINTER || info.kind == CTYPE_ARRAY)
		info.to.ops->info(&info.to, &of);
	if ((info.kind == CTYPE_STRUCT || info.kind == CTYPE_INCOMPLETE) && !wish)
		return -EISDIR;
	if (info.kind == CTYPE_ARRAY && !of.is_char && !wish) {
		int err = array_type(&info, &of, out->type);

		if (err)
			return err;
	} else if (of.is_char && !wish) {
		snprintf(out->type, sizeof(out->type), "string");
	} else {
		number_type(&p->type, &info, out->type);
		if (!out->type[0] && !wish)
			return -EINVAL;
	}
	string = info.kind == CTYPE_POINTER && (wants_string(wish) || (!wish && of.is_char));
	if (p->n_parts)
		return in_part(p, &info, wish, string, out);
	str_add(&out->text, string ? "+0(" : "");
	if (p->memory)
		str_addf(&out->text, "%+lld(%s)", (long long)p->offset, str_text(&p->text));
	else
		str_add(&out->text, str_text(&p->text));
	str_add(&out->text, string ? ")" : "");
	return 0;
}

/*
 * Returns names of the form "'a'" for the values of the printable characters, because libtraceevent does not know %c in a print format. A character that
 * would have to be escaped, or that is not printable, is shown as a number.
 */
static char *characters(void)
{
	struct str s = { 0 };

	for (int c = ' '; c <= '~'; c++)
		if (c != '"' && c != '\\')
			str_addf(&s, "%s{ %d, \"'%c'\" }", s.len ? ", " : "", c, c);
	return str_take(&s);
}

static int add_names(const struct place *p, const struct ctype_info *info, struct fetch *out)
{
	if (info->kind == CTYPE_ENUM) {
		struct values v = { .bits = out->bits ? out->bits : (unsigned int)info->size * 8 };

		p->type.ops->values(&p->type, add_value, &v);
		if (!v.n)
			return 0;
		out->enums = str_take(&v.text);
	} else if (info->is_bool) {
		out->enums = strdup("{ 0, \"false\" }, { 1, \"true\" }");
	} else if (info->is_char) {
		out->enums = characters();
	} else {
		return 0;
	}
	return out->enums ? 0 : -ENOMEM;
}

static int make_fetch(const struct place *what, const char *wish, struct fetch *out)
{
	struct ctype_info info = { 0 };
	struct description d = { 0 };
	struct place copy, *p = &copy;
	int err = place_copy(p, what);

	err = err ? err : place_refer(p);
	err = err ? err : describe(p, wish, &d);
	err = err ? err : str_ok(&d.text);
	if (!err) {
		p->type.ops->info(&p->type, &info);
		out->text = str_take(&d.text);
		out->type = strdup(wish && !d.bits ? wish : d.type);
		out->shown = d.shown;
		out->bits = d.bits;
		err = out->text && out->type ? 0 : -ENOMEM;
		err = err || wish ? err : add_names(p, &info, out);
	}
	place_fini(p);
	str_fini(&d.text);
	return err;
}

bool place_can_be_fetched(const struct place *p)
{
	struct fetch f = { 0 };
	int err = make_fetch(p, NULL, &f);

	fetch_fini(&f);
	return !err || err == -EISDIR;
}

const char *place_why(const struct place *p)
{
	struct ctype_info info = { 0 };

	p->type.ops->info(&p->type, &info);
	if (p->bits && !p->n_parts)
		return "a bitfield across the units of its type cannot be fetched";
	if (p->n_parts && info.kind == CTYPE_ARRAY)
		return "an array that is in registers cannot be fetched as a whole: fetch its elements";
	if (p->n_parts && info.kind == CTYPE_FLOAT)
		return "it is in a vector register, and those cannot be fetched";
	if (info.kind == CTYPE_FLOAT)
		return p->memory ? "floating-point numbers cannot be fetched, only their bits, as :x32 or :x64" : "floating-point numbers cannot be fetched";
	if (info.kind == CTYPE_INT || info.kind == CTYPE_ENUM)
		return p->n_parts && info.size <= 8 ? "it is in no general register as a whole" : "numbers of this width cannot be fetched";
	return p->n_parts ? "it is in no general register as a whole" : "nothing of this type can be fetched";
}

int place_fetch(const struct place *p, const struct probe_spec *spec, const struct probe_arg *arg, struct fetch *out)
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
		err = probe_fail(spec, arg->column, EINVAL, "%s is a structure; fetch one of its members%s", str_text(&type), some ? some : "");
	} else {
		err = probe_fail(spec, arg->column, -err, "a value of type %s cannot be fetched here: %s", str_text(&type), place_why(p));
	}
	str_fini(&type);
	strv_fini(&names);
	return err;
}

/* --- lists ------------------------------------------------------------------------------------------------- */

int place_list_why(const struct ctype *type, const char *expr, const char *why, variables_t *out)
{
	struct variable v = { .expr = strdup(expr), .why = strdup(why) };
	struct str spelt = { 0 };

	type->ops->spell(type, &spelt);
	v.type = str_take(&spelt);
	if (v.expr && v.why && v.type && !vec_push(out, v))
		return 0;
	variable_fini(&v);
	return -ENOMEM;
}

static int list_one(const struct place *p, const char *expr, variables_t *out)
{
	struct variable v = { .expr = strdup(expr) };
	struct ctype_info info = { 0 };
	struct str type = { 0 };
	int err = v.expr ? make_fetch(p, NULL, &v.fetch) : -ENOMEM;

	p->type.ops->spell(&p->type, &type);
	v.type = str_take(&type);
	v.fetch.name = place_field(expr);
	if (!err && v.type && v.fetch.name && !vec_push(out, v))
		return 0;
	variable_fini(&v);
	p->type.ops->info(&p->type, &info);
	if ((err == -EINVAL && info.kind != CTYPE_VOID && info.kind != CTYPE_FUNCTION) || err == -ENOTSUP)
		return place_list_why(&p->type, expr, place_why(p), out);
	return err == -EISDIR || err == -EINVAL ? 0 : -ENOMEM;
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
	/* The members of a reference follow with a dot. */
	if (to.kind == CTYPE_STRUCT) {
		l.joint = info.is_reference ? "." : "->";
		err = place_follow(&inner);
	}
	l.base = &inner;
	if (!err && (inner.memory || inner.n_parts))
		err = inner.type.ops->members(&inner.type, list_member, &l);
	place_fini(&inner);
	return err == -ENOTSUP ? 0 : err;
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
