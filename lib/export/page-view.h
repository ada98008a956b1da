/* SPDX-License-Identifier: GPL-2.0 */
/* Makes an HTML page from a recording. The page is one file with a timeline, a flame graph, a table of functions and the causes of slow calls. */
#ifndef RINGSIDE_PAGE_VIEW_H
#define RINGSIDE_PAGE_VIEW_H

#include "lib/analysis/reading.h"

enum { PAGE_MOST_BYTES = 30000000 }; /* the value of page_view.most_bytes if the user gives no other size */

struct page_view {
	/*
	 * The page has at most this many bytes. If the page would be larger, it is reduced:
	 *  - The shortest calls, the shortest runs of tasks and the events that are closest together are folded: several of them are drawn as one
	 *    (lib/analysis/timeline.h).
	 *  - The flame graph that keeps tasks apart is left out.
	 *  - The slow calls are left out last.
	 * If the page is still larger than .most_bytes after all this, no page is written, and a message says so.
	 */
	uint64_t most_bytes;
	/* page_analysis sets the members below. */
	bool empty; /* there was nothing to show, and nothing was written */
	bool done;  /* the page has been written; if a file was damaged, the page shows the part that could be read */
};

extern const struct analysis page_analysis;

#endif
