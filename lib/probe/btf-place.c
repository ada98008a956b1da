/* SPDX-License-Identifier: GPL-2.0 */
/* From a parameter through members and elements to a fetch argument. */
#include "lib/probe/btf.h"

#include <stdio.h>

void place_fini(struct place *p)
{
	str_fini(&p->text);
}

/* How many argument registers a parameter takes (x86-64 and arm64: one for each eight bytes up to sixteen). */
static unsigned int registers(const struct btf *btf, uint32_t type_id)
{
	const struct btf_type *t = btf_plain(btf, type_id, NULL);
	long long size;

	if (!t || !btf_is_composite(t))
		return 1;
	size = btf__resolve_size(btf, type_id);
	return size > 0 && size <= 16 ? (unsigned int)(size + 7) / 8 : 0;
}

int place_begin(struct place *p, const struct kfunc *func, const char *name, size_t len)
{
	unsigned int reg = 1;

	*p = (struct place){ 0 };
	if (len == 7 && strncmp(name, "$retval", 7) == 0) {
		p->type_id = func->proto->type;
		str_add(&p->text, "$retval");
		return str_ok(&p->text);
	}
	for (uint16_t i = 0; i < btf_vlen(func->proto); i++) {
		const struct btf_param *param = &btf_params(func->proto)[i];
		const char *its = btf__name_by_offset(func->btf, param->name_off);
		const struct btf_type *t = btf_plain(func->btf, param->type, NULL);

		if (its && strlen(its) == len && strncmp(its, name, len) == 0) {
			if (t && btf_is_composite(t))
				return -ENOTSUP;
			p->type_id = param->type;
			str_addf(&p->text, "$arg%u", reg);
			return str_ok(&p->text);
		}
		reg += registers(func->btf, param->type);
	}
	return -ENOENT;
}

/* Makes the text the value of what is there now. */
static int load(struct place *p)
{
	struct str s = { 0 };

	if (!p->memory)
		return 0;
	str_addf(&s, "%+lld(%s)", (long long)p->offset, str_text(&p->text));
	str_fini(&p->text);
	p->text = s;
	p->memory = false;
	p->offset = 0;
	return str_ok(&p->text);
}

int place_follow(struct place *p, const struct btf *btf)
{
	const struct btf_type *t = btf_plain(btf, p->type_id, NULL);
	int err;

	if (!t || !btf_is_ptr(t))
		return -EINVAL;
	err = load(p);
	p->memory = true;
	p->type_id = t->type;
	return err;
}

/* The member of that name in @t or in what is embedded there without a name; its bits are counted from @t's beginning. */
static bool find_member(const struct btf *btf, const struct btf_type *t, const char *name, size_t len,
			uint32_t base, struct place *out)
{
	for (uint16_t i = 0; i < btf_vlen(t); i++) {
		const struct btf_member *m = &btf_members(t)[i];
		const char *its = btf__name_by_offset(btf, m->name_off);
		uint32_t bit = base + btf_member_bit_offset(t, i);

		if (its && *its) {
			if (strlen(its) != len || strncmp(its, name, len))
				continue;
			out->type_id = m->type;
			out->bits = btf_member_bitfield_size(t, i);
			out->offset += out->bits ? 0 : bit / 8;
			out->bit = out->bits ? bit : 0;
			return true;
		}
		if (btf_is_composite(btf_plain(btf, m->type, NULL)) &&
		    find_member(btf, btf_plain(btf, m->type, NULL), name, len, bit, out))
			return true;
	}
	return false;
}

int place_member(struct place *p, const struct btf *btf, const char *name, size_t len)
{
	const struct btf_type *t = btf_plain(btf, p->type_id, NULL);

	if (!t || !btf_is_composite(t) || !p->memory)
		return -EINVAL;
	return find_member(btf, t, name, len, 0, p) ? 0 : -ENOENT;
}

int place_index(struct place *p, const struct btf *btf, uint64_t index)
{
	const struct btf_type *t = btf_plain(btf, p->type_id, NULL);
	long long size;
	int err;

	if (!t)
		return -EINVAL;
	if (btf_is_array(t)) {
		if (btf_array(t)->nelems && index >= btf_array(t)->nelems)
			return -ERANGE;
		p->type_id = btf_array(t)->type;
	} else {
		err = place_follow(p, btf);
		if (err)
			return err;
	}
	size = btf__resolve_size(btf, p->type_id);
	if (size <= 0)
		return -EINVAL;
	if (index > INT32_MAX / (uint64_t)size)
		return -ERANGE;
	p->offset += (int64_t)index * size;
	return 0;
}

