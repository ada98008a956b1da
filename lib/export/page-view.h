/* SPDX-License-Identifier: GPL-2.0 */
/* Makes a page of a recording: a timeline, a flame graph, a table of functions and the causes of slow calls in one HTML file. */
#ifndef RINGSIDE_PAGE_VIEW_H
#define RINGSIDE_PAGE_VIEW_H

#include "lib/analysis/reading.h"

enum { PAGE_MOST_BYTES = 30000000 }; /* page_view.most_bytes, unless the user gives another size */

struct page_view {
	/*
	 * The page is at most this large. If need be, its shortest calls, the shortest runs of tasks and the events that are closest together are folded
	 * (lib/analysis/timeline.h), and the flame graph that tells tasks apart is left out. The slow calls are left out last. When all this is not
	 * enough, no page is written, and a message says so.
	 */
	uint64_t most_bytes;
	/* The analysis sets the members below. */
	bool empty; /* there was nothing to show, and nothing was written */
	bool done;  /* the page has been written; when a file was damaged, the page has what could be read */
};

extern const struct analysis page_analysis;

#endif
