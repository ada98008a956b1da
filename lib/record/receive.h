/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receives a recording from a peer, which is a program on another machine. The peer is a recorder
 * (`record -N`), or an agent (`ringside agent` or `trace-cmd agent`) that was asked to record. The
 * data are written to a spool folder (lib/record/spool.h) as they arrive. When the data are
 * complete, a trace file is made. When the connection breaks before that, the folder stays, and
 * `ringside restore` can make a trace file from the folder.
 */
#ifndef RINGSIDE_RECEIVE_H
#define RINGSIDE_RECEIVE_H

#include "lib/base/str.h"
#include <time.h>

/* These bytes may be written to the pipe .stop of struct receive_agent while receive() runs. */
enum { RECEIVE_END = 'e', RECEIVE_DROP = 'd' };

/* This is what is asked of an agent. */
struct receive_agent {
	const struct str *request; /* made by request_add() with .sequel set (lib/net/request.h) */
	const char *output;	   /* the name of the trace file; an existing file is replaced */
	/*
	 * This is a pipe. receive() writes a byte to it when the agent has begun to record. An
	 * agent of trace-cmd does not tell when it begins. For such an agent, receive() writes the
	 * byte when the connections for the agent's data have been made.
	 */
	int ready;
	/*
	 * This is a pipe. receive() tells the agent to end when a byte can be read from the pipe,
	 * or when the writer has closed the pipe. If the byte is RECEIVE_DROP, no file is made.
	 */
	int stop;
	bool proxy;	      /* the request is a TRACE_PROXY (lib/net/request.h) */
	bool sync;	      /* true: the agent is asked for its time; .clock and .interval_ns are used only if .sync is true */
	clockid_t clock;      /* the clock of the recording on this machine */
	uint64_t interval_ns; /* the time between two rounds of questions (lib/record/aligner.h); 0: questions are asked only at the beginning and at the end */
};

struct receive_spec {
	const struct receive_agent *agent; /* NULL: the peer is a recorder */
	const char *stem;		   /* when .agent is NULL: the beginning of the files' names, STEM.HOST:PORT.dat, in the current folder */
	const char *program;		   /* the text of the option VERSION in the file, when the recorder sends none */
	uint64_t max_bytes;		   /* the most bytes of data from one recorder; 0: as many as the disk has room for */
	uint64_t max_ns;		   /* the longest time that a recorder may take, in ns; 0: no limit */
	/* Called with each sentence that is meant for the user. This member may be NULL. */
	void (*said)(void *ctx, const char *sentence);
	void *ctx;
};

/*
 * Receives from the connection @fd, which is borrowed, until the peer has sent everything or has gone. Receiving from a recorder also ends when @signals, a
 * signalfd, becomes readable. @signals may be -1. For an agent, .stop is used instead of @signals. Returns 0 when there is a file, and otherwise -errno after
 * a message. Only -ECANCELED comes without a message. It means that .stop asked for the end before the agent had begun, or that the recording was thrown away
 * (RECEIVE_DROP).
 */
int receive(const struct receive_spec *spec, int fd, int signals);

#endif
