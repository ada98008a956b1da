/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads traces. A struct reading says which files are read, which of their records are selected, and which analyses take in these records. All commands
 * that look at records use a struct reading:
 *	struct reading reading = { ... what the options say ... };
 *	reading_open(&reading);
 *	reading_add(&reading, &hist_analysis, &options);
 *	reading_select(&reading);
 *	reading_run(&reading);		shows the analyses' answers at the end
 *	reading_close(&reading);
 * Live records are read while the kernel makes them. The steps for live records are under "records while they happen" below.
 */
#ifndef RINGSIDE_READING_H
#define RINGSIDE_READING_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/calls.h"
#include "lib/analysis/latency.h"
#include "lib/analysis/learn.h"
#include "lib/analysis/pass.h"
#include "lib/analysis/select.h"
#include "lib/analysis/window.h"
#include "lib/analysis/within.h"
#include "lib/base/outfile.h"

/* This is an analysis that was added to a reading. */
struct reading_part {
	const struct analysis *what;
	void *options;		 /* borrowed */
	struct handler *handler; /* owned by reading.pass */
};

struct reading {
	/* These members say what is asked for. They are set before reading_open(). */
	inputs_t inputs;    /* The caller sets .path, .ts_offset and .hz of each input. For a live reading, the caller sets all members of the input. */
	struct cpuset cpus; /* the wanted CPUs, if .has_cpus is true */
	bool has_cpus;
	strv_t buffers;		   /* globs of the names of buffers; empty: all buffers */
	const char *kallsyms;	   /* the file from which names of functions are taken; NULL: the trace */
	const char *since, *until; /* the two ends of the window of time: see struct window_options */
	/* Only records whose input_time() is between .from and .to are read. Both ends are included. If .to is 0, records of all times are read. */
	uint64_t from, to;
	struct select_options select;
	struct within_options within;
	pairs_t pairs; /* pairs of events; a pair is treated as a call from its first event to its second event */
	struct trace_options trace;
	bool raw_ts, no_date; /* --raw-ts and --nodate: see struct clock_options */
	bool align;	      /* the first record that is shown has time 0 */
	bool check_order;     /* warn of each record that has an earlier time than the previous record of the same CPU in the same buffer */
	bool exact;	      /* -t: times are shown with all digits down to a nanosecond, and .since and .until are not rounded to microseconds */
	bool quiet;	      /* no remarks are printed */
	bool colour;	      /* output has the colours of a terminal */
	int out;	      /* the descriptor to which analyses write */
	const char *out_name; /* the name of the file .out, for messages; NULL: "the report" */

	/* These members are used while the reading is open. */
	struct pool *pool;
	/*
	 * True: this reading does not report damage, because another reading of the same files reports it. The caller sets .hush between reading_share()
	 * and reading_select().
	 */
	bool hush;
	struct reading *shares; /* the reading whose files and threads this reading uses: see reading_share(); NULL: this reading has its own */
	bool live;		/* reading_open_live() has been called */
	struct pass pass;	/* gives the records to the analyses (lib/analysis/pass.h) */
	bool failed;		/* writing has failed, and nothing is written any more */
	bool complete;		/* reading_run() or reading_end() has returned 0, so everything was written; .complete stays set after reading_close() */
	struct str selection;	/* what is selected, as a text that lib/output/reading-meta.c writes */
	struct select *selected;
	bool asked;		 /* at least one analysis takes in the records of all tasks, but shows only the tasks that are asked for */
	bool found;		 /* used if .asked is true: there was a record of a task that is shown */
	uint64_t counted;	 /* 1 + the number that selected_count() (lib/analysis/selected.h) has found; 0: selected_count() has not been called */
	struct latency *latency; /* owned by .pass; NULL: there are no events of `record --latency` */
	struct lacking *lacking; /* lacking_find() sets it; owned by the reading that has the files; NULL: nobody has called lacking_find() */
	struct learn *learn;	 /* owned by .pass; NULL: no analysis has ANALYSIS_LEARN, or no event tells names */
	struct calls *calls;	 /* owned by .pass: see reading_calls() */
	VEC(struct reading_part) parts;
};

/* Appends a file to the inputs. Returns 0 or -ENOMEM. */
int reading_input(struct reading *reading, const char *path);

/*
 * Opens @path for the output as outfile_open() does (lib/base/outfile.h). Refuses a file that the reading reads. The caller must call outfile_close() even if
 * reading_outfile() fails. Returns 0, or -errno after a message.
 */
int reading_outfile(const struct reading *reading, struct outfile *out, const char *path);

/*
 * reading_open() opens all inputs. After reading_open(), a job of the pool may still read the symbols of the files. reading_ready() waits for that job. Both
 * functions return 0, or -errno after a message. The caller must call reading_close() even if one of the two functions fails.
 */
int reading_open(struct reading *reading);
int reading_ready(struct reading *reading);

/*
 * This is called instead of reading_open(). @reading then reads the files of @whole once more, with the options of @whole. @reading learns the names of tasks
 * anew. reading_open() and reading_ready() must have been called for @whole, and @whole must stay open for longer than @reading. After reading_share(), the
 * caller calls the functions that it would call after reading_open(). At the end, reading_again() must be called instead of reading_close(). Returns 0, or
 * -errno after a message.
 */
