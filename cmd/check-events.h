/* SPDX-License-Identifier: GPL-2.0 */
/* Checks the formats of events, for `ringside check-events` and `ringside report --check-events`. */
#ifndef RINGSIDE_CMD_CHECK_EVENTS_H
#define RINGSIDE_CMD_CHECK_EVENTS_H

#include "lib/event/trace.h"

struct checked {
	size_t all;    /* the number of events */
	size_t failed; /* the number of events whose print format cannot be parsed */
	size_t slow;   /* the number of events whose print format ringside does not compile; libtraceevent or a plug-in prints them, which is slower */
};

/*
 * Tries the formats of all events of @trace, and adds the results to *@out. For each event whose format cannot be parsed, the function prints a line on
 * standard error. The line begins with @where, the path of the trace file or tracefs directory that the formats come from. For each slow event (.slow of struct
 * checked), the function prints a line on standard output.
 */
void check_formats(struct trace *trace, const char *where, struct checked *out);

/*
 * Prints the last line, which says how many events are printed without libtraceevent. Returns the exit status. As in trace-cmd report, the status is 22
 * (EINVAL) when a format cannot be parsed, and otherwise 0.
 */
int checked_status(const struct checked *checked);

#endif
