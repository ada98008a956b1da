/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An analysis answers a question from records. It works in two steps: it takes records in, and it shows its answer. A reading
 * (lib/analysis/reading.h) gives the records to the analysis, from files or as they happen. The answer so far can be shown at any time, and the whole
 * answer at the end. lib/analysis/NAME.c takes records in; lib/output/NAME-text.c shows the answer and defines the struct analysis. A command that
 * wants the analysis gives this struct and the analysis's options to reading_add().
 */
#ifndef RINGSIDE_ANALYSIS_H
#define RINGSIDE_ANALYSIS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/stage.h"

struct reading;
struct trace;

/* This tells what an analysis needs or understands. */
enum analysis_needs {
	ANALYSIS_ALL_TASKS = 1 << 0, /* it needs records of all tasks, and looks at --comm, --pid and --tid itself when it shows */
	ANALYSIS_TEXTS = 1 << 1,     /* it accepts files with the text of a latency tracer; without this flag they are refused */
	ANALYSIS_ALL_CPUS = 1 << 2,  /* it needs records of all CPUs, and looks at --cpu itself */
	ANALYSIS_FUNCTIONS = 1 << 3, /* only calls of functions are calls to it; records of other calls are events to it */
	ANALYSIS_MEANWHILE = 1 << 4, /* what other buffers of the file tell matters to it while a call is open, in spite of ANALYSIS_FUNCTIONS */
	ANALYSIS_SWITCHES = 1 << 5,  /* with --tid, it needs the scheduler's events that name the threads, too: they tell when these were off the CPU */
	ANALYSIS_STAYS = 1 << 6,     /* it shows when tasks were on a CPU, and relies on the reading to warn where input.some_switches hides that */
	ANALYSIS_CALLS = 1 << 7,     /* it takes in calls, so that --cpu means calls that begin there; all whose .folds is calls_fold have this */
};

struct analysis {
	const char *name;   /* for messages */
	unsigned int needs; /* enum analysis_needs */
	/*
	 * Returns true when the analysis needs no record of its own for the exit of a leaf call: the exit is then folded into the record of the
	 * entry. NULL: the analysis needs both records.
	 */
	bool (*folds)(const struct trace *trace);
	/*
	 * Makes a stage that sees all records before any are chosen; the pass frees it. It may be NULL, and it may set *@out to NULL: there is no
	 * stage then. It is called before make(), when the files are open. Returns what make() returns.
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
