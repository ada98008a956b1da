/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds leaf calls. A leaf call has called no recorded function, so that its entry and its exit are neighbours in the stream of
 * their CPU.
 */
#ifndef RINGSIDE_LEAF_H
#define RINGSIDE_LEAF_H

#include "lib/data/merge.h"
#include "lib/data/page.h"

/*
 * leaf_mark() may read this many bytes from the beginning of any payload, however small the payload is. The memory must be there;
 * what is in it does not matter.
 */
#define LEAF_SLACK 64

/*
 * A leaf whose entry and exit are at least this many units of the clock apart gets RECORD_LONG (lib/data/record.h), because its task may have been on
 * another CPU in between. No task gets to another CPU and back within 4096 ns, nor within 4096 ticks of a TSC. With a clock whose units are much
 * longer than 1 ns, a task can do so without RECORD_LONG being set.
 */
#define LEAF_LONG 4096

/*
 * What the clock of the records has in common with .calltime and .rettime of an exit. Those two are always the kernel's times at the call and at the
 * return, in ns, by the clock "local" (kernel/trace/fgraph.c).
 */
enum leaf_clock {
	LEAF_CLOCK_OTHER, /* nothing: it does not count ns, or it stands still for a jiffy, as "uptime" does */
	LEAF_CLOCK_NS,	  /* it counts ns, from another beginning: "global", "mono" and others */
	LEAF_CLOCK_LOCAL, /* it is the same clock */
};

/* How the leaf calls of a stream are recognised. */
struct leaf_how {
	const struct graph_ids *ids; /* borrowed */
	enum leaf_clock clock;
	bool big_endian;
};

/* Returns what the clock of @buffer of @file is. When memory runs out, it returns LEAF_CLOCK_OTHER, which is right for any clock. */
enum leaf_clock leaf_clock_of(const struct datfile *file, const struct datbuf *buffer);

/*
 * If the call of an exit began more than this many ns after the entry record in front of the exit, the exit belongs to a later call. Within this time, no
 * task can be moved to another CPU, return there, and call the function again. The time that the kernel takes at a call (.calltime) and the time of the
 * entry record differ by less than 1,000 ns, unless an interrupt comes between the two.
 */
#define LEAF_LATER 2048

/* Is @rec the entry of a call? */
bool leaf_is_entry(const struct leaf_how *how, const struct record *rec);

/*
 * Looks at the last record of @first and the first record of @second, which is the next record of the same CPU. If they are the entry and the exit of a
 * call of the same function and pid, and no events were lost between them, the entry gets RECORD_LEAF and the exit gets RECORD_FOLDED (lib/data/record.h).
 * .exit and .exit_size of the entry then tell where the data of the exit are. If the two are LEAF_LONG or more apart, both get RECORD_LONG, too. Neither
 * @first nor @second may be empty.
 *
 * The two get no flag if the times that the exit holds show that its call began more than LEAF_LATER after the entry: then the task returned from the call
 * of the entry on another CPU, and came back within a later call. If the clock has another beginning than these times, the difference is estimated from the
 * other exits near the call; if there are none, the two get their flags. A call that slept while the option nosleep-time was set looks like a later call,
 * and gets no flag either.
 */
void leaf_pair(const struct leaf_how *how, recordvec_t *first, recordvec_t *second);

/* Does what leaf_pair() does, for each pair of neighbours among the elements of @records from the index @from on. All of @records are of one CPU. */
void leaf_mark(const struct leaf_how *how, recordvec_t *records, size_t from);

#endif
