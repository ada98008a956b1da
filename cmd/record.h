/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of `ringside record` share. */
#ifndef RINGSIDE_CMD_RECORD_H
#define RINGSIDE_CMD_RECORD_H

#include "cmd/daemon.h"
#include "cmd/opt.h"
#include "cmd/progress.h"
#include "lib/record/record.h"
#include <stdio.h>

/* What the options of record, and of the commands that share them, fill in. */
struct record_opts {
	struct record_spec spec;
	bool exclude;		/* -v has been given for this buffer */
	bool func_stack;
	bool poll;		/* --poll */
	bool quiet;
	bool unused;		/* what is taken for trace-cmd's sake */
	strv_t why;		/* --why */
	bool profile;		/* --profile, and the command of that name */
	bool only_given;	/* -S: without the events and the tracer that --profile sets */
	bool irq_global;	/* -G */
	bool by_comm;		/* --by-comm */
	bool to_stderr;		/* what is printed goes to stderr */
	bool daemonize;
	const char *pidfile;	/* NULL: PIDFILE */
	const char *hosts;	/* --hosts; NULL: this machine */
	const char *rsh, *there;	/* --rsh, --ringside; NULL: as usual */
	bool all_or_none, push;
	uint64_t patience_ns;	/* --host-timeout */
	const char *module;	/* --module of the buffer at hand */
	strv_t removed;		/* set -v -B: instances that are to go */
	strv_t texts;		/* made ones that the spec borrows */
};

/*
 * Rows for OPT_ROWS, whose context structure is, or begins with, struct record_opts: what is traced (tracer, functions,
 * events, probes); whom (processes, CPUs); in which buffer and how large that is; what is to happen when that
 * is in use.
 */
extern const struct opt what_options[], whom_options[], where_options[], aside_options[];
extern const struct opt record_options[];

/* Rows for any command: trace-cmd's options for other machines, which are refused with what to do instead. Hidden. */
extern const struct opt network_options[], no_listener_options[];

/* Where trace-cmd's record --daemonize puts its process id. */
#define PIDFILE "/run/trace-cmd-record.pid"

/*
 * Rows for OPT_ROWS as above: how times are to be read; what else is to be known of the trace; what the file is to be like, and
 * what lies where until it is written; how often the buffers are looked at, and by whom.
 */
extern const struct opt times_options[], meta_options[], file_options[], spool_options[], pace_options[];

/*
 * Parses the command line into @opts, which the caller has zeroed or given its defaults, and checks what the shared options say
 * together. 0 and the command, if any, in spec.argv; else opt_parse()'s result or -EINVAL after a message.
 * record_opts_fini() after it in any case.
 */
int trace_parse(const struct cmd *cmd, struct record_opts *opts, int argc, char **argv);
void record_opts_fini(struct record_opts *opts);

/* After trace_parse(), where there are meta_options or pace_options: what --poll and -C tsc2nsec stand for. */
void record_settle(struct record_opts *opts);

/* Rows likewise: --hosts and what belongs to it. */
extern const struct opt hosts_options[];

/* What they say together, and with the others. 0, or -EINVAL after a message. */
int hosts_check(const struct cmd *cmd, struct record_opts *opts);

/* Records on the hosts; @words are the arguments as they were typed. The exit status. */
int record_on_hosts(const struct record_opts *opts, char *const *words);

/* trace_parse() for record: fills in the defaults, checks its own options too. */
int record_parse(const struct cmd *cmd, struct record_opts *opts, int argc, char **argv);

/* Rows likewise: --profile; -S, -G, --by-comm and -H. */
extern const struct opt profile_flag[], profile_options[];

/*
 * Adds what --profile sets, and the events of the hooks of -H: to each buffer that is named; to the top one if none is. 0 or -errno
 * after a message.
 */
int record_profile(struct record_opts *opts);

/* Rows likewise: --why; and what that sets, where it was given, in the last buffer. 0 or -errno after a message. */
extern const struct opt why_options[];
int record_why(struct record_opts *opts);

/* The same: how much is said. */
extern const struct opt talk_options[];

/* What is said while and after recording, on stderr. */
struct record_talk {
	const struct record_spec *spec;
	const char *output;	/* what the file is called */
	FILE *words;		/* where trace-cmd's words go that scripts look for on standard output */
	bool quiet;
	struct daemon *daemon;	/* of --daemonize; NULL: we stay */
	bool live;		/* a line that is rewritten each second */
	bool line_open;		/* it stands there */
	uint64_t last_events, last_ns;
	struct progress progress;	/* of saving */
};

/* Warns of what dead recordings have left behind. */
void tell_of_the_dead(void);

/* The exit status: the command's, unless something of ours went wrong (@err) that it does not tell. */
int record_status(int err, const struct record_outcome *out);

/* "  plugin 'function_graph'" on stderr for each buffer with a tracer, as trace-cmd says it. */
void tell_tracers(const struct record_spec *spec);

/* "recording", or @what it is, "until Ctrl-C" or what else ends it; nothing when there is a command. */
void tell_until_when(const struct record_spec *spec, const char *what);

void record_talk_init(struct record_talk *talk, const struct record_opts *opts, struct record_hooks *hooks);

#endif
