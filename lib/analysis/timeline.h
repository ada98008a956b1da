/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collects from a recording what is drawn over time. For each CPU, the tasks that ran, the interrupts and the losses of events are drawn. For each task, its
 * calls and its waits are drawn. All other events are drawn as marks. When there is more than can be shown, the shortest calls and the shortest runs of tasks
 * on CPUs are folded first. Folding makes one bar from neighbouring calls of a task, or from neighbouring runs on a CPU. The bar shows how many calls or runs
 * it stands for. Nothing in here prints.
 */
#ifndef RINGSIDE_TIMELINE_H
#define RINGSIDE_TIMELINE_H

#include "lib/analysis/losses.h"
#include "lib/analysis/paths.h"

/* This number takes the place of a track's index (struct timeline_track) when a task has no track, and in folded runs. */
#define TIMELINE_NONE UINT32_MAX

/* This is one call, or several calls that are folded into one. All times are as input_time() converts them. */
struct timeline_slice {
	uint64_t start, length;
	/* how much of .length was in callees, in interrupts and off the CPU, as far as it is known; 0 if calls are folded */
	uint64_t callees, irq, off;
	uint32_t name;	 /* the function, as an index into the names of paths.graph; not used if calls are folded */
	uint32_t folded; /* how many calls are folded into this slice; 0: this slice is a single call */
	uint16_t depth, cpu;
	/*
	 * Bits of enum call_cut (lib/analysis/calls.h), and two further bits. If calls are folded, .cut is 0.
	 * - 16: the call is not complete; the bits of enum call_cut may tell why.
	 * - 32: the call is complete, but its time is not known.
	 */
	uint8_t cut;
};

enum timeline_state { TIMELINE_BLOCKED, TIMELINE_QUEUED, TIMELINE_PREEMPTED };

/* This tells what woke a task: another task, or an interrupt. */
enum timeline_from { TIMELINE_TASK, TIMELINE_SOFTIRQ, TIMELINE_HARDIRQ };

/* This is a period in which a task was off the CPU. */
struct timeline_wait {
	uint64_t start, length;
	uint32_t by;   /* for TIMELINE_QUEUED: 1 + the index of the track of the waker, or of the task that the waking interrupt interrupted; 0: not known */
	uint8_t state; /* enum timeline_state */
	uint8_t from;  /* enum timeline_from; used if .by is not 0 */
};

/*
 * A track is a line of the drawing. Each task of each buffer has a track. A call that can overlap with other calls of the same task is in a further track. In
 * a further track, .aside is true.
 */
struct timeline_track {
	int pid;
	uint16_t cpu; /* for pid 0: the CPU whose idle task this is */
	uint16_t buffer;
	uint8_t file;
	bool aside;
	bool lacks;			   /* the task lacks switches (lib/analysis/lacking.h), so it is not known when it ran and when it waited */
	bool async;			   /* The track has asynchronous sections. Their time off the CPU is not known (timed_is_async()). */
	VEC(struct timeline_slice) slices; /* in the order in which they end */
	VEC(struct timeline_wait) waits;
	/* The members below are used only while the track is made. */
	bool is_off, is_woken;
	uint8_t off; /* enum timeline_state */
	uint64_t since, woken;
	struct losses_mark losses; /* what losses_take_both() returned for the record with which the task left its CPU */
	uint32_t woken_by;	   /* the .by of the next wait with TIMELINE_QUEUED */
	uint8_t woken_from;	   /* the .from of the next wait with TIMELINE_QUEUED */
};

/* This is a period in which a task ran on a CPU without a break. */
struct timeline_run {
	uint64_t start, length;
	uint32_t track;	 /* the index of the task's track; TIMELINE_NONE if .folded is not 0 */
	uint32_t folded; /* how many runs, perhaps of several tasks, are folded into this run; 0: this is a single run */
};

struct timeline_irq {
	uint64_t start, length;
	uint32_t name; /* the interrupt's name, as an index into the names of paths.graph */
	uint8_t depth; /* how many other interrupts were being handled on the CPU when this one came; 0 if the interrupt is known only from functions */
	bool soft;
};

struct timeline_loss {
	uint64_t start, length; /* from the CPU's last record before the loss to its first record after the loss */
	int64_t events;		/* how many events were lost; LOST_UNKNOWN: the kernel did not say */
};

/* This is a mark, which stands for an event. */
struct timeline_mark {
	uint64_t at;
	uint32_t track;	 /* the index of the track of the task in which the event happened */
	uint32_t event;	 /* the event's name, as an index into the names of paths.graph */
	uint32_t folded; /* how many more events are folded into this mark */
	uint16_t cpu;
	char *text; /* what the event says; owned */
};

/* At most this many interrupts can be handled on a CPU at the same time. Events of further interrupts are not drawn. */
enum { TIMELINE_IRQS = 8 };

struct timeline_cpu {
	uint16_t cpu;
	uint8_t file;
	VEC(struct timeline_run) runs;
	VEC(struct timeline_irq) irqs;
	VEC(struct timeline_loss) losses;
	/* The members below are used only while the timeline is made. */
	bool running;
	uint32_t track;
	uint64_t since, last;
	struct timeline_irq open[TIMELINE_IRQS];
	unsigned int nopen;
	bool tells_irqs; /* the CPU has records of the events of interrupt handlers */
};

/*
 * These are limits for the numbers of slices, runs and marks. When there are more slices than .most_slices, slices are folded until at most half of them are
 * left. If more than half of the slices are left when no more slices can be folded, the limit becomes twice the number of the slices that are left. Runs and
 * marks are treated in the same way. 0 means the number that an HTML page of `ringside page` can hold.
 */
struct timeline_options {
	size_t most_slices, most_runs, most_marks;
};

/*
 * This tells what was folded. .n is the number of all slices, runs or marks that were folded. .shorter is a time in ns. Slices and runs were folded if they
 * were shorter than .shorter. A mark was folded if it came less than .shorter after a kept mark of the same event and task.
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
	struct losses_mark mark;	/* what losses_take_both() returned for the last record */
	struct timeline_event **events; /* events[i][k] is for the event with the id k of input i */
	bool begun;
	uint64_t first, last; /* the times of the first and the last record */
	size_t nslices, nruns;
	struct timeline_folded slices, runs, marks_folded;
};

/*
 * timeline_new() makes a timeline, and adds it to @calls by calls_add() (lib/analysis/calls.h). It borrows @inputs. @paths must have been added to @calls
 * before, and must live longer than the timeline. The caller gives each record to timeline_record(). After the last record, the caller calls
 * timeline_end(). These three functions return 0 or -ENOMEM.
 */
int timeline_new(struct timeline **out, const inputs_t *inputs, struct calls *calls, struct paths *paths, const struct timeline_options *opt);
int timeline_record(struct timeline *timeline, const struct record *rec);
int timeline_end(struct timeline *timeline);
void timeline_free(struct timeline *timeline);

/*
 * These functions fold the shortest slices, the shortest runs, or the marks that are closest to each other. A function stops when at most half of the slices,
 * runs or marks are left, or when no more can be folded. timeline_fold_runs() also drops the waits that are shorter than timeline->runs.shorter.
 */
void timeline_fold_slices(struct timeline *timeline);
void timeline_fold_runs(struct timeline *timeline);
void timeline_fold_marks(struct timeline *timeline);

#endif
