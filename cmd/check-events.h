/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RINGSIDE_CMD_CHECK_EVENTS_H
#define RINGSIDE_CMD_CHECK_EVENTS_H

#include "lib/event/trace.h"

struct checked {
	size_t all, failed; /* events; those whose format libtraceevent cannot parse */
	size_t slow;	    /* those without a print program, which take longer */
};

/* Tries all formats of @trace and adds to *@out. What fails is named on stderr, behind @where; what is slow on stdout. */
void check_formats(struct trace *trace, const char *where, struct checked *out);

/* Prints the last line; the exit status: 22 (EINVAL) when a format cannot be parsed, as trace-cmd report has it. */
int checked_status(const struct checked *checked);

#endif
