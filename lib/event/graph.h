/* SPDX-License-Identifier: GPL-2.0 */
/* Writes parts of a line of the function graph. The report's lines and the tree share them. */
#ifndef RINGSIDE_GRAPH_H
#define RINGSIDE_GRAPH_H

#include "lib/event/trace.h"

#define GRAPH_NO_DURATION UINT64_MAX

/*
 * These are the columns for the number of a duration: trace-cmd's report has 7, and the kernel's trace file has 8. A number of 1 ms or more takes 8 columns
 * in a report as well, which moves the text after it one column to the right.
 */
enum { GRAPH_REPORT_WIDTH = 7, GRAPH_KERNEL_WIDTH = 8 };

/*
 * Returns the mark in front of a duration: the kernel's letters for more than 10 us, 100 us, 1 ms, 10 ms, 100 ms and 1 s, or ' '.
 */
char graph_mark(uint64_t duration_ns);

/*
 * Writes the mark, a space, the duration in microseconds and " us ", in at least width + 6 columns. The fraction is as the kernel
 * writes it: three digits, but no more than seven digits in all. For GRAPH_NO_DURATION it writes width + 6 spaces. Returns where
 * the text ends. @at needs room for 32 bytes.
 */
char *graph_duration(char *at, uint64_t duration_ns, unsigned int width);

/* This is what the payload of an exit record says. graph_exit_get() returns false when the payload is too short. */
struct graph_exit {
	uint64_t func, calltime, rettime;
	uint32_t depth;
	bool has_retval;
	uint64_t retval;
};
bool graph_exit_get(const struct event *event, const void *data, size_t size, struct graph_exit *out);

/* Appends " (ret=…)" as @opt->retval says, or nothing. */
void graph_retval(const struct trace_options *opt, const struct graph_exit *exit, unsigned int long_size, struct str *out);

#endif
