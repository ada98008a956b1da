/* SPDX-License-Identifier: GPL-2.0 */
/* Declares what the files of `ringside record` share. */
#ifndef RINGSIDE_CMD_RECORD_H
#define RINGSIDE_CMD_RECORD_H

#include "cmd/daemon.h"
#include "cmd/opt.h"
#include "cmd/progress.h"
#include "lib/record/record.h"
#include <stdio.h>

/* These are the values of the options of `ringside record`. Other commands have some of these options, too. */
struct record_opts {
	struct record_spec spec;
	bool exclude; /* -v has been given for the buffer (-B) whose options are being parsed */
	bool poll;    /* --poll */
	bool quiet;
	bool unused;	      /* for options of trace-cmd that have no effect */
	strv_t why;	      /* --why */
	bool profile;	      /* --profile was given, or the command is `ringside profile` */
	bool only_given;      /* -S: the events and the tracer that --profile usually adds are left out */
	bool irq_global;      /* -G */
	bool by_comm;	      /* --by-comm */
	bool to_stderr;	      /* --stderr: what ringside prints goes to stderr */
	bool daemonize;	      /* --daemonize */
	const char *pidfile;  /* NULL: PIDFILE */
	const char *hosts;    /* --hosts; NULL: this machine */
	const char *rsh;      /* --rsh; NULL: the default */
	const char *there;    /* --ringside; NULL: the default */
	bool all_or_none;     /* --all-or-none */
	bool push;	      /* --push */
	int64_t sync_ms;      /* --tsync-interval: ms between comparisons with the clocks of agents (-A); 0: only at the beginning and at the end; < 0: never */
	uint64_t patience_ns; /* --host-timeout */
	const char *module;   /* --module of the buffer whose options are being parsed */
	strv_t removed;	      /* `ringside set -v -B`: instances that are to be removed */
	strv_t texts;	      /* texts that .spec borrows; record_opts_fini() frees them */
};

/*
 * These are rows of options for OPT_ROWS (cmd/opt.h). The context structure must be, or begin with, struct record_opts. The options of each table say this:
 * - what_options: what is traced (tracer, functions, events, probes)
 * - whom_options: whose activity is traced (processes, CPUs)
 * - where_options: into which buffer the events are recorded, and how large this buffer is
 * - aside_options: what happens when somebody else uses the buffer
 */
extern const struct opt what_options[], whom_options[], where_options[], aside_options[];
extern const struct opt record_options[];

/*
 * These are hidden rows for commands that trace only this machine. network_options are trace-cmd's options -V, -A, --name, --proxy and --tsync-interval.
 * no_listener_options are trace-cmd's options -N and -t. Each option of the two tables is refused with a message, which says what to do instead.
 */
extern const struct opt network_options[], no_listener_options[];

/* This is the file into which trace-cmd's record --daemonize writes its process id. */
#define PIDFILE "/run/trace-cmd-record.pid"

/*
 * These are rows for OPT_ROWS as above. The options of each table say this:
 * - times_options: how times are shown later
 * - meta_options: what else is saved with the trace
 * - file_options: the version and compression of the file
 * - spool_options: where the recording is kept until the file is written
 * - pace_options: how often the buffers are read, and with which priority
 */
extern const struct opt times_options[], meta_options[], file_options[], spool_options[], pace_options[];

/*
 * Parses the command line into @opts. Before the call, @opts is zero or has the caller's defaults. Checks that the options shared by several commands fit
 * together. If the command line has a command to run, opts->spec.argv becomes this command. Returns 0, opt_parse()'s negative result, or -EINVAL or -ENOMEM
 * after a message. The caller calls record_opts_fini() in any case.
 */
int trace_parse(const struct cmd *cmd, struct record_opts *opts, int argc, char **argv);
void record_opts_fini(struct record_opts *opts);

/*
 * Adds the process id @word to opts->spec.pids. @word is the value @value of the option @option, or a part of @value. If @word is no process id, or no process
 * has this id, a message names @option and @value. Returns 0, -ENOMEM without a message, or another -errno after a message.
 */
int record_opts_pid(struct record_opts *opts, const char *option, const char *value, const char *word);

/*
 * Parses @value, the value of the option @option, into *@out. If @value is no whole number or larger than @most, a message says so. @want tells what the option
 * takes: "a number of levels". Returns 0, or -EINVAL after a message.
 */
int record_opts_number(const char *option, const char *value, const char *want, uint64_t most, uint64_t *out);