int reading_share(struct reading *reading, struct reading *whole);

/*
 * Clears .select and .within of @reading, whose options leave out records of tasks, events and functions. Also removes the pairs. reading_choose_all() is
 * called between reading_share() and reading_take().
 */
void reading_choose_all(struct reading *reading);

/*
 * Takes in all records with one analysis: does what reading_add(), reading_select() and reading_run() do. Returns 0, -EPIPE when nobody reads the output
 * any more, or another -errno after a message.
 */
int reading_take(struct reading *reading, const struct analysis *analysis, void *options);

/* Adds an analysis. Borrows @what and @options. Returns 0, or -ENOMEM after a message. */
int reading_add(struct reading *reading, const struct analysis *what, void *options);

/*
 * Prepares the selection of records, makes the analyses, and begins to decode the records of the files. All errors in the options are reported here, before
 * anything is printed. Returns 0, -EINVAL after a message about an option, or another -errno after a message.
 */
int reading_select(struct reading *reading);

/*
 * Takes in all records, and then shows the analyses' answers in the order in which the analyses were added. Returns 0, -EPIPE when nobody reads the
 * output any more, or another -errno after a message.
 */
int reading_run(struct reading *reading);

/* Returns true if damage has been found in the parts of the files that were read so far. */
bool reading_damaged(const struct reading *reading);

/*
 * Closes the files, frees everything that was made from the files, and removes the inputs and the analyses. The options stay. The same struct reading can then
 * read other files with these options.
 */
void reading_again(struct reading *reading);

/* Closes the files and frees everything, including the options. */
void reading_close(struct reading *reading);

/* --- for analyses ------------------------------------------------------------------------------------------- */

/*
 * Returns the struct calls (lib/analysis/calls.h) of this reading, or NULL when memory runs out. All analyses of a reading share one struct calls. Only an
 * analysis's make() may call this function.
 */
struct calls *reading_calls(struct reading *reading);

/* Returns the CPUs of --cpu, or NULL for all CPUs. */
static inline const struct cpuset *reading_cpus(const struct reading *reading)
{
	return reading->has_cpus ? &reading->cpus : NULL;
}

/* Returns true if only records of some times are read. */
static inline bool reading_has_window(const struct reading *reading)
{
	return reading->since || reading->until || reading->to;
}

/* Returns true if --only-event, a filter (-F), -I or -S is set. These options may leave out some records of a task, and keep other records of the task. */
static inline bool reading_has_holes(const struct reading *reading)
{
	const struct select_options *select = &reading->select;

	return select->events.n || select->keep.n || select->drop.n || select->no_hardirq || select->no_softirq;
}

/*
 * Returns true if both of these are true:
 * - an analysis of this reading shows when tasks were on a CPU (ANALYSIS_STAYS);
 * - a filter, --func or --min-duration leaves out some records of sched_switch.
 * reading_run() warns of this, if the reading has files of its own (.shares is NULL).
 */
bool reading_hides_stays(const struct reading *reading);

/* Warns if calls of functions were left out because of their depth (calls_deep() in lib/analysis/calls.h). */
void reading_warn_of_deep(const struct reading *reading);

/* Tells for each file how many of its tasks lack switches, if input.lacking is set. */
void reading_note_lacking(const struct reading *reading);

/*
 * Warns of everything that is missing in the answers of the analyses. Does nothing if the reading shares the files of another reading. reading_run()
 * calls reading_warn().
 */
void reading_warn(const struct reading *reading);

/* Returns the needs of all analyses of this reading together, as bits of enum analysis_needs. */
unsigned int reading_needs(const struct reading *reading);

/* Messages use this text if reading_hides_stays() returns true. */
#define READING_HIDES_STAYS "it is not known when tasks were on a CPU and when they were off it: " INPUT_SOME_SWITCHES

/*
 * Writes @text to reading->out. If reading->trace.visible is set, first escapes @text in place, as lib/base/visible.h describes. If a call fails, all later
 * calls write nothing. Returns 0, -EPIPE when nobody reads the output any more, -ENOMEM, or another -errno after a message.
 */
int reading_write(struct reading *reading, struct str *text);

/*
 * Does what reading_write() does, but escapes nothing, so the text can have colours. If reading->trace.visible is set, the caller must already have
 * escaped each part of the text that comes from a trace.
 */
int reading_write_shown(struct reading *reading, struct str *text);

/* --- records while they happen ------------------------------------------------------------------------------ */

/*
 * This is called instead of reading_open() for live records. The reading must have one input. The input must be open already. As after
 * reading_open(), the caller then calls reading_add() and reading_select(). After this, the caller hands the pages of the ring buffer to the merge, which is
 * reading->pass.merge. lib/data/merge.h describes this step, and what @window_ns means. Returns 0, or -errno after a message.
 */
int reading_open_live(struct reading *reading, uint64_t window_ns);

/*
 * reading_go() takes in the records that are due (lib/data/merge.h), and lets the handlers show these records (pass_flush()). reading_show() shows the
 * analyses' answers so far, and may be called at any time. Both functions return what reading_run() returns.
 */
int reading_go(struct reading *reading);
int reading_show(struct reading *reading);

/* Must be called after the last record. Shows the analyses' answers, as reading_run() does. Returns what reading_run() returns. */
int reading_end(struct reading *reading);

#endif
