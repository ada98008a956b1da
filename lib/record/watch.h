/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for a recording to end, and handles the signals meanwhile. watch_open() blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT, so that they do not end the
 * process. They are then read from a signalfd. If SIGTERM, SIGHUP or SIGQUIT was ignored when the process was started, the signal stays ignored. SIGCHLD and
 * SIGPIPE are blocked, too. SIGCHLD tells that the command has ended.
 */
#ifndef RINGSIDE_WATCH_H
#define RINGSIDE_WATCH_H

#include "lib/record/workload.h"
#include <signal.h>

struct watch {
	int signals;	 /* signalfd */
	sigset_t before; /* the signal mask before watch_open(), which watch_close() puts back */
	bool blocked;	 /* watch_open() has blocked the signals */
	bool background; /* SIGINT was ignored when we were started, as in the background jobs of shells */
};

/* clang-format off */
#define WATCH_NONE { .signals = -1 }
/* clang-format on */

/*
 * Must be called before anything else. Blocks SIGINT if this process ignores SIGINT, as the background jobs of shells do. The kernel keeps a signal that is
 * blocked, even if it is ignored. So a SIGINT that comes before watch_open() is not lost.
 */
void watch_expect(void);

/* Blocks the signals. This function must be called before there are threads and children. Returns 0 or -errno after a message. */
int watch_open(struct watch *w);
void watch_close(struct watch *w);

/* Takes and returns the next signal that asks for the end, or returns 0 when no such signal has come. Does not wait. */
int watch_interrupted(const struct watch *w);

enum watch_end {
	END_COMMAND, /* the command has ended */
	/*
	 * SIGTERM, SIGHUP or SIGQUIT came, or a SIGINT that ends the recording. When no command is traced, each SIGINT ends the recording. When a command
	 * is traced, there are two cases:
	 *  - If only we got the SIGINT, we pass it on to the command. The SIGINT ends the recording when the command ignores SIGINT, or when we have
	 *    already passed on an earlier SIGINT.
	 *  - If the SIGINT comes from Ctrl-C at the terminal, the command gets it, too. The SIGINT ends the recording only when watch.background is true
	 *    and the command ignores SIGINT.
	 */
	END_SIGNAL,
	END_DURATION, /* watch_for.duration_ns is over */
	END_RECORDER, /* a recording thread gave up */
	END_PIDS,     /* all processes of watch_for.pids have gone; never happens on kernels without pidfd_open(2) */
	END_READER,   /* the pipe watch_for.output has no reader any more */
};

struct watch_for {
	struct workload *command; /* NULL: none */
	/* Called once or more after the command has ended, while the recording goes on. NULL: the recording ends with the command. */
	void (*outlasted)(void *ctx);
	int recorder;	   /* a descriptor that becomes readable when a recording thread has given up (recorder_event()); -1: none */
	const int *output; /* a pipe; the recording ends when its reader goes; NULL: none */
	const pid_t *pids; /* the processes of -P, or our own processes that talk to the agents of -A; used only when .command is NULL */
	size_t npids;	   /* 0: none */
	/*
	 * .pids can have ids of threads that are not ids of processes. true: such an id stands for the thread's process. false: the id stands for the thread
	 * alone. But a kernel without PIDFD_THREAD (before Linux 6.9) cannot wait for a thread alone. On such a kernel, the wait is for the thread's process.
	 */
	bool whole;
	uint64_t duration_ns;			      /* 0: no limit */
	void (*tick)(void *ctx, uint64_t elapsed_ns); /* called about once a second; may be NULL */
	void *ctx;
};

/* Waits until one of the events of enum watch_end happens. Sets *@end to this event. Returns 0, or -errno after a message. */
int watch_wait(const struct watch *w, const struct watch_for *what, enum watch_end *end);

#endif
