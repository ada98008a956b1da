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
	bool damaged;	 /* no kernel writes such a text */
	bool no_fields;	 /* lines of fields were left out */
	bool no_print;	 /* the print format was left out, so that only a plug-in can print more than the fields */
};

/*
 * Appends to *@out, which is empty before, those parts of the format that pass: the name and the ID, each line of a field that follows the grammar, and
 * the print format. When the print format does not pass, an empty one takes its place. *@out stays empty when the name, the ID or all fields are missing.
 * Returns 0 or -ENOMEM.
 */
int vet_format(const struct text *format, struct str *out, struct vetted *vetted);

typedef VEC(struct text) names_t;

/* Does the text @print, which stood behind "print fmt:", pass for an event with the fields @fields? Sets vetted->why when it does not. */
bool vet_print(const struct text *print, const names_t *fields, struct vetted *vetted);

#endif
