/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells what tasks do with the CPUs. For each task it tells how long the task ran, was queued, was blocked and was preempted, and how long it waited for a
 * CPU after each wakeup. It also tells who preempts whom, and who wakes whom. It tells each stay of a task on a CPU, which lasts from the switch to the
 * task until the switch from it. It uses sched_switch, sched_waking, sched_wakeup(_new) and sched_migrate_task, by the rules of lib/analysis/scheduling.h.
 * Nothing in here prints.
 *
 * Only what is known is counted: a state whose beginning or end is not recorded is cut. After a loss on a CPU it is not known which task runs there. The
 * tasks that were off their CPUs may have run there meanwhile, so their states are not known either. When several buffers of a file have an event, the
 * first buffer that has it counts.
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

/* This is what is added up. All times are in ns, or in ticks of the clock. */
struct sched_sums {
	uint64_t run;
	uint64_t off; /* blocked, preempted and queued together, with the time that may be any of the three */
	uint64_t blocked, preempted;
	uint64_t switches;   /* to the task */
	uint64_t migrations; /* as sched_migrate_task tells */
	uint64_t moves;	     /* how often it came to another CPU than it had left */
	uint64_t cut;
	uint64_t least;		  /* how long the stays on a CPU that were cut lasted at least */
	struct quantiles delays;  /* queued: from being woken to being on a CPU */
	uint64_t worst, worst_ts; /* the longest delay, and when it ended */
};

/* This is a task on one CPU, or without .by_cpu, a task on all CPUs; .cpu is 0 then. */
struct sched_part {
	uint32_t task;
	uint16_t cpu;
	struct sched_sums sums;
};

/* This is a pair of tasks: .by has preempted or woken .task. */
enum sched_from { SCHED_BY_TASK, SCHED_BY_SOFTIRQ, SCHED_BY_HARDIRQ, SCHED_BY_NMI };
struct sched_pair {
	uint32_t task, by; /* .by is used with SCHED_BY_TASK */
	enum sched_from from;
	uint64_t count;
	struct quantiles times; /* how long it was preempted, or how long it waited for a CPU after it was woken */
	uint64_t worst, worst_ts;
};

struct sched_pairs {
	struct keys keys;
	VEC(struct sched_pair) all;
};

enum sched_where { SCHED_NOWHERE, SCHED_OFF, SCHED_ON }; /* SCHED_NOWHERE: it is not known */

/* This is a task of a file; each CPU's idle task is one of its own. */
struct sched_task {
	int pid;
	uint8_t file;
	bool looked, wanted;	  /* is it one of those that were asked for? */
	bool woken;		  /* with SCHED_NOWHERE: it was woken at off.woken */
	bool is_new;		  /* sched_wakeup_new has told it, and it has not run yet */
	bool cut;		  /* with SCHED_NOWHERE: its unknown state is counted already */
	bool has_wait, has_delay; /* .took has the time off, and the delay, before the task came to its CPU */
	bool was_on;		  /* it has been on the CPU .cpu */
	enum sched_where where;
	uint16_t cpu;	 /* the CPU on which it is, or was last; for an idle task its own */
	uint64_t since;	 /* with SCHED_ON */
	uint64_t losses; /* how many losses there had been when .where was set */
	struct sched_off off;
	struct sched_took took;
	uint32_t preempted, waked, waking; /* 1 + the index of the pair of its preemption or its wakeup; 0: none */
};

/* This is a stay of a task on a CPU. It is complete. */
struct sched_stay {
	const struct sched_task *task;
	uint32_t index; /* the index into sched.tasks */
	uint64_t ts;	/* when the task left the CPU */
	uint16_t cpu;
	const struct sched_state *state;
	uint64_t run;
	bool has_run;
};

struct sched_options {
	const struct select_options *select;				      /* which tasks; borrowed; NULL: all */
	const struct cpuset *cpus;					      /* NULL: all */
	bool by_cpu;							      /* a task has a part for each CPU */
	bool pairs;							      /* find out who preempts and who wakes whom */
	int (*stay)(void *ctx, const struct sched_stay *stay);		      /* called for each stay of wanted tasks on wanted CPUs; may be NULL */
	int (*come)(void *ctx, uint32_t task, const struct sched_took *took); /* called when a task, by its index, is on a CPU again; may be NULL */
	void *ctx;
};

/* This is what is kept for one file. */
struct sched_input {
	const struct input *input;
	struct sched_events events;
	int buffer[SCHED_KINDS]; /* the buffer whose records of this kind count; -1: none yet */
	uint64_t losses;
	uint64_t last; /* the time of its last record */
	bool several;  /* another buffer has records of these events, too */
};

struct sched {
	struct handler handler;
	struct sched_options opt;
	VEC(struct sched_input) inputs;
	struct keys task_keys, part_keys;
	VEC(struct sched_task) tasks;
	VEC(struct sched_part) parts;
	struct sched_sums elsewhere; /* on CPUs that were not asked for */
	struct sched_pairs preempts, wakes;
	struct streams cpus; /* a struct sched_cpu for each CPU of each file */
	uint64_t lost;	     /* how many events were lost, by the kernel's count */
	bool lost_more;	     /* there were losses that the kernel did not count */
};

/* Borrows @inputs and what @opt points to. Returns 0 or -ENOMEM. Its handler frees it. */
int sched_new(struct sched **out, const inputs_t *inputs, const struct sched_options *opt);

/* Takes in the next record in the order of time, as the handler does. Returns 0 or -errno. */
int sched_take(struct sched *sched, const struct record *rec);

/*
 * Tells for each part of sched->parts how many states are still open, and how long a stay on the CPU has lasted so far. Returns 0
 * or -ENOMEM. The caller frees *@out with vec_fini().
 */
struct sched_open {
	uint64_t cut, least;
};
typedef VEC(struct sched_open) sched_open_t;
int sched_open(struct sched *sched, sched_open_t *out);

/* Was there any record of this kind? */
bool sched_has(const struct sched *sched, enum sched_kind kind);

/* Is the task one of those that were asked for? */
bool sched_is_wanted(struct sched *sched, struct sched_task *task);

/* Returns the name of the task. For an idle task it is "swapper/N", in @buf. */
enum { SCHED_NAME = 24 };
const char *sched_name(const struct sched *sched, const struct sched_task *task, char buf[SCHED_NAME]);

#endif
