/* SPDX-License-Identifier: GPL-2.0 */
/* Finds changes that functions have in common, because the machine causes them. */
#ifndef RINGSIDE_DIFF_PEERS_H
#define RINGSIDE_DIFF_PEERS_H

#include "lib/analysis/diff.h"

/*
 * Finds for each row whose .ratio is known the shift that it shares with its peers (.common, .scatter and .peers), and the shift that most rows share
 * (diff->common and diff->judged). The peers of a row are other functions whose time is mostly their own. The more of a peer's calls come at the same
 * time as the row's calls, the more the peer counts, because whatever is called while the machine is slower takes longer. If too few peers are called
 * at the same time as the row's function, all peers count, whenever they are called. The .error of each row must be known. Returns 0 or -ENOMEM.
 */
int diff_find_peers(struct diff *diff);

#endif
