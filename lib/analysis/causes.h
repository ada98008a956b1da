/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the slowest calls of a function, or of another source of calls. For each it tells where its time went, and what is known of the
 * reasons. It takes one pass. While a call of the function is open, its time is added up by path, together with what happens to its task. When the
 * call ends, its times are added to what is typical, and it is kept if it is among the slowest. So memory grows with the different paths below the
 * function and with the calls that are kept, and not with the recording. lib/analysis/verdict.h then names the cause. Nothing in here prints.
 *
 * Only the outermost calls of a recursive function count.
 */
#ifndef RINGSIDE_CAUSES_H
#define RINGSIDE_CAUSES_H

#include "lib/analysis/callgraph.h"
#include "lib/analysis/cause-device.h"
#include "lib/analysis/meanwhile.h"
#include "lib/analysis/select.h"
#include "lib/analysis/timed.h"
#include "lib/analysis/vcpus.h"

/* These are the parts of the time of a call and of all that it calls. They add up to its total. */
enum cause_part {
	PART_SELF, /* functions ran */
	PART_IRQ,  /* interrupts ran on top of them */
	PART_BLOCKED,
	PART_QUEUED,
	PART_PREEMPTED,
	PART_OFF, /* off the CPU, when it is not known which of these three it is */
	PARTS,
};

/* These are facts that are not about one of the parts. */
enum cause_fact_kind {
	FACT_FAULT = PARTS, /* page faults */
	FACT_LOCK,	    /* the call waited for a lock: this may be part of its self, or of blocked */
	FACT_DEVICE,	    /* the call is a request that a block device worked on */
	FACT_STILL,	    /* another task began the call while the call's own task still ran; .ns is the time until the own task left its CPU */
	/* These are about calls in a guest, by what the recording of its host says of the guest's virtual CPU, a thread of the host. */
	FACT_HELD,	/* the call's task ran on that virtual CPU, which waited for a CPU of the host meanwhile; .who ran there */
	FACT_HELD_WAIT, /* the same, while the call's task waited for that virtual CPU, or for what woke it there */
	FACT_HALTED,	/* the call's task ran on that virtual CPU, whose thread, .who, slept meanwhile */
};

/* This tells what .who of a fact is: not known, a task, an interrupt, or a text. */
enum cause_who { WHO_UNKNOWN, WHO_TASK, WHO_IRQ, WHO_TEXT };

/* This is something that happened to a call, of one kind, at one place, by one task or interrupt. */
struct cause_fact {
	uint8_t kind;		     /* enum cause_part or cause_fact_kind */
	uint8_t who_is;		     /* enum cause_who */
	uint8_t irq;		     /* enum call_irq: the context of the waker */
	uint16_t cpu;		     /* where it happened last */
	int prio, own_prio;	     /* for queued and preempted: the priorities of .who and of the call's task; -1: not known */
	uint32_t who;		     /* the number of a person, or for an interrupt and WHO_TEXT of a text */
	uint32_t where, from;	     /* texts: where the call was; what a waker was in */
	uint64_t ns, times, longest; /* how long in all, how often, and the longest time. FACT_DEVICE: .times is the number of other requests */
	uint64_t before, served;     /* FACT_DEVICE: ns that the request waited before, and how many others were completed meanwhile */
};

/* This is a function below its callers, in one call. */
struct cause_node {
	uint32_t node;	 /* of causes.graph */
	uint32_t caller; /* the index of a node that comes before it; for the first node its own index */
	uint64_t calls, total;
	uint64_t ns[PARTS]; /* its own parts, without its callees */
};

