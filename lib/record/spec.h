/* SPDX-License-Identifier: GPL-2.0 */
/* Describes what the command line asks to record. All texts are borrowed. Options in comments are those of `record`. */
#ifndef RINGSIDE_SPEC_H
#define RINGSIDE_SPEC_H

#include "lib/base/vec.h"
#include "lib/probe/command.h"
#include "lib/tracefs/session.h"
#include <sys/types.h>

/* An option --probe or --latency, and the commands into which it was compiled. */
struct probe_set {
	struct probe_spec spec;
	probe_commands_t commands;
};

/* An option -e, --probe or --latency, with the options -f and -R that follow it. */
struct event_spec {
	struct probe_set *probes; /* for --probe and --latency, owned; NULL: an event that the kernel has */
	/* the pattern of the events, such as "all", "sched", "sched:sched_switch" or "sched_*" (events_find() in lib/tracefs/select.h) */
	const char *pattern;
	bool off;	    /* the event came after -v on the command line, and is not recorded */
	bool counted;	    /* the kernel only counts the event, and does not record it; .ready() of struct record_hooks sets up the counting */
	const char *filter; /* -f; NULL: none */
	strv_t triggers;    /* -R */
	strv_t found;	    /* the events that match, as "system:name"; spec_check() of arm.h fills this in */
};

/* What goes into one buffer, which is the kernel's top buffer or the buffer of an instance. */
struct buffer_spec {
	const char *name;	       /* -B; NULL: none was named */
	const char *tracer;	       /* -p; NULL: only events */
	VEC(struct event_spec) events; /* in the order of the command line */
	strv_t functions;	       /* -l */
	strv_t not_functions;	       /* -n */
	strv_t graph;		       /* -g */
	strv_t funcommands;	       /* -l FUNCTION:COMMAND */
	strv_t options;		       /* -O, -T and --func-stack, by the names that trace_options has */
	const char *clock;	       /* NULL: unchanged */
	const char *cpumask;	       /* hexadecimal; NULL: unchanged */
	uint64_t size_kb;	       /* for each CPU; 0: unchanged */
	uint64_t subbuf_kb;	       /* 0: unchanged */
	bool has_depth;		       /* --max-graph-depth was given */
	uint64_t max_graph_depth;      /* valid if .has_depth is true */
};

/* An agent records when another machine asks for a recording. This is the other machine, to which the agent sends the recording. */
struct record_peer {
	int fd;		 /* the connection, which the recording takes over */
	const char *who; /* "HOST:PORT", for messages */
	bool sequel;	 /* the peer also takes the data that are known only at the end (lib/net/request.h) */
	bool sync;	 /* the peer compares its clock with ours (lib/net/tsync.h) */
	/* The recording is given up when more bytes than this wait to be sent. 0: the recording is given up only when the disk is full. */
	uint64_t max_bytes;
	/* how long the peer may take to receive the rest after recording has ended; 0: there is no limit while the peer goes on taking data */
	uint64_t max_ns;
};

struct record_spec {
	VEC(struct buffer_spec) buffers; /* the first one has no name; buffer_used() tells whether it is used */
	char *const *argv;		 /* the command; NULL: none */
	strv_t hooks;			 /* -H: the hooks (pairs of events), which are stored in the file */
	const char *user;		 /* --user: the command runs as this user; NULL: as the user who runs us */
	uint64_t max_probes;		 /* the largest number of functions that the glob of a probe may match; 0: the default */
	bool only_command;		 /* -F */
	bool events_of_all;		 /* .only_command and .pids limit only functions; the events of all tasks are recorded */
	VEC(pid_t) pids;		 /* -P */
	bool children;			 /* -c */
	bool all_formats;		 /* -a */
	bool ignore_missing;		 /* -i */
	bool no_functions;		 /* -D: function tracing is turned off for the whole system */
	bool keep;			 /* -k: the settings are not put back at the end */
	bool as_is;			 /* -K: the present settings stay in effect, and the present contents of the buffers are also recorded */
	bool self;			 /* --self, --no-filter: ringside's own tasks are recorded, too */
	enum session_join join;		 /* JOIN_NOT for `record`; the other values say what `start`, `set` and `extract` do with the instances */
	bool latency;			 /* used if .join is JOIN_READ: instead of events, the text of a latency tracer is read from the file "trace" */
	bool snapshot;			 /* used if .join is JOIN_READ: the snapshots are read instead of the buffers */
	bool private_;			 /* --private: .private_ of struct session_want */
	bool force;			 /* --force: .force of struct session_want */
	uint64_t cmdlines_size;		 /* the value for saved_cmdlines_size; 0: unchanged */
	bool proc_map;			 /* --proc-map */
	bool date;			 /* --date */
	bool tsc2nsec;			 /* --tsc2nsec */
	int64_t ts_offset;		 /* --ts-offset, in units of the trace clock */

