/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where tasks spend their time: pairs of events that belong together (a task leaves its CPU and comes back, a system call
 * begins and ends, …), timed per task, with the kernel stacks at which they began; how long functions took (function_graph);
 * how often every other event came. No printing.
 *
 * A pair is not timed when events were lost in its buffer while it was open: its end may be another's.
 */
#ifndef RINGSIDE_PROFILE_H
#define RINGSIDE_PROFILE_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/profile-pairs.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/tasks.h"
#include "lib/analysis/times.h"
#include "lib/event/text.h"

struct profile_options {
	bool irq_global;		/* -G: of CPUs, not of tasks */
	bool by_comm;			/* --by-comm: tasks of the same name are one */
	strv_t hooks;			/* -H */
};

enum profile_owner_kind { OWNER_CPU, OWNER_GROUP, OWNER_TASK };

/* A task, or with -G or the flag g a CPU, or with --by-comm all tasks of a name. */
struct profile_owner {
	enum profile_owner_kind kind;
	int pid;			/* of a group 0 */
	const char *comm;		/* of a group; borrowed from its trace, NULL: idle tasks */
	uint16_t cpu;			/* of idle tasks and OWNER_CPU */
	uint16_t buffer;
	uint8_t file;
};

/* One kind of thing that an owner did. */
struct profile_item {
	uint32_t owner;			/* index into owners */
	uint8_t file;
	enum profile_kind kind;
	const struct profile_pair *pair;	/* PROFILE_PAIR */
	const struct event *event;	/* PROFILE_COUNT; PROFILE_CALL: its entry */
	uint64_t value;			/* what pairs and events are told apart by; a function's address; a task's state */
	struct times times;
};

/* How much of an item began at one stack. */
struct profile_at_stack {
	uint32_t item, stack;		/* indices */
	struct times times;
};

/* Return addresses in profile.addresses, innermost first. */
struct profile_stack {
	size_t first, n;
};

/* An event as one side of a pair in one file. */
struct profile_use {
	uint32_t pair;
	bool end;
	struct field match, pid;
};

struct profile_event {
	const struct event *call;	/* of `record --latency`: whose entry or return it is; NULL: of none */
	bool leave;			/* it is the return */
	VEC(struct profile_use) uses;
};

/* A pair that has begun. Each stays, open or not, for the next one of the same key. */
struct profile_open {
	bool open;
	struct profile_item item;	/* what will be counted */
	uint64_t ts;
	uint64_t gaps;			/* how many there had been in its buffer */
	int64_t stack;			/* index; -1: none */
};

enum { PROFILE_STARTS = 4 };

/* A CPU of a buffer. */
struct profile_stream {
	uint64_t gaps;			/* of all CPUs, kept at CPU 0 */
	uint32_t starts[PROFILE_STARTS];	/* what its last record opened: indices of opens; a stack may follow */
	uint32_t nstarts;
	int64_t counted;		/* the item that it counted, likewise, + 1; 0: none */
};

/* Of one input: by event id. */
struct profile_events {
	struct profile_event *at;
	size_t n;
};

/* What was counted: items, and how much of them began at which stack; each with its keys. */
struct profile_facts {
	VEC(struct profile_item) items;
	VEC(struct profile_at_stack) at_stacks;
	struct keys item_keys, at_keys;
};

struct profile {
	struct handler handler;
	bool irq_global, by_comm;
	const inputs_t *inputs;
	struct profile_pairs pairs;
	VEC(struct profile_events) events;	/* of each input */
	/* Each with its keys. */
	struct keys owner_keys, stack_keys, open_keys;
	VEC(struct profile_owner) owners;
	struct profile_facts facts;	/* of each task */
	VEC(struct profile_stack) stacks;
	VEC(struct profile_open) opens;
	addresses_t addresses;
	struct streams streams;		/* of struct profile_stream */
	uint64_t untimed;		/* pairs that were not timed because events were lost */
};

/*
 * What was counted can be read at any time. Borrows @inputs. 0; -EINVAL after a message about a hook; -ENOMEM. Freed by its handler's
 * free.
 */
int profile_new(struct profile **out, const inputs_t *inputs, const struct profile_options *opt);

/* The facts with --by-comm: once more, of tasks of the same name together (their owners are added). 0 or -ENOMEM; profile_facts_fini(). */
int profile_by_comm(struct profile *profile, struct profile_facts *out);
void profile_facts_fini(struct profile_facts *facts);

#endif
