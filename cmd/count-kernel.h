/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lets the kernel count for `ringside count`. BPF programs do the counting if they can count what is asked for (cmd/count-bpf.h). Otherwise the kernel's
 * histograms of the events do it (lib/tracefs/hist.h).
 *
 * The entries of a histogram become records: for each entry, a record with the event's fields is made, and lib/analysis/counts.h counts this record as often as
 * the entry was hit. So the text of a key is the same whether the kernel or ringside counts.
 *
 * The function tracer has no histogram, so a histogram of probes counts the calls of functions. The entries of this histogram become records of the function
 * tracer.
 */
#ifndef RINGSIDE_COUNT_KERNEL_H
#define RINGSIDE_COUNT_KERNEL_H

#include "cmd/ask.h"
#include "lib/analysis/counts.h"
#include "lib/bpf/tally.h"
#include "lib/tracefs/hist.h"

#include <pthread.h>

/* This is a key of a histogram. KERNEL_TO is a field with the pid of another task that the event is about, such as next_pid of sched_switch. */
struct kernel_key {
	enum { KERNEL_PID, KERNEL_CPU, KERNEL_FIELD, KERNEL_TO, KERNEL_STACK } what;
	const char *name;  /* the key's name in the hist trigger and in the histogram's text; for a field it is the field's name; borrowed */
	const char *field; /* the name of the field that the key becomes in the record; NULL: .name */
};

/* This is an event that is counted. */
struct kernel_event {
	char *name;	/* "sched:sched_switch" */
	const char *as; /* the histogram's entries become records of this event; NULL: they become records of the event .name */
	struct kernel_key keys[HIST_MOST_KEYS];
	size_t nkeys;
	char *trigger;	  /* the hist trigger that counts the event; NULL: it has not been set yet */
	char *typed;	  /* the keys as the hist trigger spells them; NULL: no histogram counts this event */
	bool sums;	  /* the event has the field whose values --sum adds up */
	struct text text; /* the text of the event's histogram when it was read last */
};

/* This is what an entry of a histogram had counted when the entry was last read. */
struct kernel_before {
	uint64_t hits;
	uint64_t sum; /* the sum of the values of the field that --sum names */
};

struct count_kernel {
	const struct count_spec *spec;
	struct ask_opts *ask;
	const char *filter;    /* NULL: none */
	const char *stack_key; /* the name that the stack trace has as a key of a hist trigger in this kernel */
	uint64_t size;	       /* how many entries a histogram has; 0: count_kernel_ready() chooses it */
	VEC(struct kernel_event) events;
	struct instance *inst;
	strv_t tasks;				       /* the pids of the tasks that were traced from the beginning, as text */
	struct text forks;			       /* the text of the histogram of forks */
	struct text names;			       /* the text that kernel_names_read() has read (cmd/kernel-names.h) */
	uint64_t every_ns;			       /* --every: the counts are shown after each period of this length; 0: there are no periods */
	uint64_t began_ns;			       /* the beginning of the period that was read last; without periods: the beginning of counting */
	uint64_t span_ns;			       /* the length of the period that was read last; without periods: how long counting took */
	MAP(struct text, struct kernel_before) before; /* used only with periods; the map's key is the text that identifies an entry */
	strv_t entries;				       /* owns the texts that .before borrows */
	pthread_mutex_t lock; /* guards the members that reading changes: one thread reads after each period, and another one at the end */
	bool follows;	      /* only events of the traced tasks and of their children are counted; false when -a was given */
	bool failed;	      /* at the end, counting could not be switched off, or the counts could not be read */
	bool filled;	      /* count_kernel_fill() has added what was read last */
	uint64_t counted;     /* how many events had been counted at the last reading; if histograms count, these are the events of all tasks */
	bool over;	      /* the histograms have been read at the end */
	strv_t functions;     /* the functions of --func, each of which has a probe; sorted */
	/* These are used only when BPF programs count. */
	struct tally *tally; /* NULL: histograms count */
	struct tally_options tally_options;
	pid_t tally_pid;       /* the process that opened .tally */
	strv_t counted_events; /* the events that are counted */
	size_t tally_n;	       /* how many numbers .now and .told have: see tally_read() */
	uint64_t *now, *told;  /* the counts that were read last, and the part of them that was given to the analysis */
};

/* This says what is used for counting. */
enum count_by_what {
	COUNT_CHEAPEST, /* BPF programs if they can count, otherwise histograms; if the kernel has no histograms, neither is used */
	COUNT_BPF,	/* only BPF programs, which need no histograms */
};

/* This is the name "SYSTEM:EVENT" of the event that records forks. */
extern const char count_kernel_forks[];

/*
 * Finds out whether the kernel can count the events that match the patterns @events. If it can, sets k->events and returns 0. If it cannot, sets *@why_not to
 * the reason, a text that the caller frees, and returns 1. Returns -errno after a message. If BPF programs can count, the function loads these programs, but
 * they do not count yet. It changes nothing else in the kernel.
 */
int count_kernel_plan(struct count_kernel *k, const strv_t *events, enum count_by_what what, char **why_not);

/*
 * Does what count_kernel_plan() does, for calls of the functions that match one of @globs. One
 * event, with a probe at the entry of each function, counts these calls. If at least one glob
 * matches, all globs that match no function are taken out of @globs. A note names each of these
 * globs.
 */
int count_kernel_plan_functions(struct count_kernel *k, strv_t *globs, char **why_not);

/*
 * If there are functions of --func, makes the event and the probes that count their calls. With count -r, each run has a process of its own. So if another
 * process has loaded the BPF programs that count, this process loads these programs again. Returns 0 or -errno after a message.
 */
int count_kernel_prepare(struct count_kernel *k, struct session *session);

/* These functions do the work of .ready and .ended of struct live_opts. */
int count_kernel_ready(struct count_kernel *k, struct instance *inst);
void count_kernel_ended(struct count_kernel *k);

/*
 * When there are periods, count_kernel_round() must be called after each round of reading. If a period is over, the function reads the counts and shows them.
 * While the function shows the counts, *@more (.more of struct counts_view) is true, which says that further tables will follow. Returns 0 or -errno after a
 * message.
 */
int count_kernel_round(struct count_kernel *k, struct reading *reading, bool *more);

/*
 * Adds to @counts what count_kernel_round() or count_kernel_ended() has read since count_kernel_fill() was called last. @k is a struct count_kernel. This
 * function can be .fill of struct counts_view. Returns 0, or -errno after a message. When k->failed is true, it returns -EIO, and an earlier message has told
 * the reason.
 */
int count_kernel_fill(void *k, struct reading *reading, struct counts *counts);

void count_kernel_fini(struct count_kernel *k);

#endif
