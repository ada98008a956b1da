/* SPDX-License-Identifier: GPL-2.0 */
/* The programs of lib/bpf/laps.h, as instructions, and what these have in common with laps.c. */
#ifndef RINGSIDE_BPF_LAPS_CODE_H
#define RINGSIDE_BPF_LAPS_CODE_H

#include "lib/bpf/condition.h"
#include "lib/bpf/laps.h"
#include "lib/bpf/program.h"

/*
 * What the first event leaves for the second one. All slots are in one element of a map, because programs find them fastest there. Some kernels allow at most
 * 4 MB for it (KMALLOC_MAX_SIZE). With one key a slot has no room for a second one.
 */
struct slot {
	uint64_t began_ns; /* not above 0 as a signed number: nothing has begun */
	uint64_t keys[LAPS_MOST_KEYS], unused;
};

/* The stacks of two threads are at least this far apart (THREAD_SIZE of the kernel). */
enum { STACK_BITS = 14 };

enum { SLOT_BITS = 5, SMALL_SLOT_BITS = 4, SLOTS_SIZE = 1 << 22 };

_Static_assert(sizeof(struct slot) == 1 << SLOT_BITS && offsetof(struct slot, keys[1]) == 1 << SMALL_SLOT_BITS, "slots are found by a shift");

/*
 * What is counted on a CPU. Of the numbers in .times.shorts that of "ns" nanoseconds is number LAPS_SHORTS - ns. It does not grow by 1, but by its own
 * offset in the array in bytes, because a register has the offset already.
 */
struct counted {
	uint64_t limit; /* the lesser one of .times.most and LAPS_SHORTS - 1, with all bits inverted: times up to this are counted in .times.shorts */
	struct laps_times times;
};

struct kept {
	const char *name;
	struct bpf_field field;
	size_t at;
};

/* A side, and how its keys and its condition are read. */
struct side {
	const struct laps_side *said;
	const char *tracepoint;
	struct bpf_field keys[LAPS_MOST_KEYS]; /* the first one is a task or a CPU */
	struct bpf_condition filter;	       /* without parts: there is none */
	bool typed;
};

struct laps {
	const struct laps_options *options;
	struct bpf_types types;
	struct side from, to;
	struct kept kept[LAPS_NUMBERS + LAPS_TEXTS];
	size_t nkept;
	struct bpf_program begin, end, gone;
	int slots, times;	 /* the maps: the slots, and a struct counted for each CPU */
	struct counted *counted; /* this one, in our memory */
	bool apart;		 /* each CPU's is an element of its own */
	bool syscalls;		 /* the only key is BPF_FIELD_REGISTERS, which stands for the task */
	bool half;		 /* there are only slots for half of the lower 32 bits of this address */
	unsigned int slot_bits;
	size_t nslots, cpus; /* .nslots is only for other keys than BPF_FIELD_REGISTERS */
};

/*
 * These append the instructions of a whole program. Those of laps_code_begin() are for the first event, and those of laps_code_end() for the second one.
 * Those of laps_code_gone() are for the tracepoint sched_process_exit if laps.syscalls is true: a thread that ends leaves no time behind for the next one
 * that gets its stack. The last system call of a thread (exit) has no second event.
 */
void laps_code_begin(const struct laps *laps, struct bpf_code *c);
void laps_code_end(const struct laps *laps, struct bpf_code *c);
void laps_code_gone(const struct laps *laps, struct bpf_code *c);

#endif
