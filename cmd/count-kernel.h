/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting in the kernel: what `count` was asked for as histograms of events (lib/tracefs/hist.h), and those as rows of analysis/counts. Each
 * entry of a histogram becomes a record with these fields, counted as often as it was hit; so its words are those of records.
 * Calls of functions are counted by probes, as the function tracer has no histogram; their entries become records of that tracer.
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
	const char *name;  /* as it is printed; of a field that field's: borrowed */
	const char *field; /* of the record that it fills, when that has another name; or NULL */
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
	struct text text; /* what was read last */
};

/* What an entry had counted when it was read before. */
struct kernel_before {
	uint64_t hits, sum;
};

struct count_kernel {
	const struct count_spec *spec;
	struct ask_opts *ask;
	const char *filter;    /* NULL: none */
	const char *stack_key; /* what this kernel calls the stack */
	uint64_t size;	       /* of a table; 0: as it seems right */
	VEC(struct kernel_event) events;
	struct instance *inst;
	strv_t tasks; /* that were followed from the beginning */
	struct text forks, names;
	/* Of the part that was read last; the whole, unless there are periods. */
	uint64_t began_ns, span_ns;
	uint64_t every_ns;			       /* 0: there are none */
	MAP(struct text, struct kernel_before) before; /* with periods, by what tells entries apart */
	strv_t entries;				       /* what it borrows */
	pthread_mutex_t lock;			       /* of what is read: one thread reads in between, another at the end */
	bool follows, failed, filled;
	uint64_t counted; /* so many hits there were, of all tasks */
	bool over;	  /* the end has been read */
	strv_t functions; /* of --func, each of which has a probe; sorted */
};

/* The event that tells who forks whom, as "SYSTEM:EVENT". */
extern const char count_kernel_forks[];

/*
 * Can the kernel count this? @events: patterns. Returns 0 and k->events are known; 1 and *@why_not, new memory, says what it lacks; -errno after
 * a message. Changes nothing.
 */
int count_kernel_plan(struct count_kernel *k, const strv_t *events, char **why_not);

/*
 * The same for the calls of functions that match one of @globs: they are counted by one event with a probe at the entry of each
 * function. A glob that matches none is taken out of @globs after a note when others do. count_kernel_prepare() makes that event;
 * it does nothing when there are no functions. Returns 0 or -errno after a message.
 */
int count_kernel_plan_functions(struct count_kernel *k, strv_t *globs, char **why_not);
int count_kernel_prepare(struct count_kernel *k, struct session *session);

/* For struct live_opts: the context is a struct count_kernel. */
int count_kernel_ready(struct count_kernel *k, struct instance *inst);
void count_kernel_ended(struct count_kernel *k);

/* With periods, after each round: when one is over, reads what there is and shows it, with *@more set. Returns 0 or -errno after a message. */
int count_kernel_round(struct count_kernel *k, struct reading *reading, bool *more);

/* For struct counts_view: adds what has been counted since it was called before. */
int count_kernel_fill(void *k, struct reading *reading, struct counts *counts);

void count_kernel_fini(struct count_kernel *k);

#endif
