/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records on a host, one of the machines of `record --hosts`. The host's shell is a process on this machine that runs a command line on the host. The shell is
 * ssh or another command (.rsh of struct hosts_spec). When the host is this machine, the host's shell is ringside itself. Only hosts.c, host.c, host-call.c,
 * host-push.c and host-file.c use this header.
 */
#ifndef RINGSIDE_HOST_H
#define RINGSIDE_HOST_H

#include "lib/net/frame.h"
#include "lib/record/hosts.h"
#include "lib/record/spool.h"
#include <sys/types.h>

enum host_state {
	HOST_CALLED, /* the host's shell was started */
	HOST_ARMED,  /* the host has set up tracing, and can begin */
	HOST_RUNS,   /* the host was told to begin */
	HOST_DONE,   /* the host's whole recording has arrived */
	HOST_GONE,   /* nothing more will come */
};

/* The spool of a CPU of the host. It is the file on this machine to which the CPU's data are written (lib/record/spool.h). */
struct host_file {
	uint64_t buffer; /* the index of the CPU's buffer in .buffers of struct host */
	uint64_t cpu;
	int fd;
};

/* A member whose comment begins with "when" is a time of CLOCK_MONOTONIC in ns, unless the comment names another clock. */
struct host {
	const struct hosts_spec *spec;
	const char *name;
	char *output;	  /* the path of the host's trace file */
	bool local;	  /* the host is this machine, so no ssh is needed */
	bool pushing;	  /* the shell is copying this program to the host */
	bool was_pushed;  /* the copying was tried once, and is not tried again */
	char *there;	  /* the command that runs the copied program on the host; NULL: there is no copy */
	pid_t pid;	  /* the pid of the shell; 0: the shell has ended */
	int in, out, err; /* our ends of the shell's standard streams, O_NONBLOCK; -1: closed */
	enum host_state state;
	bool greeted;	     /* FRAME_GREETING has come */
	bool described;	     /* the metadata that are known before the start have come, up to FRAME_META_END */
	bool command_ended;  /* FRAME_COMMAND_ENDED has come */
	bool unasked;	     /* We gave the host up because its recording is not wanted any more. So host_reap() does not print why the host has gone. */
	bool leaving;	     /* host_gone() was called */
	enum host_state was; /* if .leaving is true: the state before host_gone() */
	char *why;	     /* why the host has gone; NULL: the shell's messages tell why */
	uint64_t left_ns;    /* when host_gone() was called */
	struct str got;	     /* the beginning of a frame; the other bytes of the frame have not come yet */
	struct str said;     /* the beginning of a line of the shell's messages; its end has not come yet */
	char *last;	     /* the shell's last message, which may tell why the shell ended; NULL: none */
	struct spool spool;
	int raw;		     /* the file into which metadata are written while they come; -1: no metadata are coming */
	uint64_t meta_bytes;	     /* how many bytes are in the file .raw */
	strv_t buffers;		     /* the names of the host's buffers, in the order in which the host's metadata list them */
	VEC(struct host_file) files; /* the spools of the CPUs, in the order in which the first data of each CPU came */
	char *kept;		     /* the name of the file in which the host keeps what it cannot send; NULL: the host has not told the name yet */
	bool clock_ns;		     /* the host's trace clock counts nanoseconds */
	struct clocks clocks;
	uint64_t trace_id; /* in the option TIME_SHIFT of the host's file, this number stands for our machine; it is the same in the files of all hosts */
	/* The host's CLOCK_MONOTONIC minus ours, modulo 2^64. This number comes from the fastest answer. It is valid when clocks.round_ns is not 0. */
	uint64_t ahead_ns;
	uint64_t asked;		      /* the number of the last question */
	uint64_t asked_ns;	      /* when the last question was asked */
	uint64_t answered;	      /* the number of the last question that was answered */
	unsigned int burst;	      /* how many more questions are asked; each is asked as soon as the question before it is answered */
	uint64_t called_ns;	      /* when the host's shell was started */
	uint64_t heard_ns;	      /* when anything last came from the host */
	uint64_t answered_ns;	      /* when the last answer came */
	uint64_t ended_ns;	      /* when the last FRAME_DATA came */
	uint64_t kept_ns;	      /* when host_keep_times() was last called because of an answer */
	uint64_t began;		      /* when the host's recording began, by the host's trace clock; 0: not yet; 1: at a time that is not known */
	uint64_t events, lost, bytes; /* the host's own counts of events and of lost events; how many bytes of sub-buffers have arrived */
	int status;		      /* the exit status of the shell; 128 + N: signal N killed it */
};

