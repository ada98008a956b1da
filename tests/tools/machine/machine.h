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
/* Bits of plan->irqs. IRQ_EVENTS: irq:* events record interrupts. IRQ_GRAPH: functions that run in interrupts are recorded. */
enum { IRQ_EVENTS = 1, IRQ_GRAPH = 2 };
/* The level of a call: it runs in a task, in a soft interrupt, or in a hard interrupt. */
enum { IN_TASK, IN_SOFT, IN_HARD };
enum event { ENTRY, EXIT, SWITCH, WAKING, HARD_IN, HARD_OUT, SOFT_IN, SOFT_OUT, EVENTS };

/* The format of an event, and the fields that the machine fills in. */
struct form {
	uint16_t id;
	uint32_t size;
	struct field field[4];
};

/* An open call of a function or of an interrupt handler. */
struct call {
	uint32_t func, path; /* the number of the function, and the number of its path (the function below its callers) */
	/* .begun is the value of plan->now at the beginning of the call. The other members are times in ns that the call has spent so far. */
	uint64_t begun, self, callees, irq, off, blocked, queued, preempted;
	uint64_t nested;       /* ns of the complete calls of the same function inside this call */
	bool told, event, cut; /* told: its entry is recorded; event: it is an interrupt that irq:* events record; cut: a part of the call is not recorded */
	uint8_t level;	       /* IN_TASK, IN_SOFT or IN_HARD */
};

struct task {
	int pid;
	struct call calls[MOST_DEPTH + 8];
	unsigned int depth, graph; /* depth: how many calls are open; graph: how many of these calls are calls of functions */
	/* on: the task runs; waking_told: the last sched_waking of the task is recorded; off_told: the last switch from the task is recorded */
	bool on, asleep, preempted, woken, waking_told, off_told;
	uint64_t mark, woken_at; /* mark: the task's time is accounted for up to this time; woken_at: when the task was last woken */
	unsigned int cpu;	 /* the CPU on which the task runs, or ran last */
};

struct cpu {
	struct task *current, idle;
	/* Element 0 is for the main buffer, and element 1 for the buffer of the scheduler (--two). */
	struct page_writer page[2];
	int fd[2];
	uint64_t size[2];
	/* A gap is a place in a buffer where events are lost. */
	struct gap {
		bool begins;	     /* the gap begins after the last record */
		bool open;	     /* the gap has begun, and no record has been written since */
		unsigned int losing; /* how many more events will be lost */
		int64_t lost;	     /* how many events have been lost */
	} gap[2];
};

/* The true figures of a function or a path: numbers of calls, and sums of times in ns. Element i of .took is the time that the complete call i took. */
struct figures {
	uint64_t calls, cut, total, self, off, blocked, queued, preempted, irq;
	VEC(uint64_t) took;
};

struct plan {
	/* The options of machine.c. .recording: events are recorded now. .ending: no further gap begins. */
	uint64_t ncalls, nfuncs, ncpus, ntasks, seed, lose[2];
	unsigned int irqs;
	bool switches, migrate, tsc, two, recording, ending;
	/* random: the state of the random numbers; now: the time, in ns or in ticks (--tsc); done: how many calls have been recorded */
	uint64_t random, now, done;
	struct form forms[EVENTS];
	struct cpu cpus[MOST_CPUS];
	struct task tasks[MOST_TASKS];
	struct figures *funcs;
	/* The key is parent << 32 | function. The parent is the number of the caller's path, or 0. The number of a path is its index + 1. */
	MAP(uint64_t, struct figures) paths;
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
