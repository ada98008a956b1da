/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells what else happened while a task was off the CPU. It tells who ran on the task's CPU and who
 * woke the task. It also tells in which functions the waker was, and what the waker had done
 * before. A run is a period in which one task ran on a CPU. An episode is a period in which a task
 * was off the CPU. The last runs of each CPU and the last episodes of each task are kept, up to a
 * fixed number. Of earlier episodes, only sums are kept. A task is called a person here
 * (lib/analysis/timed.h). Texts have numbers (meanwhile_text()). All functions that return an int,
 * except meanwhile_offs(), return 0 or -ENOMEM.
 */
#ifndef RINGSIDE_MEANWHILE_H
#define RINGSIDE_MEANWHILE_H

#include "lib/analysis/timed.h"

enum { MEANWHILE_NOBODY = UINT32_MAX };

/* This tells who or what woke a task. */
struct waker {
	uint32_t person; /* MEANWHILE_NOBODY: the waker is not known, or it was an interrupt */
	/* The number of a text, or 0 if the text is not known. The text has the waker's functions ("INNERMOST < CALLER < …") or the interrupt's handler. */
	uint32_t from;
	uint8_t irq;  /* enum call_irq: the context in which the waker ran */
	bool known;   /* false: nothing is known of the waker */
	uint16_t cpu; /* the CPU on which the wakeup was recorded */
};

/* This is a period in which a task was off the CPU. */
struct episode {
	/*
	 * When the task left the CPU, when it was woken, and when it came to a CPU again, in ns. .woken is 0 if the task did not sleep, or has not been woken.
	 * .back is 0 as long as the task has not come to a CPU again.
	 */
	uint64_t since, woken, back;
	enum sched_why off; /* why the task left the CPU */
	uint32_t where;	    /* the number of a text: the functions in which the task left the CPU; 0: not known */
	struct waker waker;
	uint16_t cpu; /* the CPU that the task left */
	/* The CPU on which the task waited after it was woken or migrated. If it was migrated while it waited, this is the last of the CPUs. */
	uint16_t waited;
	bool has_waited; /* true: .waited is from sched_wakeup or sched_migrate_task; false: .waited is the CPU on which the task ran next */
	/* The task waited on the CPU .before until .moved, when it was migrated for the last time. .moved is 0 if it was not migrated. */
	uint16_t before;
	uint64_t moved; /* in ns */
	/*
	 * Events of the episode are missing. If the switch that ended the episode is missing, .back is the earliest time at which this switch can have
	 * happened.
	 */
	bool lost;
	/*
	 * It is not known what the task did. A CPU lost events during the episode, and the task may have run on this CPU meanwhile. Or the task ended, and its
	 * pid belongs to another task since the end of the episode.
	 */
	bool unsure;
	bool fresh; /* nothing was known of the task before its wakeup at .since, or the task is new */
	int prio;   /* the task's priority; -1: not recorded */
};

/*
 * This tells what one task of a chain of wakers (meanwhile_chain()) did from .from to .to. All times are in ns. .blocked, .queued, .preempted, .merged,
 * .unknown and .ran tell for how long the task was in each of these states. Their sum is the time from .from to .to.
 */
struct chain_link {
	uint32_t person;
	uint64_t from, to;
	uint64_t ran, blocked, queued, preempted;
	/*
	 * For how long the state is no longer known, because the task had more episodes than are kept. The sums of its earlier episodes cannot be used, because
	 * these sums also include times that are not between .from and .to.
	 */
	uint64_t merged;
	uint64_t unknown;   /* for how long the state is not known, because events are missing, or a CPU lost events while the task was off the CPU */
	uint32_t where;	    /* the number of a text: the functions in which the task was during its longest sleep; 0: not known */
	struct waker waker; /* who woke the task from its longest sleep */
};
enum { CHAIN_MOST = 5 }; /* a chain has at most this many links */

struct meanwhile;

/* Makes a struct meanwhile. Borrows @inputs and @timed. */
int meanwhile_new(struct meanwhile **out, const inputs_t *inputs, struct timed *timed);
void meanwhile_free(struct meanwhile *m);

