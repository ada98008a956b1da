/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The slowest calls of a function (or of whatever else calls come from), each with where its time went and what is known of why. One pass:
 * while such a call is open its time is added up by path, with what happened to its task meanwhile; when it ends it is kept if it is among the
 * slowest, and in any case adds to what is typical. So memory grows with the different paths below the function, and with the
 * calls that are kept, not with the recording. lib/analysis/verdict.h then names the cause. No printing.
 *
 * Of a recursive function the outermost calls count.
 */
#ifndef RINGSIDE_CAUSES_H
#define RINGSIDE_CAUSES_H

#include "lib/analysis/callgraph.h"
#include "lib/analysis/cause-device.h"
#include "lib/analysis/meanwhile.h"
#include "lib/analysis/select.h"
#include "lib/analysis/timed.h"

/* What the time of a call consists of, with that of all it calls: the parts add up to its total. */
enum cause_part {
	PART_SELF,	/* functions ran */
	PART_IRQ,	/* interrupts ran on top of them */
	PART_BLOCKED,
	PART_QUEUED,
	PART_PREEMPTED,
	PART_OFF,	/* off the CPU, and it is not known which of these */
	PARTS,
};

/* What else is known of a call, beside what its parts consist of. */
enum cause_fact_kind {
	FACT_FAULT = PARTS,	/* page faults */
	FACT_LOCK,		/* it waited for a lock: this may be part of its self, or of blocked */
	FACT_DEVICE,		/* a device had it to do */
};

/* Who or what it was. */
enum cause_who { WHO_UNKNOWN, WHO_TASK, WHO_IRQ, WHO_TEXT };

/* Something that happened to a call, of one kind, at one place, by one task or interrupt. */
struct cause_fact {
	uint8_t kind;			/* enum cause_part or cause_fact_kind */
	uint8_t who_is;			/* enum cause_who */
	uint8_t irq;			/* enum call_irq: a waker's context */
	uint16_t cpu;			/* where it happened last */
	int prio, own_prio;		/* of queued and preempted: theirs and ours; -1: not known */
	uint32_t who;			/* a person; a text */
	uint32_t where, from;		/* texts: where the call was; what a waker was in */
	uint64_t ns, times, longest;	/* of a device: how many others it had then is .times */
	uint64_t before, served;	/* of a device: how long it waited before, and how many others were completed meanwhile */
};

/* A function below its callers, in one call. */
struct cause_node {
	uint32_t node;			/* of causes.graph */
	uint32_t caller;		/* index of a node that comes before it; the first one's is its own */
	uint64_t calls, total;
	uint64_t ns[PARTS];		/* without its callees */
};

struct cause_call {
	uint8_t file;
	uint16_t cpu;			/* where it was entered */
	uint32_t root;			/* index into causes.roots */
	uint32_t person;
	uint64_t ns, total;		/* when it began, as input_time(); how long it took */
	uint64_t ts;			/* its entry's, raw */
	uint64_t parts[PARTS];
	VEC(struct cause_node) nodes;	/* callers before their callees; the first is the function itself */
	VEC(struct cause_fact) facts;	/* so many at the most; what is more has WHO_UNKNOWN */
	/* What its longest sleep waited for: who woke it, who woke that one, and so on. */
	struct chain_link chain[CHAIN_MOST];
	unsigned int nchain;
	uint64_t chain_ns;		/* how long that sleep was */
	bool recursive;			/* the function is also called below itself */
	bool aside;			/* it is beside what its task does: nothing of that is its own */
	struct device_use device;	/* which has it to do */
	bool placed;			/* it stands beside the stack, and no function is seen inside of it */
	uint64_t serial;		/* one for each call */
};

/* What is typical of a path, or of all that a function took: over all its complete calls. Of numbers that are 0 only those of the others are kept. */
struct cause_typical {
	struct quantiles calls, total, ns[PARTS];
	uint64_t asked;			/* while taking in: the call that had this path last, */
	uint32_t index;			/* and where in its nodes */
};

/* A function whose calls were asked for. */
struct cause_root {
	uint32_t node;			/* of causes.graph */
	uint64_t calls, cut;
	uint64_t over;			/* so many were as slow as asked for */
	bool named;			/* it is a function or a system call, which `record --why` takes by name */
	struct quantiles total, parts[PARTS];	/* of whole calls */
};

struct causes;

struct causes_options {
	const strv_t *globs;			/* names of functions */
	bool exact;				/* they are names, and no globs */
	struct causes *beside;			/* of the same calls, for another function: what both need is found out once; it lives as long. NULL: none */
	const struct select_options *select;	/* only calls of these tasks; NULL: all */
	size_t most;				/* so many calls are kept */
	uint64_t over;				/* only those that took longer; 0: all */
};

typedef VEC(struct cause_call *) cause_calls_t;

struct causes {
	struct causes_options opt;
	struct calls_user user;
	struct timed *timed;			/* of .opt.beside, where there is one; so is .meanwhile */
	struct timed_watch watch;
	struct meanwhile *meanwhile;
	struct causes *next;			/* another beside this one */
	struct devices *devices;
	struct callgraph *graph;		/* only the paths; nothing is added to its nodes */
	VEC(struct cause_typical) typical;	/* by node of the graph */
	VEC(struct cause_root) roots;
	cause_calls_t kept;			/* the slowest; a heap, the fastest of them first, until causes_sort() */
	cause_calls_t spare;
	uint64_t serial, shared;		/* shared: other calls were open during those up to it */
	size_t open;				/* calls that are open now */
	const inputs_t *inputs;
	struct calls *calls;
	struct keys name_keys;
	VEC(struct cause_name { uint32_t name; bool wanted; }) names;
	VEC(struct cause_events) events;	/* by input */
	bool graphed, irqs;			/* there were functions; and functions of interrupts */
	bool faults, locks;			/* and page faults, and waits for locks */
	bool folded;				/* there were more paths than are kept apart */
};

/* Borrows @inputs and what @opt points to, and adds itself to @calls, which must outlive it. 0 or -ENOMEM. */
int causes_new(struct causes **out, struct calls *calls, const inputs_t *inputs, const struct causes_options *opt);
void causes_free(struct causes *causes);

/* All has been seen: the slowest come first. */
void causes_sort(struct causes *causes);

/* The median of all @n calls, of which those with 0 are not in @q. */
uint64_t causes_median(const struct quantiles *q, uint64_t n);

/* The name of a node's function. */
static inline const char *causes_name(const struct causes *causes, uint32_t node)
{
	return causes->graph->names.at[causes->graph->nodes.at[node].name];
}

#endif
