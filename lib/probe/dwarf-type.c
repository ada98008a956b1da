/* SPDX-License-Identifier: GPL-2.0 */
/* Makes a program's DWARF available as struct ctype. The source is a Dwarf, and the id is the offset of a DIE in it (0: void). */
#include "lib/probe/elf-file.h"

#include <dwarf.h>

static struct ctype make(Dwarf_Die *die);

/* In an id, this bit says that the DIE is in .debug_types, where DWARF 4 has the units of types. */
#define IN_TYPES (UINT64_C(1) << 63)

void dwarf_resolve(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (dwarf_attr(die, DW_AT_signature, &attr) && dwarf_formref_die(&attr, &type))
		*die = type;
}

/* Finds the DIE of a type. If @peel is true, looks through typedefs and qualifiers. Returns false for void and for damaged DWARF. */
static bool die_of(const struct ctype *type, bool peel, Dwarf_Die *out)
{
	Dwarf *dwarf = (Dwarf *)type->source;
	Dwarf_Die die;

	if (!type->id || !(type->id & IN_TYPES ? dwarf_offdie_types(dwarf, type->id & ~IN_TYPES, &die) : dwarf_offdie(dwarf, type->id, &die)))
		return false;
	*out = die;
	if (peel && dwarf_peel_type(&die, out))
		return false;
	dwarf_resolve(out);
	return true;
}

static uint64_t id_of(Dwarf_Die *die)
{
	Dwarf_Half version = 0;
	uint8_t kind = 0;

	if (dwarf_cu_info(die->cu, &version, &kind, NULL, NULL, NULL, NULL, NULL))
		return 0;
	return dwarf_dieoffset(die) | (version == 4 && kind == DW_UT_type ? IN_TYPES : 0);
}

static uint64_t number(Dwarf_Die *die, unsigned int name, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr_integrate(die, name, &attr) && dwarf_formudata(&attr, &value) == 0 ? value : otherwise;
}

struct ctype dwarf_ctype_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &type))
		return make(&type);
	return make(NULL);
}

static uint64_t elements(Dwarf_Die *array)
{
	uint64_t n = 1;
	Dwarf_Die child;

	if (dwarf_child(array, &child))
		return 0;
	do {
		uint64_t count;

		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		count = number(&child, DW_AT_count, UINT64_MAX);
		if (count == UINT64_MAX)
			count = number(&child, DW_AT_upper_bound, UINT64_MAX) + 1;
		n *= count;
	} while (dwarf_siblingof(&child, &child) == 0);
	return n;
}

/*
 * Finds the kind of a float of 16 bytes. It has the 80 bits of x87, or 128 bits, and on x86 the two are passed differently. Only the name tells which it is.
 * For complex floats, the names of some compilers do not tell it.
 */
