/* SPDX-License-Identifier: GPL-2.0 */
/* What a report ends with when calls of `record --latency` did not return: a line for each. */
#ifndef RINGSIDE_OPEN_CALLS_H
#define RINGSIDE_OPEN_CALLS_H

#include "lib/analysis/latency.h"
#include "lib/analysis/select.h"

/*
 * Appends them to *@out, as lines of the classic report; nothing if there is none. @select: only those of the events that it
 * wants; NULL: all. @exact: nanoseconds. 0 or -ENOMEM.
 */
int open_calls_text(struct latency *latency, const struct select *select, const inputs_t *inputs, bool exact, struct str *out);

#endif
