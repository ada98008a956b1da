/* SPDX-License-Identifier: GPL-2.0 */
/* The numbers in sub-buffers (include/linux/ring_buffer.h, kernel/trace/ring_buffer.c): only for page*.c. */
#ifndef RINGSIDE_PAGE_BITS_H
#define RINGSIDE_PAGE_BITS_H

#define COMMIT_USED ((1U << 27) - 1)	/* bytes of valid data */
#define COMMIT_LOST (1U << 31)		/* events were lost before this page */
#define COMMIT_LOST_STORED (1U << 30)	/* how many: one long behind the data */

#define TIME_BITS 27
#define ABSOLUTE_BITS 59

/* type_len of an event's header; smaller ones are a length in words, 0 a length in the next word. */
enum { LAST_DATA = 28, PADDING, TIME_EXTEND, TIME_STAMP };

#endif
