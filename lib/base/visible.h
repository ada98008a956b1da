/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes text of foreign origin safe to show on a terminal. Characters that would control the terminal are replaced by visible escapes:
 * - A control character becomes \r, \n or \xNN. Tabs stay.
 * - A byte that is not UTF-8 becomes \xNN.
 * - Some Unicode characters are invisible, or change how other characters are shown. Examples are C1 controls, marks of direction and line separators. Such a
 *   character becomes \uNNNN or \UNNNNNNNN.
 */
#ifndef RINGSIDE_VISIBLE_H
#define RINGSIDE_VISIBLE_H

#include "lib/base/str.h"

enum { VISIBLE_MOST = 4 }; /* the text becomes at most this many times as long */

/*
 * Writes the @n bytes of @text to @to, escaped as described above, without a NUL. Returns the end of the written text. @to must have room for VISIBLE_MOST * @n
 * bytes. If @lines is true, newlines stay as they are.
 *
 * The text may end in the middle of a character. If @left is NULL, the bytes of this incomplete character are escaped. If @left is not NULL, these bytes are
 * not written, and *@left becomes their number. The caller then puts these bytes in front of the next piece of the text. If the text does not end in the middle
 * of a character, *@left becomes 0.
 */
char *visible_put(char *to, const char *text, size_t n, bool lines, size_t *left);

/*
 * Replaces the part of @s from byte @from to the end by its escaped text. When @lines is true, newlines stay as they are. Sets @s->oom when memory runs
 * out.
 */
void visible_str(struct str *s, size_t from, bool lines);

#endif
