/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells where tasks spend their time, by measuring spans of time for each task. A pair (lib/analysis/profile-pairs.h) consists of a start event and an end
 * event, such as the entry and the exit of a system call. The time from the start event to the end event is a span. Each period of a task on a CPU or off the
 * CPU is a span, too. The kernel stacks at the starts of pairs and of periods off the CPU are kept. Calls of functions (function_graph, `record --latency`) are
 * also measured. All other events are counted. Nothing in here prints.
 *
 * A wait for a CPU begins when a sleeping task is woken. The wait ends when the task comes to a CPU. A wakeup of a task that is on a CPU, or that has been
 * preempted, begins no wait. If a task is woken a second time before the recording shows it on a CPU, the task has run in between, although its switches were
 * not recorded. In this case, the wait begins at the second wakeup.
 *
 * A span is not counted if any CPU lost events of the span's buffer during the span. After such a loss, the end may belong to another start. But three kinds of
 * spans always start and end on the same CPU, and are counted even if other CPUs lost events:
 * - the span of a pair whose two events must be on the same CPU (profile_pair.pinned);
 * - the period of a task on a CPU;
 * - the period of an idle task off its CPU.
 */
#ifndef RINGSIDE_PROFILE_H
#define RINGSIDE_PROFILE_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/losses.h"
#include "lib/analysis/profile-pairs.h"
#include "lib/analysis/scheduling.h"
#include "lib/analysis/stack-owner.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/tasks.h"
#include "lib/analysis/times.h"
#include "lib/event/text.h"

struct profile_options {
	bool irq_global; /* -G: interrupts are counted for CPUs instead of tasks */
	bool by_comm;	 /* --by-comm: tasks of the same name are put together */
	strv_t hooks;	 /* -H: the pairs of events that the user adds */
	/*
	 * Only spans that began on these CPUs, and events that happened on these CPUs, are counted. A call of a function is counted if it ended on one of
	 * these CPUs. NULL: all CPUs. The profile must get the records of all CPUs, even if this is not NULL.
	 */
	const struct cpuset *cpus;
};

/* OWNER_GROUP is for all tasks of a name (--by-comm). */
enum profile_owner_kind { OWNER_CPU, OWNER_GROUP, OWNER_TASK };

/*
 * Times are counted for an owner. An owner is a task or a CPU. With --by-comm, all tasks of a name are one owner. With -G, the owner of an interrupt is a
 * CPU. The owner of a hook that has the flag g is always a CPU.
 */
struct profile_owner {
	enum profile_owner_kind kind;
	int pid; /* 0 for a group, for a CPU and for idle tasks */
	/*
	 * For a group, this is the name of its tasks, borrowed from the trace of .file. For a task and for a CPU, this is NULL. Each idle task is a group of
	 * its own, for which this is NULL.
	 */
	const char *comm;
	uint16_t cpu; /* the CPU; only used for OWNER_CPU and for idle tasks */
	uint16_t buffer;
	uint8_t file;
};

/* This is one kind of thing that an owner did. */
struct profile_item {
	uint32_t owner; /* index into profile.owners */
	uint8_t file;
	enum profile_kind kind;
	const struct profile_pair *pair; /* for PROFILE_PAIR: the pair */
	const struct event *event;	 /* for PROFILE_COUNT: the event; for PROFILE_CALL: the event of the entry */
	/*
	 * - For PROFILE_FUNC, this is the function's address.
	 * - For PROFILE_OFF, this is the state in which the task left the CPU.
	 * - For PROFILE_PAIR, this is the value that the start and the end have in common (profile_side.match). But if the owner is a group, and .match and
	 *   .pid of the start name the same field, this is 0.
	 */
	uint64_t value;
	struct times times;
};

/*
 * This is the part of an item that belongs to one stack. .times is about the spans that began at this stack. For PROFILE_COUNT, .times counts the events that
 * happened at this stack.
 */
struct profile_at_stack {
	uint32_t item, stack; /* indices into profile_facts.items and profile.stacks */
	struct times times;
};

/* These are the return addresses of a stack: .n elements of profile.addresses from .first on, the innermost first. */
struct profile_stack {
	size_t first, n;
};

