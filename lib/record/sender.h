/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends a recording to a listener while it runs, for `record -N HOST:PORT` and for an agent. The spools of the CPUs are the queue: a thread
 * sends what is in them and frees the space on the disk. So a slow network costs disk space but no events. What has not been sent when the
 * listener goes away is still in the spools.
 */
#ifndef RINGSIDE_SENDER_H
#define RINGSIDE_SENDER_H

#include "lib/data/metadata.h"
#include "lib/net/dial.h"
#include "lib/record/recorder.h"
#include "lib/record/spec.h"

struct sender;

/*
 * Connects to @where, "HOST:PORT", or with @vsock "CID:PORT". When @peer is not NULL, that peer has connected already and is the other end. @where
 * and @peer are borrowed. Returns 0 or -errno after a message.
 */
int sender_open(struct sender **out, const char *where, bool vsock, const struct record_peer *peer);

/* What an agent needs to tell the time of an instance's clock. @stats is per_cpu/cpuN/stats of the instance. */
struct sender_clock {
	const char *name, *stats;
};

enum { SENDER_THREADS = 2 };

/*
 * Announces the recording to the listener, sends @meta and starts the thread, which waits until sender_start(). When clocks are compared, it starts
 * another thread for that. @tids are the ids of the threads, and *@n is their number. Returns 0, or -errno after a message.
 */
int sender_prepare(struct sender *s, const struct metadata *meta, uint32_t page_size, const struct sender_clock *clock, pid_t tids[SENDER_THREADS], size_t *n);

/* From now on the thread sends what is in the spools of @rec. @rec must outlive the sender and have as many CPUs as @meta had. */
void sender_start(struct sender *s, const struct recorder *rec);

/*
 * Says that tracing is on. An agent tells this to the recorder that asked it to record, if that recorder wants to know. Returns 0 or -errno after a
 * message.
 */
int sender_begun(const struct sender *s);

/* Ends the comparing of clocks when the recording has ended, so that it no longer uses the instance. Accepts NULL. */
void sender_quit_clocks(struct sender *s);

/* Says that spools have grown. May be called from any thread. */
void sender_wake(struct sender *s);

/*
 * Returns the descriptor of a pipe for poll(). When the listener has gone, or has told an agent to end, poll() reports that the pipe has no reader.
 */
const int *sender_broken(const struct sender *s);

/* Returns how many bytes of the lane were sent. */
uint64_t sender_sent(const struct sender *s, size_t lane);

/*
 * Sends the rest, then @meta as it is now, and waits for the listener. It is called when the recorder was stopped. Returns 0,
 * or -errno after a message; what was not sent is in the spools then.
 */
int sender_finish(struct sender *s, const struct metadata *meta);

/* Ends the thread and frees the sender. It is called before the recorder is closed. Accepts NULL. */
void sender_close(struct sender *s);

#endif
