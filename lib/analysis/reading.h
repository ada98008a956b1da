/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads traces. A reading says which files are read, which of their records are taken, and which analyses take them in. All commands that look at
 * records use it:
 *	struct reading reading = { ... what the options say ... };
 *	reading_open(&reading);
 *	reading_add(&reading, &hist_analysis, &options);
 *	reading_select(&reading);
 *	reading_run(&reading);		shows the analyses at the end
 *	reading_close(&reading);
 * Records that are read while they happen go through the same steps; see below. An error is reported once, where it is found.
 */
#ifndef RINGSIDE_READING_H
#define RINGSIDE_READING_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/calls.h"
#include "lib/analysis/latency.h"
#include "lib/analysis/pass.h"
#include "lib/analysis/select.h"
#include "lib/analysis/window.h"
#include "lib/analysis/within.h"

/* This is an analysis of a reading. */
struct reading_part {
	const struct analysis *what;
	void *options;		 /* borrowed */
	struct handler *handler; /* owned by the pass */
};

struct reading {
	/* These members say what is asked for. They are set before reading_open(). */
	inputs_t inputs;    /* .path, .ts_offset and .hz of each; for a live reading everything */
	struct cpuset cpus; /* the wanted CPUs, when .has_cpus */
	bool has_cpus;
	strv_t buffers;		   /* globs of buffers' names; empty: all */
	const char *kallsyms;	   /* a file from which names of functions are taken; NULL: from the trace */
	const char *since, *until; /* as in struct window_options */
	uint64_t from, to; /* only records of these times, both included, as input_time() has them; both 0: all. This is in addition to .since and .until */
	struct select_options select;
	struct within_options within;
	pairs_t pairs; /* of events, whose times are calls */
	struct trace_options trace;
	bool raw_ts, no_date; /* as in struct clock_options */
	bool align;	      /* the first record that is shown has time 0 */
	bool check_order;     /* warn where the time of a CPU goes back */
	bool exact;	      /* -t: times are typed and shown with nanoseconds */
	bool quiet;	      /* no remarks are printed */
	bool colour;	      /* output has the colours of a terminal */
	int out;	      /* where analyses write */
	const char *out_name; /* the name of that file, for messages; NULL: "the report" */

	/* These members are used while the reading is open. */
	struct pool *pool;
	bool hush;   /* what is damaged has been reported before; set between reading_share() and reading_select() */
	bool shares; /* it uses the files and threads of another reading: reading_share() */
	struct pass pass;
	bool failed;	      /* writing has failed, so that nothing is written any more */
	struct str selection; /* as lib/output/reading-meta.c writes it */
	struct select *selected;
	bool asked, found;	 /* .asked: an analysis of all tasks was asked for some tasks; .found: there was a record of one of them */
	struct latency *latency; /* owned by the pass; NULL: there are no events of --latency */
	struct calls *calls;	 /* owned by the pass: see reading_calls() */
	VEC(struct reading_part) parts;
};

/* Appends a file to the inputs. Returns 0 or -ENOMEM. */
int reading_input(struct reading *reading, const char *path);

/*
 * Opens all inputs. A job may still be reading their symbols; reading_ready() waits for it. Both return 0, or -errno after a
 * message. The caller calls reading_close() in either case.
 */
int reading_open(struct reading *reading);
int reading_ready(struct reading *reading);

/*
 * This is called instead of reading_open() to read the files of @whole once more. The options are the same, and names of tasks are learned anew.
 * @whole must be open and ready, and must stay open for longer than @reading. Afterwards everything is as after reading_open(), but the caller ends
 * the reading by reading_again(). Returns 0, or -errno after a message.
 */
int reading_share(struct reading *reading, struct reading *whole);

/* Adds an analysis, whose row and options are borrowed. Returns 0, or -ENOMEM after a message. */
int reading_add(struct reading *reading, const struct analysis *what, void *options);

/*
 * Makes the selection of records and the analyses, and begins to decode. Everything that is wrong with the options is reported here, before anything
 * is printed. Returns 0, -EINVAL after a message about an option, or another -errno after a message.
 */
int reading_select(struct reading *reading);

/*
 * Takes in all records and shows the analyses in the order in which they were added. Returns 0, -EPIPE when nobody reads the
 * output, or -errno after a message.
 */
int reading_run(struct reading *reading);

/* Has damage been found in what was read of the files so far? */
bool reading_damaged(const struct reading *reading);

/*
 * Closes the files and frees everything that was made of them, and forgets the inputs. The options stay, so that other files can
 * be read with them.
 */
void reading_again(struct reading *reading);

/* Closes the files and frees everything, also the options. */
void reading_close(struct reading *reading);

/* --- for analyses ------------------------------------------------------------------------------------------- */

/*
 * Returns the calls of this reading, or NULL when memory runs out. All analyses share them. They are made when they are first asked for. Only
 * analysis.make() may call it.
 */
struct calls *reading_calls(struct reading *reading);

/* Returns true when options leave out some records of a task and not others: by event, or by a filter. */
bool reading_has_holes(const struct reading *reading);

/*
 * Returns true when an analysis of this reading shows when tasks were on a CPU (ANALYSIS_STAYS), and a filter leaves out records of sched_switch. A reading
 * warns of it unless it shares the files of another one.
 */
bool reading_hides_stays(const struct reading *reading);
#define READING_HIDES_STAYS "when tasks were on a CPU and off it is not known: a filter leaves out records of sched_switch"

/*
 * Writes @text to reading->out. After a failure nothing more is written. Returns 0, -EPIPE, -ENOMEM, or another -errno after a
 * message.
 */
int reading_write(struct reading *reading, struct str *text);

/*
 * Does what reading_write() does, with a text that has colours. If trace.visible is set, what it has from a trace must already be in the form of
 * lib/base/visible.h.
 */
int reading_write_shown(struct reading *reading, struct str *text);

/* --- records while they happen ------------------------------------------------------------------------------ */

/*
 * This is called instead of reading_open() for one input that is open already and whose pages are handed in. reading_add() and reading_select()
 * follow as above. The caller feeds the merge, reading->pass.merge (lib/data/merge.h). Returns 0, or -errno after a message.
 */
int reading_open_live(struct reading *reading, uint64_t window_ns);

/*
 * reading_go() takes in the records that are due, and lets handlers show them. reading_show() shows the answers so far, at any time. Both return what
 * reading_run() returns.
 */
int reading_go(struct reading *reading);
int reading_show(struct reading *reading);

/* Must be called after the last record. It does what reading_run() does at its end. */
int reading_end(struct reading *reading);

#endif
