/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells what else happened while a task waited: who ran on its CPU, who woke it, in which functions the waker was, and what the waker had done
 * before. For this it keeps the last runs of each CPU (which task ran on it, and when) and the last waits of each task, up to a fixed number. Tasks are
 * persons here (lib/analysis/timed.h), and texts have numbers (meanwhile_text()). Functions that return an int return 0 or -ENOMEM, unless their
 * comment says something else.
 */
#ifndef RINGSIDE_MEANWHILE_H
#define RINGSIDE_MEANWHILE_H

#include "lib/analysis/timed.h"

enum { MEANWHILE_NOBODY = UINT32_MAX };

/* This tells who or what woke a task. */
struct waker {
	uint32_t person; /* MEANWHILE_NOBODY: the waker is not known, or it was an interrupt */
	uint32_t from;	 /* the number of a text: the waker's functions ("INNERMOST < CALLER < …"), or the interrupt's handler; 0: not known */
	uint8_t irq;	 /* enum call_irq: the context in which the waker ran */
	bool known;	 /* false: nothing is known of the waker */
	uint16_t cpu;
};

/* This is a time in which a task was off the CPU. */
struct episode {
	uint64_t since, woken, back; /* ns; .woken is 0 unless the task slept and was woken; .back is 0 while the task has not come to a CPU again */
	enum sched_why off;
	uint32_t where; /* the number of a text: the functions in which the task left the CPU; 0: not known */
	struct waker waker;
	uint16_t cpu;	 /* the CPU that the task left */
	uint16_t waited; /* the CPU on which the task waited after it was woken */
	bool has_waited; /* sched_wakeup has told .waited; otherwise .waited is the CPU on which the task ran next */
	bool lost;	 /* events of this time are missing; if the switch back is missing, .back is the earliest time at which it may have been */
	bool unsure;	 /* a CPU lost events during the episode: the task may have run there meanwhile */
	int prio;	 /* the task's priority; -1: not recorded */
};

/* This is a task in a chain of wakers, and what it did in an interval. All times are in ns. .ran is the rest of the interval, without the other times. */
struct chain_link {
	uint32_t person;
	uint64_t from, to;
	uint64_t ran, blocked, queued, preempted;
	uint64_t unknown;   /* the time of which nothing is known, because it was too long ago to be kept, or a CPU lost events while the task was off */
	uint32_t where;	    /* the number of a text: the functions in which the task was during its longest sleep; 0: not known */
	struct waker waker; /* who woke the task from that sleep */
};
enum { CHAIN_MOST = 5 }; /* a chain has at most this many links */

struct meanwhile;

/* Borrows @inputs and @timed. */
int meanwhile_new(struct meanwhile **out, const inputs_t *inputs, struct timed *timed);
void meanwhile_free(struct meanwhile *m);

/*
 * The callbacks of struct timed_watch call these functions. meanwhile_lost() forgets what is kept of the CPU of @there and of all tasks of its file.
 * meanwhile_switched() also notices when a switch is missing on the CPU of @what, because a kernel may leave out the events of some tasks without reporting a
 * loss. One is missing if @what switches from another task than the one to which the previous switch on this CPU switched. Then *@missing becomes the time
 * of the previous switch. Otherwise *@missing becomes UINT64_MAX. Two buffers may have recorded the same switch; when it comes again, none is missing.
 */
int meanwhile_switched(struct meanwhile *m, const struct timed_switch *what, uint64_t *missing);
int meanwhile_woken(struct meanwhile *m, const struct timed_wakeup *what);
int meanwhile_lost(struct meanwhile *m, const struct record *there);

/* Takes in a record that is neither the entry nor the exit of a call. A stack belongs to the switch or the wakeup that comes before it on its CPU. */
int meanwhile_other(struct meanwhile *m, const struct event *event, const struct record *rec);

/*
 * Returns the episode of this person that ended last, or NULL when none is kept. If it ended with the switch that meanwhile_switched() has just taken
 * in, its .back is the time of that switch.
 */
const struct episode *meanwhile_last(const struct meanwhile *m, uint32_t person);

/*
 * Calls @each for each run on this CPU of the file between @from and @to: with the person who ran, the person's priority, and how many ns of the run
 * lie between @from and @to. Stops when @each returns another value than 0; the result then has no meaning. Otherwise returns for how many ns between @from
 * and @to it is not known who ran.
 */
uint64_t meanwhile_runs(struct meanwhile *m, uint8_t file, uint16_t cpu, uint64_t from, uint64_t to,
			int (*each)(void *ctx, uint32_t person, int prio, uint64_t ns), void *ctx);

/*
 * Calls @each for every episode in which the person was off its CPU between @from and @to, as far as episodes are kept. First come those that have
 * ended, the latest first. Last comes the one that has not ended, whose .back is 0. @each gets an episode and the part of it that lies between @from
 * and @to. Returns 0, or what @each returned when that was not 0.
 */
int meanwhile_offs(const struct meanwhile *m, uint32_t person, uint64_t from, uint64_t to,
		   int (*each)(void *ctx, const struct episode *episode, uint64_t from, uint64_t to), void *ctx);

/* Keeps more episodes of this person from now on. If some have been dropped already, all that are kept now are forgotten. Returns 0 or -ENOMEM. */
int meanwhile_keep_long(struct meanwhile *m, uint32_t person);

/* Can the person be on this CPU now? If so, *@since becomes the time at which the person came there, or 0 when it is not known who is there. */
bool meanwhile_since(struct meanwhile *m, uint8_t file, uint16_t cpu, uint32_t person, uint64_t *since);

/*
 * Fills in @chain. The first link tells what @person did from @from to @to, and who woke it from its longest sleep in that time. The next link tells
 * what the waker did during that sleep, and so on. The chain ends with a task that ran or was queued for longer than it was blocked, with a task whose
 * waker is not known or was an interrupt, or after CHAIN_MOST links. Returns the number of links.
 */
unsigned int meanwhile_chain(const struct meanwhile *m, uint32_t person, uint64_t from, uint64_t to, struct chain_link chain[CHAIN_MOST]);

/*
 * meanwhile_text() returns the text with this number, which is "" for 0. meanwhile_text_id() returns the number of a text, which is added when it is new,
 * or -ENOMEM.
 */
const char *meanwhile_text(const struct meanwhile *m, uint32_t text);
int64_t meanwhile_text_id(struct meanwhile *m, const char *text);

#endif
