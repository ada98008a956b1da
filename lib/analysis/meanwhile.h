/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells what else happened while a task waited: who ran on its CPU, who woke it and from where, and what the waker had done. It
 * keeps the last runs of each CPU and the last waits of each task, a fixed number of each. lib/analysis/timed.h feeds it.
 * Functions that return an int return 0 or -ENOMEM.
 */
#ifndef RINGSIDE_MEANWHILE_H
#define RINGSIDE_MEANWHILE_H

#include "lib/analysis/timed.h"

enum { MEANWHILE_NOBODY = UINT32_MAX };

/* This tells who or what woke a task. */
struct waker {
	uint32_t person; /* MEANWHILE_NOBODY: not known, or it was an interrupt */
	uint32_t from;	 /* a text: its functions, the innermost first, with " < " between them, or the handler of an interrupt; 0: not known */
	uint8_t irq;	 /* enum call_irq: the context in which it ran */
	bool known;	 /* false: nothing of this is known */
	uint16_t cpu;
};

/* This is a time that a task was off its CPU. */
struct episode {
	uint64_t since, woken, back; /* ns; woken is 0 unless the task slept and was woken; back is 0 when it has not come back yet */
	enum sched_why off;
	uint32_t where; /* a text: the functions that left the CPU; 0: not known */
	struct waker waker;
	uint16_t cpu;	 /* the CPU that it left */
	uint16_t waited; /* the CPU on which it waited after it was woken */
	bool has_waited; /* sched_wakeup has told .waited; otherwise .waited is the CPU on which it ran then */
	bool lost;	 /* events are missing meanwhile; .back is then the earliest time at which the task may have come back */
	int prio;	 /* of the task; -1: not recorded */
};

/* This is a task in a chain of wakers, with what it did in an interval. All times are in ns. .ran is the rest of the interval, without the other times. */
struct chain_link {
	uint32_t person;
	uint64_t from, to;
	uint64_t ran, blocked, queued, preempted;
	uint64_t unknown;   /* the time of which nothing is known, because it is too long ago */
	uint32_t where;	    /* a text: where it was blocked longest */
	struct waker waker; /* who woke it there */
};
enum { CHAIN_MOST = 5 };

struct meanwhile;

/* Borrows its arguments. */
int meanwhile_new(struct meanwhile **out, const inputs_t *inputs, struct timed *timed);
void meanwhile_free(struct meanwhile *m);

/* These are the callbacks of struct timed_watch. */
int meanwhile_switched(struct meanwhile *m, const struct timed_switch *what);
int meanwhile_woken(struct meanwhile *m, const struct timed_wakeup *what);
int meanwhile_lost(struct meanwhile *m, const struct record *there);

/*
 * Does this switch follow the one before it on its CPU? If not, at least one switch between the two is not in the recording, although no loss was told: a
 * kernel may leave out the events of some tasks. Must be called before meanwhile_switched(). Several buffers may tell of the same switch: that follows, too.
 */
bool meanwhile_follows(struct meanwhile *m, const struct timed_switch *what);

/* Takes in a record that belongs to no call. A stack belongs to the switch or the wakeup before it on its CPU. */
int meanwhile_other(struct meanwhile *m, const struct event *event, const struct record *rec);

/* Returns the last episode of a person that has just come back in meanwhile_switched(), or NULL when none is known. */
const struct episode *meanwhile_last(const struct meanwhile *m, uint32_t person);

/*
 * Calls @each for each person who ran on this CPU of the file from @from to @to, with the time and the priority. Returns how much
 * of the time is not known, in ns.
 */
uint64_t meanwhile_runs(struct meanwhile *m, uint8_t file, uint16_t cpu, uint64_t from, uint64_t to,
			int (*each)(void *ctx, uint32_t person, int prio, uint64_t ns), void *ctx);

/*
 * Calls @each for every episode in which the person was off its CPU between @from and @to, as far as episodes are kept. The latest of those that have
 * ended comes first. The episode that has not ended comes after all of them, and its .back is 0. @each gets the episode and the part of it that lies
 * between @from and @to. Returns 0, or what @each returned when that was not 0.
 */
int meanwhile_offs(const struct meanwhile *m, uint32_t person, uint64_t from, uint64_t to,
		   int (*each)(void *ctx, const struct episode *episode, uint64_t from, uint64_t to), void *ctx);

/* Keeps more episodes of this person from now on. Returns 0 or -ENOMEM. */
int meanwhile_keep_long(struct meanwhile *m, uint32_t person);

/* Can the person be on this CPU now? If so, *@since becomes the time at which the person came there, or 0 when it is not known who is there. */
bool meanwhile_since(struct meanwhile *m, uint8_t file, uint16_t cpu, uint32_t person, uint64_t *since);

/*
 * Fills in @chain: what @person did from @from to @to, who woke it from its longest sleep in that time, what the waker did during
 * that sleep, and so on. Returns the number of links.
 */
unsigned int meanwhile_chain(const struct meanwhile *m, uint32_t person, uint64_t from, uint64_t to, struct chain_link chain[CHAIN_MOST]);

/*
 * meanwhile_text() returns the text with this number, which is "" for 0. meanwhile_text_id() returns the number of a text, which is added when it is new,
 * or -ENOMEM.
 */
const char *meanwhile_text(const struct meanwhile *m, uint32_t text);
int64_t meanwhile_text_id(struct meanwhile *m, const char *text);

#endif
