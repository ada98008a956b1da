/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the data that meanwhile.c gathers about what happened while tasks were off the CPU (lib/analysis/meanwhile.h). meanwhile-past.c adds up episodes,
 * and meanwhile-asked.c answers questions from these data. Only these three files use this header.
 */
#ifndef RINGSIDE_MEANWHILE_INSIDE_H
#define RINGSIDE_MEANWHILE_INSIDE_H

#include "lib/analysis/meanwhile.h"
#include "lib/analysis/stack-owner.h"
#include "lib/base/map.h"
#include "lib/event/text.h"

/*
 * At most RUNS runs (struct run) are kept for each CPU. An episode (struct episode) is a period in which a task was off the CPU. At most EPISODES episodes
 * are kept for each task, or at most MORE_EPISODES after meanwhile_keep_long().
 */
enum { RUNS = 1024, EPISODES = 32, MORE_EPISODES = 1024 };

/* This is a period in which a task ran on a CPU without a break. In the names and comments here, a task is called a person (lib/analysis/timed.h). */
struct run {
	uint64_t from, to; /* in ns */
	uint32_t person;
	int prio; /* the priority of the task; -1: not recorded */
};

/*
 * This tells whose stack may come after a record. The records of an interrupt can come between a record and its stack. So each CPU has one struct expected
 * for each context (enum call_irq). It is about the last record of this context.
 */
struct expected {
	/*
	 * 0: no stack is expected. Otherwise, the stack of a switch or a wakeup may come. After a switch, this is 1 + the number of the person that left the
	 * CPU. After a wakeup, this is 1 + the number of the person that was woken.
	 */
	uint32_t who;
	/* Used if .who is not 0. True: the expected stack is the waker's stack at a wakeup. False: it is the stack of a switch. */
	bool of_waker;
};

/* This is a CPU of a file. */
struct cpu_runs {
	struct run *ring; /* The last RUNS runs that have ended. Runs are numbered from 0. Run i is element i % RUNS. NULL: no run has ended. */
	size_t n;	  /* how many runs have ended since the CPU last lost events */
	struct run now;	  /* the run that has not ended; valid only if .known is true */
	bool known;	  /* It is known who runs on the CPU: there was a switch, and no event of this CPU was lost after the switch. */
	struct stack_owners owners;
	struct expected expected[STACK_LEVELS];
};

/* Returns for how long the time from @a to @b lies between @from and @to. */
static inline uint64_t meanwhile_overlap(uint64_t from, uint64_t to, uint64_t a, uint64_t b)
{
	from = MAX(from, a);
	to = MIN(to, b);
	return to > from ? to - from : 0;
}

/* These are sums of the times of episodes, in ns. */
struct off_sums {
	uint64_t blocked, queued, preempted;
	uint64_t unknown;   /* in episodes with .unsure */
	uint64_t merged;    /* in blocks (struct past_block) that lie only partly in the wanted time */
	uint64_t longest;   /* the longest sleep; 0: there was none */
	struct episode why; /* the episode with the longest sleep; valid only if .longest is not 0 */
};

/*
 * These are episodes that follow each other and are no longer kept. A block lasts from .since to the .since of the next block. The last block lasts to the
 * oldest episode that is kept.
 */
struct past_block {
	uint64_t since;	   /* when its first episode began */
	uint64_t episodes; /* the number of its episodes, a power of two */
	struct off_sums sums;
};

/*
 * These are the blocks of a task, in the order of time. When there are more than PAST_SAME blocks with the same number of episodes, the two oldest of them
 * become one. So the memory grows with the logarithm of the number of episodes. A block has either one episode, or at most about a sixteenth of the episodes
 * that come after the block.
 */
typedef VEC(struct past_block) past_t;
enum { PAST_SAME = 32 };

/* This is what is kept of a task. */
struct history {
	uint64_t known;	    /* the earliest time at which the state of the task is known, in ns; valid only if .is_known is true */
	bool is_known;	    /* .known has been set */
	struct episode now; /* the episode that has not ended; .off is SCHED_NOT_OFF when the task runs */
	/*
	 * How many episodes have ended since this number was last set to 0. It becomes 0 when a CPU of the file loses events. meanwhile_keep_long() also
	 * sets it to 0, if episodes have been dropped already.
	 */
	size_t n;
	/* The last episodes that have ended. Episode i is element i % .cap. Episodes are numbered from 0, and anew from 0 whenever .n becomes 0. */
	struct episode *ring;
	size_t cap;  /* how many episodes .ring has room for; this number grows to EPISODES or MORE_EPISODES */
	past_t past; /* the episodes that .ring had no room for; it becomes empty whenever .n becomes 0 */
	bool longer; /* meanwhile_keep_long() was called */
	int prio;    /* the priority that was seen last; -1: none was seen */
};

/* These are the fields that are read from the events of an input. */
struct known_fields {
	struct field prev, next; /* the priorities in a sched_switch */
	struct field target;	 /* target_cpu of sched_wakeup: the CPU on which the task will run */
	bool told;		 /* a sched_wakeup has told .target */
	/* sched_migrate_task and its fields. NULL: the file does not describe the event. */
	const struct event *migrate;
	struct field pid, from, to;
};

struct meanwhile {
	const inputs_t *inputs;
	struct timed *timed;
	struct streams cpus;		     /* one struct cpu_runs for each CPU of a file; all buffers of the file share it */
	VEC(struct history) histories;	     /* element i is for the person i */
	VEC(struct known_fields) fields;     /* element i is for the input i */
	VEC(int32_t) told_by;		     /* element i is the index of the buffer that has the last sched_switch of the input i; -1: none yet */
	strv_t texts;			     /* element i is the text with the number i, as meanwhile_text() returns it */
	MAP(struct text, uint32_t) text_ids; /* A key is a text. Its value is the number of the text. */
	addresses_t addresses;		     /* the addresses of the stack that is being taken in */
};

/*
 * Adds to the sums the part of an episode that lies between @from and @to. If the episode has not ended, it is taken to last until @to.
 */
void past_add_episode(struct off_sums *sums, const struct episode *episode, uint64_t from, uint64_t to);

/* Adds an ended episode to the blocks. The episode must be later than all episodes in the blocks. Returns 0 or -ENOMEM. */
int past_keep(past_t *past, const struct episode *episode);

/* Adds to the sums what the blocks tell of the time from @from to @to. The last block ends at @end. */
void past_add(const past_t *past, uint64_t end, uint64_t from, uint64_t to, struct off_sums *sums);

/*
 * meanwhile_history() returns what is kept of a task. meanwhile_cpu() returns what is kept of a CPU of a file. Both functions return NULL when memory runs out.
 */
struct history *meanwhile_history(struct meanwhile *m, uint32_t person);
struct cpu_runs *meanwhile_cpu(struct meanwhile *m, uint8_t file, uint16_t cpu);

#endif
