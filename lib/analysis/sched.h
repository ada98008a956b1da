/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells what tasks do with the CPUs. For each task, it tells how long the task ran, was queued, was blocked and was preempted. It also tells how long the
 * task waited for a CPU after each wakeup. If sched_options.pairs is set, it tells for each pair of tasks how often the first task has preempted or woken the
 * second task. It reports each stay of a task on a CPU. A stay lasts from the switch to the task until the switch from the task. The sources are the events
 * sched_switch, sched_waking, sched_wakeup, sched_wakeup_new and sched_migrate_task. lib/analysis/scheduling.h has the rules by which these events are read.
 * Nothing in here prints.
 *
 * A task is in one of two states: it runs, or it is off the CPU. If the beginning or the end of a state is not recorded, the state is cut. The time of a cut
 * state is not counted. After events were lost on a CPU, it is not known which task runs on this CPU. So the state of the task that ran on this CPU before the
 * loss is cut. The lost events may include switches to any task. So the state of every task that was off its CPU is cut, too. If several buffers of a file have
 * records of sched_switch, only the buffer with the earliest sched_switch is used for this kind of event. The same rule holds for each of the other kinds.
 */
#ifndef RINGSIDE_SCHED_H
#define RINGSIDE_SCHED_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/quantiles.h"
#include "lib/analysis/scheduling.h"
#include "lib/analysis/select.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/whole.h"

/* This is what is added up. All times are in ns. If input_in_ns() is false, all times are in ticks of the clock. */
struct sched_sums {
	uint64_t run;
	uint64_t off; /* the sum of .blocked, .preempted, the queued time, and the time of sleeps whose wakeup was not recorded */
	uint64_t blocked, preempted;
	uint64_t switches;	  /* how often the scheduler switched to the task */
	uint64_t migrations;	  /* how often sched_migrate_task moved the task */
	uint64_t moves;		  /* how often the task left one CPU and came to another CPU next */
	uint64_t cut;		  /* how many states of the task are cut */
	uint64_t least;		  /* a lower bound for the sum of the times of all cut stays on a CPU */
	struct quantiles delays;  /* the times from each wakeup until the task was on a CPU */
	uint64_t worst, worst_ts; /* the longest element of .delays, and when it ended */
};

/* This has the sums of a task. If sched_options.by_cpu is true, the sums are for one CPU. If it is false, the sums are for all CPUs, and .cpu is 0. */
struct sched_part {
	uint32_t task; /* index into sched.tasks */
	uint16_t cpu;
	struct sched_sums sums;
};

/* This tells what preempted or woke a task: another task or an interrupt. */
enum sched_from { SCHED_BY_TASK, SCHED_BY_SOFTIRQ, SCHED_BY_HARDIRQ, SCHED_BY_NMI };
/* This is a pair of tasks: .by has preempted or woken .task. */
struct sched_pair {
	uint32_t task, by; /* indices into sched.tasks; .by is used only if .from is SCHED_BY_TASK */
	enum sched_from from;
	uint64_t count;
	struct quantiles times;	  /* how long .task was preempted each time; for wakeups, how long .task waited for a CPU after each wakeup */
	uint64_t worst, worst_ts; /* the longest of these times, and when it ended */
};

struct sched_pairs {
	struct keys keys;
	VEC(struct sched_pair) all;
};

enum sched_where { SCHED_NOWHERE, SCHED_OFF, SCHED_ON }; /* SCHED_NOWHERE: it is not known where the task is */

/* This is a task of a file. Each CPU's idle task is a separate task. */
struct sched_task {
	int pid;
	enum sched_where where;
	uint8_t file;
	bool wanted;	 /* sched_options.select chooses the task */
	bool looked;	 /* .wanted has been set */
	bool woken;	 /* used if .where is SCHED_NOWHERE: the task was woken at off.woken */
	bool is_new;	 /* a sched_wakeup_new of the task was recorded, and the task has not run yet */
	bool cut;	 /* used if .where is SCHED_NOWHERE: the task's unknown state has been counted as cut already */
	bool has_wait;	 /* it is known how long the task was off the CPU before it last came to a CPU: took.off */
	bool has_delay;	 /* it is known how long the task was queued before it last came to a CPU: took.queued */
	bool was_on;	 /* the task has been on the CPU .cpu */
	bool whole;	 /* see sched_find_whole() */
	uint16_t cpu;	 /* the CPU on which the task is, or was last; for an idle task, always its own CPU */
	uint64_t since;	 /* used if .where is SCHED_ON: when the task came to the CPU */
	uint64_t losses; /* the value of sched_input.losses when the state of the task was last set or confirmed */
	struct sched_off off;
	struct sched_took took;
	/*
	 * The next three members tell in which struct sched_pair the last preemption and the last wakeup of the task are counted. Each is 1 + the index of this
	 * struct sched_pair, or 0 if there is none.
	 */
	uint32_t preempted; /* the index in sched.preempts, for the last preemption */
	uint32_t waked;	    /* the index in sched.wakes, for the last wakeup */
	uint32_t waking;    /* the index in sched.wakes, for the last sched_waking; used when sched_wakeup comes */
};

