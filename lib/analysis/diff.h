/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares two sides, function by function or path by path. A side is one or more recordings. Each recording is taken in by itself (lib/analysis/diff-take.c)
 * and becomes a run. diff_new() makes rows from the runs of both sides, one for each function or path, and judges the rows. Nothing in here prints.
 */
#ifndef RINGSIDE_DIFF_H
#define RINGSIDE_DIFF_H

#include "lib/analysis/compare.h"
#include "lib/analysis/paths.h"
#include "lib/analysis/reading.h"

/* These are the two sides. An array of two elements has one element for each side. */
enum { OLD, NEW };

enum { DIFF_SLICES = 32 }; /* into how many slices of time each recording is divided: see diff_item.slices */

/* This is a function or a path in one recording. Times are in ns. ringside-funcs(1) explains the terms total, self, off and irq. */
struct diff_item {
	char *key;		/* the name of the function, or the path with ';' between names; no two items of a run have the same key */
	struct quantiles calls; /* the total times of its complete calls */
	/* The sum of the totals of its complete calls. For a function, recursive calls are left out, because they are inside of its other calls. */
	uint64_t total;
	uint64_t self, off, irq;
	uint64_t unplaced; /* for how many calls the time off the CPU is not known: see callgraph_unplaced() in lib/analysis/callgraph.h */
	/* How many calls began in each slice of the recording. All slices are equally long. All items have the same slices. */
	uint32_t slices[DIFF_SLICES];
	/*
	 * How many calls were made by interrupts, idle tasks or the scheduler. The number of such calls depends on how long the recording lasts, and not on
	 * the work that is recorded.
	 */
	uint64_t by_time;
	bool anytime;	  /* interrupts, idle tasks or the scheduler have called the function, in this path or in another one */
	uint32_t sources; /* a mask: bit i is set if some of its calls have the call_frame.source i; for a path, also if some of their callers have it */
	uint8_t level;	  /* for a path: the level (enum call_level in lib/analysis/call-source.h) of its outermost call; 0 if an interrupt made that call */
	/*
	 * The total times, in batches (lib/analysis/compare.h). If both tasks and interrupts called the function, the batches have only the times of the calls
	 * by tasks or of the calls by interrupts, whichever calls are more.
	 */
	struct batches batches;
	/*
	 * The variance of the number of the item's calls, on the assumption that outermost calls come by chance. For each outermost call, the number of the
	 * item's calls below it is squared. The variance is the sum of these squares.
	 */
	double spread;
	/*
	 * The number of its calls in calm outermost calls, and the variance of this number on the same assumption as for .spread. An outermost call is calm
	 * if all of these are true:
	 * - its task did not leave the CPU in it;
	 * - no interrupt came in it;
	 * - neither an interrupt nor an idle task made it;
	 * - it is not one of the calls with which the kernel finishes a wait or an interrupt: the first few outermost calls of function_graph that the task
	 *   makes after one.
	 * The other calls may be there only because of waits and interrupts, for example because a cache did not have what was looked for.
	 */
	double calm, calm_spread;
};

/*
 * These are the ways to count how often tasks waited, and how many interrupts there were. The two ways do not count the same things. So numbers of different
 * recordings are compared only if they were counted in the same way.
 * - DIFF_BY_EVENTS: a wait is a sched_switch with which a task other than the idle task leaves its CPU. An interrupt is the beginning of a handler of a hard
 *   interrupt, such as irq_handler_entry.
 * - DIFF_BY_CALLS: a wait is a call of schedule() or of a similar function. An interrupt is an outermost function of an interrupt, hard or soft.
 */
enum diff_way { DIFF_BY_EVENTS, DIFF_BY_CALLS, DIFF_WAYS };

struct diff_run {
	const char *path;  /* the path of the file; borrowed */
	bool by_path;	   /* items are paths, not functions */
	size_t most_bytes; /* the limit for the memory of the tree of calls: see struct callgraph_options */
	VEC(struct diff_item) items;
	uint64_t roots;	   /* the time of all complete calls together: the sum of self and off over all items */
	uint64_t span;	   /* from the entry of the first call to the entry of the last one, in ns; in ticks of the trace's clock if .ticks is true */
	bool ticks;	   /* the trace's clock counts ticks of unknown length */
	uint64_t lacking;  /* for how many tasks the time off the CPU is not known, because they lack switches (paths_find_lacking()) */
	bool off_known;	   /* true: the time off the CPU is known or guessed; false: that time is part of self */
	bool unmeasured;   /* timed_facts.unmeasured (lib/analysis/timed.h) */
	bool narrowed;	   /* options can have left out all records of sched_switch (input.narrowed) */
	uint32_t sources;  /* a mask: bit i is set if the recording has calls with the call_frame.source i, complete or not, chosen or not */
	uint32_t outer[3]; /* element i has the bits of .sources whose calls are on the stacks of tasks and have the level i (enum call_level) */
	/*
	 * How often a task waited, and how many interrupts there were, counted in two ways: see enum diff_way. NAN: the recording cannot be counted in this
	 * way.
	 */
	double waits[DIFF_WAYS], interrupts[DIFF_WAYS];
	uint64_t cut;		  /* how many calls are not complete */
	uint64_t timeless;	  /* for how many complete calls the total is not known */
	const char *why_timeless; /* what units_why_timeless() (lib/analysis/units.h) returns */
	uint64_t folded;	  /* how many paths did not fit into the memory; they are in no item */
	uint64_t deep;		  /* what calls_deep() (lib/analysis/calls.h) returns */
	struct calls_lost lost;
	strv_t names; /* all names in the tree of calls, including names without an item; for messages */
};
typedef VEC(struct diff_run) diff_runs_t;

