/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tasks do with the CPUs: per task how long it ran, was queued, blocked and preempted, how long it waited for a CPU after each waking;
 * who preempts whom, who wakes whom; and each stay on a CPU, when it ends. From sched_switch, sched_waking, sched_wakeup(_new) and
 * sched_migrate_task, by the rules of lib/analysis/scheduling.h. No printing.
 *
 * Only what is known counts: a state whose beginning or end is not recorded is cut. A loss on a CPU ends all knowledge of who runs there, and of every
 * task that is off its CPU: it may have been there meanwhile. Where several buffers of a file have an event, that of the first one counts.
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

/* What is added up. All times in ns, or in ticks of the clock. */
struct sched_sums {
	uint64_t run;
	uint64_t off;			/* blocked, preempted, queued, and what cannot be told apart of it */
	uint64_t blocked, preempted;
	uint64_t switches;		/* to the task */
	uint64_t migrations;		/* by sched_migrate_task */
	uint64_t moves;			/* how often it came to another CPU than it had left */
	uint64_t cut;
	uint64_t least;			/* how long the stays on a CPU that were cut lasted at the least */
	struct quantiles delays;	/* queued: from being woken to being on a CPU */
	uint64_t worst, worst_ts;	/* the longest delay, and when it ended */
};

/* A task on one CPU, or when CPUs need not be told apart, on all (then .cpu is 0). */
struct sched_part {
	uint32_t task;
	uint16_t cpu;
	struct sched_sums sums;
};

/* Who did something to whom: preempted @task, or woke it. */
enum sched_from { SCHED_BY_TASK, SCHED_BY_SOFTIRQ, SCHED_BY_HARDIRQ, SCHED_BY_NMI };
struct sched_pair {
	uint32_t task, by;		/* @by: of SCHED_BY_TASK */
	enum sched_from from;
	uint64_t count;
	struct quantiles times;		/* how long it was preempted; how long it then waited for a CPU */
	uint64_t worst, worst_ts;
};

struct sched_pairs {
	struct keys keys;
	VEC(struct sched_pair) all;
};

enum sched_where { SCHED_NOWHERE, SCHED_OFF, SCHED_ON };	/* nowhere: nobody knows where */

/* A task of a file; each CPU's idle task is one of its own. */
struct sched_task {
	int pid;
	uint8_t file;
	bool looked, wanted;		/* is it one of those that were asked for? */
	bool woken;			/* of SCHED_NOWHERE: at off.woken */
	bool is_new;			/* sched_wakeup_new has told it, and it has not run yet */
	bool cut;			/* of SCHED_NOWHERE: that its state is not known is counted already */
	bool has_wait, has_delay;	/* before it came to the CPU: .took */
	bool was_on;			/* a CPU: .cpu */
	enum sched_where where;
	uint16_t cpu;			/* where it is, or was last; of an idle task its own */
	uint64_t since;			/* SCHED_ON */
	uint64_t losses;		/* how many there had been when it was put where it is */
	struct sched_off off;
	struct sched_took took;
	uint32_t preempted, waked, waking;	/* 1 + index of the pair that its being off, or woken, belongs to; 0: none */
};

/* A stay on a CPU, when it ends. */
struct sched_stay {
	const struct sched_task *task;
	uint32_t index;			/* into sched.tasks */
	uint64_t ts;			/* when it left */
	uint16_t cpu;
	const struct sched_state *state;
	uint64_t run;
	bool has_run;
};

struct sched_options {
	const struct select_options *select;	/* which tasks; borrowed; NULL: all */
	const struct cpuset *cpus;		/* NULL: all */
	bool by_cpu;				/* tell the CPUs of a task apart */
	bool pairs;				/* who preempts and who wakes whom */
	int (*stay)(void *ctx, const struct sched_stay *stay);	/* NULL: nobody wants them. Only of tasks and CPUs that were asked for */
	int (*come)(void *ctx, uint32_t task, const struct sched_took *took);	/* NULL, or: a task, by its index, is on a CPU again, after that */
	void *ctx;
};

/* Of one file. */
struct sched_input {
	const struct input *input;
	struct sched_events events;
	int buffer[SCHED_KINDS];	/* whose records count; -1: there was none yet */
	uint64_t losses;
	uint64_t last;			/* when its last record was */
	bool several;			/* another buffer has some of them too */
};

struct sched {
	struct handler handler;
	struct sched_options opt;
	VEC(struct sched_input) inputs;
	struct keys task_keys, part_keys;
	VEC(struct sched_task) tasks;
	VEC(struct sched_part) parts;
	struct sched_sums elsewhere;	/* on CPUs that were not asked for */
	struct sched_pairs preempts, wakes;
	struct streams cpus;		/* of struct sched_cpu, by file and CPU */
	uint64_t lost;			/* events */
	bool lost_more;			/* and others that nobody counted */
};

/* Borrows @inputs. 0 or -ENOMEM. Its handler frees it. */
int sched_new(struct sched **out, const inputs_t *inputs, const struct sched_options *opt);

/* One more record, in the order of time: as its handler takes them. 0 or a negative errno. */
int sched_take(struct sched *sched, const struct record *rec);

/* What is still open: of each part of sched->parts how many states, and how long a stay on the CPU has lasted. 0 or -ENOMEM; vec_fini(). */
struct sched_open {
	uint64_t cut, least;
};
typedef VEC(struct sched_open) sched_open_t;
int sched_open(struct sched *sched, sched_open_t *out);

/* Was there any record of this kind? */
bool sched_has(const struct sched *sched, enum sched_kind kind);

bool sched_is_wanted(struct sched *sched, struct sched_task *task);

/* The name of the task: "swapper/N" of an idle one; @buf holds it then. */
enum { SCHED_NAME = 24 };
const char *sched_name(const struct sched *sched, const struct sched_task *task, char buf[SCHED_NAME]);

#endif
