/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts how often each event happened on each CPU. BPF programs in the kernel do the counting. They slow down the traced tasks much less than a histogram
 * of the kernel (lib/tracefs/hist.h).
 */
#ifndef RINGSIDE_BPF_TALLY_H
#define RINGSIDE_BPF_TALLY_H

#include "lib/tracefs/tracedir.h"

struct tally;

struct tally_options {
	const strv_t *events; /* names of events, such as "sched:sched_switch" */
	bool follows;	      /* true: only events of followed tasks are counted (tally_open()); false: all events except ringside's own are counted */
};

/*
 * Loads the programs and attaches them to their tracepoints. The programs count nothing before tally_run(). @top is the top tracefs directory. A task is
 * followed if it was given to tally_follow(), or if it was started by a task that was followed already. When tasks are followed, a wakeup is also counted if
 * the woken task is followed, and a switch is also counted if the next task is followed. The kernel's own lists of processes (set_event_pid) work in the same
 * way. *@options and its events are borrowed until tally_close(). Returns 0. Returns 1 when BPF programs cannot count these events. After 1, *@why_not says
 * why, and the caller frees it. Returns -ENOMEM when memory runs out.
 */
int tally_open(struct tally **out, const struct tracedir *top, const struct tally_options *options, char **why_not);

/*
 * Follows the thread @pid. Also follows all threads and processes that the thread and its children start from now on. May be called only if
 * tally_options.follows is true.
 */
void tally_follow(struct tally *tally, int pid);

/* Begins counting if @on is true, and ends counting if @on is false. Returns 0 or -errno, without a message. */
int tally_run(struct tally *tally, bool on);

/* Detaches the programs from their tracepoints for good. After this call, the programs do not slow down the traced tasks any more. */
void tally_detach(struct tally *tally);

/* Returns for how many CPUs tally_read() gives counts. */
size_t tally_cpus(const struct tally *tally);

/*
 * Reads what has been counted so far. The count of the event with the index "e" in options->events on CPU "c" is @counts[e * tally_cpus() + c]. @counts
 * must have room for the counts of all events on all CPUs. Returns 0 or -errno, without a message.
 */
int tally_read(const struct tally *tally, uint64_t *counts);

/* Returns how many events were not counted because the kernel did not run a program for them (bpf_program_missed() in lib/bpf/program.h). */
uint64_t tally_missed(const struct tally *tally);

/* Ends counting, and removes the programs. @tally may be NULL. */
void tally_close(struct tally *tally);

#endif
