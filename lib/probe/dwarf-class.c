/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out whether a C++ class is passed by value or by the address of a copy. By the Itanium C++ ABI, a class is passed by address if it is not trivial
 * for the purposes of calls:
 * - it has a destructor, a copy constructor or a move constructor that is not trivial, or
 * - all its copy and move constructors are deleted.
 */
#include "lib/probe/elf-file.h"

#include <dwarf.h>

enum { DEPTH_MOST = 32 };

/* What a class declares. */
struct special {
	const char *name;    /* the name of the class */
	size_t len;	     /* its length without the arguments of a template */
	unsigned int copies; /* copy and move constructors that are not deleted */
	bool deleted;	     /* a copy or move constructor is deleted; a move assignment sets this, too, because it makes the compiler delete them */
	enum ctype_passing passing;
};

static Dwarf_Word number(Dwarf_Die *die, unsigned int name, Dwarf_Word otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr_integrate(die, name, &attr) && dwarf_formudata(&attr, &value) == 0 ? value : otherwise;
}

static bool is_set(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	bool set = false;

	return dwarf_attr_integrate(die, name, &attr) && dwarf_formflag(&attr, &set) == 0 && set;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type) || dwarf_peel_type(&type, out))
		return false;
	dwarf_resolve(out);
	return true;
}

static bool is_class(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

enum dwarf_language dwarf_language(Dwarf_Die *unit)
{
	static const struct {
		int code;
		enum dwarf_language language;
		/* clang-format off */
	} rows[] = {
		{ DW_LANG_C89, DWARF_C }, { DW_LANG_C, DWARF_C }, { DW_LANG_C99, DWARF_C }, { DW_LANG_C11, DWARF_C },
		{ 0x2c /* C17 */, DWARF_C }, { 0x3e /* C23 */, DWARF_C }, { DW_LANG_ObjC, DWARF_C },
		{ DW_LANG_C_plus_plus, DWARF_CXX }, { DW_LANG_C_plus_plus_03, DWARF_CXX }, { DW_LANG_C_plus_plus_11, DWARF_CXX },
		{ DW_LANG_C_plus_plus_14, DWARF_CXX }, { 0x2a /* C++17 */, DWARF_CXX }, { 0x2b /* C++20 */, DWARF_CXX },
		{ 0x3a /* C++23 */, DWARF_CXX }, { DW_LANG_ObjC_plus_plus, DWARF_CXX }, { DW_LANG_Rust, DWARF_RUST },
	};
	/* clang-format on */
	int code = dwarf_srclang(unit);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].code == code)
			return rows[i].language;
	return DWARF_OTHER;
}

static void is_at_least(struct special *s, enum ctype_passing passing)
{
	/* If the class is certainly passed by reference, nothing that is unsure changes that. */
	if (s->passing != CTYPE_BY_REFERENCE && passing != CTYPE_BY_VALUE)
		s->passing = passing;
}

/*
 * Looks at a destructor or constructor. One that somebody has written is not trivial. One that is defaulted in the class may be trivial, which depends on
 * the parts of the class.
 */
static void written(struct special *s, Dwarf_Die *function)
{
	Dwarf_Half version = 0;
	Dwarf_Die unit;

	if (is_set(function, DW_AT_artificial) || number(function, DW_AT_defaulted, DW_DEFAULTED_no) == DW_DEFAULTED_in_class)
		return;
	/* Versions of DWARF before 5 do not say which functions are defaulted. */
	if (!dwarf_diecu(function, &unit, NULL, NULL) || dwarf_cu_info(unit.cu, &version, NULL, NULL, NULL, NULL, NULL, NULL) || version < 5)
		is_at_least(s, CTYPE_UNSURE);
	else
		is_at_least(s, CTYPE_BY_REFERENCE);
}

