/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares two sides, OLD and NEW (lib/analysis/diff.h), for a flame graph. Each frame gets a verdict on its path, and the evidence for the verdict in
 * words.
 */
#ifndef RINGSIDE_FLAME_DIFF_H
#define RINGSIDE_FLAME_DIFF_H

#include "lib/analysis/diff.h"
#include "lib/analysis/flame.h"
#include "lib/base/str.h"

struct flame_diff {
	struct diff *diff;
	uint32_t *rows; /* element i is 1 + the index in diff->rows of the row for the frame i; it is 0 if the frame has no row */
};

/*
 * Compares @runs[OLD] with @runs[NEW]. The items of these runs are paths (diff_run.by_path). The runs must live until flame_diff_fini(). @flame is made
 * of the calls of the side NEW. Returns 0 or -ENOMEM. The caller calls flame_diff_fini() in any case.
 */
int flame_diff_init(struct flame_diff *diff, diff_runs_t *runs, const struct flame *flame);
void flame_diff_fini(struct flame_diff *diff);

/* Returns the row of a frame, or NULL when the frame has none. */
static inline const struct diff_row *flame_diff_row(const struct flame_diff *diff, size_t frame)
{
	return diff->rows[frame] ? &diff->diff->rows.at[diff->rows[frame] - 1] : NULL;
}

/*
 * Writes the colour of a frame, "#rrggbb", to @colour. The frame is red when it is slower on the side NEW, and blue when it is faster on the side NEW. It
 * is light grey when its verdict is DIFF_SAME, and when it has no row. Each other verdict (enum diff_verdict) has a colour of its own. Larger changes of
 * the times or of the number of calls have stronger colours.
 */
void flame_diff_colour(const struct flame_diff *diff, size_t frame, char colour[8]);

/*
 * Appends a JSON object of the comparison. Several members of the object are arrays that have an element for each row of the comparison. The array "row" has an
 * element for each of the @n frames. Its element i is diff->rows[i]. Returns 0 or -ENOMEM.
 */
int flame_diff_json(const struct flame_diff *diff, size_t n, struct str *out);

/*
 * Writes a line "OUTERMOST;...;INNERMOST OLD NEW" for each path. The lines are sorted, as difffolded.pl writes them. OLD and NEW are the path's own weights
 * (enum flame_weight) on the two sides. They do not include the weights of longer paths that begin with this path. A path has no line if OLD and NEW are 0.
 * Returns 0, or -errno without a message.
 */
int flame_diff_folded(const struct flame_diff *diff, enum flame_weight by, int fd);

#endif
