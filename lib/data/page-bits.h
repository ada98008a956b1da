/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the bits of the field commit of a sub-buffer, and the values in the headers of its events (include/linux/ring_buffer.h,
 * kernel/trace/ring_buffer.c). Only page*.c and rewrite.c use this.
 */
#ifndef RINGSIDE_PAGE_BITS_H
#define RINGSIDE_PAGE_BITS_H

#define COMMIT_USED ((1U << 27) - 1)  /* these bits are the number of bytes of valid data */
#define COMMIT_LOST (1U << 31)	      /* events were lost before this page */
#define COMMIT_LOST_STORED (1U << 30) /* the number of lost events follows the data; it is a long */

#define TIME_BITS 27	 /* bits of the time delta in an event's header */
#define ABSOLUTE_BITS 59 /* bits of the time in a TIME_STAMP event */

/*
 * These are values of type_len in an event's header. A value from 1 to LAST_DATA is the length of the data, in words of 4 bytes. The value 0 says
 * that the length is in the next word.
 */
enum { LAST_DATA = 28, PADDING, TIME_EXTEND, TIME_STAMP };

#endif
