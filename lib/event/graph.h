/* SPDX-License-Identifier: GPL-2.0 */
/* Writes parts of a function_graph line. `report`, `report --tree` and `stream --tree` write these parts in the same way. */
#ifndef RINGSIDE_GRAPH_H
#define RINGSIDE_GRAPH_H

#include "lib/event/trace.h"

#define GRAPH_NO_DURATION UINT64_MAX

/*
 * A duration is written as a number of microseconds. These are the least widths of the number, in columns: 7 in trace-cmd's report, and 8 in the kernel's
 * trace file. A wider number moves the text after it to the right. In a report, this happens with durations from 1 ms to less than 1 s, and with durations
 * of 10 s or more. Durations from 1 s to less than 10 s fit into 7 columns, because their numbers have no fraction (graph_duration()).
 */
enum { GRAPH_REPORT_WIDTH = 7, GRAPH_KERNEL_WIDTH = 8 };

/*
 * Returns the mark in front of a duration, as the kernel's trace file has it. The mark is '+' above 10 us, '!' above 100 us, '#' above 1 ms, '*' above 10 ms,
 * '@' above 100 ms, and '$' above 1 s. For all other durations it is ' '.
 */
char graph_mark(uint64_t duration_ns);

/*
 * Writes the mark, a space, the duration in microseconds and " us ", in at least @width + 6 columns. As in the kernel's trace file, the fraction has three
 * digits. It has fewer digits when the duration would otherwise have more than seven digits. Writes @width + 6 spaces for GRAPH_NO_DURATION. Returns where the
 * text ends. @at needs room for 32 bytes.
 */
char *graph_duration(char *at, uint64_t duration_ns, unsigned int width);

/* This is what the payload of a funcgraph_exit record says. graph_exit_get() returns false when the payload is too short. */
struct graph_exit {
	uint64_t func, calltime, rettime;
	uint32_t depth;
	bool has_retval;
	uint64_t retval;
};
bool graph_exit_get(const struct event *event, const void *data, size_t size, struct graph_exit *out);

/*
 * Appends the return value, " (ret=…)", in the form that @opt->retval says. Appends nothing when @opt->retval is RETVAL_SKIP, or when the record has no
 * return value.
 */
void graph_retval(const struct trace_options *opt, const struct graph_exit *exit, unsigned int long_size, struct str *out);

#endif