/*
 * The callbacks of struct timed_watch call the three functions below. meanwhile_lost() forgets the runs of the CPU of @there, and the ended episodes of all
 * tasks in the file of @there. If the last episode of one of these tasks has not ended, the function sets .lost of this episode. meanwhile_switched() also
 * notices when a switch is missing on the CPU of @what: the previous switch on this CPU was to one task, and @what is from another task. If a switch is
 * missing, *@missing becomes the time of the previous switch. If no switch is missing, *@missing becomes UINT64_MAX. If two buffers have recorded the same
 * switch, the second record of this switch does not mean that a switch is missing.
 */
int meanwhile_switched(struct meanwhile *m, const struct timed_switch *what, uint64_t *missing);
int meanwhile_woken(struct meanwhile *m, const struct timed_wakeup *what);
int meanwhile_lost(struct meanwhile *m, const struct record *there);

/*
 * Takes in a record that belongs to no call. If the record is a stack, it may belong to a switch or
 * a wakeup that comes before the stack on the same CPU.
 */
int meanwhile_other(struct meanwhile *m, const struct event *event, const struct record *rec);

/*
 * Returns the last of this person's ended episodes, or NULL when none is kept. If its .lost is false, its .back is the time of the switch that
 * ended the episode. This may be the switch that meanwhile_switched() has just taken in.
 */
const struct episode *meanwhile_last(const struct meanwhile *m, uint32_t person);

/*
 * Calls @each for each run on this CPU of the file between @from and @to. @each gets the person who ran, the person's priority, and how many ns of the run
 * lie between @from and @to. If @each always returns 0, the result is the number of ns between @from and @to for which it is not known who ran. If @each
 * returns another value, @each is not called again, and the result has no meaning.
 */
uint64_t meanwhile_runs(struct meanwhile *m, uint8_t file, uint16_t cpu, uint64_t from, uint64_t to,
			int (*each)(void *ctx, uint32_t person, int prio, uint64_t ns), void *ctx);

/*
 * Calls @each for every kept episode of the person, if a part of the episode lies between @from and @to. The episodes that have ended come first, beginning
 * with the latest. If an episode has not ended, it comes last, and its .back is 0. @each gets the episode, and the beginning and the end of the part that lies
 * between @from and @to. If @each returns a value other than 0, @each is not called again, and this value is the result. Otherwise the result is 0.
 */
int meanwhile_offs(const struct meanwhile *m, uint32_t person, uint64_t from, uint64_t to,
		   int (*each)(void *ctx, const struct episode *episode, uint64_t from, uint64_t to), void *ctx);

/*
 * Keeps more episodes of this person from now on. If some of the person's episodes have been dropped already, the function also forgets all episodes that were
 * kept until now. Returns 0 or -ENOMEM.
 */
int meanwhile_keep_long(struct meanwhile *m, uint32_t person);

/*
 * Tells whether the person is on this CPU now:
 * - If the person is on the CPU, returns true, and *@since becomes the time at which the person
 *   came to the CPU.
 * - If it is not known who is on the CPU, returns true, and *@since becomes 0.
 * - If another person is on the CPU, returns false, and *@since has no meaning.
 */
bool meanwhile_since(struct meanwhile *m, uint8_t file, uint16_t cpu, uint32_t person, uint64_t *since);

/*
 * Fills in @chain. The first link tells what @person did from @from to @to. The first link also
 * tells who woke @person from its longest sleep in that time. The next link tells what the waker
 * did during that sleep, and so on. Returns the number of links. The chain ends with the first of
 * these:
 * - a task that did not sleep;
 * - a task that was blocked for a shorter time than it ran, or for a shorter time than it was queued;
 * - a task whose longest sleep had missing events (episode.lost);
 * - a task whose waker is not known or was an interrupt;
 * - the link number CHAIN_MOST.
 */
unsigned int meanwhile_chain(const struct meanwhile *m, uint32_t person, uint64_t from, uint64_t to, struct chain_link chain[CHAIN_MOST]);

/*
 * meanwhile_text() returns the text with this number. The text with the number 0 is "". meanwhile_text_id() returns the number of a text, or -ENOMEM.
 * A new text is added.
 */
const char *meanwhile_text(const struct meanwhile *m, uint32_t text);
int64_t meanwhile_text_id(struct meanwhile *m, const char *text);

#endif