/* This tells that an event of one file is one side of a pair. */
struct profile_use {
	uint32_t pair;		 /* the index of the pair in profile.pairs */
	bool end;		 /* true: the event is the end of the pair; false: it is the start */
	struct field match, pid; /* the fields that profile_side.match and .pid name */
};

/* This tells what a profile does with an event. */
struct profile_event {
	const struct event *call;     /* for an entry or a return of `record --latency`, the event of the entry; NULL for any other event */
	bool leave;		      /* used if .call is not NULL: this event is the return */
	VEC(struct profile_use) uses; /* the pairs that the event begins or ends */
};

/* This is a span that is being measured. */
struct profile_open {
	bool open;		  /* the span has begun, and has not ended yet */
	bool chosen;		  /* the span began on one of profile.cpus */
	struct profile_item item; /* the item to whose .times the duration of the span will be added */
	uint64_t ts;		  /* when the span began, as input_time() converts times */
	uint16_t cpu;		  /* the CPU on which the span began */
	bool runnable;		  /* for PROFILE_OFF: the task left its CPU although it could have gone on running */
	/*
	 * This number tells whether events have been lost since the span began:
	 * - If the span can end on any CPU, this is the number that losses_take() gave to the record of the start.
	 * - If the span can end only on .cpu, this is the value that profile_stream.losses had at the record of the start.
	 */
	uint64_t losses;
	int64_t stack; /* the index in profile.stacks of the stack at the start; -1: none */
};

/* One record can begin several spans (struct profile_open). The stack that follows the record is noted for at most this many of these spans. */
enum { PROFILE_STARTS = 4 };

/*
 * This tells which spans the last record in a context of a CPU began, and to which item this record added a count. If the record's stack follows, the stack is
 * noted for the spans in .starts and for the item .counted.
 */
struct profile_last {
	uint32_t starts[PROFILE_STARTS]; /* the spans that the record began, as indices into profile.opens */
	uint32_t nstarts;
	int64_t counted; /* 1 + the index of the item to which the record added a count; 0: none */
};

/* This is a CPU of a buffer. */
struct profile_stream {
	uint64_t losses; /* how many times the CPU has lost events */
	struct stack_owners owners;
	struct profile_last last[STACK_LEVELS];
};

/* These are the events of one input. */
struct profile_events {
	struct profile_event *at; /* element i is for the event with the id i */
	size_t n;
	struct sched_events sched;
};

/* This is what was counted. .at_stacks tells how much of each item began at which stack. */
struct profile_facts {
	VEC(struct profile_item) items;
	VEC(struct profile_at_stack) at_stacks;
	struct keys item_keys; /* gives each element of .items its number */
	struct keys at_keys;   /* gives each element of .at_stacks its number */
};

struct profile {
	struct handler handler;
	bool irq_global, by_comm;
	const struct cpuset *cpus; /* profile_options.cpus */
	const inputs_t *inputs;
	struct profile_pairs pairs;
	VEC(struct profile_events) events; /* element i is for the input with index i */
	struct keys owner_keys;		   /* gives each element of .owners its number */
	struct keys stack_keys;		   /* gives each element of .stacks its number */
	struct keys open_keys;		   /* gives each element of .opens its number */
	VEC(struct profile_owner) owners;
	struct profile_facts facts; /* what was counted for each task and CPU */
	VEC(struct profile_stack) stacks;
	VEC(struct profile_open) opens;
	addresses_t addresses;	/* the return addresses of all stacks: see struct profile_stack */
	struct streams streams; /* a struct profile_stream for each CPU of each buffer */
	struct losses losses;
	uint64_t untimed; /* how many spans were not counted because events were lost, or because the end was earlier than the start */
};

/*
 * Makes a profile. The profile can be read at any time. Borrows @inputs and opt->cpus. Returns 0, -ENOMEM, or -EINVAL after a message about a hook. The
 * callback profile->handler.free() frees the profile.
 */
int profile_new(struct profile **out, const inputs_t *inputs, const struct profile_options *opt);

/*
 * Makes the facts of --by-comm from profile->facts. In the new facts, all tasks of the same name are one owner. The new owners are added to profile->owners.
 * Returns 0 or -ENOMEM. The caller frees *@out with profile_facts_fini().
 */
int profile_by_comm(struct profile *profile, struct profile_facts *out);
void profile_facts_fini(struct profile_facts *facts);

#endif
