/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the trace clocks of an agent and of the recorder that asked it to record, by trace-cmd's exchange "ptp". The exchange has a connection of its
 * own. Each message is a TIME_SYNC, whose fixed part is a name in 16 bytes and a number:
 *
 *	agent				recorder
 *					"none" 1: a CPU, 16 bits in the order of the recorder's machine
 *	"ptp" 1: series, flags
 *					"ptp" 1: the same
 *	"ptp" 2: which			(once for each measurement)
 *					"ptp" 2: the same
 *	"ptp" 5
 *					"ptp" 3: series, how many, and for each the recorder's time when it came (64 bits), and which
 *	"ptp" 4: a time of the agent's clock, and how far the recorder's clock was ahead of it then, 64 bits each
 *	...
 *					"none" 2: no more
 *
 * The agent chooses the measurement of the shortest round trip. Numbers have their big end first.
 */
#ifndef RINGSIDE_NET_TSYNC_H
#define RINGSIDE_NET_TSYNC_H

#include "lib/base/base.h"

#define TSYNC_NAME "ptp"

/* Puts what the trace clock reads now into *@time. Returns false when the clock could not be read. */
struct tsync_clock {
	bool (*read)(void *ctx, int64_t *time);
	void *ctx;
};

/* The clock here minus the agent's was within @error of @offset when the agent's read @time. */
struct tsync_answer {
	int64_t time, offset, error;
	uint64_t round; /* the shortest way there and back */
};

/*
 * Makes one comparison, on the recorder's side. SO_RCVTIMEO and SO_SNDTIMEO of @fd say how long the agent may take for a message. Returns 0, or
 * -errno, and *@wrong says why.
 */
int tsync_ask(int fd, unsigned int cpu, const struct tsync_clock *clock, struct tsync_answer *out, const char **wrong);

/* Says that no more questions will come. Returns 0 or -errno. */
int tsync_stop(int fd);

/*
 * Waits for one question and answers it, on the agent's side. @cpu is called with the CPU that is asked for, so that the thread moves there. Returns
 * 1; 0 when no more questions come; or -errno, and *@wrong says why.
 */
int tsync_reply(int fd, uint32_t series, const struct tsync_clock *clock, void (*cpu)(unsigned int cpu), const char **wrong);

#endif
