/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Passes pages from the tap to the tap's reader, in the order in which the tap has read them. The tap is a thread that reads the ring buffers
 * (lib/record/tap.h). It works in rounds, and in each round it goes once through all CPUs. When a round has few pages, the tap's thread itself calls the
 * reader. Otherwise the pages wait until a thread of the backlog has given them to the reader. So the tap can go on emptying the ring buffers even if the
 * reader is slower than the kernel.
 *
 * When more than 64 MB of pages wait, backlog_round() waits until the reader has taken some of them. Meanwhile the tap reads nothing. If a ring buffer becomes
 * full in this time, events are lost, and the kernel counts them.
 *
 * Only backlog_abandon() may be called by any thread. The other functions are for the tap's thread.
 */
#ifndef RINGSIDE_BACKLOG_H
#define RINGSIDE_BACKLOG_H

#include "lib/record/tap.h"

struct backlog;

/*
 * Starts the thread of the backlog. @block is the size of the blocks that backlog_block() returns, in bytes. @reader is borrowed. Returns 0, or -errno
 * after a message. The caller calls backlog_free() in any case.
 */
int backlog_new(struct backlog **out, const struct tap_reader *reader, size_t block);

/*
 * Returns memory for pages of the current round. The memory has the size @block that backlog_new() was given, and is valid until backlog_add(). Returns
 * NULL after a message when memory runs out.
 */
char *backlog_block(struct backlog *backlog);

/*
 * Adds @size bytes to the current round. The caller has put these bytes into the memory of backlog_block(). They come from the ring buffer with the index
 * @lane (struct tap_lane). @drained has the same meaning as in .pages of struct tap_reader. Returns 0, or -ENOMEM after a message.
 */
int backlog_add(struct backlog *backlog, size_t lane, size_t size, bool drained);

/*
 * Ends the current round, which began at @begin_ns and ended at @end_ns. @few tells whether the round has few pages. The round is passed on in one of these
 * ways:
 *  - backlog_round() itself calls the reader if three things are true: @few is true, no earlier round waits, and the reader is not at work. *@pending becomes
 *    the value that .round() of struct tap_reader sets.
 *  - Otherwise the backlog's thread gives the round to the reader later, and *@pending becomes true. But if the round has no pages, the reader never gets this
 *    round, although *@pending becomes true.
 * Returns 0, -ENOMEM after a message, or -ECANCELED after backlog_abandon(). If the reader has returned an error, for this round or an earlier round, the
 * function returns this error. After an error, the reader is not called any more.
 */
int backlog_round(struct backlog *backlog, uint64_t begin_ns, uint64_t end_ns, bool few, bool *pending);

/*
 * Waits until the reader has taken all pages and is not at work any more. Returns 0, -ECANCELED after backlog_abandon(), or the error that the reader
 * returned.
 */
int backlog_wait(struct backlog *backlog);

/* From now on, no more pages are given to the reader. Any thread may call this function. */
void backlog_abandon(struct backlog *backlog);

/* Waits until the reader returns, and ends the thread of the backlog. Pages that still wait are not given to the reader. */
void backlog_end(struct backlog *backlog);

/* Does what backlog_end() does, and frees everything. Accepts NULL. */
void backlog_free(struct backlog *backlog);

#endif