/* This analysis takes a recording in. Its options are a struct diff_run, in which .path, .by_path and .most_bytes are set. The analysis fills in the rest. */
extern const struct analysis diff_analysis;

void diff_run_fini(struct diff_run *run);

/*
 * DIFF_UNKNOWN: the row is not compared. The row's calls come from a source (call_frame.source), and at least one of the recordings has no calls from this
 * source. For example, if one recording has no function_graph, nobody knows how often the function was called in that recording.
 */
enum diff_verdict { DIFF_SAME, DIFF_SLOWER, DIFF_FASTER, DIFF_MORE, DIFF_LESS, DIFF_NEW, DIFF_GONE, DIFF_UNKNOWN, DIFF_VERDICTS };

/* Returns "slower", "more often" and so on. */
const char *diff_verdict_name(enum diff_verdict verdict);

/* This is the part of a row that is about one side. If the side has several recordings, .calls, .total, .self, .off and .irq are means over its recordings. */
struct diff_side {
	struct quantiles all; /* the total times of the calls in all its recordings together */
	double calls, total, self, off, irq;
	bool unplaced;	      /* for some calls, the time off the CPU is not known */
	bool unrecorded;      /* at least one recording has no calls from one of the row's sources (DIFF_UNKNOWN), so this side's figures are not known */
	struct design design; /* how much the times of calls depend on the calls before them: the design effect (lib/analysis/compare.h) */
	uint64_t low, high;   /* the ends of the confidence interval of the median */
	double variance;      /* the variance of .calls */
	double calm;	      /* the mean of diff_item.calm over its recordings */
	double calm_variance; /* the variance of .calm */
	double calls_range;   /* the largest difference between two of its recordings in the number of calls */
	double median_range;  /* the largest difference between two of its recordings in the logarithm of the median */
};

struct diff_row {
	const char *key; /* borrowed from a run */
	struct diff_side sides[2];
	const struct diff_item **items; /* one item for each run, the runs of the old side first; NULL for a run without this item */
	/*
	 * The .sources of all its items. A path also has all sources whose calls could be around the path. These are the sources that any recording has at a
	 * lower level. For example, if a recording has no system calls, nobody knows with which system call a function's path would have begun.
	 */
	uint32_t sources;
	uint8_t level; /* the highest .level of its items */
	bool anytime;  /* the .anytime of any of its items */
	bool by_time;  /* more than a few of its calls are counted in the .by_time of its items */
	enum diff_verdict verdict;
	/*
	 * .time_verdict is the verdict on the times: slower, faster or same. .calls_verdict is the verdict on the number of calls: more, less, new,
	 * gone or same.
	 */
	enum diff_verdict time_verdict, calls_verdict;
	/*
	 * .ratio is the shift, which is the new median divided by the old median. The interval of the shift is .low to .high. All three are 0 when there are
	 * too few calls.
	 */
	double ratio, low, high;
	double error;	/* the standard deviation of the logarithm of .ratio */
	double within;	/* what .error would be without the spread between recordings */
	double freedom; /* the degrees of freedom of .error */
	/*
	 * These are about the row's peers. Peers are other functions that show how the speed of the machine has changed (lib/analysis/diff-peers.h has the
	 * conditions).
	 * - .common is the logarithm of the shift that the peers share.
	 * - .scatter is the standard deviation of the logarithms of the peers' own shifts around .common.
	 * - .apart is what .scatter would be if the shifts were known exactly. 0: the errors of the shifts explain .scatter.
	 * - .peers is the effective number of the peers, which have different weights. This many functions of equal weight would tell as much. 0: there are
	 *   too few peers.
	 */
	double common, scatter, apart, peers;
	/*
	 * Too few other functions are called at the same time as this row's function. So the row's peers may also be functions that are called at other times.
	 */
	bool alone;
	/*
	 * The times are not judged, because most calls happened within a short time, in which the machine may have been slower. This is so if all of these
	 * are true:
	 * - there is only one recording on each side;
	 * - times depend on the machine (diff.dependence);
	 * - most calls were made in a few slices of a recording;
	 * - .alone is true, or this row has few .peers although other rows have peers.
	 */
	bool brief;
	struct mann_whitney test;
	double time_p;	/* the p-value of the test that compares the times; adjust_p() has adjusted it; 1: not tested */
	double calls_p; /* the p-value of the test that compares the numbers of calls; adjust_p() has adjusted it; 1: not tested */
	double change;	/* how much the row's self plus off has changed, ns */
	double share;	/* .change in percent of the change of diff.roots; NaN if diff.roots has not changed, or if diff.incomparable is true */
};

