/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collects from a recording what is drawn over time. For each CPU, these are the tasks that ran, the interrupts and the losses. For each task, these are
 * the calls and the waits. All other events are drawn as marks. When there is more than can be shown, the shortest calls and runs are folded first. Folding
 * makes one bar of neighbouring calls of a task, or of neighbouring runs on a CPU. The bar shows how many calls or runs it stands for. Nothing in here
 * prints.
 */
#ifndef RINGSIDE_TIMELINE_H
#define RINGSIDE_TIMELINE_H

#include "lib/analysis/losses.h"
#include "lib/analysis/paths.h"

/* This number stands for no track. It is used when a task has no track, and for folded runs. */
#define TIMELINE_NONE UINT32_MAX

/* This is one call, or several calls that are folded into one. All times are as input_time() converts them. */
struct timeline_slice {
	uint64_t start, length;
	uint64_t callees, irq, off; /* parts of .length, as far as they are known; 0 when calls are folded */
	uint32_t name;		    /* index of a name of paths.graph; it has no meaning when calls are folded */
	uint32_t folded;	    /* how many calls are folded into this; 0: this is a single call */
	uint16_t depth, cpu;
	/*
	 * Bits of enum call_cut (lib/analysis/calls.h), and two further bits. If calls are folded, this is 0.
	 * - 16: the call is not complete; other bits may tell why.
	 * - 32: the call is complete, but its time is not known.
	 */
	uint8_t cut;
};

enum timeline_state { TIMELINE_BLOCKED, TIMELINE_QUEUED, TIMELINE_PREEMPTED };

/* This tells what woke a task. It is another task, or an interrupt on top of another task. */
enum timeline_from { TIMELINE_TASK, TIMELINE_SOFTIRQ, TIMELINE_HARDIRQ };

/* This is a time in which a task was off the CPU. */
struct timeline_wait {
	uint64_t start, length;
	uint32_t by;   /* for a task that was queued, 1 + the index of the track of its waker; 0: not known */
	uint8_t state; /* enum timeline_state */
	uint8_t from;  /* enum timeline_from; used if .by is not 0 */
};

/*
 * A track is a line of the drawing. Each task of each buffer has a track. A task may have calls that can overlap with its other calls. Such calls are
 * in further tracks, whose .aside is true.
 */
struct timeline_track {
	int pid;
	uint16_t cpu; /* for pid 0: the CPU whose idle task this is */
	uint16_t buffer;
	uint8_t file;
	bool aside;
	bool async;			   /* there are asynchronous sections in it, of which the time off the CPU is not known (timed_is_async()) */
	VEC(struct timeline_slice) slices; /* in the order in which they end */
	VEC(struct timeline_wait) waits;
	/* The rest is used only while the track is made. */
	bool is_off, is_woken;
	uint8_t off; /* enum timeline_state */
	uint64_t since, woken;
	struct losses_mark losses; /* the mark of the record with which the task left its CPU */
	uint32_t woken_by;	   /* the .by of the next wait with TIMELINE_QUEUED */
	uint8_t woken_from;	   /* the .from of that wait */
};

/* This is a time in which a task ran on a CPU without a break. */
struct timeline_run {
	uint64_t start, length;
	uint32_t track;	 /* the index of the task's track; TIMELINE_NONE if .folded is not 0 */
	uint32_t folded; /* how many runs are folded into this one; they may be runs of several tasks; 0: this is a single run */
};

struct timeline_irq {
	uint64_t start, length;
	uint32_t name; /* index of a name of paths.graph */
	uint8_t depth; /* how many other interrupts it interrupted */
	bool soft;
};

struct timeline_loss {
	uint64_t start, length; /* from the CPU's last record before the loss to its first record after the loss */
	int64_t events;		/* how many events were lost; LOST_UNKNOWN: the kernel did not say */
};

/* This is an event, as a mark. */
struct timeline_mark {
	uint64_t at;
	uint32_t track;	 /* the index of the track of the task in which it happened */
	uint32_t event;	 /* index of a name of paths.graph */
	uint32_t folded; /* how many more events are folded into this mark */
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
	bool tells_irqs; /* the CPU has records of the events of interrupt handlers */
};

/*
 * These are limits for the numbers of slices, runs and marks. At a limit, slices, runs or marks are folded until at most half of them are left. If fewer
 * than half of them can be folded, the limit becomes twice the number that is left. 0 means the number that an HTML page of `ringside page` can hold.
 */
struct timeline_options {
	size_t most_slices, most_runs, most_marks;
};

/*
 * .n is the number of slices, runs or marks that were folded in all. Slices and runs were folded if they were shorter than .shorter. A mark was folded if
 * it came less than .shorter after a kept mark of the same event and task.
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
	struct losses_both losses;
	struct losses_mark mark;	/* the mark of the last record */
	struct timeline_event **events; /* events[i][k] is for the event with the id k of input i */
	bool begun;
	uint64_t first, last; /* the times of the first and the last record */
	size_t nslices, nruns;
	struct timeline_folded slices, runs, marks_folded;
};

/*
 * timeline_new() makes a timeline, and adds it to the consumers of @calls. It borrows @inputs. @paths must have been added to @calls before, and must
 * live longer than the timeline. Then the caller gives each record to timeline_record(). After the last record, it calls timeline_end(). These
 * functions return 0 or -ENOMEM.
 */
int timeline_new(struct timeline **out, const inputs_t *inputs, struct calls *calls, struct paths *paths, const struct timeline_options *opt);
int timeline_record(struct timeline *timeline, const struct record *rec);
int timeline_end(struct timeline *timeline);
void timeline_free(struct timeline *timeline);

/*
 * These functions fold the shortest slices, the shortest runs, or the marks that are closest to each other. They stop when at most half of them are left,
 * or when no more can be folded. timeline_fold_runs() also drops the waits that are shorter than timeline->runs.shorter.
 */
void timeline_fold_slices(struct timeline *timeline);
void timeline_fold_runs(struct timeline *timeline);
void timeline_fold_marks(struct timeline *timeline);

#endif
