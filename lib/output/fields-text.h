/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints a line for each event, with the chosen fields of the event in columns, for `stream --fields`. A column is "time", "comm", "pid", "cpu", "event",
 * "text", "took", or the name of a field of the event. The option -H defines pairs of events. With -H, a column can also be "start.comm", "start.pid", or
 * "start." followed by the name of a field of the pair's first event. ringside-stream(1) explains these columns. An ending behind the name of a field says how
 * the field is shown:
 *  - ".ip": as a network address. Events of sockets have the fields NAME, with an IPv4 address, and NAME_v6, with an IPv6 address. If the socket is one of
 *    IPv6, NAME.ip shows the address in NAME_v6;
 *  - ".hex": as a number in hexadecimal;
 *  - ".sym": as the name of the function at the address that the field holds;
 *  - ".dev": as the number of a device, MAJOR,MINOR.
 * If the ending does not fit the field, or if no function is at the address, the ending has no effect. There is one exception: for a field that is no number,
 * ".ip" shows "?" if the field is dynamic (__data_loc, __rel_loc) or does not have 4 or 16 bytes.
 */
#ifndef RINGSIDE_FIELDS_TEXT_H
#define RINGSIDE_FIELDS_TEXT_H

#include "lib/analysis/reading.h"

struct fields_view {
	const char *columns; /* names with commas between them */
	const strv_t *hooks; /* the pairs of events that -H defines; only the second events of these pairs are printed; empty: all events are printed */
	uint64_t over_ns;    /* an event is printed only if its column "took" shows at least this many ns; 0: all events are printed */
};

/* The options of the analysis are a struct fields_view. */
extern const struct analysis fields_analysis;

#endif
