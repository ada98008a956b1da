/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Describes C types as debug information has them. The description is the same for the kernel's BTF and for a program's DWARF. A typedef or a
 * qualified type is described as the type behind it.
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
	CTYPE_STRUCT,	  /* or union, or class */
	CTYPE_INCOMPLETE, /* a structure of which only the name is known */
	CTYPE_FUNCTION,
	CTYPE_FLOAT,  /* floating point, also decimal and complex */
	CTYPE_VECTOR, /* several numbers in one register, as __m128 */
	CTYPE_OTHER,  /* whatever else cannot be fetched */
};

/* How a parameter or result of a type is passed. */
enum ctype_passing {
	CTYPE_BY_VALUE,
	CTYPE_BY_REFERENCE, /* a C++ class that must not be copied byte by byte: its address is passed */
	CTYPE_UNSURE,	    /* the debug information does not say which of the two it is */
};

/*
 * A type: the debug information that describes it, and its number there. It is passed by value, and is valid as long as that debug information is
 * open.
 */
struct ctype {
	const struct ctype_ops *ops;
	const void *source;
	uint64_t id;
};

struct ctype_info {
	enum ctype_kind kind;
	bool is_signed, is_char, is_bool;
	bool is_reference; /* a pointer that stands for what it points to */
	bool is_complex;   /* a float of two parts */
	bool is_x87;	   /* the long double of x86 */
	uint64_t size;	   /* bytes; 0: not known */
	uint64_t align;	   /* bytes, where the source asks for more than the type's own; else 0 */
	uint64_t elements; /* of an array; 0: not known */
	struct ctype to;   /* what a pointer points to, what an array consists of */
};

struct cmember {
	const char *name; /* "" for an embedded structure without a name */
	struct ctype type;
	uint64_t bit;	/* from the structure's beginning */
	uint32_t bits;	/* of a bitfield, else 0 */
	uint64_t align; /* as in struct ctype_info */
};

typedef int (*ctype_member_fn)(void *ctx, const struct cmember *member);
typedef int (*ctype_value_fn)(void *ctx, const char *name, int64_t value);

struct ctype_ops {
	bool kernel; /* addresses are the kernel's */
	void (*info)(const struct ctype *type, struct ctype_info *out);
	/* These call @each for the members, or for the names of an enum, until a call does not return 0. They return what the last call returned. */
	int (*members)(const struct ctype *type, ctype_member_fn each, void *ctx);
	int (*values)(const struct ctype *type, ctype_value_fn each, void *ctx);
	enum ctype_passing (*passing)(const struct ctype *type);
	/* Appends the type as C writes it: "const char *". */
	void (*spell)(const struct ctype *type, struct str *out);
};

#endif
