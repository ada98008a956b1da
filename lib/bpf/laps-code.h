/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the instructions of the BPF programs that measure the time between two events (lib/bpf/laps.h). Also defines the structs that lib/bpf/laps.c and
 * lib/bpf/laps-code.c share.
 */
#ifndef RINGSIDE_BPF_LAPS_CODE_H
#define RINGSIDE_BPF_LAPS_CODE_H

#include "lib/bpf/condition.h"
#include "lib/bpf/laps.h"
#include "lib/bpf/program.h"

/*
 * What the program at the first event keeps for the program at the second event. All slots are in one element of an array map. Some kernels allow at most 4 MB
 * for an element of a map (KMALLOC_MAX_SIZE). If there is only one key, a slot ends in front of .keys[1].
 */
struct slot {
	uint64_t began_ns; /* when the first event happened; if this is 0 or its highest bit is set, no first event waits for its second event */
	uint64_t keys[LAPS_MOST_KEYS], unused;
};

/* The stacks of two threads are at least 1 << STACK_BITS bytes apart (THREAD_SIZE of the kernel). */
enum { STACK_BITS = 14 };

enum { SLOT_BITS = 5, SMALL_SLOT_BITS = 4, SLOTS_SIZE = 1 << 22 };

_Static_assert(sizeof(struct slot) == 1 << SLOT_BITS && offsetof(struct slot, keys[1]) == 1 << SMALL_SLOT_BITS, "slots are found by a shift");

/*
 * What is counted on a CPU. Here, three members of .times are not as lib/bpf/laps.h says. laps_read() converts them.
 *  - .times.shorts: times of N ns are counted in element LAPS_SHORTS - N. For each time, the element does not grow by 1, but by its own offset in the array,
 *    in bytes.
 *  - .times.sum and .times.least do not include the times that are counted in .times.shorts.
 */
struct counted {
	/*
	 * This is ~MIN(.times.most, LAPS_SHORTS - 1). If laps_options.over_ns is 0, times from 1 ns to MIN(.times.most, LAPS_SHORTS - 1) ns are counted in
	 * .times.shorts. All other times are counted in .times.buckets.
	 */
	uint64_t limit;
	struct laps_times times;
};

/* A field of the second event that is kept with the longest time. */
struct kept {
	const char *name;
	struct bpf_field field;
	size_t at; /* if the field is a text, an index into laps_times.texts; if the field is a number, an index into laps_times.numbers */
};

/* One of the two events, and how the program at this event reads its keys and its condition. */
struct side {
	const struct laps_side *said; /* what the caller of laps_open() says of the event */
	const char *tracepoint;
	struct bpf_field keys[LAPS_MOST_KEYS]; /* the first key is a task, a CPU, or BPF_FIELD_REGISTERS (see laps.syscalls) */
	struct bpf_condition filter;	       /* the condition; if it has no parts, there is no condition */
	bool typed;			       /* the program needs the kernel's types (bpf_program_load()) */
};

struct laps {
	const struct laps_options *options;
	struct bpf_types types;
	struct side from, to;
	struct kept kept[LAPS_NUMBERS + LAPS_TEXTS];
	size_t nkept;
	struct bpf_program begin, end, gone;
	int slots, times;	 /* the descriptors of two maps: one has the slots, and the other has a struct counted for each CPU */
	struct counted *counted; /* the structs of the map .times, mapped into our memory */
	bool apart;		 /* true: the map .times has an element for each CPU; false: one element has the structs of all CPUs */
	bool syscalls;		 /* the only key is BPF_FIELD_REGISTERS, which stands for the task */
	bool half;		 /* used if .syscalls is true: slots are found by the lower 31 bits (true) or 32 bits (false) of BPF_FIELD_REGISTERS */
	unsigned int slot_bits;	 /* used if .syscalls is false: a slot has 1 << .slot_bits bytes */
	size_t nslots;		 /* used if .syscalls is false: the number of slots */
	size_t cpus;
};

/*
 * Each of these functions appends the instructions of a whole program:
 *  - laps_code_begin(): the program at the first event.
 *  - laps_code_end(): the program at the second event.
 *  - laps_code_gone(): the program at the tracepoint sched_process_exit, which is needed if laps.syscalls is true. The last system call of a thread (exit)
 *    has no second event. So when a thread ends, this program removes the time of the first event from the thread's slot. The next thread with the same stack
 *    has the same slot.
 */
void laps_code_begin(const struct laps *laps, struct bpf_code *c);
void laps_code_end(const struct laps *laps, struct bpf_code *c);
void laps_code_gone(const struct laps *laps, struct bpf_code *c);

#endif
