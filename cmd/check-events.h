/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RINGSIDE_CMD_CHECK_EVENTS_H
#define RINGSIDE_CMD_CHECK_EVENTS_H

#include "lib/event/trace.h"

struct checked {
	size_t all, failed; /* events; those whose format libtraceevent cannot parse */
	size_t slow;	    /* those without a print program, which take longer */
};

/*
 * Tries the formats of all events of @trace, and adds the results to *@out. Prints a line that begins with @where on standard error for each failure, and
 * a line on standard output for each slow event.
 */
void check_formats(struct trace *trace, const char *where, struct checked *out);

/*
 * Prints the last line, which says how many events are printed without libtraceevent. Returns the exit status, which is 22 (EINVAL) as in trace-cmd report
 * when a format cannot be parsed.
 */
int checked_status(const struct checked *checked);

#endif
