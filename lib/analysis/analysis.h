/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An analysis: what makes an answer of records. Taking in and showing are two steps. A reading gives it the records, from files
 * or while they happen; what it has made of them so far can be shown at any time, and in the end.
 * lib/analysis/NAME.c takes in, lib/output/NAME-text.c shows and has the row; who wants it gives reading_add() that row, and
 * the structure that its options fill in.
 */
#ifndef RINGSIDE_ANALYSIS_H
#define RINGSIDE_ANALYSIS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/stage.h"

struct reading;
struct trace;

/* What an analysis needs, or can do with. */
enum analysis_needs {
	ANALYSIS_ALL_TASKS = 1 << 0,	/* records of all tasks: it heeds --comm, --pid and --tid by itself when it shows */
	ANALYSIS_TEXTS = 1 << 1,	/* the text of a latency tracer can stand in front of it; else such a file is refused */
	ANALYSIS_ALL_CPUS = 1 << 2,	/* records of all CPUs: it heeds --cpu by itself */
	ANALYSIS_FUNCTIONS = 1 << 3,	/* of calls only those of functions: to it all others are events */
};

struct analysis {
	const char *name;		/* for messages */
	unsigned int needs;		/* enum analysis_needs */
	/* Is the entry of a leaf call of this trace enough, which has its exit with it? NULL: no, it wants the exit's own record too. */
	bool (*folds)(const struct trace *trace);
	/*
	 * Makes what is to see all records before any are chosen; the pass frees it. NULL, or *@out NULL: nothing is. Called before
	 * make(), with the files open. Returns as make().
	 */
	int (*stage)(struct stage **out, struct reading *reading, void *options);
	/*
	 * Makes what takes the records in, freed by the pass. The files are open, and symbols can be found. What takes calls in instead
	 * adds itself to reading_calls(), and its handler has no records(). *@out NULL: nothing does, it only shows. @options: as given to reading_add(). 0; -EINVAL after a message (an option that makes no
	 * sense here); -ENOMEM; another -errno after a message.
	 */
	int (*make)(struct handler **out, struct reading *reading, void *options);
	/*
	 * Writes what there is so far to reading->out. NULL: the handler writes while it takes in.
	 * 0; -EPIPE when nobody reads; -ENOMEM; another -errno after a message.
	 */
	int (*show)(struct handler *h, struct reading *reading, void *options);
};

#endif
