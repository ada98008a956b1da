/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/probe/btf-type.h"

const char *btf_text(const struct btf *btf, uint32_t name_off)
{
	const char *name = btf__name_by_offset(btf, name_off);

	return name ? name : "";
}

/* Returns the type behind typedefs and qualifiers. NULL: the BTF has a damaged id. */
static const struct btf_type *plain(const struct btf *btf, uint32_t type_id)
{
	const struct btf_type *t = btf__type_by_id(btf, type_id);

	while (t && (btf_is_mod(t) || btf_is_typedef(t) || btf_is_type_tag(t)))
		t = btf__type_by_id(btf, t->type);
	return t;
}

/* Returns true for "char" itself. Typedefs are not looked through, because u8 and s8 are typedefs of unsigned and signed char. */
static bool is_char(const struct btf *btf, uint32_t type_id)
{
	const struct btf_type *t = btf__type_by_id(btf, type_id);

	while (t && (btf_is_mod(t) || btf_is_type_tag(t)))
		t = btf__type_by_id(btf, t->type);
	return t && btf_is_int(t) && t->size == 1 && strcmp(btf_text(btf, t->name_off), "char") == 0;
}

static enum ctype_kind kind_of(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		return CTYPE_INT;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return CTYPE_ENUM;
	case BTF_KIND_PTR:
		return CTYPE_POINTER;
	case BTF_KIND_ARRAY:
		return CTYPE_ARRAY;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return CTYPE_STRUCT;
	case BTF_KIND_FWD:
		return CTYPE_INCOMPLETE;
	case BTF_KIND_FUNC_PROTO:
		return CTYPE_FUNCTION;
	case BTF_KIND_FLOAT:
		return CTYPE_FLOAT;
	default:
		return btf_is_void(t) ? CTYPE_VOID : CTYPE_OTHER;
	}
}

static void info(const struct ctype *type, struct ctype_info *out)
{
	const struct btf *btf = type->source;
	const struct btf_type *t = plain(btf, (uint32_t)type->id);
	long long size = btf__resolve_size(btf, (uint32_t)type->id);

	*out = (struct ctype_info){ .kind = t ? kind_of(t) : CTYPE_OTHER, .size = size > 0 ? (uint64_t)size : 0 };
	out->is_char = is_char(btf, (uint32_t)type->id);
	if (!t)
		return;
	out->is_bool = btf_is_int(t) && btf_int_encoding(t) & BTF_INT_BOOL;
	if (btf_is_int(t))
		out->is_signed = btf_int_encoding(t) & BTF_INT_SIGNED;
	else if (btf_is_enum(t))
		out->is_signed = true;
	else if (btf_is_enum64(t))
		out->is_signed = btf_kflag(t);
	else if (btf_is_ptr(t))
		out->to = btf_ctype(btf, t->type);
	else if (btf_is_array(t)) {
		out->to = btf_ctype(btf, btf_array(t)->type);
		out->elements = btf_array(t)->nelems;
	}
}

static int members(const struct ctype *type, ctype_member_fn each, void *ctx)
{
	const struct btf *btf = type->source;
	const struct btf_type *t = plain(btf, (uint32_t)type->id);
	int ret = 0;

	for (uint16_t i = 0; t && btf_is_composite(t) && !ret && i < btf_vlen(t); i++) {
		const struct btf_member *m = &btf_members(t)[i];
		const struct cmember member = {
			.name = btf_text(btf, m->name_off),
			.type = btf_ctype(btf, m->type),
			.bit = btf_member_bit_offset(t, i),
			.bits = btf_member_bitfield_size(t, i),
		};

		ret = each(ctx, &member);
	}
	return ret;
}

static int values(const struct ctype *type, ctype_value_fn each, void *ctx)
{
	const struct btf *btf = type->source;
	const struct btf_type *t = plain(btf, (uint32_t)type->id);
	int ret = 0;

	for (uint16_t i = 0; t && btf_is_any_enum(t) && !ret && i < btf_vlen(t); i++) {
		if (btf_is_enum64(t))
			ret = each(ctx, btf_text(btf, btf_enum64(t)[i].name_off), (int64_t)btf_enum64_value(&btf_enum64(t)[i]));
		else
			ret = each(ctx, btf_text(btf, btf_enum(t)[i].name_off), btf_enum(t)[i].val);
	}
	return ret;
}

static enum ctype_passing passing(const struct ctype *type __unused)
{
	return CTYPE_BY_VALUE;
}

static void spell_id(const struct btf *btf, uint32_t type_id, struct str *out);

static void spell_pointer(const struct btf *btf, const struct btf_type *t, struct str *out)
{
	const struct btf_type *to = btf__type_by_id(btf, t->type);

	if (to && btf_is_func_proto(to)) {
		spell_id(btf, to->type, out);
		str_add(out, " (*)()");
		return;
	}
	spell_id(btf, t->type, out);
	str_add(out, str_ends(str_text(out), "*") ? "*" : " *");
}

static void spell_id(const struct btf *btf, uint32_t type_id, struct str *out)
{
	static const struct {
		uint16_t kind;
		const char *prefix;
	} words[] = {
		{ BTF_KIND_STRUCT, "struct " }, { BTF_KIND_UNION, "union " },	    { BTF_KIND_ENUM, "enum " },	 { BTF_KIND_ENUM64, "enum " },
		{ BTF_KIND_CONST, "const " },	{ BTF_KIND_VOLATILE, "volatile " }, { BTF_KIND_FWD, "struct " },
	};
	const struct btf_type *t = btf__type_by_id(btf, type_id);

	if (!t || btf_is_void(t)) {
		str_add(out, "void");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (btf_kind(t) == words[i].kind)
			str_add(out, words[i].prefix);
	if (btf_is_ptr(t)) {
		spell_pointer(btf, t, out);
	} else if (btf_is_array(t)) {
		spell_id(btf, btf_array(t)->type, out);
		str_addf(out, "[%u]", btf_array(t)->nelems);
	} else if (btf_is_mod(t) || btf_is_type_tag(t)) {
		spell_id(btf, t->type, out);
	} else {
		const char *name = btf_text(btf, t->name_off);

		str_add(out, *name ? name : "{...}");
	}
}

static void spell(const struct ctype *type, struct str *out)
{
	spell_id(type->source, (uint32_t)type->id, out);
}

struct ctype btf_ctype(const struct btf *btf, uint32_t type_id)
{
	static const struct ctype_ops ops = {
		.kernel = true,
		.info = info,
		.members = members,
		.values = values,
		.passing = passing,
		.spell = spell,
	};

	return (struct ctype){ &ops, btf, type_id };
}
