/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares two sides of recordings, function by function or path by path. Each recording is taken in by itself
 * (lib/analysis/diff-take.c) and becomes a run. diff_new() makes rows of the runs of both sides and judges them. Nothing in here prints.
 */
#ifndef RINGSIDE_DIFF_H
#define RINGSIDE_DIFF_H

#include "lib/analysis/compare.h"
#include "lib/analysis/paths.h"
#include "lib/analysis/reading.h"

enum { OLD, NEW };

enum { DIFF_SLICES = 32 };

/* This is a function or a path in one recording. */
struct diff_item {
	char *key;		/* the name of the function, or the path with ';' between names */
	struct quantiles calls; /* the totals of all complete calls */
	uint64_t total;		/* their sum; for a function recursive calls are left out, because they are inside of its other calls */
	uint64_t self, off, irq;
	uint32_t slices[DIFF_SLICES]; /* how many calls began in each part of the recording; the parts are equally long, and the same for all items */
	uint64_t by_time;	      /* how many calls were made by interrupts, idle tasks or the scheduler; their number depends on time and not on work */
	struct batches batches;
	double spread; /* the variance of the number of its calls, which is estimated from .slices */
};

struct diff_run {
	const char *path;  /* of the file; borrowed */
	bool by_path;	   /* paths are wanted, not functions */
	size_t most_bytes; /* as in struct callgraph_options */
	VEC(struct diff_item) items;
	uint64_t roots;		    /* the total of all outermost calls, as far as they are complete: the sum of self and off of all items */
	uint64_t span;		    /* from the entry of the first call to the entry of the last one, in ns */
	bool off_known;		    /* the time off the CPU is known, at least by guess; otherwise it is part of self */
	uint64_t waits, interrupts; /* how often a task called the scheduler, and how many interrupts there were */
	uint64_t cut;		    /* calls that are not complete */
	uint64_t folded;	    /* paths that did not fit into the memory, and are in no item */
	struct calls_lost lost;
	strv_t names; /* of all functions, for messages; only with .by_path */
};
typedef VEC(struct diff_run) diff_runs_t;

/* Takes a recording in. The analysis's options are the struct diff_run, in which .path, .by_path and .most_bytes are set. */
extern const struct analysis diff_analysis;

void diff_run_fini(struct diff_run *run);

enum diff_verdict { DIFF_SAME, DIFF_SLOWER, DIFF_FASTER, DIFF_MORE, DIFF_LESS, DIFF_NEW, DIFF_GONE, DIFF_VERDICTS };

/* Returns "slower", "more often" and so on. */
const char *diff_verdict_name(enum diff_verdict verdict);

/* This is the part of a row that is about one side. When the side has several recordings, all members except .all are means over them. */
struct diff_side {
	struct quantiles all; /* the calls of all its recordings */
	double calls, total, self, off, irq;
	struct design design;
	uint64_t low, high;		  /* the interval of the median */
	double variance;		  /* of .calls */
	double calls_range, median_range; /* the largest difference between two recordings, in calls and in the logarithms of medians */
};

struct diff_row {
	const char *key; /* borrowed from a run */
	struct diff_side sides[2];
	const struct diff_item **items; /* an item for each run, the old runs first; NULL: the row is not in that run */
	bool by_time;			/* more than a few of its calls are counted in diff_item.by_time */
	enum diff_verdict verdict;
	/*
	 * These are the verdicts on times and on calls, each by itself: .time_verdict is slower, faster or same; .calls_verdict is same or one of the
	 * others.
	 */
	enum diff_verdict time_verdict, calls_verdict;
	/* The shift is the ratio of the medians, with its interval. They are 0 when there are too few calls to tell. */
	double ratio, low, high;
	double error, within; /* the standard deviation of the logarithm of the ratio, and what it would be without the spread between recordings */
	double freedom;	      /* the degrees of freedom of .error */
	/*
	 * The shift that the row's peers share (lib/analysis/diff-peers.h) is .common. The standard deviation of their own shifts around it is .scatter.
	 * The peers have different weights, and .peers is their effective number, which is the number of functions of equal weight that would tell as much.
	 * It is 0 when there are too few peers.
	 */
	double common, scatter, peers;
	struct mann_whitney test;
	double time_p, calls_p; /* adjusted; 1: not tested */
	double change;		/* of self and off together, ns */
	double share;		/* percent of the change of the roots' total; not a number, when that has not changed */
};

struct diff {
	diff_runs_t *runs[2];	   /* borrowed */
	VEC(struct diff_row) rows; /* the rows that changed most come first */
	double roots[2];	   /* the mean of diff_run.roots over the recordings of a side */
	double span[2];
	double common;			/* the shift that most functions share with others: the logarithm of the ratio of the medians */
	size_t judged;			/* from how many rows .common was found; 0: there are too few */
	double waits[2], interrupts[2]; /* the means over the recordings of a side */
	double unlike;			/* how differently the machine behaved: the logarithm of the ratio of .waits or of .interrupts, whichever is larger */
	size_t not_judged;		/* the number of rows that are .by_time and have one recording on each side, which is too little to judge them */
	double restless;		/* the factor by which counts of calls vary more than by chance; 1: they do not vary more */
};

/*
 * Returns whether the total of the roots has changed by so much that it makes sense to say what explains it. When it has changed by less, the change
 * of a single row can be many times the change of the whole.
 */
static inline bool diff_explains(const struct diff *diff)
{
	const double change = diff->roots[NEW] - diff->roots[OLD];

	return (change < 0 ? -change : change) * 100 >= MAX(diff->roots[OLD], diff->roots[NEW]);
}

/* Compares the runs of two sides, which it borrows. Returns 0 or -ENOMEM. */
int diff_new(struct diff **out, diff_runs_t *old, diff_runs_t *new);
void diff_free(struct diff *diff);

/* This is a condition on rows, as in "slower > 10%" or "vfs_*: more often > 5%". */
struct diff_rule {
	const char *text;	   /* as typed; borrowed */
	char *glob;		   /* the keys to which it applies; NULL: all */
	enum diff_verdict verdict; /* DIFF_SAME: any verdict other than "same" */
	double over;		   /* the change has to be larger than this, in percent */
};

/* Parses a condition. Returns 0, -EINVAL after a message, or -ENOMEM. */
int diff_rule_parse(struct diff_rule *rule, const char *text);

/* Does the condition apply to this row, by the row's name? */
bool diff_rule_names(const struct diff_rule *rule, const struct diff_row *row);

/* Does the condition apply to the row, and does the row meet it? */
bool diff_rule_holds(const struct diff_rule *rule, const struct diff_row *row);

#endif
