/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the trace clocks of an agent and of its recorder (lib/net/request.h), by trace-cmd's exchange "ptp". The exchange has a connection of its own. Each
 * message is a TIME_SYNC (lib/net/message.h). The fixed part of the message is a name in 16 bytes and a number. In the lines below, the text in front of a
 * colon is the name and the number. The text behind the colon is the rest of the message:
 *
 *	agent				recorder
 *					"none" 1: a CPU, 16 bits in the byte order of the recorder's machine (this is a question)
 *	"ptp" 1: series, flags
 *					"ptp" 1: the same series and flags
 *	"ptp" 2: number			(once for each measurement; "number" is the number of the measurement)
 *					"ptp" 2: the same number
 *	"ptp" 5				(no more measurements)
 *					"ptp" 3: series, count, and for each measurement: when its "ptp" 2 came (recorder's clock, 64 bits), and its number
 *	"ptp" 4: a time of the agent's clock, and by how much the recorder's clock was ahead of the agent's clock at this time, 64 bits each
 *	...
 *					"none" 2 (no more questions)
 *
 * The series is the number that the agent gives to a question. The agent chooses the measurement with the shortest round trip. Numbers for which no size
 * is given have 32 bits. All numbers except the CPU are big-endian.
 */
#ifndef RINGSIDE_NET_TSYNC_H
#define RINGSIDE_NET_TSYNC_H

#include "lib/base/base.h"

#define TSYNC_NAME "ptp"

/* .read() stores the present time of the trace clock in *@time. It returns false when the clock could not be read. */
struct tsync_clock {
	bool (*read)(void *ctx, int64_t *time);
	void *ctx;
};

/* When the agent's clock read .time, the recorder's clock read .time + .offset, with an error of at most .error. */
struct tsync_answer {
	int64_t time, offset, error;
	uint64_t round; /* the shortest round trip took at most this long, in units of the recorder's clock */
};

/*
 * Makes one comparison, on the recorder's side. The agent reads its clock on its CPU @cpu. SO_RCVTIMEO and SO_SNDTIMEO of @fd say how long the agent may take
 * for a message. Returns 0 or -errno. After -errno, *@wrong is a static text that says why.
 */
int tsync_ask(int fd, unsigned int cpu, const struct tsync_clock *clock, struct tsync_answer *out, const char **wrong);

/* Tells the agent that no more questions will come. Returns 0 or -errno. */
int tsync_stop(int fd);

/*
 * Waits for one question and answers it, on the agent's side. @series is the number that this question gets. @cpu() is called with the CPU that the question
 * names, and moves the calling thread to that CPU. Returns 1 when a question was answered, 0 when no more questions come or the connection has ended, or
 * -errno. When the connection failed or memory ran out, *@wrong stays as the caller has set it. After any other -errno, *@wrong is a static text that says
 * why.
 */
int tsync_reply(int fd, uint32_t series, const struct tsync_clock *clock, void (*cpu)(unsigned int cpu), const char **wrong);

#endif
