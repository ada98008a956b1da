/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading traces: which files, which of their records, and what is made of them. All commands that look at records share this:
 *	struct reading reading = { ... what the options say ... };
 *	reading_open(&reading);
 *	reading_add(&reading, &hist_analysis, &options);
 *	reading_select(&reading);
 *	reading_run(&reading);		shows the analyses at the end
 *	reading_close(&reading);
 * Records that come while they happen take the same way, see below. Errors are told once, where they are found.
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

/* An analysis of a reading. */
struct reading_part {
	const struct analysis *what;
	void *options;			/* borrowed */
	struct handler *handler;	/* owned by the pass */
};

struct reading {
	/* What is asked for, set before reading_open(). */
	inputs_t inputs;		/* .path, .ts_offset and .hz of each; live all of it */
	struct cpuset cpus;		/* when .has_cpus */
	bool has_cpus;
	strv_t buffers;			/* globs of buffers' names; empty: all */
	const char *kallsyms;		/* take the functions' names from this file; NULL: no */
	const char *since, *until;	/* as in struct window_options */
	uint64_t from, to;		/* beside these: only such times, as input_time() has them, both included; both 0: all */
	struct select_options select;
	struct within_options within;
	pairs_t pairs;			/* of events, whose times are calls */
	struct trace_options trace;
	bool raw_ts, no_date;		/* as in struct clock_options */
	bool align;			/* the first record that is shown has time 0 */
	bool check_order;		/* warn where the time of a CPU goes back */
	bool exact;			/* -t: times are typed and shown with nanoseconds */
	bool quiet;			/* no remarks */
	bool colour;			/* a terminal's colours are wanted */
	int out;			/* where analyses write */
	const char *out_name;		/* the file of that, for messages; NULL: it is "the report" */

	/* While it is open. */
	struct pool *pool;
	bool hush;			/* what is damaged has been told before; set between reading_share() and reading_select() */
	bool shares;			/* files and threads are those of another: reading_share() */
	struct pass pass;
	bool failed;			/* to write: nothing is written any more */
	struct select *selected;
	struct latency *latency;	/* owned by the pass; NULL: there are no events of --latency */
	struct calls *calls;		/* owned by the pass: see reading_calls() */
	VEC(struct reading_part) parts;
};

/* Appends a file to the inputs. 0 or -ENOMEM. */
int reading_input(struct reading *reading, const char *path);

/*
 * Opens all inputs; their symbols may still be read by a job, which reading_ready() waits for. 0, or -errno after a message.
 * reading_close() in any case.
 */
int reading_open(struct reading *reading);
int reading_ready(struct reading *reading);

/*
 * Instead of opening: reads the files of @whole, which is open and ready and stays so longer, once more, as if nobody had read them: the same options,
 * and names of tasks learned anew. Then as after reading_open(), but reading_again() ends it. 0 or -errno after a message.
 */
int reading_share(struct reading *reading, struct reading *whole);

/* Wants an analysis, whose row and options are borrowed. 0, or -ENOMEM after a message. */
int reading_add(struct reading *reading, const struct analysis *what, void *options);

/*
 * Makes what chooses records and the analyses: all that the options can be wrong about is told here, before anything is
 * printed. Begins to decode. 0; -EINVAL after a message about an option; another -errno after a message.
 */
int reading_select(struct reading *reading);

/*
 * Takes all records in and shows the analyses, in the order in which they were added. 0; -EPIPE when nobody reads; -errno after a
 * message.
 */
int reading_run(struct reading *reading);

/* Was something in the files damaged, as far as they have been read? */
bool reading_damaged(const struct reading *reading);

/* Closes the files and frees what was made of them, so that the same can be asked of others: only the inputs are forgotten. */
void reading_again(struct reading *reading);

/* Closes all and frees what the reading has, also what was asked for. */
void reading_close(struct reading *reading);

/* --- for analyses ------------------------------------------------------------------------------------------- */

/*
 * The calls of this reading, which all analyses share; made when they are first asked for. NULL: out of memory. Only from
 * analysis.make().
 */
struct calls *reading_calls(struct reading *reading);

/* Writes to reading->out, nothing more after it has failed once. 0; -EPIPE; -ENOMEM; another -errno after a message. */
int reading_write(struct reading *reading, struct str *text);

/* The same of a text with colours, in which what comes from a trace has been made visible where trace.visible says so. */
int reading_write_shown(struct reading *reading, struct str *text);

/* --- records while they happen ------------------------------------------------------------------------------ */

/*
 * For one input, already open, whose pages are handed in: reading_open_live() instead of reading_open(), then reading_add() and
 * reading_select() as above. The merge, reading->pass.merge, is fed by the caller (lib/data/merge.h).
 * 0, or -errno after a message.
 */
int reading_open_live(struct reading *reading, uint64_t window_ns);

/* Takes in what is due now, and flushes. reading_show() shows the analyses as they are, which is possible at any time. */
int reading_go(struct reading *reading);
int reading_show(struct reading *reading);

/* No more records: as the end of reading_run(). */
int reading_end(struct reading *reading);

#endif
