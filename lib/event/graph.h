/* SPDX-License-Identifier: GPL-2.0 */
/* Pieces of the function graph's picture, shared by the report's lines and the tree. */
#ifndef RINGSIDE_GRAPH_H
#define RINGSIDE_GRAPH_H

#include "lib/event/trace.h"

#define GRAPH_NO_DURATION UINT64_MAX

/*
 * Columns of a duration's number: trace-cmd's report has 7, the kernel's trace file 8. From 1 ms on a number takes 8 of itself, and
 * what stands behind it in a report is one column further right.
 */
enum { GRAPH_REPORT_WIDTH = 7, GRAPH_KERNEL_WIDTH = 8 };

/* The mark in front of a duration: the kernel's letters for 10 us, 100 us, 1 ms, 10 ms, 100 ms, 1 s; else ' '. */
char graph_mark(uint64_t duration_ns);

/*
 * Writes MARK, space, the duration in microseconds, with as much of a fraction as the kernel writes (three digits, but no more than
 * seven in all), and " us ", in at least width + 6 columns; or that many spaces for GRAPH_NO_DURATION. Returns where it ends.
 * Needs room for 32.
 */
char *graph_duration(char *at, uint64_t duration_ns, unsigned int width);

/* What the payload of an exit record says. False: it is too short. */
struct graph_exit {
	uint64_t func, calltime, rettime;
	uint32_t depth;
	bool has_retval;
	uint64_t retval;
};
bool graph_exit_get(const struct event *event, const void *data, size_t size, struct graph_exit *out);

/* Appends " (ret=…)" as @opt wants it. */
void graph_retval(const struct trace_options *opt, const struct graph_exit *exit, unsigned int long_size,
		  struct str *out);

#endif
