/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads sub-buffers of the kernel's ring buffer, which are called pages here. include/linux/ring_buffer.h and kernel/trace/ring_buffer.c describe the layout of
 * pages, and so do header_page and header_event in tracefs. Before a length is used, it is compared with the number of bytes that remain in the page.
 */
#ifndef RINGSIDE_PAGE_H
#define RINGSIDE_PAGE_H

#include "lib/data/record.h"
#include "lib/base/str.h"
#include "lib/base/vec.h"

/* This is the layout of a page. page_format_parse() reads it from the tracefs file events/header_page. */
struct page_format {
	bool big_endian;
	uint8_t commit_size; /* 4 or 8: the size of the kernel's long */
	uint16_t commit_offset;
	uint16_t data_offset;
	uint32_t page_size; /* page_format_parse() sets this size from header_page. If the sub-buffers of a buffer have another size, the caller sets it. */
};

/*
 * Reads the text of header_page. Very old kernels have no header_page, so the text may be empty. In this case, @long_size gives the layout, and .page_size
 * becomes 4096. @long_size is the size of the kernel's long in bytes. Returns 0, or -EINVAL after a message when the text makes no sense.
 */
int page_format_parse(struct page_format *out, const struct text *header_page, bool big_endian, uint8_t long_size);

typedef VEC(struct record) recordvec_t;

/* This is what a page tells besides its events. */
struct page_info {
	uint64_t ts;   /* the time at which the page begins */
	uint32_t used; /* how many bytes of valid event data the page has */
	int64_t lost;  /* how many events were lost before this page, or LOST_UNKNOWN */
};

/*
 * Reads *@info from the first @size bytes of a page. @size is at least the size of the header, fmt->data_offset. If events were lost, but these bytes
 * do not tell how many, .lost is LOST_UNKNOWN.
 */
void page_info_read(const struct page_format *fmt, const uint8_t *page, size_t size, struct page_info *info);

/*
 * Decodes the page at @page, which has @size bytes, and fills in *@info. Appends the page's events that have data to *@out, and sets their .ts, .data, .size
 * and .flags. Each .data points into the page. The first of these events also gets .lost, the number of events that were lost in front of the page. Padding,
 * discarded events and time stamps are not appended. They only change the times of later events. Returns 0, -ENOMEM, or -EINVAL when the page is damaged or was
 * cut off before the end of its events. With -EINVAL, the events in front of the damage or the cut have been appended. *@bad is then the offset of the damage
 * or the cut in the page. Prints no message.
 */
int page_decode(const struct page_format *fmt, const void *page, size_t size, struct page_info *info, recordvec_t *out, size_t *bad);

#endif
