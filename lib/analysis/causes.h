/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the slowest calls of a function, or the slowest calls of another kind (lib/analysis/calls.h). For each of these calls, it tells where the time went and
 * what is known of the reasons. One pass over the records is enough. While a call is open, its time is added up for each path. A path is a function below its
 * callers (lib/analysis/callgraph.h). Everything that happens to the call's task in this time is collected as facts. When the call ends, its times are added to
 * the distributions of struct cause_typical. The call itself is kept only if it is among the slowest. So memory grows with the number of different paths below
 * the function and with the number of calls that are kept. It does not grow with the length of the recording. lib/analysis/verdict.h tells from these facts and
 * times why a call was slow. Nothing in here prints.
 *
 * When a function calls itself, only the outermost calls are looked at.
 */
#ifndef RINGSIDE_CAUSES_H
#define RINGSIDE_CAUSES_H

#include "lib/analysis/callgraph.h"
#include "lib/analysis/cause-device.h"
#include "lib/analysis/meanwhile.h"
#include "lib/analysis/select.h"
#include "lib/analysis/timed.h"
#include "lib/analysis/vcpus.h"

/* These are the parts of the time of a call, including the time of its callees. The parts add up to the total of the call. */
enum cause_part {
	PART_SELF,	/* the code of functions ran */
	PART_IRQ,	/* handlers of interrupts ran on top of the functions */
	PART_BLOCKED,	/* the task slept */
	PART_QUEUED,	/* the task had been woken and waited for a CPU */
	PART_PREEMPTED, /* the task had lost its CPU, although it could have continued to run */
	PART_OFF,	/* the task was off the CPU, and nothing tells whether it was blocked, queued or preempted */
	PARTS,
};

/* These are the kinds of facts that are not about one part of the call's time. Their numbers follow those of the parts. */
enum cause_fact_kind {
	FACT_FAULT = PARTS, /* page faults */
	FACT_LOCK,	    /* the call waited for a lock; the wait may be part of its self time or of its blocked time */
	FACT_DEVICE,	    /* the call is a request to a block device */
	/*
	 * Another task, such as a waker, began the call (CALL_FOR_TASK), while the call's task was still on a CPU. .ns is the time until the call's task
	 * left that CPU. .who is the call's task.
	 */
	FACT_STILL,
	/*
	 * The next three facts are about calls in a guest. They are found in the recording of the guest's host. In that recording, the virtual CPU on
	 * which the call's task ran is a thread.
	 */
	/* The call's task was on the virtual CPU, while the virtual CPU's thread waited for a CPU of the host. .who ran on that CPU of the host. */
	FACT_HELD,
	/* Like FACT_HELD, but the call's task was not on the virtual CPU. The task waited for the virtual CPU, or for a waker that had to run on this CPU. */
	FACT_HELD_WAIT,
	FACT_HALTED, /* The call's task was on the virtual CPU, while the virtual CPU's thread slept. .who is that thread. */
};

/* This tells what .who of a fact is: unknown, a task, an interrupt or a text. The text names a lock, a block device or a kind of page fault. */
enum cause_who { WHO_UNKNOWN, WHO_TASK, WHO_IRQ, WHO_TEXT };

/*
 * This is something that happened to a call, once or more often. If it happens again with the same .kind, .where, .from, .who and .irq, it is added
 * to the same fact.
 */
struct cause_fact {
	uint8_t kind;	    /* if the fact is about one part of the call's time, enum cause_part; otherwise enum cause_fact_kind */
	uint8_t who_is;	    /* enum cause_who */
	uint8_t irq;	    /* enum call_irq: the context of the waker */
	uint16_t cpu;	    /* where it happened last */
	int prio, own_prio; /* for PART_QUEUED and PART_PREEMPTED: the priorities of .who and of the call's task; -1: not known */
	/*
	 * For WHO_TASK, the number of a struct timed_person (lib/analysis/timed.h). For WHO_IRQ and WHO_TEXT, the number of a text: meanwhile_text().
	 */
	uint32_t who;
	uint32_t where;	  /* the number of a text: the functions in which the call's task left its CPU; 0: not known */
	uint32_t from;	  /* the number of a text: the functions in which the waker of the call's task ran; 0: not known, or an interrupt */
	uint64_t ns;	  /* how long it lasted in all */
	uint64_t times;	  /* How often it happened. For FACT_DEVICE: how many other requests the device had when the call's request was issued. */
	uint64_t longest; /* the longest time that it lasted, ns */
	uint64_t before;  /* for FACT_DEVICE: how long the request waited in a queue, ns */
	uint64_t served;  /* for FACT_DEVICE: how many other requests were completed while the call's request was served */
};

