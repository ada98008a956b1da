/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends the data of a recording to another machine while the recording goes on. `record -N HOST:PORT` sends the data to a listener (`ringside listen` or
 * `trace-cmd listen`). `ringside agent` records when another machine asks for a recording, and sends the data to that machine. On that machine, `ringside
 * record` or `trace-cmd record` receives the data. This receiver is called the agent's peer (struct record_peer of lib/record/spec.h).
 *
 * The data of each CPU wait in a file, which is called the CPU's spool (lib/record/spool.h). A thread sends the data and frees their space on the disk. So a
 * slow network costs disk space but no events. When the listener or the peer goes away, the data that were not sent are still in the spools.
 */
#ifndef RINGSIDE_SENDER_H
#define RINGSIDE_SENDER_H

#include "lib/data/metadata.h"
#include "lib/net/dial.h"
#include "lib/record/recorder.h"
#include "lib/record/spec.h"

struct sender;

/*
 * If @peer is NULL, connects to the listener @where. @where is "CID:PORT" if @vsock is true, and "HOST:PORT" otherwise. If @peer is not NULL, the peer
 * has already connected to this agent. In this case, the sender uses this connection and does not need @where. @where and @peer are borrowed. Returns 0 or
 * -errno after a message. The caller calls sender_close() in either case.
 */
int sender_open(struct sender **out, const char *where, bool vsock, const struct record_peer *peer);

/* The clock of the instance that is recorded. An agent reads it when its peer compares clocks (.sync of struct record_peer). */
struct sender_clock {
	const char *name;  /* the clock's name, as in trace_clock */
	const char *stats; /* the path of the instance's file per_cpu/cpuN/stats, which shows the present time of the clock */
};

enum { SENDER_THREADS = 2 };

/*
 * Announces the recording to the listener or peer, and sends @meta. @page_size is the size of a sub-buffer in bytes. Starts the thread that sends, which waits
 * until sender_start() is called. When clocks are compared, starts a second thread for this. The ids of the threads are stored in @tids, and their number in
 * *@n. Returns 0, or -errno after a message.
 */
int sender_prepare(struct sender *s, const struct metadata *meta, uint32_t page_size, const struct sender_clock *clock, pid_t tids[SENDER_THREADS], size_t *n);

/*
 * Lets the thread send what is in the spools of @rec. @rec must outlive the sender. The number of each CPU of @rec must be less than
 * the number of CPUs in the metadata of sender_prepare().
 */
void sender_start(struct sender *s, const struct recorder *rec);

/* The caller calls this when tracing is on. An agent then tells its peer that tracing is on, if the peer wants to know. Returns 0 or -errno after a message. */
int sender_begun(const struct sender *s);

/* Ends the thread that compares clocks. That thread keeps a file of the instance open. So the instance can be removed only after this call. Accepts NULL. */
void sender_quit_clocks(struct sender *s);

/* Wakes the thread that sends. Must be called when spools have grown. Any thread may call this function. */
void sender_wake(struct sender *s);

/*
 * Returns a pointer to the descriptor of a pipe, for poll(). The sender owns the pipe. poll() reports POLLERR when the pipe has no reader any more. This
 * happens in three cases:
 *  - The listener or peer has gone.
 *  - The peer takes the data too slowly (.max_bytes of struct record_peer).
 *  - The peer has told this agent to end.
 */
const int *sender_broken(const struct sender *s);

/*
 * A lane is a CPU's spool and the thread that writes it (lib/record/recorder.h). Returns how many bytes of the spool were sent. @lane is the index of the lane
 * in @rec of sender_start().
 */
uint64_t sender_sent(const struct sender *s, size_t lane);

/*
 * Sends the rest of the spools. Then sends the metadata of @meta that are known only now. A peer whose record_peer.sequel is false does not get these metadata.
 * Then waits for a limited time until the listener or peer closes the connection. A listener closes the connection when the file is complete. If a listener
 * does not close it in time, there is only a warning. If a peer does not close it in time, nothing is printed. The caller has stopped @rec of sender_start()
 * before. Returns 0, or -errno after a message. On failure the data that were not sent are still in the spools.
 */
int sender_finish(struct sender *s, const struct metadata *meta);

/* Ends the threads and frees the sender. The caller closes @rec of sender_start() only after this. Accepts NULL. */
void sender_close(struct sender *s);

#endif
