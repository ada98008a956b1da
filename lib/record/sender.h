/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends a recording to a listener while it runs, for `record -N HOST:PORT` and for an agent. For an agent, the recorder that has asked it to record
 * takes the place of the listener. The spools of the CPUs are the queue: a thread sends what is in them and frees the space on the disk. So a slow
 * network costs disk space but no events. When the listener goes away, what has not been sent is still in the spools.
 */
#ifndef RINGSIDE_SENDER_H
#define RINGSIDE_SENDER_H

#include "lib/data/metadata.h"
#include "lib/net/dial.h"
#include "lib/record/recorder.h"
#include "lib/record/spec.h"

struct sender;

/*
 * Connects to @where, which is "HOST:PORT", or "CID:PORT" if @vsock is true. When @peer is not NULL, the peer has already connected to this agent, and
 * the sender uses this connection. @where and @peer are borrowed. Returns 0 or -errno after a message; the caller calls sender_close() in either case.
 */
int sender_open(struct sender **out, const char *where, bool vsock, const struct record_peer *peer);

/* An agent needs this to read an instance's clock. */
struct sender_clock {
	const char *name;  /* the clock's name, as in trace_clock */
	const char *stats; /* the path of the instance's file per_cpu/cpuN/stats, which shows what the clock reads */
};

enum { SENDER_THREADS = 2 };

/*
 * Announces the recording to the listener, sends @meta and starts the thread, which waits until sender_start(). When clocks are compared, it starts a
 * second thread for that. The ids of the threads are stored in @tids, and their number in *@n. Returns 0, or -errno after a message.
 */
int sender_prepare(struct sender *s, const struct metadata *meta, uint32_t page_size, const struct sender_clock *clock, pid_t tids[SENDER_THREADS], size_t *n);

/*
 * Makes the thread send what is in the spools of @rec. @rec must outlive the sender. The number of each CPU of @rec must be less than
 * the number of CPUs in the metadata of sender_prepare().
 */
void sender_start(struct sender *s, const struct recorder *rec);

/*
 * Is called when tracing is on. An agent tells this to the recorder that asked it to record, if that recorder wants to know. Returns 0 or -errno after
 * a message.
 */
int sender_begun(const struct sender *s);

/* Ends the comparison of clocks, which reads the instance's clock. After that the instance can be removed. Accepts NULL. */
void sender_quit_clocks(struct sender *s);

/* Tells the thread that spools have grown. Any thread may call this. */
void sender_wake(struct sender *s);

/*
 * Returns a pointer to the descriptor of a pipe, for poll(). When the listener has gone, or when a recorder has told this agent to end, poll() reports
 * POLLERR, because the pipe has no reader any more. The sender owns the pipe.
 */
const int *sender_broken(const struct sender *s);

/* Returns how many bytes of a spool were sent. @lane is its index in the recorder. */
uint64_t sender_sent(const struct sender *s, size_t lane);

/*
 * Sends what is left in the spools, then @meta as it is now, and waits until the listener says that its file is complete, or a time limit is over.
 * The caller has stopped the recorder. Returns 0, or -errno after a message. On failure the data that were not sent are still in the spools.
 */
int sender_finish(struct sender *s, const struct metadata *meta);

/* Ends the thread and frees the sender. The caller closes the recorder only after this. Accepts NULL. */
void sender_close(struct sender *s);

#endif