/* This is one path of a struct cause_call, with the path's times in this call. */
struct cause_node {
	uint32_t node;	    /* the index of a node of causes.graph */
	uint32_t caller;    /* the index of its caller in cause_call.nodes; 0 for the first node, which has no caller */
	uint64_t calls;	    /* how many of its calls were complete */
	uint64_t total;	    /* the sum of the totals of these complete calls, ns */
	uint64_t ns[PARTS]; /* element i is the part i (enum cause_part) of the path's own time, without callees */
};

struct cause_call {
	uint8_t file;
	uint16_t cpu;		      /* where it was entered */
	uint32_t root;		      /* index into causes.roots */
	uint32_t person;	      /* its task: the number of a struct timed_person (lib/analysis/timed.h) */
	uint64_t ns;		      /* when the call began, as input_time() converts times */
	uint64_t total;		      /* how long the call took, ns */
	uint64_t ts;		      /* the raw time of its entry */
	uint64_t parts[PARTS];	      /* element i is the part i (enum cause_part) of .total */
	VEC(struct cause_node) nodes; /* callers come before their callees; the first node is the function that was asked for */
	VEC(struct cause_fact) facts; /* Their number is limited. At the limit, all further facts of the same kind are added to one fact with WHO_UNKNOWN. */
	/*
	 * This tells why the longest sleep of the call's task lasted so long. The first element is about the task's waker, the next is about the waker of that
	 * waker, and so on.
	 */
	struct chain_link chain[CHAIN_MOST];
	unsigned int nchain;
	uint64_t chain_ns;	  /* how long the longest sleep was */
	bool recursive;		  /* the call contains further calls of its own function */
	bool aside;		  /* its task does not wait for the call, so facts about the task say nothing about the call */
	bool unplaced;		  /* its time off the CPU is not known: see timed_is_async() in lib/analysis/timed.h */
	bool lacks;		  /* its task lacks switches (timed_lacks()), so its time off the CPU is not known; causes_sort() sets this */
	struct device_use device; /* for a request to a block device: what is known of it */
	/*
	 * Used if the call was made in a guest. 0: as far as is known, no events of the guest's host are missing at the time of the call. Otherwise, such
	 * events are missing, and this is 1 + the index of the host's input.
	 */
	uint8_t unseen;
	bool placed;	 /* The call stands beside the stack of its task's calls (lib/analysis/calls.h). So no function is seen inside of the call. */
	bool came;	 /* used if .placed is true: the call's task has come to a CPU since the call began */
	uint64_t serial; /* the number of the call; calls that begin later have larger numbers */
};

/*
 * This tells what is typical of a path. The path begins with a function that was asked for. Each complete call of this function adds one number to each
 * distribution. Zeros are not stored in the distributions, but causes_median() takes them into account.
 */
struct cause_typical {
	struct quantiles calls; /* how many complete calls of this path are inside of one call of the function */
	struct quantiles total; /* the sum of the totals of these inner calls */
	struct quantiles self;	/* the sum of the PART_SELF of these inner calls */
	uint64_t asked;		/* while records are taken in: the .serial of the last struct cause_call that contains this path */
	uint32_t index;		/* while records are taken in: the index of the path in the .nodes of that struct cause_call */
};

