/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits a merge (lib/data/merge.h) to a window of time that the user has typed. Outside of the window, only a few pages of the
 * files are read.
 */
#ifndef RINGSIDE_WINDOW_H
#define RINGSIDE_WINDOW_H

#include "lib/analysis/input.h"

/*
 * Each end of the window is a text, or NULL for no limit. "12.5" is a time as reports show it (also with a unit: 12500ms), "+1.5" is 1.5 s after the
 * first record, and "5%" is a share of the time from the first record to the last. The window includes both ends.
 */
struct window_options {
	const char *since, *until;
	const struct cpuset *cpus; /* the first and the last record are those of these CPUs; NULL: of all */
	bool ns;		   /* the trace's times are in ns; otherwise they are in ticks, and "12" and "+1" are numbers of ticks */
	bool exact;		   /* -t: "12.5" is a single nanosecond; without -t it is all times that are shown as 12.500000 */
};

/*
 * Limits @merge, whose inputs are @inputs, to the records whose times, as reports show them, are in the window of @opt. Returns 0, -ENOMEM, -EINVAL
 * after a message (a time cannot be read, or the window is outside of the trace or ends before it begins), or another -errno after a message.
 */
int window_set(struct merge *merge, const inputs_t *inputs, const struct window_options *opt);

#endif
