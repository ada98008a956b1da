/* SPDX-License-Identifier: GPL-2.0 */
/* Says that no call of the function that was asked for is there, and what may be the reason. */
#ifndef RINGSIDE_MISSING_H
#define RINGSIDE_MISSING_H

#include "lib/analysis/reading.h"

/*
 * Has the selection of records left none, or none of a task that was asked for? Then nothing is known of any function, and
 * whoever began the reading says so.
 */
static inline bool missing_all(const struct reading *reading)
{
	return !reading->pass.passed || (reading->asked && !reading->found);
}

/*
 * Reports that the reading has no call of @what, a name or a glob. When records were selected by options, these are named. @called are the names of what
 * was called. The nearest of them and of the kinds of pairs are told. @events: names of events could have been meant, too; may be NULL. Returns -ENOENT.
 */
int missing_call(struct reading *reading, const char *what, const strv_t *called, const strv_t *events);

#endif