/* "{ 0, "NONE" }, { 1, "READ" }"; NULL: out of memory. */
static char *enum_names(const struct btf *btf, const struct btf_type *t)
{
	struct str s = { 0 };

	for (uint16_t i = 0; i < btf_vlen(t); i++) {
		bool wide = btf_is_enum64(t);
		uint32_t name = wide ? btf_enum64(t)[i].name_off : btf_enum(t)[i].name_off;
		long long value = wide ? (long long)btf_enum64_value(&btf_enum64(t)[i]) : btf_enum(t)[i].val;

		str_addf(&s, "%s{ %lld, \"%s\" }", i ? ", " : "", value, btf__name_by_offset(btf, name));
	}
	return str_take(&s);
}

/* The kernel's name for a number of a type; "" when it is no number. */
static void number_type(const struct btf *btf, const struct btf_type *t, char type[static 8])
{
	type[0] = '\0';
	if (btf_is_ptr(t)) {
		const struct btf_type *to = btf_plain(btf, t->type, NULL);

		snprintf(type, 8, "%s", to && btf_is_func_proto(to) ? "symbol" : "x64");
	} else if (btf_is_int(t) || btf_is_any_enum(t)) {
		bool is_signed = btf_is_int(t) ? btf_int_encoding(t) & BTF_INT_SIGNED :
				 btf_is_enum(t) ? true : btf_kflag(t);

		if (t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8)
			snprintf(type, 8, "%c%u", is_signed ? 's' : 'u', t->size * 8);
	}
}

static int fetch_bits(const struct place *p, const struct btf_type *t, struct str *text, char type[static 16])
{
	uint32_t container = t->size * 8, within;

	if (!btf_is_int(t) && !btf_is_any_enum(t))
		return -EINVAL;
	within = p->bit % container;
	if (within + p->bits > container)
		return -EINVAL;
	str_addf(text, "%+lld(%s)", (long long)p->offset + p->bit / container * t->size, str_text(&p->text));
	snprintf(type, 16, "b%u@%u/%u", p->bits, within, container);
	return 0;
}

static bool wants_string(const char *type)
{
	return type && (strcmp(type, "string") == 0 || strcmp(type, "ustring") == 0);
}

/* Writes text and type of what @p has come to. */
static int describe(const struct place *p, const struct btf *btf, const struct btf_type *t, const char *wish,
		    struct str *text, char type[static 16])
{
	bool chars = btf_is_array(t) && btf_is_char(btf, btf_array(t)->type);
	bool pointer_string = btf_is_ptr(t) && (wants_string(wish) || (!wish && btf_is_char(btf, t->type)));

	type[0] = '\0';
	if (p->bits)
		return fetch_bits(p, t, text, type);
	if (btf_is_composite(t) && !wish)
		return -EISDIR;
	if (btf_is_array(t) && !chars && !wish) {
		const struct btf_type *of = btf_plain(btf, btf_array(t)->type, NULL);
		char each[8] = "";

		if (of)
			number_type(btf, of, each);
		if (!each[0] || !btf_array(t)->nelems)
			return -EISDIR;
		/* The kernel's MAX_ARRAY_LEN is 64. */
		snprintf(type, 16, "%s[%u]", each, MIN(btf_array(t)->nelems, 64U));
	} else if (chars || pointer_string) {
		snprintf(type, 16, "string");
	} else {
		number_type(btf, t, type);
		if (!type[0] && !wish)
			return -EINVAL;
	}
	str_add(text, pointer_string ? "+0(" : "");
	if (p->memory)
		str_addf(text, "%+lld(%s)", (long long)p->offset, str_text(&p->text));
	else
		str_add(text, str_text(&p->text));
	str_add(text, pointer_string ? ")" : "");
	return 0;
}

int place_fetch(const struct place *p, const struct btf *btf, const char *type, struct fetch *out)
{
	const struct btf_type *t = btf_plain(btf, p->type_id, NULL);
	struct str text = { 0 };
	char its[16];
	int err;

	if (!t || btf_is_void(t))
		return -EINVAL;
	err = describe(p, btf, t, type, &text, its);
	err = err ? err : str_ok(&text);
	if (!err) {
		out->text = str_take(&text);
		out->type = strdup(type ? type : its);
		out->enums = !type && btf_is_any_enum(t) ? enum_names(btf, t) : NULL;
		err = out->text && out->type ? 0 : -ENOMEM;
	}
	str_fini(&text);
	return err;
}
