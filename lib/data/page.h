/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sub-buffers ("pages") of the kernel's ring buffer (include/linux/ring_buffer.h, kernel/trace/ring_buffer.c;
 * header_page and header_event in tracefs). Every length is compared with what is left before it is used.
 */
#ifndef RINGSIDE_PAGE_H
#define RINGSIDE_PAGE_H

#include "lib/data/record.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

/* Where things are in a page, from events/header_page. */
struct page_format {
	bool big_endian;
	uint8_t commit_size;	/* 4 or 8: the kernel's long */
	uint16_t commit_offset;
	uint16_t data_offset;
	uint32_t page_size;	/* as header_page has it; the buffer's own where it has another */
};

/*
 * Reads the text of header_page; an empty text (very old kernels) gives the layout for @long_size.
 * 0, or -EINVAL (after a message) when it makes no sense.
 */
int page_format_parse(struct page_format *out, const struct text *header_page, bool big_endian,
		      uint8_t long_size);

typedef VEC(struct record) recordvec_t;

/* What a page says of itself besides its events. */
struct page_info {
	uint64_t ts;		/* of the page's start */
	uint32_t used;		/* bytes of valid event data */
	int64_t lost;		/* before this page: 0 none, LOST_UNKNOWN, or how many */
};

/*
 * From the first @size bytes of a page: the header at least. Where the number of lost events is not among them, lost is LOST_UNKNOWN.
 */
void page_info_read(const struct page_format *fmt, const uint8_t *page, size_t size, struct page_info *info);

/*
 * Appends all data events of the page at @page (@size bytes, the sub-buffer size) to *@out with ts, data, size
 * and flags set; a loss goes to the first data event, whatever time stamps precede it. Padding, discarded
 * events and time stamps only move the time.
 * 0, -ENOMEM, or -EINVAL when the page is damaged: what came before the damage has been appended,
 * and *@bad is the offset of the damage within the page. A page shorter than the format's page_size was cut
 * off, and gives the events that are there. Prints nothing.
 */
int page_decode(const struct page_format *fmt, const void *page, size_t size, struct page_info *info,
		recordvec_t *out, size_t *bad);

#endif
