/* SPDX-License-Identifier: GPL-2.0 */
/* Finds changes that functions have in common, because the machine causes them. */
#ifndef RINGSIDE_DIFF_PEERS_H
#define RINGSIDE_DIFF_PEERS_H

#include "lib/analysis/diff.h"

/*
 * Finds for each row whose .ratio is known the shift that the row shares with its peers (.common, .scatter and .peers of the row). Then finds the shift
 * that most rows share (diff->common and diff->judged). Also sets diff->dependence. The .error of each row whose .ratio is known must be set already.
 *
 * The peers of a row are the other rows whose time is mostly their own, whose .ratio is known, and whose .by_time is false. If there are more than 128 such
 * rows, only those with the smallest .error are peers. The more of a peer's calls come at the same time as the row's calls, the more the peer counts, because
 * whatever is called while the machine is slower takes longer. If too few peers are called at the same time as the row's function, all peers count, whenever
 * they are called, and .alone of the row becomes true. If even all peers are too few, none counts. Returns 0 or -ENOMEM.
 */
int diff_find_peers(struct diff *diff);

#endif
