/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out by how much the times of many functions have changed together. Such a change comes from the machine, and not from the functions. */
#ifndef RINGSIDE_DIFF_PEERS_H
#define RINGSIDE_DIFF_PEERS_H

#include "lib/analysis/diff.h"

/*
 * A row (struct diff_row) compares one function or path on two sides: in the old recordings and in the new recordings. The shift of a row is its .ratio.
 * diff_find_peers() sets these members:
 * - .alone, .common, .scatter, .apart and .peers of each row whose .ratio is known, which describe the shift that the row shares with its peers;
 * - diff->common and diff->judged, which describe the shift that most rows share;
 * - diff->dependence.
 * The caller must have set the .error of each row whose .ratio is known.
 *
 * Another row is a peer of a row if all of these are true:
 * - the .ratio of the other row is known;
 * - the .by_time of the other row is false;
 * - most of the other row's time without interrupts is its .self, on both sides.
 * If there are more than 128 such rows, only the 128 rows with the smallest .error are peers. When the machine is slow for a moment, all calls in this
 * moment take longer. So a peer has a larger weight if more of its calls come at the same time as the row's calls. If the calls of too few peers come at the
 * same time as the row's calls, .alone of the row becomes true. In this case, all peers are used, whenever their calls come. If all peers together are still
 * too few, no peer is used. Returns 0 or -ENOMEM.
 */
int diff_find_peers(struct diff *diff);

#endif
