/* SPDX-License-Identifier: GPL-2.0 */
/* What a comparison found, in words: the same ones wherever it is shown. They stand before nothing in @out. */
#ifndef RINGSIDE_DIFF_WORDS_H
#define RINGSIDE_DIFF_WORDS_H

#include "lib/analysis/diff.h"
#include "lib/base/str.h"

/* Signs that not everybody can show. */
struct diff_signs {
	const char *to, *times;
};
struct diff_signs diff_signs(bool utf8);

/* What the verdict on a row rests on; @explain: and why it is not another. @out is empty. */
void diff_evidence(const struct diff *diff, const struct diff_row *row, struct diff_signs sign, bool explain, struct str *out);

/* How the time of all calls together has changed. */
void diff_whole(const struct diff *diff, struct diff_signs sign, struct str *out);

#endif
