/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes text of foreign origin safe to show on a terminal. Characters that would control the terminal are replaced by escapes that can be read. A control
 * character becomes \r, \n or \xNN. A byte that is not UTF-8 becomes \xNN. A Unicode character that is invisible or changes how other characters are
 * shown (C1 controls, marks of direction, line separators) becomes \uNNNN or \UNNNNNNNN. Tabs stay.
 */
#ifndef RINGSIDE_VISIBLE_H
#define RINGSIDE_VISIBLE_H

#include "lib/base/str.h"

enum { VISIBLE_MOST = 4 }; /* the text becomes at most this many times as long */

/*
 * Writes the @n bytes of @text with these escapes to @to, and returns the end of what it wrote. No NUL is written there. @to must have room for
 * VISIBLE_MOST * @n bytes. When @lines is true, newlines stay as they are. When a text comes in pieces, a piece may end in the middle of a character.
 * Then the bytes of this character are not written, and *@left becomes their number. The caller puts these bytes in front of the next piece. A NULL @left
 * says that no piece follows. Then the bytes of an incomplete character are escaped.
 */
char *visible_put(char *to, const char *text, size_t n, bool lines, size_t *left);

/*
 * Replaces the part of @s from byte @from to the end by its escaped text. When @lines is true, newlines stay as they are. Sets @s->oom when memory runs
 * out.
 */
void visible_str(struct str *s, size_t from, bool lines);

#endif
