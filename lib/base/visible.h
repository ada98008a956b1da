/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes text of foreign origin safe to show on a terminal: what would control the terminal is replaced by an escape that can be read.
 * A control character becomes \r, \n or \xNN. A byte that is not UTF-8 becomes \xNN. A character of Unicode that is invisible or
 * changes how others are shown (C1 controls, marks of direction, separators of lines) becomes \uNNNN or \UNNNNNNNN. Tabs stay.
 */
#ifndef RINGSIDE_VISIBLE_H
#define RINGSIDE_VISIBLE_H

#include "lib/base/str.h"

enum { VISIBLE_MOST = 4 }; /* the text can become this many times as long */

/*
 * Writes the @n bytes of @text in this form to @to, which has room for VISIBLE_MOST * @n bytes, and returns the end of what it wrote.
 * There is no NUL behind it. With @lines, newlines stay as they are. A text that comes in pieces may end in the middle of a character:
 * the bytes of this character are not written, and *@left is their number; the caller puts them in front of the next piece. A NULL
 * @left says that nothing follows, and such bytes are escaped.
 */
char *visible_put(char *to, const char *text, size_t n, bool lines, size_t *left);

/* Gives this form to the part of @s that begins at @from. Sets @s->oom when memory runs out. */
void visible_str(struct str *s, size_t from, bool lines);

#endif