struct cause_call {
	uint8_t file;
	uint16_t cpu;  /* where it was entered */
	uint32_t root; /* index into causes.roots */
	uint32_t person;
	uint64_t ns, total; /* when it began, as input_time() has it, and how long it took */
	uint64_t ts;	    /* the raw time of its entry */
	uint64_t parts[PARTS];
	VEC(struct cause_node) nodes; /* callers before their callees; the first is the function itself */
	VEC(struct cause_fact) facts; /* their number is limited; further ones are put together with WHO_UNKNOWN */
	/* This tells what its longest sleep waited for: who woke it, who woke that one, and so on. */
	struct chain_link chain[CHAIN_MOST];
	unsigned int nchain;
	uint64_t chain_ns;	  /* how long that sleep was */
	bool recursive;		  /* the function is also called below itself */
	bool aside;		  /* its task does not wait for it, so that facts about the task are no facts about the call */
	bool came;		  /* with .placed: its task has come to a CPU since it began */
	struct device_use device; /* of a request of a block device: what is known of it */
	uint8_t unseen;		  /* when events of its host are missing meanwhile: the index of the host's input + 1; 0: none are, or it is not known */
	bool placed;		  /* it stands beside the stack, so that no function is seen inside of it */
	uint64_t serial;	  /* a different number for each call */
};

/*
 * This tells what is typical of a path, or of a function, over all its complete calls. Durations of 0 are not added to the distributions: see
 * causes_median().
 */
struct cause_typical {
	struct quantiles calls, total, self; /* self: PART_SELF */
	uint64_t asked;			     /* while calls are taken in: the serial of the last call that had this path */
	uint32_t index;			     /* the index of the path in the nodes of that call */
};

/* This is a function whose calls were asked for. */
struct cause_root {
	uint32_t node; /* of causes.graph */
	uint64_t calls, cut;
	uint64_t over;			      /* how many calls took longer than .opt.over */
	bool named;			      /* it is a function or a system call, so that `record --why` takes its name */
	struct quantiles total, parts[PARTS]; /* over its complete calls */
};

struct causes;

struct causes_options {
	const strv_t *globs; /* globs of the names of functions */
	bool exact;	     /* .globs are names and not globs */
	struct causes
		*beside; /* another struct causes of the same calls, whose .timed, .meanwhile, .devices and .vcpus are used; it must live as long; NULL: none */
	const struct select_options *select; /* only calls of these tasks; NULL: all */
	size_t most;			     /* how many calls are kept */
	uint64_t over;			     /* only calls that took longer than this are kept; 0: all */
	const strv_t *vcpus;		     /* for vcpus_new(); NULL: nothing */
};

typedef VEC(struct cause_call *) cause_calls_t;

struct causes {
	struct causes_options opt;
	struct calls_user user;
	struct timed *timed; /* this and .meanwhile, .devices and .vcpus are those of .opt.beside, if that is set */
	struct timed_watch watch;
	struct meanwhile *meanwhile;
	struct causes *next; /* another struct causes that uses the same calls; NULL: none */
	struct devices *devices;
	struct vcpus *vcpus;
	struct callgraph *graph;	   /* only the paths; nothing is added to its nodes */
	VEC(struct cause_typical) typical; /* by node of the graph */
	VEC(struct cause_root) roots;
	cause_calls_t kept; /* the slowest calls; until causes_sort() a heap with the fastest of them first */
	cause_calls_t spare;
	uint64_t serial, shared; /* shared: other calls were open during the calls with serials up to this one */
	size_t open;		 /* calls that are open now */
	const inputs_t *inputs;
	struct calls *calls;
	struct keys name_keys;
	VEC(struct cause_name {
		uint32_t name;
		bool wanted;
	})
	names;
	VEC(struct cause_events) events; /* by input */
	bool graphed, irqs;		 /* there were functions, and functions of interrupts */
	bool faults, locks;		 /* there were page faults, and waits for locks */
	bool folded;			 /* there were more paths than can be kept apart */
};

/*
 * Borrows @inputs and what @opt points to, and adds itself to @calls, which must live as long as it. Returns 0, -ENOMEM, or another
 * -errno after a message (.vcpus are wrong: see vcpus_new()).
 */
int causes_new(struct causes **out, struct calls *calls, const inputs_t *inputs, const struct causes_options *opt);
void causes_free(struct causes *causes);

/* Sorts .kept, the slowest first, when all records have been seen. */
void causes_sort(struct causes *causes);

/* Returns the median over @n calls. @q lacks the calls whose number is 0, but these count among the @n calls. */
uint64_t causes_median(const struct quantiles *q, uint64_t n);

/* Returns the name of a node's function. */
static inline const char *causes_name(const struct causes *causes, uint32_t node)
{
	return causes->graph->names.at[causes->graph->nodes.at[node].name];
}

#endif
