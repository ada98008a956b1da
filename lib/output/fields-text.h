/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line an event, with chosen fields of it in columns: what `stream --fields` prints. A column is time, comm, pid, cpu, event, took, start.comm, start.pid,
 * text or a field of the event; of a field that is an address of the network .ip behind it shows it as such, .hex a number in hexadecimal, .sym the function at an address,
 * .dev the number of a device as MAJOR,MINOR.
 */
#ifndef RINGSIDE_FIELDS_TEXT_H
#define RINGSIDE_FIELDS_TEXT_H

#include "lib/analysis/reading.h"

struct fields_view {
	const char *columns;	/* names with commas between them */
	const strv_t *hooks;	/* of -H: only the ends of these are lines, with what began them; empty: all events are */
	uint64_t over_ns;	/* only events that tell how long something took, and only when it took so long; 0: all */
};

extern const struct analysis fields_analysis;

#endif
