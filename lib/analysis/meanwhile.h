/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What else happened while a task waited: who ran on its CPU, who woke it and from where, and what that task had done. It keeps the last
 * runs of each CPU and the last waits of each task, so many of each and no more. Fed by lib/analysis/timed.h.
 */
#ifndef RINGSIDE_MEANWHILE_H
#define RINGSIDE_MEANWHILE_H

#include "lib/analysis/timed.h"

enum { MEANWHILE_NOBODY = UINT32_MAX };

/* Who or what woke a task. */
struct waker {
	uint32_t person;	/* MEANWHILE_NOBODY: not known, or it was an interrupt */
	uint32_t from;		/* a text: in what it was (functions, the innermost first, with " < " between); of interrupts the handler; 0: not known */
	uint8_t irq;		/* enum call_irq: in what it ran */
	bool known;		/* false: of all this nothing is known */
	uint16_t cpu;
};

/* A time that a task was off its CPU. */
struct episode {
	uint64_t since, woken, back;	/* ns; woken: of one that slept and was woken, else 0; back: 0: not yet */
	enum sched_why off;
	uint32_t where;			/* a text: the functions that left the CPU; 0: not known */
	struct waker waker;
	uint16_t cpu;			/* where it was */
	uint16_t waited;		/* on which CPU it waited to run since it was woken */
	bool has_waited;		/* that is known by sched_wakeup; else it is where it ran then */
	bool lost;			/* events were lost meanwhile */
	int prio;			/* of the task; -1: not recorded */
};

/* A task in a chain of wakers: what it did in an interval. In ns; ran is the rest. */
struct chain_link {
	uint32_t person;
	uint64_t from, to;
	uint64_t ran, blocked, queued, preempted;
	uint64_t unknown;		/* nothing is known of it that early */
	uint32_t where;			/* a text: where it was blocked longest */
	struct waker waker;		/* who ended that */
};
enum { CHAIN_MOST = 5 };

struct meanwhile;

/* Borrows all. 0 or -ENOMEM. */
int meanwhile_new(struct meanwhile **out, const inputs_t *inputs, struct timed *timed);
void meanwhile_free(struct meanwhile *m);

/* As struct timed_watch has them. */
int meanwhile_switched(struct meanwhile *m, const struct timed_switch *what);
int meanwhile_woken(struct meanwhile *m, const struct timed_wakeup *what);
int meanwhile_lost(struct meanwhile *m, const struct record *there);

/* Any record that is not of a call: a stack belongs to the switch or wakeup before it on its CPU. 0 or -ENOMEM. */
int meanwhile_other(struct meanwhile *m, const struct event *event, const struct record *rec);

/* What this person's last time off was, when it has just come back in meanwhile_switched(). NULL: none is known. */
const struct episode *meanwhile_last(const struct meanwhile *m, uint32_t person);

/* Tells all who ran on that CPU of the file from @from to @to: for how long, and with which priority. The part that is not known is returned. */
uint64_t meanwhile_runs(struct meanwhile *m, uint8_t file, uint16_t cpu, uint64_t from, uint64_t to,
			int (*each)(void *ctx, uint32_t person, int prio, uint64_t ns), void *ctx);

/* What @person did from @from to @to, who woke it from its longest sleep then, what that one did meanwhile, and so on: how many. */
unsigned int meanwhile_chain(const struct meanwhile *m, uint32_t person, uint64_t from, uint64_t to, struct chain_link chain[CHAIN_MOST]);

/* The text with that number, "" of 0; and the number of a text. -ENOMEM. */
const char *meanwhile_text(const struct meanwhile *m, uint32_t text);
int64_t meanwhile_text_id(struct meanwhile *m, const char *text);

#endif
