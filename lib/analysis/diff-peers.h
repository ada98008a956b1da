/* SPDX-License-Identifier: GPL-2.0 */
/* Finds changes that functions have in common, because the machine causes them. */
#ifndef RINGSIDE_DIFF_PEERS_H
#define RINGSIDE_DIFF_PEERS_H

#include "lib/analysis/diff.h"

/*
 * For each row whose .ratio is known, finds the shift that the row shares with its peers (.common, .scatter and .peers of the row). Then finds the shift
 * that most rows share (diff->common and diff->judged). Also sets diff->dependence. The .error of each row whose .ratio is known must be set already.
 *
 * The peers of a row are other rows whose .ratio is known, whose .by_time is false, and whose time without interrupts is mostly their .self, on both sides.
 * If there are more than 128 such rows, only those with the smallest .error are peers. A peer counts for more when more of its calls come at the same time
 * as the row's calls, because a slow moment of the machine makes all calls in it take longer. If too few peers are called at the same time as the row's
 * function, all peers count, whenever they are called, and .alone of the row becomes true. If there are too few peers even then, none of them counts.
 * Returns 0 or -ENOMEM.
 */
int diff_find_peers(struct diff *diff);

#endif
