/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting in the kernel. What `count` was asked for becomes histograms of events (lib/tracefs/hist.h), and these become rows of analysis/counts.
 * Each entry of a histogram becomes a record with the event's fields, which is counted as often as the entry was hit. So a key has the same text here
 * as when records are counted. The function tracer has no histogram, so calls of functions are counted by probes; their entries become records of
 * that tracer.
 */
#ifndef RINGSIDE_COUNT_KERNEL_H
#define RINGSIDE_COUNT_KERNEL_H

#include "cmd/ask.h"
#include "lib/analysis/counts.h"
#include "lib/tracefs/hist.h"

#include <pthread.h>

/* A key of a histogram. */
struct kernel_key {
	enum { KERNEL_PID, KERNEL_CPU, KERNEL_FIELD, KERNEL_TO, KERNEL_STACK } what;
	const char *name;  /* its name as it is printed, which for a field is the field's; borrowed */
	const char *field; /* the field of the record that it fills, when that has another name; or NULL */
};

/* An event that is counted. */
struct kernel_event {
	char *name;	/* "sched:sched_switch" */
	const char *as; /* the event whose records its entries become, when that is another one; or NULL */
	struct kernel_key keys[HIST_MOST_KEYS];
	size_t nkeys;
	char *typed;	  /* the keys as they stand in the trigger */
	bool sums;	  /* it has the field of --sum */
	char *trigger;	  /* set when it is armed */
	struct text text; /* what was read from its histogram last */
};

/* What an entry of a histogram had counted at the reading before. */
struct kernel_before {
	uint64_t hits, sum;
};

struct count_kernel {
	const struct count_spec *spec;
	struct ask_opts *ask;
	const char *filter;    /* NULL: none */
	const char *stack_key; /* what this kernel calls the stack */
	uint64_t size;	       /* how many entries a table has; 0: chosen by count_kernel_plan() */
	VEC(struct kernel_event) events;
	struct instance *inst;
	strv_t tasks; /* those that were followed from the beginning */
	struct text forks, names;
	/* When the part that was read last began, and how long it is. Without periods that part is the whole. */
	uint64_t began_ns, span_ns;
	uint64_t every_ns;			       /* the length of a period; 0: there are none */
	MAP(struct text, struct kernel_before) before; /* only with periods; the key is what tells entries apart */
	strv_t entries;				       /* owns the texts that .before borrows */
	pthread_mutex_t lock;			       /* guards what is read: one thread reads in between, another one at the end */
	bool follows, failed, filled;
	uint64_t counted; /* how many hits there were, of all tasks */
	bool over;	  /* the end has been read */
	strv_t functions; /* those of --func, each of which has a probe; sorted */
};

/* The event that tells who forks whom, as "SYSTEM:EVENT". */
extern const char count_kernel_forks[];

/*
 * Can the kernel count this? @events are patterns. Returns 0 when it can, and k->events are known then; 1 when it cannot, and *@why_not, which the
 * caller frees, says what the kernel lacks; or -errno after a message. It changes nothing in the kernel.
 */
int count_kernel_plan(struct count_kernel *k, const strv_t *events, char **why_not);

/*
 * Does what count_kernel_plan() does, for the calls of functions that match one of @globs. One event counts them, with a probe at the entry of each
 * function. A glob that matches no function is taken out of @globs after a note, as long as another one matches. count_kernel_prepare() makes that
 * event, and does nothing when there are no functions. It returns 0 or -errno after a message.
 */
int count_kernel_plan_functions(struct count_kernel *k, strv_t *globs, char **why_not);
int count_kernel_prepare(struct count_kernel *k, struct session *session);

/* These are for struct live_opts, with a struct count_kernel as context. */
int count_kernel_ready(struct count_kernel *k, struct instance *inst);
void count_kernel_ended(struct count_kernel *k);

/*
 * Called after each round of reading when there are periods. When a period is over, it reads what was counted and shows it, with *@more set. Returns
 * 0 or -errno after a message.
 */
int count_kernel_round(struct count_kernel *k, struct reading *reading, bool *more);

/* For struct counts_view: adds what has been counted since the last call. */
int count_kernel_fill(void *k, struct reading *reading, struct counts *counts);

void count_kernel_fini(struct count_kernel *k);

#endif
