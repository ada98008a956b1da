/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An analysis answers a question from records. It works in two steps: it takes records in, and it shows its answer. A struct reading
 * (lib/analysis/reading.h) gives it the records, from files or live. The answer so far can be shown at any time, and the whole answer at
 * the end. lib/analysis/NAME.c takes records in; lib/output/NAME-text.c shows the answer and defines the struct analysis. A command that wants the
 * analysis gives this struct and the analysis's options to reading_add().
 */
#ifndef RINGSIDE_ANALYSIS_H
#define RINGSIDE_ANALYSIS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/stage.h"

struct reading;
struct trace;

/* This tells what an analysis needs or understands. */
enum analysis_needs {
	ANALYSIS_ALL_TASKS = 1 << 0, /* it needs records of all tasks, and applies --comm, --pid and --tid itself when it shows its answer */
	ANALYSIS_TEXTS = 1 << 1,     /* it accepts files with the text of a latency tracer; without this flag they are refused */
	ANALYSIS_ALL_CPUS = 1 << 2,  /* it needs records of all CPUs, and applies --cpu itself */
	ANALYSIS_FUNCTIONS = 1 << 3, /* it takes in only calls of functions as calls; records of other calls are events to it */
	ANALYSIS_MEANWHILE = 1 << 4, /* only with ANALYSIS_FUNCTIONS: while a call is open, it also uses records of the other buffers of the call's file */
	ANALYSIS_SWITCHES = 1 << 5,  /* if --tid is given, it also needs the scheduler's events that name --tid's threads, to know the times off the CPU */
	ANALYSIS_STAYS = 1 << 6,     /* it shows when tasks were on a CPU; the reading warns if a filter hides that (input.some_switches) */
	ANALYSIS_CALLS = 1 << 7,     /* it takes in calls: --cpu chooses them by the CPU on which they begin; not needed if .folds is calls_fold() */
	ANALYSIS_TIMES = 1 << 8,     /* it tells where calls spent time, and shows no events: with --func it also needs the scheduler's events of all tasks */
	ANALYSIS_DEPTHS = 1 << 9,    /* it shows how deep calls are in the whole recording: callers that --func leaves out stay, as calls without entries */
	ANALYSIS_SUMS = 1 << 10,     /* it puts times of all files together: files whose clocks count different units are refused (lib/analysis/units.h) */
	ANALYSIS_LEARN = 1 << 11,    /* it shows names of tasks, and calls learn_until() (lib/analysis/learn.h) to learn them from all records */
};

struct analysis {
	const char *name;   /* for messages */
	unsigned int needs; /* enum analysis_needs */
	/*
	 * Returns true if the analysis needs no separate record for the exit of a leaf call, so that the exit can be folded into the record of the
	 * entry. NULL: the analysis needs the records of both the entry and the exit.
	 */
	bool (*folds)(const struct trace *trace);
	/*
	 * Makes a stage (lib/analysis/stage.h) that sees all records before any are selected; the pass (lib/analysis/pass.h) frees the stage. If the
	 * analysis has no stage, this callback is NULL or sets *@out to NULL. The callback is called after the files have been opened and before
	 * make(). Returns what make() returns.
	 */
	int (*stage)(struct stage **out, struct reading *reading, void *options);
	/*
	 * Makes the handler that takes the records in; the pass frees the handler. At this time the files are open, and symbols can be looked up. An
	 * analysis that takes in calls adds a consumer to reading_calls(), and its handler has no records(). If *@out becomes NULL, nothing is taken
	 * in, and the analysis only shows its answer. @options are those that reading_add() was given. Returns 0, -ENOMEM, -EINVAL after a message
	 * (an option makes no sense here), or another -errno after a message.
	 */
	int (*make)(struct handler **out, struct reading *reading, void *options);
	/*
	 * Writes the answer so far to reading->out. NULL: the handler writes while it takes records in. Returns 0, -EPIPE when nobody reads the
	 * output any more, -ENOMEM, or another -errno after a message.
	 */
	int (*show)(struct handler *h, struct reading *reading, void *options);
};

#endif