	uint64_t duration_ns; /* 0: no limit */
	uint64_t interval_ns; /* -s: the time between two looks at the ring buffers; 0: the kernel wakes the reading threads */
	uint64_t max_kb;      /* -m; 0: all data are kept */
	int rt_priority;      /* -r; 0: none */
	bool no_splice;	      /* data are moved by read and write instead of splice */
	bool live;	      /* the kernel wakes the reading threads as soon as there is one event */

	const char *output;  /* the name of the trace file; "-": standard output */
	const char *network; /* -N: "HOST:PORT" of the listener to which the recording goes; NULL: none. With a listener, only one buffer is recorded. */
	bool vsock;	     /* -V: .network is "CID:PORT" of a vsocket */
	/* --wire: the name of the host on which `record --hosts` has started us; NULL: not given. With --wire, the recording goes to standard output. */
	const char *wire;
	/* For an agent: the machine that gets the recording and ends it; NULL: we are no agent. An agent records only one buffer. */
	const struct record_peer *peer;
	const char *temp;	 /* --temp: the folder in which spool_make() (spool.h) makes a folder for the data; NULL: the folder of the output */
	unsigned int version;	 /* 6 or 7 */
	const char *compression; /* a codec's name */
	const char *program;	 /* the text of the option VERSION in the file */
};

/*
 * Tells whether this buffer is used. A buffer with a name is always used. The buffer without a name is used in each of these cases:
 *  - The buffer has a tracer or events.
 *  - There is no other buffer.
 *  - spec->join is JOIN_READ.
 */
bool buffer_used(const struct record_spec *spec, const struct buffer_spec *buffer);

/* Tells whether the buffer has a tracer other than nop. This may even be a tracer that traces no functions. */
bool buffer_traces_functions(const struct buffer_spec *b);

/*
 * buffer_enables_events() tells whether the buffer has events that did not come after -v. buffer_records_events() tells whether at least one of these
 * events is recorded. An event that the kernel only counts is not recorded.
 */
bool buffer_enables_events(const struct buffer_spec *b);
bool buffer_records_events(const struct buffer_spec *b);

/*
 * buffer_leaves_out_all() tells whether -v leaves out everything that would be recorded. This is so when all of these conditions hold:
 *  - The buffer has events and no tracer.
 *  - -v leaves out all of these events. Events that the kernel only counts are ignored here.
 *  - The buffer has no triggers, no function commands, and no --probe or --latency that came before -v.
 * The members .found of the events must be filled in before. spec_leaves_out_all() tells whether buffer_leaves_out_all() is true for all buffers that are
 * used.
 */
bool buffer_leaves_out_all(const struct buffer_spec *b);
bool spec_leaves_out_all(const struct record_spec *spec);

/*
 * Appends to *@out the events of all buffers whose formats the file needs. Each event is appended once. These are the events in the members .found, and the
 * events that triggers and function commands enable or disable. The members .found must be filled in before. Returns 0, or -ENOMEM after a message.
 */
int spec_events(const struct record_spec *spec, strv_t *out);

void record_spec_fini(struct record_spec *spec);

#endif
