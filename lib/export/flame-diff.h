/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares two sets of recordings, the sides OLD and NEW (lib/analysis/diff.h), for a flame graph. A frame stands for a path: the functions from the
 * outermost frame to this frame. Each frame gets a verdict on the change of its path, such as "slower" (enum diff_verdict). It also gets a text with the
 * evidence.
 */
#ifndef RINGSIDE_FLAME_DIFF_H
#define RINGSIDE_FLAME_DIFF_H

#include "lib/analysis/diff.h"
#include "lib/analysis/flame.h"
#include "lib/base/str.h"

struct flame_diff {
	struct diff *diff; /* the comparison, with a row for each path */
	uint32_t *rows;	   /* element i is for the frame i: 1 + the index of the frame's row in the rows of .diff, or 0 if the frame has no row */
};

/*
 * Compares the recordings @runs[OLD] with the recordings @runs[NEW]. diff_analysis (lib/analysis/diff.h) must have read all of these recordings with
 * diff_run.by_path set. @runs must live until flame_diff_fini(). @flame is made from the calls of the side NEW. Returns 0 or -ENOMEM. The caller calls
 * flame_diff_fini() in any case.
 */
int flame_diff_init(struct flame_diff *diff, diff_runs_t *runs, const struct flame *flame);
void flame_diff_fini(struct flame_diff *diff);

/* Returns the row of a frame, or NULL when the frame has none. */
static inline const struct diff_row *flame_diff_row(const struct flame_diff *diff, size_t frame)
{
	return diff->rows[frame] ? &diff->diff->rows.at[diff->rows[frame] - 1] : NULL;
}

/*
 * Writes the colour of a frame, "#rrggbb", to @colour. The frame is red when its path is slower on the side NEW than on the side OLD, and blue when its path is
 * faster. The frame is light grey when its verdict is DIFF_SAME, or when it has no row. Each other verdict (enum diff_verdict) has a colour of its own. The
 * colour is stronger when the times or the number of calls have changed more.
 */
void flame_diff_colour(const struct flame_diff *diff, size_t frame, char colour[8]);

/*
 * Appends a JSON object that describes the comparison. Several members of the object are arrays that have an element for each row of the comparison. The array
 * "row" has an element for each of the @n frames. The element i of "row" tells which elements of those other arrays belong to the frame i. The element i is 1 +
 * the index of the frame's row, or 0 if the frame has no row. Returns 0 or -ENOMEM.
 */
int flame_diff_json(const struct flame_diff *diff, size_t n, struct str *out);

/*
 * Writes a line "OUTERMOST;...;INNERMOST OLD NEW" for each path, in the format of difffolded.pl. The lines are sorted. OLD and NEW are the path's own weights
 * on the two sides. @by tells what a weight is. OLD and NEW do not include the weights of longer paths that begin with this path. A path has no line if OLD and
 * NEW are 0. Returns 0, or -errno without a message.
 */
int flame_diff_folded(const struct flame_diff *diff, enum flame_weight by, int fd);

#endif
