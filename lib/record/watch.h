/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for a recording to end, and handles the signals meanwhile. From watch_open() on SIGINT, SIGTERM, SIGHUP and SIGQUIT are blocked and read
 * here, so that none of them can end us half-way.
 */
#ifndef RINGSIDE_WATCH_H
#define RINGSIDE_WATCH_H

#include "lib/record/workload.h"
#include <signal.h>

struct watch {
	int signals;	 /* signalfd */
	sigset_t before; /* the signal mask before, which is put back */
	bool blocked;
	bool background; /* SIGINT was ignored when we came, as shells have it for their background jobs */
};

/* clang-format off */
#define WATCH_NONE { .signals = -1 }
/* clang-format on */

/* Is called first of all, so that a SIGINT that comes before watch_open() is not lost where SIGINT is ignored, as in the background jobs of shells. */
void watch_expect(void);

/* Blocks the signals. It must be called before there are threads and children. Returns 0 or -errno after a message. */
int watch_open(struct watch *w);
void watch_close(struct watch *w);

/* Returns the signal that has come meanwhile and asks for the end, or 0 when none has. Does not wait. */
int watch_interrupted(const struct watch *w);

enum watch_end {
	END_COMMAND, /* the command has ended */
	END_SIGNAL,  /* SIGTERM, SIGHUP or SIGQUIT came; or SIGINT came, and no command ran, or it ignored SIGINT, or this was the second one */
	END_DURATION,
	END_RECORDER, /* a recording thread gave up */
	END_PIDS,     /* all processes of -P have gone */
	END_READER,   /* the reader of -o - has gone */
};

struct watch_for {
	struct workload *command;     /* NULL: none */
	void (*outlasted)(void *ctx); /* called at least once when the command has ended and the recording goes on; NULL: the recording ends with the command */
	int recorder;		      /* recorder_event() */
	const int *output;	      /* a pipe; the recording ends when its reader goes; NULL: none */
	const pid_t *pids;	      /* the processes of -P, used when there is no command */
	size_t npids;
	uint64_t duration_ns;			      /* 0: no limit */
	void (*tick)(void *ctx, uint64_t elapsed_ns); /* about once a second; may be NULL */
	void *ctx;
};

/*
 * Waits until the first of these happens, and sets *@end to it. A SIGINT that only we got is passed on to the command. The recording ends when the
 * command ignores this SIGINT, or when a second one comes. Returns 0, or -errno after a message.
 */
int watch_wait(const struct watch *w, const struct watch_for *what, enum watch_end *end);

#endif
