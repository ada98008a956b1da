/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds leaf calls. A leaf call is a call during which no other recorded function was called. So its entry and its exit are neighbours among the records
 * of their CPU.
 */
#ifndef RINGSIDE_LEAF_H
#define RINGSIDE_LEAF_H

#include "lib/data/merge.h"
#include "lib/data/page.h"

/*
 * leaf_mark() may read this many bytes from the beginning of any payload, however small the payload is. The caller must make sure that this memory
 * can be read. What the memory behind the payload holds has no effect.
 */
#define LEAF_SLACK 64

/*
 * If the entry and the exit of a leaf call are at least this many units of the clock apart, both get RECORD_LONG (lib/data/record.h), because the task may have
 * been on another CPU in between. No task gets to another CPU and back within 4096 ns, nor within 4096 ticks of a TSC. But if the units of a clock are much
 * longer than 1 ns, a task can get to another CPU and back in less than 4096 units, and RECORD_LONG is not set.
 */
#define LEAF_LONG 4096

/*
 * This tells what the clock of the records has in common with .calltime and .rettime of an exit. .calltime and .rettime are always the kernel's times
 * at the call and at the return. They are in ns, by the clock "local" (kernel/trace/fgraph.c).
 */
enum leaf_clock {
	LEAF_CLOCK_OTHER, /* nothing: the recorded times are not in ns */
	LEAF_CLOCK_NS,	  /* the clock counts ns, but from another beginning: "global", "mono" and others */
	LEAF_CLOCK_LOCAL, /* the clock of the records is "local", too */
};

/* This tells how the leaf calls of one CPU of one buffer are recognised. */
struct leaf_how {
	const struct graph_ids *ids; /* borrowed */
	enum leaf_clock clock;
	bool big_endian;
};

/* Returns the enum leaf_clock for the clock of the buffer @buffer in @file. When memory runs out, returns LEAF_CLOCK_OTHER, which is safe for any clock. */
enum leaf_clock leaf_clock_of(const struct datfile *file, const struct datbuf *buffer);

/*
 * .calltime of an exit is the time that the kernel reads from its clock when the call begins. If .calltime of an exit is more than this many ns after the
 * time of the entry record in front of the exit, the exit belongs to a later call of the same function. The number comes from two facts:
 *  - .calltime and the entry record of the same call are less than 1,000 ns apart, unless an interrupt comes between the two.
 *  - In LEAF_LATER ns, no task can do all of this: be moved to another CPU, return from the entry's call there, be moved back, and call the
 *    function again.
 */
#define LEAF_LATER 2048

/* Returns true if @rec is the entry of a call. */
bool leaf_is_entry(const struct leaf_how *how, const struct record *rec);

/*
 * Looks at two records that follow each other on a CPU: the last record of @first and the first record of @second. The two records are a leaf pair
 * if all of these are true:
 *  - They are an entry and an exit.
 *  - They have the same function and the same pid.
 *  - No events were lost between them.
 * In a leaf pair, the entry gets RECORD_LEAF and the exit gets RECORD_FOLDED (lib/data/record.h). .exit and .exit_size of the entry tell where the data of the
 * exit are. If the times of the two records are LEAF_LONG or more apart, both get RECORD_LONG, too. @first and @second must not be empty.
 *
 * Two records that are LEAF_LONG or more apart can belong to two calls: the task returned from the first call on another CPU, and came back to this CPU during
 * a later call. So the two records get no flag if .calltime of the exit is more than LEAF_LATER ns after the time of the entry. In the case LEAF_CLOCK_NS,
 * .calltime and the times of the records differ by an unknown offset. Other exits near the call give this offset, because each of them has the time of its
 * record and .rettime. If the times cannot be compared, the two records are taken to be of one call, and get their flags. The times cannot be compared in these
 * cases:
 *  - The clock is LEAF_CLOCK_OTHER.
 *  - The exit lacks .calltime or .rettime.
 *  - In the case LEAF_CLOCK_NS, there are no other exits near the call.
 * If a call slept while the option nosleep-time was set, its exit looks like the exit of a later call. So its records get no flag.
 */
void leaf_pair(const struct leaf_how *how, recordvec_t *first, recordvec_t *second);

/* Does what leaf_pair() does, for each two neighbouring elements of @records whose indices are @from or higher. All @records must be of one CPU. */
void leaf_mark(const struct leaf_how *how, recordvec_t *records, size_t from);

#endif
