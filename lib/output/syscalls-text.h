/* SPDX-License-Identifier: GPL-2.0 */
/* Prints system calls as strace prints them: a line for each call, a table that counts the calls, or both. */
#ifndef RINGSIDE_SYSCALLS_TEXT_H
#define RINGSIDE_SYSCALLS_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/syscalls.h"
#include "lib/output/table.h"

struct syscalls_view {
	strv_t exprs;		       /* the arguments of -e, which lib/event/syscall-quals.h parses */
	bool took;		       /* -T: each line ends with the time that the call took */
	uint64_t times;		       /* how many -t were given; this number chooses the form of the time in front of each line; 0: no time */
	bool relative;		       /* -r: each line begins with the time since the line before */
	bool successful;	       /* -z: only calls that succeeded are shown */
	bool failed;		       /* -Z: only calls that failed are shown */
	bool pids;		       /* each line begins with the pid of the task that makes the call */
	bool plain_pids;	       /* used if .pids is true; true: a line begins with "PID ", as in strace's files; false: it begins with "[pid PID] " */
	bool comms;		       /* used if .pids is true: the line also has the name of the task */
	bool lines;		       /* a line is printed for each call */
	bool summary;		       /* a table of counts is printed at the end */
	struct syscalls_wanted wanted; /* what is read from the records; -y sets .descriptors */
	strv_t graphs;		       /* --graph: names of calls; behind the line of each of these calls, more lines tell what the kernel did */
	/* -ff: The lines of each task go to a file of its own. The file has this name, with a dot and the pid behind it. NULL: all lines go to one file. */
	const char *files;
	bool live;  /* true: the calls are traced now; false: they are read from a recording */
	bool quiet; /* notes on what is missing are not printed */
	struct table_show table;
};

/* The options of the analysis are a struct syscalls_view. */
extern const struct analysis syscalls_analysis;

/* This is the note for an input in which several buffers have records of system calls. %s stands for the input's path (syscalls_facts.several). */
#define SYSCALLS_SEVERAL "several buffers of %s have system calls, and a call that is in two of them is shown twice; -B chooses a buffer"

/*
 * Prints notes on what the recording lacks, and on what else its reader must know (lib/output/syscalls-notes.c). @bare is true if an address was shown where a
 * name would stand. Must be called after the last record. Prints nothing if opt->quiet is true.
 */
void syscalls_notes(const struct syscalls_view *opt, struct reading *reading, const struct syscalls_facts *facts, bool bare);

/* This makes the table that counts the calls (lib/output/syscalls-summary.c). */
struct syscalls_summary;

int syscalls_summary_new(struct syscalls_summary **out, const struct table_show *show);
void syscalls_summary_free(struct syscalls_summary *summary);

/*
 * Adds a call. If the call was refused (call->refused), the call and its result are counted, but no time is added. Any other call whose @took is
 * SYSCALL_UNKNOWN is added only to the column "cut". Returns 0 or -ENOMEM.
 */
int syscalls_summary_add(struct syscalls_summary *summary, const struct syscall_open *call, int64_t result, uint64_t took);

/* Does what analysis.show() does. */
int syscalls_summary_show(struct syscalls_summary *summary, struct reading *reading, const struct syscalls_facts *facts);

#endif