static void long_float(const char *name, struct ctype_info *out)
{
	static const struct {
		const char *part;
		bool x87;
	} rows[] = {
		{ "long double", true }, { "_Float64x", true }, { "(kind=10)", true }, { "128", false }, { "(kind=16)", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (name && strstr(name, rows[i].part)) {
			out->is_x87 = rows[i].x87;
			return;
		}
	out->kind = CTYPE_OTHER;
}

static void base_info(Dwarf_Die *die, struct ctype_info *out)
{
	switch (number(die, DW_AT_encoding, 0)) {
	case DW_ATE_signed:
		out->kind = CTYPE_INT;
		out->is_signed = true;
		break;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
		out->kind = CTYPE_INT;
		out->is_signed = number(die, DW_AT_encoding, 0) == DW_ATE_signed_char;
		out->is_char = out->size == 1 && dwarf_diename(die) && strcmp(dwarf_diename(die), "char") == 0;
		break;
	case DW_ATE_boolean:
		out->is_bool = true;
		/* fall through */
	case DW_ATE_unsigned:
	case DW_ATE_UTF:
		out->kind = CTYPE_INT;
		break;
	case DW_ATE_complex_float:
		out->is_complex = true;
		/* fall through */
	case DW_ATE_float:
	case DW_ATE_imaginary_float:
	case DW_ATE_decimal_float:
		out->kind = CTYPE_FLOAT;
		if (out->size == (out->is_complex ? 32 : 16))
			long_float(dwarf_diename(die), out);
		break;
	default:
		out->kind = CTYPE_OTHER;
	}
}

static void info(const struct ctype *type, struct ctype_info *out)
{
	Dwarf_Die die;
	Dwarf_Word size;
	struct ctype to;
	struct ctype_info inner;

	*out = (struct ctype_info){ .kind = CTYPE_VOID, .to = make(NULL) };
	if (!die_of(type, true, &die))
		return;
	if (dwarf_aggregate_size(&die, &size) == 0)
		out->size = size;
	out->align = number(&die, DW_AT_alignment, 0);
	switch (dwarf_tag(&die)) {
	case DW_TAG_base_type:
		base_info(&die, out);
		break;
	case DW_TAG_enumeration_type:
		out->kind = CTYPE_ENUM;
		to = dwarf_ctype_of(&die);
		info(&to, &inner);
		out->is_signed = inner.kind == CTYPE_INT ? inner.is_signed : true;
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		out->kind = CTYPE_POINTER;
		out->is_reference = dwarf_tag(&die) != DW_TAG_pointer_type;
		out->size = out->size ? out->size : 8;
		out->to = dwarf_ctype_of(&die);
		break;
	case DW_TAG_array_type:
		out->kind = dwarf_hasattr(&die, DW_AT_GNU_vector) ? CTYPE_VECTOR : CTYPE_ARRAY;
		out->to = dwarf_ctype_of(&die);
		out->elements = elements(&die);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		out->kind = dwarf_hasattr(&die, DW_AT_byte_size) ? CTYPE_STRUCT : CTYPE_INCOMPLETE;
		break;
	case DW_TAG_subroutine_type:
		out->kind = CTYPE_FUNCTION;
		break;
	case DW_TAG_unspecified_type:
		if (dwarf_diename(&die) && strcmp(dwarf_diename(&die), "decltype(nullptr)") == 0) {
			out->kind = CTYPE_POINTER;
			out->size = 8;
			break;
		}
		/* fall through */
	default:
		out->kind = CTYPE_OTHER;
	}
}

/*
 * Returns the first bit of a bitfield, counted from the beginning of its structure. DWARF 4 gives it directly. The older way counts it from the other end of
 * the unit.
 */
static uint64_t first_bit(Dwarf_Die *member, uint64_t bits)
{
	uint64_t bit = number(member, DW_AT_data_bit_offset, UINT64_MAX);
	uint64_t base = number(member, DW_AT_data_member_location, 0) * 8, unit;
	struct ctype type = dwarf_ctype_of(member);
	struct ctype_info inner;

	if (bit != UINT64_MAX)
		return bit;
	bit = number(member, DW_AT_bit_offset, UINT64_MAX);
	if (bit == UINT64_MAX)
		return base;
	type.ops->info(&type, &inner);
	unit = number(member, DW_AT_byte_size, inner.size) * 8;
	return base + unit - bit - bits;
}

static int members(const struct ctype *type, ctype_member_fn each, void *ctx)
{
	Dwarf_Die die, child;
	int ret = 0;

	if (!die_of(type, true, &die) || dwarf_child(&die, &child))
		return 0;
	do {
		bool base = dwarf_tag(&child) == DW_TAG_inheritance;
		const char *name = dwarf_diename(&child);
		struct cmember m = { .name = base || !name ? "" : name, .type = dwarf_ctype_of(&child) };

		if (!base && (dwarf_tag(&child) != DW_TAG_member || dwarf_hasattr(&child, DW_AT_external)))
			continue;
		/* The place of a virtual base is computed when the program runs. */
		if (base && number(&child, DW_AT_virtuality, 0))
			continue;
		m.bits = (uint32_t)number(&child, DW_AT_bit_size, 0);
		m.align = number(&child, DW_AT_alignment, 0);
		m.bit = m.bits ? first_bit(&child, m.bits) : number(&child, DW_AT_data_member_location, 0) * 8;
		ret = each(ctx, &m);
	} while (!ret && dwarf_siblingof(&child, &child) == 0);
	return ret;
}

static int values(const struct ctype *type, ctype_value_fn each, void *ctx)
{
	Dwarf_Die die, child;
	int ret = 0;

	if (!die_of(type, true, &die) || dwarf_child(&die, &child))
		return 0;
	do {
		Dwarf_Attribute attr;
		Dwarf_Sword value;
		const char *name = dwarf_diename(&child);

		if (dwarf_tag(&child) == DW_TAG_enumerator && name && dwarf_attr(&child, DW_AT_const_value, &attr) && dwarf_formsdata(&attr, &value) == 0)
			ret = each(ctx, name, value);
	} while (!ret && dwarf_siblingof(&child, &child) == 0);
	return ret;
}

static enum ctype_passing passing(const struct ctype *type)
{
	Dwarf_Die die;

	return die_of(type, true, &die) ? dwarf_passing(&die) : CTYPE_BY_VALUE;
}

static void spell(const struct ctype *type, struct str *out)
{
	static const struct {
		int tag;
		const char *prefix, *suffix;
		bool follow; /* the type that it refers to is spelled in between */
	} rows[] = {
		{ DW_TAG_pointer_type, "", " *", true },
		{ DW_TAG_reference_type, "", " &", true },
		{ DW_TAG_rvalue_reference_type, "", " &&", true },
		{ DW_TAG_const_type, "const ", "", true },
		{ DW_TAG_volatile_type, "volatile ", "", true },
		{ DW_TAG_restrict_type, "", "", true },
		{ DW_TAG_atomic_type, "_Atomic ", "", true },
		{ DW_TAG_array_type, "", "[]", true },
		{ DW_TAG_subroutine_type, "", "()", true },
		{ DW_TAG_structure_type, "struct ", "", false },
		{ DW_TAG_union_type, "union ", "", false },
		{ DW_TAG_enumeration_type, "enum ", "", false },
		{ DW_TAG_class_type, "", "", false },
	};
	struct ctype of;
	Dwarf_Die die;

	if (!die_of(type, false, &die)) {
		str_add(out, "void");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (dwarf_tag(&die) != rows[i].tag)
			continue;
		str_add(out, rows[i].prefix);
		if (rows[i].follow) {
			of = dwarf_ctype_of(&die);
			spell(&of, out);
			str_add(out, rows[i].suffix + (rows[i].suffix[0] == ' ' && str_ends(str_text(out), "*")));
			return;
		}
	}
	str_add(out, dwarf_diename(&die) ? dwarf_diename(&die) : "{...}");
}

static struct ctype make(Dwarf_Die *die)
{
	static const struct ctype_ops ops = {
		.info = info,
		.members = members,
		.values = values,
		.passing = passing,
		.spell = spell,
	};

	return (struct ctype){ &ops, die ? dwarf_cu_getdwarf(die->cu) : NULL, die ? id_of(die) : 0 };
}