/* Commands with meta_options or pace_options call this after trace_parse(). It sets the members of opts->spec that --poll and -C tsc2nsec stand for. */
void record_settle(struct record_opts *opts);

/* These are rows for OPT_ROWS as above: --hosts and the options that belong to it. */
extern const struct opt hosts_options[];

/*
 * Checks that the options of hosts_options fit together and fit the other options. With --wire, this process is the recorder on a host. In this case the
 * function drops --hosts, and replaces "%h" in the names of buffers by the host's name. Returns 0, or -EINVAL or -ENOMEM after a message.
 */
int hosts_check(const struct cmd *cmd, struct record_opts *opts);

/* Records on the hosts that --hosts names. @words are the arguments as they were typed. Returns the exit status. */
int record_on_hosts(const struct record_opts *opts, char *const *words);

/* Does what trace_parse() does, for `ringside record`. Also fills in the defaults, and checks the options that only `record` has. */
int record_parse(const struct cmd *cmd, struct record_opts *opts, int argc, char **argv);

/*
 * These are rows for OPT_ROWS as above. profile_flag is --profile. profile_options are -S, -G, --by-comm and -H of commands that have --profile.
 * profiling_options are the same four options, for `ringside profile`, which has no --profile.
 */
extern const struct opt profile_flag[], profile_options[], profiling_options[];

/*
 * Adds the events that --profile records, and the events of the hooks (pairs of events) that -H defines. With -S, only the events of the hooks are added. The
 * events are added to each buffer that -B names. Without -B, they are added to the top buffer. With --profile, but without -S, -B and --private, the top buffer
 * also gets the tracer function_graph if the buffer has no tracer yet, and if the kernel has function_graph and max_graph_depth. The tracer then records one
 * level of calls, or as many levels as --max-graph-depth says. Returns 0, or -errno after a message.
 */
int record_profile(struct record_opts *opts);

/*
 * why_options is a row for OPT_ROWS as above: --why. When --why was given, record_why() sets the tracer function_graph in the last of opts->spec.buffers, and
 * lets the tracer begin at the functions of --why. For a system call, the tracer begins at the function that implements the call. The tracer is not set if the
 * kernel does not have it, or if --why names only system calls whose functions cannot be traced. record_why() also adds the events that are needed to explain
 * slow calls of the functions and system calls of --why. record_why() returns 0, or -errno after a message.
 */
extern const struct opt why_options[];
int record_why(struct record_opts *opts);

/* These are rows for OPT_ROWS as above: which messages are printed, and where. */
extern const struct opt talk_options[];

/* This is the state of the messages on stderr during the recording and after it. */
struct record_talk {
	const struct record_spec *spec;
	const char *output; /* the name of the file */
	FILE *words;	    /* for the lines that scripts expect on standard output, because trace-cmd prints them there */
	bool quiet;
	struct daemon *daemon;	  /* for --daemonize; NULL: ringside records in the foreground */
	bool live;		  /* the recording shows a line that it rewrites each second */
	bool line_open;		  /* that line is on the terminal now, without a newline behind it */
	uint64_t last_events;	  /* the number of events in that line when it was last written */
	uint64_t last_ns;	  /* how long the recording had been going on when that line was last written */
	struct progress progress; /* while the file is written */
};

/*
 * Returns the exit status, which is one of these:
 * - 126 or 127 if the command could not be executed;
 * - 128 plus the number of the signal if a signal came before tracing began;
 * - 1 if anything else has gone wrong (@err is not 0);
 * - in all other cases, the command's exit status.
 */
int record_status(int err, const struct record_outcome *out);

/*
 * Prints that ringside now waits for a command that still runs. Prints nothing in these cases:
 * - The command has ended.
 * - A signal has ended the recording, so ringside does not wait.
 * - Nobody reads the output any more, so ringside does not wait.
 * Functions that serve as .done of struct record_hooks call this function.
 */
void tell_waiting(const struct record_outcome *out);

/* Prints "  plugin 'function_graph'" on stderr for each buffer with a tracer, as trace-cmd does. */
void tell_tracers(const struct record_spec *spec);

/* Prints what ends the recording, such as "recording until Ctrl-C". @what replaces the word "recording". Prints nothing when a command is run and recorded. */
void tell_until_when(const struct record_spec *spec, const char *what);

/* Fills in *@talk, and fills in *@hooks with functions that print the messages of a recording. Borrows @opts. */
void record_talk_init(struct record_talk *talk, const struct record_opts *opts, struct record_hooks *hooks);

#endif
