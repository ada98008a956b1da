/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records to sub-buffers: the way back from lib/data/page.h. A record takes no more room than it had, time stamps included,
 * so each record of a sub-buffer fits into a fresh one of the same size.
 */
#ifndef RINGSIDE_PAGE_WRITE_H
#define RINGSIDE_PAGE_WRITE_H

#include "lib/data/page.h"

struct page_writer {
	struct page_format format;	/* of the pages to be written */
	uint8_t *page;			/* the one under construction, format.page_size bytes */
	uint32_t used;			/* bytes of events in it */
	uint64_t ts;			/* of its last event */
	int64_t lost;			/* before it */
	bool begun;			/* it has a record, or a loss */
};

/* 0 or -ENOMEM. */
int page_writer_init(struct page_writer *out, const struct page_format *format);
void page_writer_fini(struct page_writer *writer);

/*
 * Appends @rec with its time, and its loss, which only the beginning of a page can tell. RECORD_NODATA: only the loss.
 * False: it has to stand in a page of its own or the next one: page_writer_end(), then again. An empty page takes any
 * record that a page of this size can hold.
 */
bool page_writer_add(struct page_writer *writer, const struct record *rec);

/* Completes the page at writer->page; the next page_writer_add() begins a new one in the same memory. */
void page_writer_end(struct page_writer *writer);

#endif
