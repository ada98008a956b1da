/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits a merge to a window of time that the user has typed. A merge gives the records of one or several files in the order of time (lib/data/merge.h).
 */
#ifndef RINGSIDE_WINDOW_H
#define RINGSIDE_WINDOW_H

#include "lib/analysis/input.h"

/*
 * Each end of the window is a text, or NULL for no limit. The window includes both ends. A text has one of these forms:
 * - "12.5" is a time as reports show it. The time may also have a unit, as in "12500ms".
 * - "+1.5" is 1.5 s after the first record.
 * - "5%" is a share of the time from the first record to the last record.
 */
struct window_options {
	const char *since, *until;
	const struct cpuset *cpus; /* only records of these CPUs can be the first and the last record; NULL: records of all CPUs */
	bool ns;		   /* true: the trace's times are in ns; false: they are in ticks, and "12" and "+1" are numbers of ticks */
	/*
	 * Tells what a time such as "12.5", with at most six decimals of a second, means. true: it means only the time 12.500000000. false: it means all times
	 * that reports show as 12.500000. Other texts mean only one time, whatever .exact is:
	 * - a text with a digit that is worth less than a microsecond, even if this digit is a zero
	 * - a text with "+" or "%"
	 * - a number of ticks
	 */
	bool exact;
};

/*
 * Limits @merge to the records whose times, as reports show them, are in the window of @opt. @inputs are the inputs of @merge. Returns 0, -ENOMEM, or another
 * -errno after a message. -EINVAL has one of these reasons:
 * - a time cannot be parsed;
 * - the window is outside of the trace;
 * - the window ends before it begins.
 */
int window_set(struct merge *merge, const inputs_t *inputs, const struct window_options *opt);

#endif
