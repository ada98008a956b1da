/* SPDX-License-Identifier: GPL-2.0 */
/* One of the machines of `record --hosts`; used by hosts.c, host.c, host-call.c and host-file.c alone. */
#ifndef RINGSIDE_HOST_H
#define RINGSIDE_HOST_H

#include "lib/net/frame.h"
#include "lib/record/hosts.h"
#include "lib/record/spool.h"
#include <sys/types.h>

enum host_state {
	HOST_CALLED, /* its shell was started */
	HOST_ARMED,  /* it can begin */
	HOST_RUNS,   /* it was told to begin */
	HOST_DONE,   /* all of its recording is here */
	HOST_GONE,   /* nothing more will come */
};

/* The spool of a CPU. */
struct host_file {
	uint64_t buffer, cpu;
	int fd;
};

struct host {
	const struct hosts_spec *spec;
	const char *name;
	char *output;		  /* its file */
	bool local;		  /* no shell is needed */
	bool pushing, was_pushed; /* its shell takes a copy of this program; it did, or tried to */
	char *there;		  /* what runs the copy that it has taken; NULL: it has none */
	pid_t pid;		  /* of the shell; 0: it has ended */
	int in, out, err;	  /* its standard streams, ours are not blocking; -1: closed */
	enum host_state state;
	bool greeted, described, command_ended;
	bool unasked;	     /* we sent it away: nothing is to be said */
	bool leaving;	     /* host_gone() was called: */
	enum host_state was; /* what it was before */
	char *why;
	uint64_t left_ns;
	struct str got;	 /* what is not yet understood */
	struct str said; /* a line of its messages that is not complete */
	char *last;	 /* the last message, which may tell why it ended; NULL: none */
	struct spool spool;
	int raw; /* metadata as they come; -1: none are coming */
	uint64_t meta_bytes;
	strv_t buffers;
	VEC(struct host_file) files;
	char *kept; /* the file there, as it says */
	bool clock_ns;
	struct clocks clocks;
	uint64_t trace_id; /* the same for all hosts of a recording */
	uint64_t ahead_ns; /* its CLOCK_MONOTONIC minus ours, modulo 2^64, by the answer that came fastest; holds when clocks.round_ns is not 0 */
	uint64_t asked, asked_ns, answered; /* the last question's number and time, and the last one that was answered */
	unsigned int burst;		    /* so many questions more, each as soon as the one before is answered */
	uint64_t heard_ns, called_ns;
	uint64_t answered_ns, ended_ns; /* when the last answer came, and the last of its data */
	uint64_t kept_ns;		/* when host_keep_times() was called because of an answer */
	uint64_t began;			/* by its trace clock; 0: not yet */
	uint64_t events, lost, bytes;
	int status;
};

/* Starts its shell. Returns 0 or -errno after a message. */
int host_call(struct host *h);

/* Its shell is ssh: then it gives up by itself when the host does not answer, and asks for a password only at a terminal. */
bool host_by_ssh(const struct host *h);

/* There is no ringside: the shell is started again, to take a copy. And it has ended: is there a copy, the host is called again. False: it cannot be. */
bool host_push(struct host *h);
bool host_pushed(struct host *h);

/* An archive of this program: a descriptor, or -errno after a message. The command that takes it. And what that has said becomes h->there: 0 or -errno. */
int push_archive(void);
const char *push_command(void);
int push_take(struct host *h);

/* Says something to it. False: it does not take it. */
bool host_say(struct host *h, enum frame_kind kind, const uint64_t *numbers);

/* Asks for its time. */
void host_ask(struct host *h);

/* Takes what came from it, and what its messages are. host_hear() returns 0 or -errno, and *@wrong or a message tells why. */
int host_hear(struct host *h, const char **wrong);
void host_hear_messages(struct host *h);

/*
 * It has gone, or is sent away: @why is the cause (NULL: what its shell will tell). It is HOST_GONE from now on, unless it was done. Its shell ends
 * some time after that: host_reap() looks whether it has, and says the sentence.
 */
void host_gone(struct host *h, const char *why);
void host_reap(struct host *h);

/* Its shell is not waited for any longer. */
void host_kill(struct host *h);

/* What comes of FRAME_META, FRAME_META_END and FRAME_DATA. Returns 0 or -errno: *@wrong or a message tells why. */
int host_meta(struct host *h, const char *bytes, size_t n, const char **wrong);
int host_meta_end(struct host *h, const char **wrong);
int host_data(struct host *h, const struct frame *frame, const char **wrong);

/* Keeps what is known of its clock beside what has come, so far as there is both. It is needed until @until, by that clock; 0: until now. Returns 0 or -errno without a message. */
int host_keep_times(const struct host *h, int64_t until);

/* Makes the file of what has come, with its times as ours, and fills in @out. Returns 0 or -errno after a message. */
int host_finish(struct host *h, struct host_outcome *out);

void host_fini(struct host *h);

#endif