/* Starts the host's shell. Returns 0 or -errno after a message. */
int host_call(struct host *h);

/* Is the host's shell ssh? ssh gives up by itself when the host does not answer, and asks for a password only at a terminal. */
bool host_by_ssh(const struct host *h);

/*
 * host_push() is called when the host has no ringside. host_push() starts the shell again, to copy this program to the host. host_pushed() is called after that
 * shell has ended. If the host has the copy, host_pushed() starts the shell that records, as host_call() does. Both return false when they did not start a
 * shell.
 */
bool host_push(struct host *h);
bool host_pushed(struct host *h);

/*
 * push_archive() returns the descriptor of an archive of this program, or -errno after a message. push_command() returns a command for the host. The command
 * unpacks the archive into a new folder, and prints the path of this folder. push_take() takes this path from h->got, and sets h->there to the command that
 * runs the program in the folder. push_take() returns 0 or -errno, without a message. -EPROTO means that h->got does not end with a path.
 */
int push_archive(void);
const char *push_command(void);
int push_take(struct host *h);

/*
 * Sends a frame to the host. @numbers are the numbers in the frame. If the frame has no numbers, @numbers is NULL. Returns false when the frame cannot be
 * written to the host's shell.
 */
bool host_say(struct host *h, enum frame_kind kind, const uint64_t *numbers);

/* Asks the host for its time. */
void host_ask(struct host *h);

/*
 * host_hear() takes in what has come from the host. It returns 0 or -errno. After -errno, *@wrong tells why. If *@wrong is NULL, a message has told why. When
 * the host has closed its output, host_hear() sets h->out to -1 and returns 0. host_hear_messages() takes in what the host's shell has written to standard
 * error.
 */
int host_hear(struct host *h, const char **wrong);
void host_hear_messages(struct host *h);

/*
 * Notes that the host has gone, or that we give it up. @why is the cause. If @why is NULL, the messages of the host's shell tell the cause. A further call
 * does nothing. A host that was HOST_DONE stays HOST_DONE. Any other host becomes HOST_GONE. If @why is not NULL, host_gone() sends SIGTERM to the host's
 * shell, but does not wait for its end. After host_gone(), host_reap() is called again and again until the shell has ended. What host_reap() does depends on
 * the host's state:
 * - HOST_DONE: host_reap() prints the shell's last message, if there is one.
 * - HOST_GONE: host_reap() kills a shell that does not end soon, and prints why the host has gone. There is one exception: if the host has no ringside, and if
 *   .push of struct hosts_spec is true, host_reap() prints no cause, but calls host_push(), and later host_pushed(). This is done only once for a host.
 */
void host_gone(struct host *h, const char *why);
void host_reap(struct host *h);

/* Sends SIGKILL to the host's shell, if it still runs. Does not wait for its end. */
void host_kill(struct host *h);

/* These functions take in FRAME_META, FRAME_META_END and FRAME_DATA. They return 0 or -errno. After -errno, *@wrong or a message tells why. */
int host_meta(struct host *h, const char *bytes, size_t n, const char **wrong);
int host_meta_end(struct host *h, const char **wrong);
int host_data(struct host *h, const struct frame *frame, const char **wrong);

/*
 * Saves what is known of the host's clock in a file of the spool folder h->spool. @until is the latest time, by the host's clock, that has to be converted. If
 * @until is 0, the latest time is the time of the last answer. Returns 0 or -errno without a message. The function does nothing in these cases:
 * - The clock does not count nanoseconds.
 * - Nothing is known of the clock yet.
 * - The folder does not exist yet.
 */
int host_keep_times(const struct host *h, int64_t until);

/*
 * Fills in @out. If the host's recording has begun, also makes a trace file from the data that have come. The times in this file are converted to our clock. If
 * the difference between the host's clock and ours is not known, the times are not converted, and a warning says so. Returns 0 or -errno after a message.
 */
int host_finish(struct host *h, struct host_outcome *out);

void host_fini(struct host *h);

#endif
