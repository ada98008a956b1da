/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which text of an event's format libtraceevent may be given. Its parser trusts that a kernel wrote the text: others make it read
 * beyond its memory, divide by zero or run out of stack. So a format passes only as far as it follows a strict grammar.
 */
#ifndef RINGSIDE_VET_H
#define RINGSIDE_VET_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/* What was found in a format. */
struct vetted {
	const char *why;	/* a static text: what was left out, and why; NULL: all has passed */
	bool damaged;		/* no kernel writes such a text */
	bool no_fields;		/* lines of fields were left out */
	bool no_print;		/* the print format was left out: only a plug-in knows how to print the event */
};

/*
 * Appends to *@out, which is empty, what of the format passes: its name and ID, those lines of fields that are right, and the
 * print format, or an empty one. *@out stays empty when there are no name, ID and fields. 0 or -ENOMEM.
 */
int vet_format(const struct text *format, struct str *out, struct vetted *vetted);

typedef VEC(struct text) names_t;

/*
 * What stands behind "print fmt:", of an event with the fields @fields. Sets vetted->why when it does not pass. False: it does not.
 */
bool vet_print(const struct text *print, const names_t *fields, struct vetted *vetted);

#endif
