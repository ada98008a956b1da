/* SPDX-License-Identifier: GPL-2.0 */
/* A window of time as typed, made to hold for a merge: pages outside of it are not read. */
#ifndef RINGSIDE_WINDOW_H
#define RINGSIDE_WINDOW_H

#include "lib/analysis/input.h"

/*
 * Each a text or NULL: "12.5" as reports show times (also with a unit: 12500ms), "+1.5" after the first record, "5%" of the
 * time from the first record to the last. Both ends are included.
 */
struct window_options {
	const char *since, *until;
	bool ns;	/* times count nanoseconds; else ticks, and "12" and "+1" are so many */
	bool exact;	/* -t; else "12.5" is everything that is shown as 12.500000 */
};

/*
 * Narrows @merge, whose inputs are @inputs, by the times that they show. 0; -EINVAL after a message: a time that cannot be read, or a
 * window that lies outside of the trace; -ENOMEM; another -errno after a message.
 */
int window_set(struct merge *merge, const inputs_t *inputs, const struct window_options *opt);

#endif
