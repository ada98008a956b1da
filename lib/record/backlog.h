/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives the pages that the tap (lib/record/tap.h) reads to the tap's reader, in the order in which they were read. When there are few pages, the tap's
 * thread itself calls the reader. Otherwise the pages wait until a thread of the backlog has given them to the reader. So the tap can go on emptying the
 * ring buffers even if the reader works more slowly than the kernel fills them. A round is one pass of the tap through all CPUs.
 *
 * When more than 64 MB of pages wait, backlog_round() waits until the reader has taken some of them. Meanwhile the tap reads nothing, and the kernel
 * counts the events for which the ring buffers have no room.
 *
 * Only the tap's thread calls these functions, except backlog_abandon().
 */
#ifndef RINGSIDE_BACKLOG_H
#define RINGSIDE_BACKLOG_H

#include "lib/record/tap.h"

struct backlog;

/* Starts the thread. Each block that backlog_block() returns has @block bytes. @reader is borrowed. Returns 0, or -errno after a message. */
int backlog_new(struct backlog **out, const struct tap_reader *reader, size_t block);

/*
 * Returns memory for pages of the current round. The memory has @block bytes (backlog_new()), and is valid until backlog_add(). Returns NULL after a
 * message when memory runs out.
 */
char *backlog_block(struct backlog *backlog);

/*
 * Adds to the current round @size bytes that are in the memory of backlog_block(). They are from the tap's lane @lane (struct tap_lane). @drained has the
 * same meaning as in .pages of struct tap_reader. Returns 0, or -ENOMEM after a message.
 */
int backlog_add(struct backlog *backlog, size_t lane, size_t size, bool drained);

/*
 * Ends the current round, which began at @begin_ns and ended at @end_ns. @few says that the round has few pages. The round is passed on in one of these
 * ways:
 *  - If @few is true, and if neither an earlier round waits nor the reader is at work, this thread gives the round to the reader. *@pending becomes what
 *    .round() of struct tap_reader says.
 *  - Otherwise the backlog's thread gives the round to the reader later, and *@pending becomes true. A round without pages is not given to the reader in
 *    this case.
 * Returns 0. Returns -ENOMEM after a message, and -ECANCELED after backlog_abandon(). If the reader has returned an error, for this round or an earlier one,
 * returns this error. After an error, the reader is not called any more.
 */
int backlog_round(struct backlog *backlog, uint64_t begin_ns, uint64_t end_ns, bool few, bool *pending);

/*
 * Waits until the reader has taken all pages and is not at work any more. Returns 0, -ECANCELED after backlog_abandon(), or the error that the reader
 * returned.
 */
int backlog_wait(struct backlog *backlog);

/* From now on, no more pages are given to the reader. Any thread may call this function. */
void backlog_abandon(struct backlog *backlog);

/* Waits until the reader returns, and ends the thread. The pages that still wait are not given to the reader. */
void backlog_end(struct backlog *backlog);

/* Does what backlog_end() does, and frees everything. Accepts NULL. */
void backlog_free(struct backlog *backlog);

#endif
