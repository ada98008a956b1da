/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An analysis takes records in, and shows what it has found in them: its answer. A struct reading (lib/analysis/reading.h) gives it the records of files or of
 * the running kernel. The answer so far can be shown at any time, and the whole answer at the end. For the analysis NAME, lib/analysis/NAME.c takes records in.
 * lib/output/NAME-text.c shows the answer and defines the struct analysis. A command runs an analysis by giving its struct analysis and its options to
 * reading_add().
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
	ANALYSIS_TEXTS = 1 << 1,     /* it accepts files with the text output of a latency tracer; other analyses refuse such files */
	ANALYSIS_ALL_CPUS = 1 << 2,  /* it needs records of all CPUs, and applies --cpu itself */
	ANALYSIS_FUNCTIONS = 1 << 3, /* it takes in only calls of functions; the records of other calls are plain events to it */
	/*
	 * A call is recorded in one buffer. While the call is open, the analysis also uses records
	 * of other buffers of the same file. Only an analysis with ANALYSIS_FUNCTIONS can have this
	 * flag.
	 */
	ANALYSIS_MEANWHILE = 1 << 4,
	/*
	 * With --tid, it also needs the scheduler's events that name the chosen threads. These events tell when a thread was off the CPU and when the
	 * thread began. With --pid and --comm, it also needs the records of sched_process_fork that name a chosen task as the new task.
	 */
	ANALYSIS_SWITCHES = 1 << 5,
	ANALYSIS_STAYS = 1 << 6, /* it shows when tasks were on a CPU; a warning is printed if a filter hides task switches (input.some_switches) */
	/*
	 * It takes in calls, so --cpu chooses calls by the CPU on which they begin. An analysis whose .folds is calls_fold() does not need this flag.
	 */
	ANALYSIS_CALLS = 1 << 7,
	/* It tells where calls spent time, and shows no events. With --func, it also needs the scheduler's events of all tasks. */
	ANALYSIS_TIMES = 1 << 8,
	/*
	 * It shows how deeply calls are nested in the whole recording. With --func, the records of some callers are left out. Such callers are treated as calls
	 * whose entries are missing.
	 */
	ANALYSIS_DEPTHS = 1 << 9,
	ANALYSIS_SUMS = 1 << 10,  /* It adds up times of all files. Files whose clocks count different units are refused (lib/analysis/units.h). */
	ANALYSIS_LEARN = 1 << 11, /* it shows names of tasks, and calls learn_until() (lib/analysis/learn.h) to learn them from all records */
};

struct analysis {
	const char *name;   /* the name of the analysis, for messages */
	unsigned int needs; /* enum analysis_needs */
	/*
	 * A leaf call is a call inside which no other call was recorded. Returns true if the exit
	 * of a leaf call may be folded into the record of its entry. If this callback is NULL, the
	 * analysis gets separate records for the entry and the exit.
	 */
	bool (*folds)(const struct trace *trace);
	/*
	 * Makes a stage (lib/analysis/stage.h), which sees all records before some of them are selected. The pass (lib/analysis/pass.h) frees the
	 * stage. An analysis without a stage has NULL here, or sets *@out to NULL. The callback is called after the files have been opened and before
	 * make(). Returns 0, -ENOMEM, -EINVAL after a message, or another -errno after a message.
	 */
	int (*stage)(struct stage **out, struct reading *reading, void *options);
	/*
	 * Makes the handler that takes the records in. The pass frees the handler. When make() is called, the files are open, and symbols can be looked up. An
	 * analysis that takes in calls adds a consumer to reading_calls(), and its handler has NULL as records(). If *@out becomes NULL, nothing is taken in,
	 * and the analysis only shows its answer. @options are those that reading_add() was given. Returns 0, -ENOMEM, -EINVAL after a message (an option makes
	 * no sense here), or another -errno after a message.
	 */
	int (*make)(struct handler **out, struct reading *reading, void *options);
	/*
	 * Writes the answer so far to reading->out. If this callback is NULL, the handler writes while it takes records in. Returns 0, -EPIPE when
	 * nobody reads the output any more, -ENOMEM, or another -errno after a message.
	 */
	int (*show)(struct handler *h, struct reading *reading, void *options);
};

#endif
