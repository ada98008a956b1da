/* SPDX-License-Identifier: GPL-2.0 */
/* Writes in words what a comparison of recordings (lib/analysis/diff.h) has found. The words are the same in all outputs. */
#ifndef RINGSIDE_DIFF_WORDS_H
#define RINGSIDE_DIFF_WORDS_H

#include "lib/analysis/diff.h"
#include "lib/base/str.h"

/* These are the signs for an arrow and for multiplication. diff_signs() returns signs in ASCII if @utf8 is false. */
struct diff_signs {
	const char *to, *times;
};
struct diff_signs diff_signs(bool utf8);

/*
 * Writes to @out the figures on which the verdict on a row is based. If @explain is true, also writes why the verdict is not a different one. @out
 * must be empty.
 */
void diff_evidence(const struct diff *diff, const struct diff_row *row, struct diff_signs sign, bool explain, struct str *out);

/* Appends to @out how the time of all calls together has changed. If diff->incomparable is true, appends that these times are not compared, and why. */
void diff_whole(const struct diff *diff, struct diff_signs sign, struct str *out);

#endif
