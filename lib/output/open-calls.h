/* SPDX-License-Identifier: GPL-2.0 */
/* What a report ends with when calls of `record --latency` did not return: a line for each. */
#ifndef RINGSIDE_OPEN_CALLS_H
#define RINGSIDE_OPEN_CALLS_H

#include "lib/analysis/analysis.h"

/*
 * Lines as those of the classic report, of the events that are selected; nothing if there is none. It takes no options and only
 * shows, what the reading knows anyway.
 */
extern const struct analysis open_calls_analysis;

#endif
