/* SPDX-License-Identifier: GPL-2.0 */
/*
 * `record -N HOST:PORT`: what is recorded goes to a listener while it is recorded. The CPUs' spools are the queue: a thread sends what is in them and gives that
 * space back, so that a slow network costs disk space and no events, and what has not been sent when the listener goes away is there still.
 */
#ifndef RINGSIDE_SENDER_H
#define RINGSIDE_SENDER_H

#include "lib/data/metadata.h"
#include "lib/net/dial.h"
#include "lib/record/recorder.h"

struct sender;

/* Connects to @where, "HOST:PORT", which is borrowed. 0 or -errno after a message. */
int sender_open(struct sender **out, const char *where);

/* Says what is to come, as @meta has it, sends that, and makes the thread, which waits; *@tid is its id. 0 or -errno after a message. */
int sender_prepare(struct sender *s, const struct metadata *meta, uint32_t page_size, pid_t *tid);

/* From now on it sends what is in the spools of @rec, which has to live as long, and as many CPUs as @meta had. */
void sender_start(struct sender *s, const struct recorder *rec);

/* Spools have grown. From any thread. */
void sender_wake(struct sender *s);

/* A pipe, of which poll() says that it has no reader any more when the listener has gone. */
const int *sender_broken(const struct sender *s);

/* How many bytes of the lane were sent. */
uint64_t sender_sent(const struct sender *s, size_t lane);

/*
 * When the recorder was stopped: sends the rest, and what @meta says now, and waits for the listener. 0; -errno after a message: what
 * was not sent is in the spools.
 */
int sender_finish(struct sender *s, const struct metadata *meta);

/* Accepts NULL. Before the recorder is closed. */
void sender_close(struct sender *s);

#endif
