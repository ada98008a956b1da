/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides which part of an event's format may be given to libtraceevent. The parser of libtraceevent trusts that a kernel wrote the text. Other texts can
 * make the parser read beyond its memory, divide by zero or run out of stack. So a part of a format passes only when it follows a strict grammar.
 */
#ifndef RINGSIDE_VET_H
#define RINGSIDE_VET_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/* This is what was found in a format. */
struct vetted {
	const char *why; /* a static text that says what was left out and why; NULL: everything has passed */
	bool damaged;	 /* true: no kernel writes a text like this one */
	bool no_fields;	 /* true: lines of fields were left out */
	bool no_print;	 /* true: the print format was left out, so only a plug-in can print more than the fields */
};

/*
 * Puts the parts of the format that pass into *@out, which must be empty before the call. The parts are the name and the ID, each line of a field that
 * follows the grammar, and the print format. When the print format does not pass, an empty print format takes its place. *@out stays empty when the name, the
 * ID or all fields are missing. Returns 0 or -ENOMEM.
 */
int vet_format(const struct text *format, struct str *out, struct vetted *vetted);

typedef VEC(struct text) names_t;

/*
 * Returns true if @print passes. @print is the text behind "print fmt:" in the format of an event that has the fields @fields. When @print does not pass and
 * vetted->why is NULL, sets vetted->why and vetted->damaged.
 */
bool vet_print(const struct text *print, const names_t *fields, struct vetted *vetted);

#endif