/* Counts the parameters that are written in the source. If the first is a reference, @first is the type that it refers to, and *@reference its kind. */
static unsigned int parameters(Dwarf_Die *function, Dwarf_Die *first, int *reference)
{
	unsigned int n = 0;
	Dwarf_Die child, type;

	*reference = 0;
	if (dwarf_child(function, &child))
		return 0;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter || is_set(&child, DW_AT_artificial))
			continue;
		if (!n++ && type_of(&child, &type) && (dwarf_tag(&type) == DW_TAG_reference_type || dwarf_tag(&type) == DW_TAG_rvalue_reference_type) &&
		    type_of(&type, first))
			*reference = dwarf_tag(&type);
	} while (dwarf_siblingof(&child, &child) == 0);
	return n;
}

static bool is_named(const char *name, const struct special *s)
{
	return strcspn(name, "<") == s->len && strncmp(name, s->name, s->len) == 0;
}

static void look_at_function(struct special *s, Dwarf_Die *function)
{
	const char *name = dwarf_diename(function);
	unsigned int n;
	Dwarf_Die first;
	int reference;

	if (number(function, DW_AT_virtuality, 0))
		is_at_least(s, CTYPE_BY_REFERENCE);
	if (!name || !s->name)
		return;
	if (name[0] == '~') {
		if (is_set(function, DW_AT_deleted))
			is_at_least(s, CTYPE_BY_REFERENCE);
		else
			written(s, function);
		return;
	}
	if (!is_named(name, s) && strcmp(name, "operator="))
		return;
	n = parameters(function, &first, &reference);
	if (!n || !reference || !dwarf_diename(&first) || strcmp(dwarf_diename(&first), s->name))
		return;
	if (strcmp(name, "operator=") == 0) {
		s->deleted |= reference == DW_TAG_rvalue_reference_type;
	} else if (is_set(function, DW_AT_deleted)) {
		s->deleted = true;
	} else if (n == 1) {
		s->copies++;
		written(s, function);
	} else if (!is_set(function, DW_AT_artificial)) {
		/* It is a copy or move constructor only if the other parameters have defaults, which DWARF does not tell. */
		is_at_least(s, CTYPE_UNSURE);
	}
}

static enum ctype_passing class_passing(Dwarf_Die *class, unsigned int depth);

/* Looks at a base or a member. If it is a class, or an array of classes, the way in which that class is passed counts for the whole. */
static void look_at_part(struct special *s, Dwarf_Die *part, unsigned int depth)
{
	Dwarf_Die type;

	if (is_set(part, DW_AT_external) || is_set(part, DW_AT_declaration) || !type_of(part, &type))
		return;
	while (dwarf_tag(&type) == DW_TAG_array_type && type_of(&type, &type))
		;
	if (is_class(&type))
		is_at_least(s, class_passing(&type, depth + 1));
}

static enum ctype_passing class_passing(Dwarf_Die *class, unsigned int depth)
{
	struct special s = { .name = dwarf_diename(class) };
	Dwarf_Die child;

	switch (number(class, DW_AT_calling_convention, 0)) {
	case DW_CC_pass_by_reference:
		return CTYPE_BY_REFERENCE;
	case DW_CC_pass_by_value:
		return CTYPE_BY_VALUE;
	}
	if (depth > DEPTH_MOST || !dwarf_hasattr(class, DW_AT_byte_size))
		return CTYPE_UNSURE;
	if (dwarf_child(class, &child))
		return CTYPE_BY_VALUE;
	s.len = s.name ? strcspn(s.name, "<") : 0;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_inheritance && number(&child, DW_AT_virtuality, 0))
			is_at_least(&s, CTYPE_BY_REFERENCE);
		if (tag == DW_TAG_inheritance || tag == DW_TAG_member)
			look_at_part(&s, &child, depth);
		else if (tag == DW_TAG_subprogram)
			look_at_function(&s, &child);
	} while (dwarf_siblingof(&child, &child) == 0);
	if (s.deleted && !s.copies)
		is_at_least(&s, CTYPE_BY_REFERENCE);
	return s.passing;
}

enum ctype_passing dwarf_passing(Dwarf_Die *type)
{
	Dwarf_Die unit;

	if (!is_class(type) || !dwarf_diecu(type, &unit, NULL, NULL) || dwarf_language(&unit) != DWARF_CXX)
		return CTYPE_BY_VALUE;
	return class_passing(type, 0);
}
