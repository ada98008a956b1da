/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RINGSIDE_DIFF_PEERS_H
#define RINGSIDE_DIFF_PEERS_H

#include "lib/analysis/diff.h"

/*
 * Finds what each row whose .ratio is known shares with its peers (.common, .scatter and .peers), and what most rows share (diff->common and diff->judged). The
 * peers of a row are functions whose time is mostly their own and that are called while it is called, because a machine that is slower for a while makes all of
 * them slower. When these are too few, all functions whose time is mostly their own are its peers. A row is not its own peer. The rows' .error must be known.
 * Returns 0 or -ENOMEM.
 */
int diff_find_peers(struct diff *diff);

#endif
