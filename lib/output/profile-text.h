/* SPDX-License-Identifier: GPL-2.0 */
/* What `report --profile` prints. */
#ifndef RINGSIDE_PROFILE_TEXT_H
#define RINGSIDE_PROFILE_TEXT_H

#include "lib/analysis/profile.h"

struct profile_show {
	const strv_t *comms;	/* only tasks of these names (globs) and … */
	const strv_t *pids, *tids;	/* … of these numbers; each can be a list with commas; empty: all */
	bool exact;		/* times with nanoseconds */
};

/* Appends all that was found to *@out. 0 or -ENOMEM. */
int profile_text(const struct profile *profile, const struct profile_show *show, struct str *out);

#endif
