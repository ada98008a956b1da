/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An analysis answers a question from records. Taking in and showing are two steps. A reading gives it the records, from files or while they happen.
 * What it has made of them so far can be shown at any time, and at the end. lib/analysis/NAME.c takes records in; lib/output/NAME-text.c shows the
 * answer and defines the struct analysis. A command that wants the analysis gives this struct and that of its options to reading_add().
 */
#ifndef RINGSIDE_ANALYSIS_H
#define RINGSIDE_ANALYSIS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/stage.h"

struct reading;
struct trace;

/* What an analysis needs or understands. */
enum analysis_needs {
	ANALYSIS_ALL_TASKS = 1 << 0, /* it needs records of all tasks, and looks at --comm, --pid and --tid itself when it shows */
	ANALYSIS_TEXTS = 1 << 1,     /* the text of a latency tracer may be printed in front of it; otherwise such a file is refused */
	ANALYSIS_ALL_CPUS = 1 << 2,  /* it needs records of all CPUs, and looks at --cpu itself */
	ANALYSIS_FUNCTIONS = 1 << 3, /* it takes only calls of functions as calls, and all others as events */
};

struct analysis {
	const char *name;   /* for messages */
	unsigned int needs; /* enum analysis_needs */
	/*
	 * Does it need only the entry of a leaf call, which has its exit with it, and not the exit's own record? NULL: it needs
	 * both.
	 */
	bool (*folds)(const struct trace *trace);
	/*
	 * Makes a stage that sees all records before any are chosen; the pass frees it. May be NULL, and may set *@out to NULL:
	 * there is no stage then. Called before make(), when the files are open. Returns what make() returns.
	 */
	int (*stage)(struct stage **out, struct reading *reading, void *options);
	/*
	 * Makes the handler that takes the records in; the pass frees it. The files are open, and symbols can be found. An
	 * analysis that takes in calls adds itself to reading_calls(), and its handler has no records(). When *@out is NULL
	 * nothing is taken in, and the analysis only shows. @options are those that reading_add() was given. Returns 0, -ENOMEM,
	 * -EINVAL after a message (an option makes no sense here), or another -errno after a message.
	 */
	int (*make)(struct handler **out, struct reading *reading, void *options);
	/*
	 * Writes the answer so far to reading->out. NULL: the handler writes while it takes records in. Returns 0, -EPIPE when nobody reads the
	 * output, -ENOMEM, or another -errno after a message.
	 */
	int (*show)(struct handler *h, struct reading *reading, void *options);
};

#endif
