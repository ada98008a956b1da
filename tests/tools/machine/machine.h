/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares the simulated machine of tests/tools/machine.c: its CPUs, its tasks, and the true figures of the calls that it has made. machine.c describes
 * the options that struct plan holds.
 */
#ifndef RINGSIDE_TOOLS_MACHINE_H
#define RINGSIDE_TOOLS_MACHINE_H

#include "lib/base/map.h"
#include "lib/data/page-write.h"
#include "lib/data/reader.h"
#include "lib/event/field.h"

enum { PAGE = 4096, MOST_DEPTH = 24, MOST_CPUS = 64, MOST_TASKS = 256, IRQ_FUNCTIONS = 6, HARD_NAME = 1, SOFT_NAME, EVENT_NAMES };
enum { IRQ_EVENTS = 1, IRQ_GRAPH = 2 };
enum { IN_TASK, IN_SOFT, IN_HARD };
enum event { ENTRY, EXIT, SWITCH, WAKING, HARD_IN, HARD_OUT, SOFT_IN, SOFT_OUT, EVENTS };

struct form {
	uint16_t id;
	uint32_t size;
	struct field field[4];
};

struct call {
	uint32_t func, path;
	uint64_t begun, self, callees, irq, off, blocked, queued, preempted;
	uint64_t nested;       /* ns of the complete calls of the same function inside this call */
	bool told, event, cut; /* told: its entry is recorded; event: it is an interrupt that irq:* events record; cut: a part of it is not recorded */
	uint8_t level;
};

struct task {
	int pid;
	struct call calls[MOST_DEPTH + 8];
	unsigned int depth, graph; /* how many calls are open, and how many of these are functions */
	bool on, asleep, preempted, woken, waking_told, off_told;
	uint64_t mark, woken_at; /* mark: the task's time is accounted for up to this time */
	unsigned int cpu;	 /* the CPU on which the task runs, or ran last */
};

struct cpu {
	struct task *current, idle;
	struct page_writer page[2];
	int fd[2];
	uint64_t size[2];
	struct gap {
		bool begins; /* the gap begins after the last record */
		bool open;
		unsigned int losing; /* how many more events will be lost */
		int64_t lost;
	} gap[2];
};

/* The true figures of a function or a path. */
struct figures {
	uint64_t calls, cut, total, self, off, blocked, queued, preempted, irq;
	VEC(uint64_t) took;
};

struct plan {
	uint64_t ncalls, nfuncs, ncpus, ntasks, seed, lose[2];
	unsigned int irqs;
	bool switches, migrate, tsc, two, recording, ending;
	uint64_t random, now, done;
	struct form forms[EVENTS];
	struct cpu cpus[MOST_CPUS];
	struct task tasks[MOST_TASKS];
	struct figures *funcs;
	MAP(uint64_t, struct figures) paths; /* by parent << 32 | function, where parent is the number of the caller's path; a path's number is its index + 1 */
	struct datfile *meta;
};

enum { TSC_MULT = 1398101, TSC_SHIFT = 22 }; /* 3 ticks a ns */

/* Returns the address of the function with the number @func. */
static inline uint64_t machine_address(uint32_t func)
{
	return 0xffffffff81000000ULL + (uint64_t)func * 64;
}

/* Runs the machine until plan->ncalls calls are recorded, and fills in the figures of functions and paths. */
void machine_play(struct plan *plan);

/* Writes the page that the CPU has begun in @buffer. Ends the process when that fails. */
void machine_write_page(struct cpu *cpu, unsigned int buffer);

#endif
