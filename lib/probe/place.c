/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/probe/place.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"

#include <ctype.h>

void place_fini(struct place *p)
{
	str_fini(&p->text);
}

int place_copy(struct place *out, const struct place *p)
{
	*out = *p;
	out->text = (struct str){ 0 };
	str_add(&out->text, str_text(&p->text));
	return str_ok(&out->text);
}

size_t place_name(const char *at)
{
	size_t n = *at == '$';

	while (isalnum((unsigned char)at[n]) || at[n] == '_')
		n++;
	return n;
}

char *place_field(const char *expr)
{
	const char *name = NULL;

	if (strcmp(expr, "$retval") == 0)
		return strdup("ret");
	for (const char *at = expr; *at; at++)
		if ((isalpha((unsigned char)*at) || *at == '_') && (at == expr || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')))
			name = at;
	return name ? strndup(name, place_name(name)) : strdup("arg");
}

static struct ctype_info info_of(const struct ctype *type)
{
	struct ctype_info info = { 0 };

	type->ops->info(type, &info);
	return info;
}

/* --- steps ------------------------------------------------------------------------------------------------- */

const struct place_part *place_part(const struct place *p, uint64_t at, uint64_t size)
{
	for (unsigned int i = 0; i < p->n_parts; i++) {
		const struct place_part *part = &p->parts[i];

		if (at >= part->at && at + size <= part->at + part->size && part->text[0])
			return part;
	}
	return NULL;
}

int place_load(struct place *p)
{
	struct str s = { 0 };

	if (p->n_parts) {
		const struct place_part *part = place_part(p, (uint64_t)p->offset, info_of(&p->type).size);

		if (!part || (uint64_t)p->offset != part->at)
			return -ENOTSUP;
		str_add(&s, part->text);
		p->n_parts = 0;
	} else if (p->memory) {
		str_addf(&s, "%+lld(%s)", (long long)p->offset, str_text(&p->text));
	} else {
		return 0;
	}
	str_fini(&p->text);
	p->text = s;
	p->memory = false;
	p->offset = 0;
	return str_ok(&p->text);
}

int place_follow(struct place *p)
{
	struct ctype_info info = info_of(&p->type);
	int err;

	if (info.kind != CTYPE_POINTER)
		return -EINVAL;
	err = place_load(p);
	p->memory = true;
	p->type = info.to;
	return err;
}

int place_refer(struct place *p)
{
	int err = 0;

	while (!err && info_of(&p->type).is_reference)
		err = place_follow(p);
	return err;
}

struct search {
	const char *name;
	size_t len;
	uint64_t base;
	struct place *place;
};

/* Compares a member with the wanted name. Also looks in structures that are embedded without a name. Returns 1 when it was found. */
static int match_member(void *ctx, const struct cmember *m)
{
	struct search *s = ctx, inner = *s;
	uint64_t bit = s->base + m->bit;

	if (!*m->name) {
		inner.base = bit;
		return info_of(&m->type).kind == CTYPE_STRUCT ? m->type.ops->members(&m->type, match_member, &inner) : 0;
	}
	if (strlen(m->name) != s->len || strncmp(m->name, s->name, s->len))
		return 0;
	s->place->type = m->type;
	s->place->bits = m->bits;
	s->place->bit = m->bits ? bit : 0;
	s->place->offset += m->bits ? 0 : (int64_t)(bit / 8);
	return 1;
}

static int to_member(struct place *p, const char *name, size_t len)
{
	struct search s = { name, len, 0, p };
	struct ctype type = p->type;

	if (info_of(&type).kind != CTYPE_STRUCT || (!p->memory && !p->n_parts))
		return -EINVAL;
	return type.ops->members(&type, match_member, &s) == 1 ? 0 : -ENOENT;
}

static int to_element(struct place *p, uint64_t index)
{
	int err = place_refer(p);
	struct ctype_info info = info_of(&p->type);
	uint64_t size;

	if (err)
		return err;
	if (info.kind == CTYPE_ARRAY) {
		if (info.elements && index >= info.elements)
			return -ERANGE;
		p->type = info.to;
	} else {
		err = place_follow(p);
	}
	if (err)
		return err;
	size = info_of(&p->type).size;
	if (!size)
		return -EINVAL;
	if (index > INT32_MAX / size)
		return -ERANGE;
	p->offset += (int64_t)(index * size);
	return 0;
}

/* --- messages ---------------------------------------------------------------------------------------------- */

static int add_member_name(void *ctx, const struct cmember *m)
{
	if (*m->name)
		return strv_add(ctx, m->name);
	return info_of(&m->type).kind == CTYPE_STRUCT ? place_member_names(&m->type, ctx) : 0;
}

int place_member_names(const struct ctype *type, strv_t *names)
{
	return type->ops->members(type, add_member_name, names);
}

char *place_suggestion(const char *word, size_t len, const strv_t *names)
{
	__cleanup(free_ptr) char *key = strndup(word, len);
	strv_t best = { 0 };
	struct str s = { 0 };

	if (key && len)
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

static int no_member(const struct place *p, const struct probe_spec *spec, const char *word, size_t len, size_t column)
{
	enum ctype_kind kind = info_of(&p->type).kind;
	__cleanup(free_ptr) char *near = NULL;
	struct str type = { 0 };
	strv_t names = { 0 };
	int err;

	p->type.ops->spell(&p->type, &type);
	if (kind == CTYPE_STRUCT) {
		place_member_names(&p->type, &names);
		near = place_suggestion(word, len, &names);
		err = probe_fail(spec, column, ENOENT, "%s has no member '%.*s'%s", str_text(&type), prec(len), word, near ? near : "");
	} else if (kind == CTYPE_INCOMPLETE) {
		err = probe_fail(spec, column, ENOTSUP, "what %s consists of is not in the debug information", str_text(&type));
	} else {
		err = probe_fail(spec, column, EINVAL, "%s is no structure: it has no members", str_text(&type));
	}
	str_fini(&type);
	strv_fini(&names);
	return err;
}

/* --- walking an expression --------------------------------------------------------------------------------- */

static int step_member(struct place *p, const struct probe_spec *spec, const char *word, size_t len, size_t column)
{
	int err = place_refer(p);

	if (!err && info_of(&p->type).kind == CTYPE_POINTER)
		err = place_follow(p);
	err = err ? err : to_member(p, word, len);
	if (err == -ENOTSUP)
		return probe_fail(spec, column, ENOTSUP, "what this points to cannot be fetched: %s", place_why(p));
	return err == -ENOENT || err == -EINVAL ? no_member(p, spec, word, len, column) : err;
}

static int step_element(struct place *p, const struct probe_spec *spec, const char **at, size_t column)
{
	char *end;
	uint64_t index = strtoull(*at, &end, 0);
	int err;

	if (end == *at || *end != ']')
		return probe_fail(spec, column, EINVAL, "an index is a number: [0]");
	err = to_element(p, index);
	if (err == -EINVAL)
		return probe_fail(spec, column, EINVAL, "only arrays and pointers have elements");
	if (err == -ENOTSUP)
		return probe_fail(spec, column, ENOTSUP, "what this points to cannot be fetched: %s", place_why(p));
	if (err == -ERANGE)
		return probe_fail(spec, column, ERANGE, "element %llu lies beyond the end of the array", (unsigned long long)index);
	*at = end + 1;
	return err;
}

int place_walk(struct place *p, const struct probe_spec *spec, const struct probe_arg *arg, const char *at)
{
	int err = 0;

	while (!err && *at) {
		size_t column = arg->column + (size_t)(at - arg->expr), len;

		if (p->bits)
			return probe_fail(spec, column, EINVAL, "a bitfield has no members");
		if (*at == '[') {
			at++;
			err = step_element(p, spec, &at, column + 1);
			continue;
		}
		if (*at != '.' && strncmp(at, "->", 2))
			return probe_fail(spec, column, EINVAL, "'%s' is not understood: members follow with -> or ., elements with [N]", at);
		at += *at == '.' ? 1 : 2;
		len = place_name(at);
		err = step_member(p, spec, at, len, arg->column + (size_t)(at - arg->expr));
		at += len;
	}
	return err;
}