/* This is an ended stay of a task on a CPU. Times are in ns. If input_in_ns() is false, times are in ticks of the clock. */
struct sched_stay {
	const struct sched_task *task;
	uint32_t index; /* the index into sched.tasks */
	uint64_t ts;	/* when the task left the CPU */
	uint16_t cpu;
	const struct sched_state *state; /* the state in which the task left the CPU */
	uint64_t run;			 /* how long the task was on the CPU */
	bool has_run;			 /* .run is known */
};

struct sched_options {
	const struct select_options *select; /* which tasks are wanted; borrowed; NULL: all tasks */
	const struct cpuset *cpus;	     /* which CPUs are wanted; borrowed; NULL: all CPUs */
	bool by_cpu;			     /* each task has a struct sched_part for each CPU */
	bool pairs;			     /* fill in sched.preempts and sched.wakes */
	bool whole;			     /* sched_find_whole() will be called */
	/*
	 * A stage (lib/analysis/stage.h) calls sched_take(), before records are left out. So no sched_switch is hidden (SCHED_HIDDEN in
	 * lib/analysis/scheduling.h). The names of tasks that the records tell are not learned, because the handlers get the records later.
	 */
	bool staged;
	/* This is called at the end of each stay of a wanted task on a wanted CPU. The callback may be NULL. */
	int (*stay)(void *ctx, const struct sched_stay *stay);
	/*
	 * This is called when a wanted task comes to a wanted CPU, if it is known how long the task was off the CPU or queued. @task is an index into
	 * sched.tasks. The callback may be NULL.
	 */
	int (*come)(void *ctx, uint32_t task, const struct sched_took *took);
	void *ctx; /* given to both callbacks, which return 0 or -errno */
};

/* This is what is kept for one file. */
struct sched_input {
	const struct input *input;
	struct sched_events events;
	/* Element i is the buffer whose records of the kind i (enum sched_kind) are used. -1: no record of this kind was seen yet. */
	int buffer[SCHED_KINDS];
	/* Element i has a bit for each buffer that has records of the kind i. Bit 63 is for buffer 63 and all later ones. */
	uint64_t tellers[SCHED_KINDS];
	unsigned int gaps; /* how many elements of sched.gaps are true for this file */
	/* This number grows with each loss that matters (sched.gaps). If it has the same value at two records, no loss between the two records mattered. */
	uint64_t losses;
	uint64_t last; /* the time of the file's last record */
	bool several;  /* two buffers of the file have records of the same kind (enum sched_kind) */
};

struct sched {
	struct handler handler;
	struct sched_options opt;
	VEC(struct sched_input) inputs;
	struct keys task_keys; /* gives each element of .tasks its number */
	struct keys part_keys; /* gives each element of .parts its number */
	VEC(struct sched_task) tasks;
	VEC(struct sched_part) parts;
	struct sched_sums elsewhere; /* what was added up on CPUs that are not wanted */
	/* Used if opt.pairs is true: which tasks have preempted and woken which other tasks. */
	struct sched_pairs preempts, wakes;
	struct whole whole;  /* used if opt.whole is true; a task has the same number as in .tasks */
	struct streams cpus; /* a struct sched_cpu (sched.c) for each CPU of each file */
	/*
	 * A bool for each CPU of each buffer. It is true while the CPU loses events of this buffer, if the loss matters. A loss matters if its buffer is an
	 * element of sched_input.buffer. Until a sched_switch has been seen, every loss in the file matters.
	 */
	struct streams gaps;
	uint64_t lost;	/* how many events the kernel counted as lost */
	bool lost_more; /* for at least one loss, the kernel did not count how many events were lost */
};

/*
 * Makes a struct sched. Borrows @inputs and what the members of @opt point to. Returns 0 or -ENOMEM. The struct sched is freed together with its handler.
 */
int sched_new(struct sched **out, const inputs_t *inputs, const struct sched_options *opt);

/* Takes in the next record in the order of time, as the handler does. Returns 0 or -errno. */
int sched_take(struct sched *sched, const struct record *rec);

/*
 * sched_open() tells which states of tasks have not ended. It first adds the elements that are missing in sched->parts. It then fills *@out, which must be
 * empty, with one element for each element of sched->parts, in the same order. The .cut of an element tells how many states of the part have not ended. If one
 * of these states is a stay on a CPU, .least tells how long this stay has lasted so far. sched_open() returns 0 or -ENOMEM. The caller frees *@out with
 * vec_fini().
 */
struct sched_open {
	uint64_t cut, least;
};
typedef VEC(struct sched_open) sched_open_t;
int sched_open(struct sched *sched, sched_open_t *out);

/*
 * Finds out which tasks of the file @file are whole, as lib/analysis/whole.h describes. Sets sched_task.whole of all tasks of the file. Returns how many tasks
 * of the file are not whole. sched_options.whole must be true.
 */
uint64_t sched_find_whole(struct sched *sched, uint8_t file);

/* Returns true if there was a record of this kind. */
bool sched_has(const struct sched *sched, enum sched_kind kind);

/* Returns true if the task is wanted (sched_options.select). */
bool sched_is_wanted(struct sched *sched, struct sched_task *task);

/* sched_name() returns the name of the task. For an idle task, sched_name() writes the name "swapper/N" to @buf, and returns @buf. */
enum { SCHED_NAME = 24 };
const char *sched_name(const struct sched *sched, const struct sched_task *task, char buf[SCHED_NAME]);

#endif
