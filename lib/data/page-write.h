/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes records into sub-buffers of the kernel's ring buffer, which are called pages here (lib/data/page.h). A record with its time stamps never takes
 * more room than it took in the page from which it was read. So every record fits into an empty page of the same size as the page from which the record
 * was read.
 */
#ifndef RINGSIDE_PAGE_WRITE_H
#define RINGSIDE_PAGE_WRITE_H

#include "lib/data/page.h"

struct page_writer {
	struct page_format format; /* the format of the pages to be written */
	uint8_t *page;		   /* the page that is being filled, of format.page_size bytes */
	uint32_t used;		   /* how many bytes of events the page has */
	uint64_t ts;		   /* the time of the page's last event */
	int64_t lost;		   /* how many events were lost before the page */
	bool begun;		   /* the page has a record, or a loss */
};

/* Makes a writer of pages of this format. Returns 0 or -ENOMEM. */
int page_writer_init(struct page_writer *out, const struct page_format *format);
void page_writer_fini(struct page_writer *writer);

/*
 * Appends @rec with its time and its loss. If @rec has RECORD_NODATA, only its loss is appended. A page can report lost events only at its beginning. So a
 * record with a loss must be the first of its page. If the page has no room for the number of lost events, the page reports only that events were lost. Returns
 * false when the page cannot take the record. In this case, the caller calls page_writer_end() and tries again. An empty page takes any record that a page of
 * this size can hold.
 */
bool page_writer_add(struct page_writer *writer, const struct record *rec);

/* Completes the page at writer->page. The next page_writer_add() begins a new page in the same memory. */
void page_writer_end(struct page_writer *writer);

#endif
