/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collects from a recording what is drawn over time: which task each CPU ran, interrupts and losses, the calls of each task, when it waited, and all
 * other events. When there is more than can be shown, the shortest calls and runs are folded first. Neighbouring calls of one task become one bar,
 * which shows how many they are. Nothing in here prints.
 */
#ifndef RINGSIDE_TIMELINE_H
#define RINGSIDE_TIMELINE_H

#include "lib/analysis/paths.h"

/* Stands in place of a track's number when there is no track, or when runs of several tasks were folded into one. */
#define TIMELINE_NONE UINT32_MAX

/* This is a call, or several that are folded into one. All times are as input_time() has them. */
struct timeline_slice {
	uint64_t start, length;
	uint64_t callees, irq, off; /* parts of its length; when the call is not complete, as much of them as is known */
	uint32_t name;		    /* of paths.graph; a folded one has no name */
	uint32_t folded;	    /* how many calls it stands for; 0: it is one */
	uint16_t depth, cpu;
	uint8_t cut; /* bits of enum call_cut, and 16 when the call is not complete for another reason */
};

enum timeline_state { TIMELINE_BLOCKED, TIMELINE_QUEUED, TIMELINE_PREEMPTED };

/* This tells where a task was woken from: from another task, or from an interrupt on top of that task. */
enum timeline_from { TIMELINE_TASK, TIMELINE_SOFTIRQ, TIMELINE_HARDIRQ };

/* This is a time for which a task was off the CPU. */
struct timeline_wait {
	uint64_t start, length;
	uint32_t by;   /* when it is queued: 1 + the track of who woke it; 0: not known */
	uint8_t state; /* enum timeline_state */
	uint8_t from;  /* with .by: enum timeline_from */
};

/* A track is a line of the drawing. It is for a task of a buffer, or it stands beside a task and is for calls that can overlap with others of the task. */
struct timeline_track {
	int pid;
	uint16_t cpu, buffer; /* cpu: of pid 0 */
	uint8_t file;
	bool aside;
	VEC(struct timeline_slice) slices; /* in the order in which they end */
	VEC(struct timeline_wait) waits;
	/* The rest is used only while the track is made. */
	bool is_off, is_woken;
	uint8_t off; /* enum timeline_state */
	uint64_t since, woken;
	uint32_t woken_by; /* as in struct timeline_wait */
	uint8_t woken_from;
};

/* This is a time for which a task ran on a CPU without a break. */
struct timeline_run {
	uint64_t start, length;
	uint32_t track;	 /* TIMELINE_NONE: several that are folded */
	uint32_t folded; /* how many runs it stands for; 0: it is one */
};

struct timeline_irq {
	uint64_t start, length;
	uint32_t name; /* of paths.graph */
	uint8_t depth; /* 1: it interrupted another one */
	bool soft;
};

struct timeline_loss {
	uint64_t start, length; /* from the last record of the CPU before the loss to the first one after it */
	int64_t events;		/* LOST_UNKNOWN: the kernel did not say */
};

/* This is an event, as a mark. */
struct timeline_mark {
	uint64_t at;
	uint32_t track, event; /* event: index into .names of paths.graph */
	uint32_t folded;       /* how many more events it stands for */
	uint16_t cpu;
	char *text; /* what the event says; owned */
};

enum { TIMELINE_IRQS = 8 };

struct timeline_cpu {
	uint16_t cpu;
	uint8_t file;
	VEC(struct timeline_run) runs;
	VEC(struct timeline_irq) irqs;
	VEC(struct timeline_loss) losses;
	/* The rest is used only while the timeline is made. */
	bool running;
	uint32_t track;
	uint64_t since, last;
	struct timeline_irq open[TIMELINE_IRQS];
	unsigned int nopen;
	bool tells_irqs; /* it has records of the events of interrupts */
};

/* These are the most slices, runs and marks that are kept. 0 means as many as fit into a page. */
struct timeline_options {
	size_t most_slices, most_runs, most_marks;
};

/*
 * .n is the number of slices, runs or marks that were folded in all. Slices and runs were folded when they were shorter than .shorter. Marks were folded
 * when they followed another mark within that time.
 */
struct timeline_folded {
	uint64_t n, shorter;
};

struct timeline {
	struct timeline_options opt;
	const inputs_t *inputs;
	struct calls *calls;
	struct paths *paths; /* borrowed */
	struct calls_user user;
	VEC(struct timeline_track) tracks;
	VEC(struct timeline_cpu) cpus;
	VEC(struct timeline_mark) marks;
	struct keys cpu_keys;
	struct timeline_event **events; /* by input and event id */
	bool begun;
	uint64_t first, last; /* the times of the first and the last record */
	size_t nslices, nruns;
	struct timeline_folded slices, runs, marks_folded;
};

/*
 * Makes a timeline, which adds itself to @calls. @paths must have been added to @calls before, and must outlive the timeline. The caller then gives
 * each record to timeline_record(), and calls timeline_end() after the last one. These functions return 0 or -ENOMEM.
 */
int timeline_new(struct timeline **out, const inputs_t *inputs, struct calls *calls, struct paths *paths, const struct timeline_options *opt);
int timeline_record(struct timeline *timeline, const struct record *rec);
int timeline_end(struct timeline *timeline);
void timeline_free(struct timeline *timeline);

/*
 * These fold the shortest slices, the shortest runs, or the marks that stand closest together, until at most half of them are left or no more can be
 * folded.
 */
void timeline_fold_slices(struct timeline *timeline);
void timeline_fold_runs(struct timeline *timeline);
void timeline_fold_marks(struct timeline *timeline);

#endif