struct diff {
	diff_runs_t *runs[2];	   /* borrowed */
	VEC(struct diff_row) rows; /* the rows that changed most come first */
	double roots[2];	   /* the mean of diff_run.roots over the recordings of a side */
	/*
	 * The .roots of the two sides cannot be compared, because they are not the times of the same kinds of calls: at least one row is DIFF_UNKNOWN.
	 */
	bool incomparable;
	double span[2]; /* the mean of diff_run.span over the recordings of a side */
	double common;	/* the shift that most functions share: a logarithm of a ratio of medians */
	size_t judged;	/* the number of rows from which .common was found; 0: there are too few rows */
	/*
	 * The means of diff_run.waits and diff_run.interrupts over the recordings of a side. Waits and interrupts are counted by events if this is possible for
	 * all recordings of both sides, and otherwise by calls. NAN, on both sides: not all recordings can be counted in the same way.
	 */
	double waits[2], interrupts[2];
	/*
	 * How differently the machine behaved on the two sides. One measure is the logarithm of the ratio of the two .waits. The other is the logarithm of the
	 * ratio of the two .interrupts. Before each ratio is computed, 20 is added to the number of each side. .unlike is the larger absolute value of these
	 * two measures. NAN: neither is known.
	 */
	double unlike;
	/*
	 * How much the times of calls depend on the calls before them. This is the median of the design effects (lib/analysis/compare.h) of all rows that
	 * can be peers. 1: the times do not depend on each other.
	 */
	double dependence;
	size_t not_judged; /* how many rows are not judged, because there is only one recording on each side and their .by_time is true */
	size_t brief;	   /* the number of rows whose .brief is true; their times are not judged */
	double restless;   /* the spread of the numbers of calls, divided by the spread that chance alone causes; never below 1 */
};

/* Returns true if there is only one recording on each side. In this case, nothing tells how much recordings of the same work differ. */
static inline bool diff_is_single(const struct diff *diff)
{
	return diff->runs[OLD]->n == 1 && diff->runs[NEW]->n == 1;
}

/*
 * Returns true if diff->roots can be compared and has changed by 1 % or more. If the result is false, it makes no sense to say which rows explain the change
 * of diff->roots.
 */
static inline bool diff_explains(const struct diff *diff)
{
	const double change = diff->roots[NEW] - diff->roots[OLD];

	return !diff->incomparable && (change < 0 ? -change : change) * 100 >= MAX(diff->roots[OLD], diff->roots[NEW]);
}

/*
 * Compares the runs of the two sides. If the sides are swapped, the p-values stay the same, and each verdict becomes its opposite. Borrows both vectors.
 * Returns 0 or -ENOMEM.
 */
int diff_new(struct diff **out, diff_runs_t *old, diff_runs_t *new);
void diff_free(struct diff *diff);

/* This is a condition on rows, as in "slower > 10%" or "vfs_*: more often > 5%". */
struct diff_rule {
	const char *text;	   /* the condition as the user typed it; borrowed */
	char *glob;		   /* the condition applies to rows whose key matches this glob; NULL: to all rows */
	enum diff_verdict verdict; /* the verdict that meets the condition; DIFF_SAME: every verdict except "same" and "unknown" meets the condition */
	double over;		   /* a change meets the condition only if it is larger than this, in percent */
};

/* Parses a condition. Borrows @text. Returns 0, -EINVAL after a message, or -ENOMEM. The caller frees rule->glob, even after an error. */
int diff_rule_parse(struct diff_rule *rule, const char *text);

/* Returns true if the condition applies to this row. The result depends only on the row's key. */
bool diff_rule_names(const struct diff_rule *rule, const struct diff_row *row);

/* Returns true if the condition applies to this row and the row meets the condition. */
bool diff_rule_holds(const struct diff_rule *rule, const struct diff_row *row);

#endif
