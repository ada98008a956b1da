/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measures the times between two events with BPF programs. Keys tell which two events belong together. The keys are a task, or a CPU and an interrupt.
 * The keys choose a slot in a table. The program at the first event keeps the time of the event in the slot. The program at the second event takes this
 * time from the slot. It counts the difference between the times of the two events in the buckets of lib/analysis/quantiles.h. This method costs the
 * traced tasks a fraction of what a synthetic event of the kernel and its histograms cost (lib/tracefs/hist.h).
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
	const char *event; /* "sched:sched_waking" */
	const char *keys[LAPS_MOST_KEYS];
	const char *filter; /* a condition as lib/bpf/condition.h describes it, or NULL */
	bool without_us;    /* events of our own process do not count */
};

struct laps_options {
	struct laps_side from, to;
	/* How many keys each side has. In two events that belong together, from.keys[i] of the first has the same value as to.keys[i] of the second. */
	size_t nkeys;
	uint64_t over_ns; /* only times that are this long or longer count */
};

struct laps;

/*
 * Loads the programs and finds out whether they can be attached to the tracepoints. The programs measure nothing before laps_begin(). The first key or
 * the second key must be a task or a CPU. *@options and its texts are borrowed until laps_close(). Returns 0. Returns 1 when BPF programs cannot measure
 * these times. After 1, *@why_not says why, and the caller frees it. Returns -ENOMEM when memory runs out.
 */
int laps_open(struct laps **out, const struct tracedir *top, const struct laps_options *options, char **why_not);

/* laps_begin() begins measuring, and laps_end() ends it. laps_begin() returns 0 or -errno, without a message. */
int laps_begin(struct laps *laps);
void laps_end(struct laps *laps);

/*
 * This is what was measured on one CPU. The time between two events is counted on the CPU where the second event happened. A task or interrupt may need a
 * slot whose previous owner still waits for its second event. Then the time of the previous owner is not measured, and .dropped grows by one. This loss
 * is counted on the CPU where the new owner had its first event.
 */
struct laps_times {
	uint64_t dropped; /* how many pairs of events were not measured, because another task or interrupt needed the slot */
	uint64_t sum;	  /* the sum of all times, in ns */
	uint64_t least;	  /* the shortest time with all bits inverted, so that 0 means none */
	uint64_t most;	  /* the longest time */
	/* The fields of the event that ended the longest time: first the numbers, then the texts with their NULs. laps_field() has their names. */
	uint64_t numbers[LAPS_NUMBERS];
	char texts[LAPS_TEXTS][LAPS_TEXT_SIZE];
	/*
	 * Element i counts pairs of events that were i ns apart. The following pairs are counted in .buckets instead:
	 *  - pairs that were LAPS_SHORTS ns or more apart, or 0 ns;
	 *  - each pair whose time was longer than all times that the CPU had measured before;
	 *  - all pairs, if laps_options.over_ns is not 0.
	 */
	uint64_t shorts[LAPS_SHORTS];
	uint64_t buckets[LAPS_BUCKETS]; /* the number of times in each bucket; bucket_of() of lib/analysis/quantiles.c tells the bucket of a time */
};

/* laps_cpus() returns the number of CPUs, each of which has a struct laps_times. laps_read() copies the struct of @cpu, counted from 0, to *@out. */
size_t laps_cpus(const struct laps *laps);
void laps_read(const struct laps *laps, size_t cpu, struct laps_times *out);

/*
 * Returns the name of field number @i (from 0) of those that are kept with the longest time. Returns NULL when there are no more.
 *  - If the field is a text, *@text becomes true, and *@at becomes the index of the text in laps_times.texts.
 *  - If the field is a number, *@text becomes false, and *@at becomes the index of the number in laps_times.numbers. *@size becomes the number of bytes
 *    that the number has in the kernel. An argument of the tracepoint has 8 bytes.
 */
const char *laps_field(const struct laps *laps, size_t i, bool *text, size_t *at, size_t *size);

/* Returns how many events were left out because the kernel did not run a program for them (bpf_program_missed() in lib/bpf/program.h). */
uint64_t laps_missed(const struct laps *laps);

/* Ends measuring, and removes the programs. @laps may be NULL. */
void laps_close(struct laps *laps);

#endif
