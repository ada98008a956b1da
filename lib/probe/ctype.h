/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Describes C types as debug information has them. The description is the same for the kernel's BTF and for a program's DWARF. For a typedef, and for a type
 * with const or volatile, the type behind it is described.
 */
#ifndef RINGSIDE_CTYPE_H
#define RINGSIDE_CTYPE_H

#include "lib/base/str.h"

enum ctype_kind {
	CTYPE_VOID,
	CTYPE_INT,
	CTYPE_ENUM,
	CTYPE_POINTER,
	CTYPE_ARRAY,
	CTYPE_STRUCT,	  /* a structure, a union or a class */
	CTYPE_INCOMPLETE, /* a structure of which only the name is known */
	CTYPE_FUNCTION,
	CTYPE_FLOAT,  /* floating point, also decimal and complex */
	CTYPE_VECTOR, /* several numbers in one register, such as __m128 */
	CTYPE_OTHER,  /* any other type; a probe cannot fetch its values */
};

/* How a parameter or result of a type is passed. */
enum ctype_passing {
	CTYPE_BY_VALUE,
	CTYPE_BY_REFERENCE, /* the address of the value is passed, for example for a C++ class that must not be copied byte by byte */
	CTYPE_UNSURE,	    /* the debug information does not tell whether the value or its address is passed */
};

/*
 * This is a type. The debug information .source describes the type under the number .id. A struct ctype is passed by value, and is valid as long as the
 * debug information is open.
 */
struct ctype {
	const struct ctype_ops *ops;
	const void *source;
	uint64_t id;
};

struct ctype_info {
	enum ctype_kind kind;
	bool is_signed, is_char, is_bool;
	bool is_reference; /* a reference as in C++: a pointer that stands for the value to which it points */
	bool is_complex;   /* a complex number: a real and an imaginary part */
	bool is_x87;	   /* the long double of x86 */
	uint64_t size;	   /* bytes; 0: not known */
	uint64_t align;	   /* the alignment in bytes, if the source code asks for a larger alignment than the default of the type; otherwise 0 */
	uint64_t elements; /* how many elements an array has; 0: not known */
	struct ctype to;   /* for a pointer: the type to which it points; for an array: the type of the elements */
};

struct cmember {
	const char *name; /* "" for an embedded structure without a name */
	struct ctype type;
	uint64_t bit;	/* the offset from the structure's beginning, in bits */
	uint32_t bits;	/* the width of a bit-field; else 0 */
	uint64_t align; /* the alignment in bytes, if the source code asks for one; otherwise 0 */
};

typedef int (*ctype_member_fn)(void *ctx, const struct cmember *member);
typedef int (*ctype_value_fn)(void *ctx, const char *name, int64_t value);

struct ctype_ops {
	bool kernel; /* the types are the kernel's, so a pointer to a function holds an address in the kernel */
	void (*info)(const struct ctype *type, struct ctype_info *out);
	/*
	 * members() calls @each for each member of a structure, and values() calls @each for each name of an enum. Both stop when @each does not return 0. Both
	 * return what the last call of @each returned. When there is no member or name, they return 0.
	 */
	int (*members)(const struct ctype *type, ctype_member_fn each, void *ctx);
	int (*values)(const struct ctype *type, ctype_value_fn each, void *ctx);
	enum ctype_passing (*passing)(const struct ctype *type);
	/* Appends the type as C writes it: "const char *". */
	void (*spell)(const struct ctype *type, struct str *out);
};

#endif
