/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells where tasks spend their time. It measures for each task the times between events that belong together. For example, a task leaves its CPU and comes
 * back, or a system call begins and ends. It keeps the kernel stacks at which these times began. It also measures how long functions took (function_graph).
 * All other events are counted. Nothing in here prints.
 *
 * The time of a pair is not counted if some CPU lost events of the pair's buffer between its start and its end. In this case, the end may belong to a start
 * that was lost. Three kinds of times start and end on the same CPU. For these times, the losses of other CPUs do not matter:
 * - the time of a pair whose two events must be on the same CPU (.pinned);
 * - the time that a task runs on a CPU;
 * - the time that an idle task is off its CPU.
 */
#ifndef RINGSIDE_PROFILE_H
#define RINGSIDE_PROFILE_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/losses.h"
#include "lib/analysis/profile-pairs.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/tasks.h"
#include "lib/analysis/times.h"
#include "lib/event/text.h"

struct profile_options {
	bool irq_global; /* -G: interrupts are counted for CPUs instead of tasks */
	bool by_comm;	 /* --by-comm: tasks of the same name are put together */
	strv_t hooks;	 /* -H: the pairs of events that the user adds */
	/*
	 * Only times that began on these CPUs are counted. NULL: all CPUs. There is one exception: a call of a function is counted if it ended on one of
	 * these CPUs, because only its exit is looked at. Whatever is set here, the records of all CPUs have to be taken in.
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
	 * The name of a group's tasks, borrowed from the trace of .file. It is NULL for a task and for a CPU. Each idle task is a group of its own. For
	 * such a group, it is NULL, too.
	 */
	const char *comm;
	uint16_t cpu; /* for idle tasks and OWNER_CPU: the CPU */
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
	 * - For PROFILE_OFF, this is the task's state.
	 * - For PROFILE_PAIR, this is the value that the start and the end have in common (profile_side.match). There is one exception: in an item of a
	 *   group, this is 0 if that value is only the pid of a task.
	 */
	uint64_t value;
	struct times times;
};

/*
 * This is the part of an item that belongs to one stack. It has the times that began at this stack. For PROFILE_COUNT, it has the events that
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

/* This is an event as one side of a pair in one file. */
struct profile_use {
	uint32_t pair;		 /* its index in profile.pairs */
	bool end;		 /* true: the event is the end of the pair; false: it is the start */
	struct field match, pid; /* the fields that profile_side.match and .pid name */
};

/* This tells what a profile does with an event. */
struct profile_event {
	const struct event *call;     /* for an entry or a return of `record --latency`, the event of the entry; NULL for any other event */
	bool leave;		      /* used if .call is not NULL: this event is the return */
	VEC(struct profile_use) uses; /* the pairs that the event begins or ends */
};

/* This is a pair that has begun. After it has ended, the structure serves the next pair with the same key. */
struct profile_open {
	bool open;
	bool chosen;		  /* it began on one of profile.cpus */
	struct profile_item item; /* what will be counted when the pair ends */
	uint64_t ts;		  /* when it began, as input_time() converts times */
	uint16_t cpu;		  /* where it began */
	/*
	 * This number tells whether events have been lost since the pair began. If losses on all CPUs of the buffer matter, it is the number that
	 * losses_take() gave to the record of the start. If only losses on .cpu matter, it is the value that profile_stream.losses had at that record.
	 */
	uint64_t losses;
	int64_t stack; /* the index of its stack; -1: none */
};

/* A record can begin several pairs, and the record of its stack may follow. The stack is noted for at most this many of these pairs. */
enum { PROFILE_STARTS = 4 };

/* This is a CPU of a buffer. */
struct profile_stream {
	uint64_t losses; /* how many times the CPU has lost events */
	/* The pairs that the CPU's last record began, as indices into profile.opens. The next record may be their stack. */
	uint32_t starts[PROFILE_STARTS];
	uint32_t nstarts;
	int64_t counted; /* 1 + the index of the item to which the CPU's last record added a count; 0: none */
};

/* These are the events of one input. */
struct profile_events {
	struct profile_event *at; /* element i is for the event with the id i */
	size_t n;
};

/* This is what was counted. .items has the items. .at_stacks tells how much of each item began at which stack. */
struct profile_facts {
	VEC(struct profile_item) items;
	VEC(struct profile_at_stack) at_stacks;
	struct keys item_keys; /* numbers the elements of .items */
	struct keys at_keys;   /* numbers the elements of .at_stacks */
};

struct profile {
	struct handler handler;
	bool irq_global, by_comm;
	const struct cpuset *cpus; /* profile_options.cpus */
	const inputs_t *inputs;
	struct profile_pairs pairs;
	VEC(struct profile_events) events; /* element i is for the input with index i */
	struct keys owner_keys;		   /* numbers the elements of .owners */
	struct keys stack_keys;		   /* numbers the elements of .stacks */
	struct keys open_keys;		   /* numbers the elements of .opens */
	VEC(struct profile_owner) owners;
	struct profile_facts facts; /* what was counted for each task and CPU */
	VEC(struct profile_stack) stacks;
	VEC(struct profile_open) opens;
	addresses_t addresses;	/* the return addresses of all stacks: see struct profile_stack */
	struct streams streams; /* a struct profile_stream for each CPU of each buffer */
	struct losses losses;
	uint64_t untimed; /* how many pairs were not timed because events were lost or time went back */
};

/*
 * Makes a profile, which can be read at any time. Borrows @inputs and opt->cpus. Returns 0, -ENOMEM, or -EINVAL after a message about a hook. The free() of
 * the profile's handler frees the profile.
 */
int profile_new(struct profile **out, const inputs_t *inputs, const struct profile_options *opt);

/*
 * Makes the facts of --by-comm. In these facts, tasks of the same name are put together. The owners of these facts are added to profile->owners.
 * Returns 0 or -ENOMEM. The caller frees *@out with profile_facts_fini().
 */
int profile_by_comm(struct profile *profile, struct profile_facts *out);
void profile_facts_fini(struct profile_facts *facts);

#endif