/* This is a function whose calls were asked for. */
struct cause_root {
	uint32_t node;		       /* the index of a node of causes.graph */
	uint64_t calls, cut;	       /* .calls: how many of its calls are complete and have known totals; .cut: how many are not complete */
	uint64_t timeless;	       /* how many of its complete calls have unknown totals */
	uint64_t over;		       /* how many calls took longer than causes.opt.over */
	bool named;		       /* it is a function or a system call; `record --why` accepts only names of these */
	struct quantiles total;	       /* the totals of its complete calls */
	struct quantiles parts[PARTS]; /* element i has the part i (enum cause_part) of each complete call in which this part is not 0 */
};

struct causes;

struct causes_options {
	const strv_t *globs; /* globs of the names of functions */
	bool exact;	     /* true: a text in .globs is no glob, and matches only the name that is equal to it */
	/* Another struct causes, which uses the same struct calls. It lends its .timed, .meanwhile, .devices and .vcpus to this one. NULL: there is none. */
	struct causes *beside;
	const struct select_options *select; /* only calls of these tasks are looked at; NULL: calls of all tasks */
	size_t most;			     /* how many calls are kept */
	uint64_t over;			     /* only calls that took longer than this are kept, ns; 0: all */
	const strv_t *vcpus;		     /* what the user says of virtual CPUs: @given of vcpus_new(); NULL: nothing */
};

typedef VEC(struct cause_call *) cause_calls_t;

struct causes {
	struct causes_options opt;
	struct calls_user user;
	struct timed *timed; /* if .opt.beside is not NULL, .opt.beside owns .timed, .meanwhile, .devices and .vcpus */
	struct timed_watch watch;
	struct meanwhile *meanwhile;
	struct causes *next; /* the next struct causes that uses the same .timed, .meanwhile, .devices and .vcpus; NULL: none */
	struct devices *devices;
	struct vcpus *vcpus;
	struct callgraph *graph;	   /* this graph has only the paths; the times of calls are in .typical and in struct cause_call */
	VEC(struct cause_typical) typical; /* element i is for the node i of .graph */
	VEC(struct cause_root) roots;
	cause_calls_t kept;  /* the slowest calls; they are a heap with the fastest of them first, until causes_sort() sorts them */
	cause_calls_t spare; /* calls that are no longer needed; their memory is used for new calls */
	uint64_t serial;     /* the .serial of the latest call */
	uint64_t shared;     /* calls with a .serial up to this number may have been open at the same time as another call */
	size_t open;	     /* how many calls are open now */
	const inputs_t *inputs;
	struct calls *calls;
	struct keys name_keys;
	VEC(struct cause_name {
		uint32_t name; /* index into graph->names */
		bool wanted;   /* calls of this name are asked for */
	})
	names;				 /* element i is for the key with the number i in .name_keys */
	VEC(struct cause_events) events; /* element i is for the input i */
	bool graphed;			 /* function_graph has recorded functions of interrupts */
	bool faults;			 /* there were page faults */
	bool locks;			 /* there were waits for locks */
	bool folded;			 /* there were too many paths, so some were folded (lib/analysis/callgraph.h) */
};

/*
 * Makes *@out, a consumer of @calls. @calls and opt->beside must live as long as *@out. Borrows @inputs and what @opt points to. Returns 0 or
 * -ENOMEM. When opt->vcpus is wrong, returns another -errno after a message (vcpus_new()).
 */
int causes_new(struct causes **out, struct calls *calls, const inputs_t *inputs, const struct causes_options *opt);
void causes_free(struct causes *causes);

/*
 * Must be called after the last record. Sorts .kept, the slowest call first. Also sets .unseen of the calls that were kept before it became known that events
 * of the guest's host are missing. Sets .lacks of all calls in .kept. If .lacks is true, all parts of the time off the CPU become parts of PART_SELF.
 */
void causes_sort(struct causes *causes);

/* Returns the median of @n numbers. @q has only the numbers that are not 0. All others of the @n numbers are 0. */
uint64_t causes_median(const struct quantiles *q, uint64_t n);

/* Returns the name of a node's function. */
static inline const char *causes_name(const struct causes *causes, uint32_t node)
{
	return causes->graph->names.at[causes->graph->nodes.at[node].name];
}

#endif
