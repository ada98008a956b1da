/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text of foreign origin on a terminal: what would command it is shown instead. Control characters become \r, \n or \x1b, bytes
 * that are no UTF-8 \xff, characters of Unicode that control (C1) or turn the direction of writing \u202e. Tabs stay.
 */
#ifndef RINGSIDE_VISIBLE_H
#define RINGSIDE_VISIBLE_H

#include "lib/base/str.h"

enum { VISIBLE_MOST = 4 };	/* times as long it may become */

/*
 * Puts @n bytes at @to, which has VISIBLE_MOST times the room, and returns where they end. @lines: newlines stay. *@left: so
 * many at the end begin a character that may go on in what follows, and are not put; NULL: nothing follows.
 */
char *visible_put(char *to, const char *text, size_t n, bool lines, size_t *left);

/* What stands in @s from @from on. */
void visible_str(struct str *s, size_t from, bool lines);

#endif
