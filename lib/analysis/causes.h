/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the slowest calls of a function, or of anything else that calls come from, and tells of each where its time went and what
 * is known of the reasons. It takes one pass. While such a call is open, its time is added up by path, together with what happens
 * to its task. When it ends, it adds to what is typical, and it is kept if it is among the slowest. So memory grows with the
 * different paths below the function and with the calls that are kept, and not with the recording. lib/analysis/verdict.h then
 * names the cause. Nothing in here prints.
 *
 * Of a recursive function only the outermost calls count.
 */
#ifndef RINGSIDE_CAUSES_H
#define RINGSIDE_CAUSES_H

#include "lib/analysis/callgraph.h"
#include "lib/analysis/cause-device.h"
#include "lib/analysis/meanwhile.h"
#include "lib/analysis/select.h"
#include "lib/analysis/timed.h"
#include "lib/analysis/vcpus.h"

/* The parts of the time of a call and of all that it calls. They add up to its total. */
enum cause_part {
	PART_SELF,	/* functions ran */
	PART_IRQ,	/* interrupts ran on top of them */
	PART_BLOCKED,
	PART_QUEUED,
	PART_PREEMPTED,
	PART_OFF,	/* off the CPU, when it is not known which of these three it is */
	PARTS,
};

/* Facts that are not about one of the parts. */
enum cause_fact_kind {
	FACT_FAULT = PARTS,	/* page faults */
	FACT_LOCK,		/* it waited for a lock: this may be part of its self, or of blocked */
	FACT_DEVICE,		/* a device had it to do */
	FACT_STILL,		/* its task was still on its CPU when others began the call, and ran on until it left it */
	FACT_HELD,		/* it ran, as its guest saw it, and the guest's CPU waited for one of the host, which ran .who */
	FACT_HELD_WAIT,		/* the same, while it waited for the guest's CPU, or for who woke it there */
	FACT_HALTED,		/* it ran, as its guest saw it, and the thread that is the guest's CPU slept: that is .who */
};

/* Who or what it was. */
enum cause_who { WHO_UNKNOWN, WHO_TASK, WHO_IRQ, WHO_TEXT };

/* Something that happened to a call, of one kind, at one place, by one task or interrupt. */
struct cause_fact {
	uint8_t kind;			/* enum cause_part or cause_fact_kind */
	uint8_t who_is;			/* enum cause_who */
	uint8_t irq;			/* enum call_irq: the context of the waker */
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
	uint32_t caller;		/* the index of a node that comes before it; for the first node its own index */
	uint64_t calls, total;
	uint64_t ns[PARTS];		/* its own parts, without its callees */
};

struct cause_call {
	uint8_t file;
	uint16_t cpu;			/* where it was entered */
	uint32_t root;			/* index into causes.roots */
	uint32_t person;
	uint64_t ns, total;		/* when it began, as input_time() has it, and how long it took */
	uint64_t ts;			/* the raw time of its entry */
	uint64_t parts[PARTS];
	VEC(struct cause_node) nodes;	/* callers before their callees; the first is the function itself */
	VEC(struct cause_fact) facts;	/* their number is limited; further ones are put together with WHO_UNKNOWN */
	/* What its longest sleep waited for: who woke it, who woke that one, and so on. */
	struct chain_link chain[CHAIN_MOST];
	unsigned int nchain;
	uint64_t chain_ns;		/* how long that sleep was */
	bool recursive;			/* the function is also called below itself */
	bool aside;			/* it is beside what its task does: nothing of that is its own */
	bool came;			/* with .placed: its task has come to a CPU since it began */
	struct device_use device;	/* which has it to do */
	bool placed;			/* it stands beside the stack, and no function is seen inside of it */
	uint64_t serial;		/* one for each call */
};

/*
 * What is typical of a path, or of a function, over all its complete calls. Numbers that are 0 are not added to the
 * distributions; see causes_median().
 */
struct cause_typical {
	struct quantiles calls, total, ns[PARTS];
	uint64_t asked;			/* while calls are taken in: the serial of the last call that had this path */
	uint32_t index;			/* the index of the path in the nodes of that call */
};

/* A function whose calls were asked for. */
struct cause_root {
	uint32_t node;			/* of causes.graph */
	uint64_t calls, cut;
	uint64_t over;			/* how many were as slow as was asked for */
	bool named;			/* it is a function or a system call, so that `record --why` takes its name */
	struct quantiles total, parts[PARTS];	/* over its complete calls */
};

struct causes;

struct causes_options {
	const strv_t *globs;			/* names of functions */
	bool exact;				/* they are names, and no globs */
	struct causes *beside;			/* of the same calls, for another function: what both need is found out once; it lives as long. NULL: none */
	const struct select_options *select;	/* only calls of these tasks; NULL: all */
	size_t most;				/* how many calls are kept */
	uint64_t over;				/* only calls that took longer than this are kept; 0: all */
	const strv_t *vcpus;			/* for vcpus_new(); NULL: nothing */
};

typedef VEC(struct cause_call *) cause_calls_t;

struct causes {
	struct causes_options opt;
	struct calls_user user;
	struct timed *timed;			/* of .opt.beside, where there is one; so are .meanwhile, .devices and .vcpus */
	struct timed_watch watch;
	struct meanwhile *meanwhile;
	struct causes *next;			/* another beside this one */
	struct devices *devices;
	struct vcpus *vcpus;
	struct callgraph *graph;		/* only the paths; nothing is added to its nodes */
	VEC(struct cause_typical) typical;	/* by node of the graph */
	VEC(struct cause_root) roots;
	cause_calls_t kept;			/* the slowest calls; until causes_sort() a heap with the fastest of them first */
	cause_calls_t spare;
	uint64_t serial, shared;		/* shared: other calls were open during the calls with serials up to this one */
	size_t open;				/* calls that are open now */
	const inputs_t *inputs;
	struct calls *calls;
	struct keys name_keys;
	VEC(struct cause_name { uint32_t name; bool wanted; }) names;
	VEC(struct cause_events) events;	/* by input */
	bool graphed, irqs;			/* there were functions, and functions of interrupts */
	bool faults, locks;			/* there were page faults, and waits for locks */
	bool folded;				/* there were more paths than can be kept apart */
};

/* Borrows @inputs and what @opt points to, and adds itself to @calls, which must live as long as it. Returns 0 or -errno, as vcpus_new() does. */
int causes_new(struct causes **out, struct calls *calls, const inputs_t *inputs, const struct causes_options *opt);
void causes_free(struct causes *causes);

/* Sorts .kept, the slowest first, when all records have been seen. */
void causes_sort(struct causes *causes);

/* Returns the median over @n calls. Calls with 0 are among them, but not in @q. */
uint64_t causes_median(const struct quantiles *q, uint64_t n);

/* Returns the name of a node's function. */
static inline const char *causes_name(const struct causes *causes, uint32_t node)
{
	return causes->graph->names.at[causes->graph->nodes.at[node].name];
}

#endif
