/* SPDX-License-Identifier: GPL-2.0 */
/* Finds changes that functions have in common, because the machine causes them. */
#ifndef RINGSIDE_DIFF_PEERS_H
#define RINGSIDE_DIFF_PEERS_H

#include "lib/analysis/diff.h"

/*
 * Finds for each row whose .ratio is known the shift that it shares with its peers (.common, .scatter and .peers), and the shift that most rows share
 * (diff->common and diff->judged). The peers of a row are other functions whose time is mostly their own. The more of a function's calls come at the
 * same time as the row's calls, the more the function counts, because a machine that is slower for a while makes slower whatever is called in this
 * time. If too few functions are called at the same time, this makes no difference, and all of them count. The .error of each row must be known.
 * Returns 0 or -ENOMEM.
 */
int diff_find_peers(struct diff *diff);

#endif
