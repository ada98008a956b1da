/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lets BPF programs measure the times between two events. Keys tell which two events belong together. For example, the key is a task, or the keys are a CPU
 * and an interrupt. One key, a task or a CPU, chooses a slot in a table. The program at the first event keeps the time of the event in the slot. The program at
 * the second event takes this time from the slot, and counts the time between the two events in the buckets of lib/analysis/quantiles.h.
 */
#ifndef RINGSIDE_BPF_LAPS_H
#define RINGSIDE_BPF_LAPS_H

#include "lib/tracefs/tracedir.h"

enum {
	LAPS_MOST_KEYS = 2,
	LAPS_SHORTS = 1024,
	LAPS_BUCKETS = 4096, /* a power of two; 64-bit numbers fall into fewer buckets than this */
	LAPS_NUMBERS = 8,    /* at most this many fields that are numbers are kept with the longest time */
	LAPS_TEXTS = 2,	     /* at most this many fields that are texts are kept with the longest time */
	LAPS_TEXT_SIZE = 16,
};

/* One of the two events. */
struct laps_side {
	const char *event;		  /* such as "sched:sched_waking" */
	const char *keys[LAPS_MOST_KEYS]; /* the names of the event's fields that are keys; laps_options.nkeys elements are used */
	const char *filter;		  /* a condition as lib/bpf/condition.h describes it; NULL: there is no condition */
	bool without_us;		  /* events of our own process are left out */
};

struct laps_options {
	struct laps_side from, to;
	/* How many keys each side has. If two events belong together, from.keys[i] of the first event has the value of to.keys[i] of the second event. */
	size_t nkeys;
	uint64_t over_ns; /* only times that are this long or longer are counted */
};

struct laps;

/*
 * Loads the programs and finds out whether they can be attached to the tracepoints. The programs measure nothing before laps_begin(). The first key or
 * the second key must be a task or a CPU. *@options and its texts are borrowed until laps_close(). Returns 0 on success. Returns 1 if BPF programs cannot
 * measure these times. Then *@why_not becomes a text that says why, which the caller frees. Returns -ENOMEM when memory runs out.
 */
int laps_open(struct laps **out, const struct tracedir *top, const struct laps_options *options, char **why_not);

/*
 * laps_begin() begins measuring, and laps_end() ends it. laps_begin() returns 0 or -errno, without a message. After -errno, some of the programs may be
 * running. laps_end() and laps_close() stop them.
 */
int laps_begin(struct laps *laps);
void laps_end(struct laps *laps);

/*
 * This is what was measured on one CPU. All times are in ns. The time between two events is counted on the CPU where the second event happened. Two tasks or
 * interrupts, A and B, may have the same slot. If the first event of B happens between the two events of A, the time of A is not measured. Then .dropped grows
 * by one on the CPU where the first event of B happened.
 */
struct laps_times {
	uint64_t dropped; /* how many pairs of events were not measured, because another task or interrupt needed the slot */
	uint64_t sum;	  /* the sum of all times */
	uint64_t least;	  /* the shortest time, with all bits inverted; 0: no time was measured */
	uint64_t most;	  /* the longest time */
	/* The fields of the event that ended the longest time: .numbers has the numbers, .texts has the texts with their NULs. laps_field() has the names. */
	uint64_t numbers[LAPS_NUMBERS];
	char texts[LAPS_TEXTS][LAPS_TEXT_SIZE];
	/*
	 * Element i counts times of i ns. The following times are counted only in .buckets:
	 *  - 0 ns, and times of LAPS_SHORTS ns or more;
	 *  - times that were longer than all times that the CPU had measured before;
	 *  - all times, if laps_options.over_ns is not 0.
	 */
	uint64_t shorts[LAPS_SHORTS];
	uint64_t buckets[LAPS_BUCKETS]; /* the number of times in each bucket; bucket_of() of lib/analysis/quantiles.c tells the bucket of a time */
};

/* laps_cpus() returns the number of CPUs. Each CPU has a struct laps_times. laps_read() copies the struct of @cpu to *@out. @cpu is counted from 0. */
size_t laps_cpus(const struct laps *laps);
void laps_read(const struct laps *laps, size_t cpu, struct laps_times *out);

/*
 * Some fields are kept with the longest time (laps_times.numbers, laps_times.texts). Returns the name of the field with the index @i, or NULL when there is no
 * such field.
 *  - If the field is a text, *@text becomes true, and *@at becomes the index of the text in laps_times.texts.
 *  - If the field is a number, *@text becomes false, and *@at becomes the index of the number in laps_times.numbers. *@size becomes the number of bytes
 *    that the number has in the kernel. An argument of the tracepoint has 8 bytes.
 */
const char *laps_field(const struct laps *laps, size_t i, bool *text, size_t *at, size_t *size);

/* Returns how many events were left out because the kernel did not run a program for them (bpf_program_missed() in lib/bpf/program.h). */
uint64_t laps_missed(const struct laps *laps);

/* Ends measuring, removes the programs, and frees @laps. If @laps is NULL, nothing happens. */
void laps_close(struct laps *laps);

#endif
