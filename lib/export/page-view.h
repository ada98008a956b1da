/* SPDX-License-Identifier: GPL-2.0 */
/* Makes a page of a recording: a timeline, a flame graph, a table of functions and the causes of slow calls in one HTML file. */
#ifndef RINGSIDE_PAGE_VIEW_H
#define RINGSIDE_PAGE_VIEW_H

#include "lib/analysis/reading.h"

enum { PAGE_MOST_BYTES = 30000000 };

struct page_view {
	uint64_t most_bytes; /* the page is at most this large: the shortest calls and the shortest runs of tasks are folded (lib/analysis/timeline.h) */
	bool empty;	     /* the result: there was nothing to show, and nothing was written */
	bool done;	     /* the page has been written; when a file was damaged, the page has what could be read */
};

extern const struct analysis page_analysis;

#endif
