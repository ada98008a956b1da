/* SPDX-License-Identifier: GPL-2.0 */
/* Uses the recorded sub-buffers to estimate which options would have prevented the loss of events. A sub-buffer is a page of the kernel's ring buffer. */
#ifndef RINGSIDE_ADVICE_H
#define RINGSIDE_ADVICE_H

#include "lib/base/vec.h"
#include "lib/data/metadata.h"
#include "lib/data/page.h"

/*
 * Describes the stretches of time in which events were lost on one CPU. Losses that follow each other closely belong to one stretch: the events that were
 * recorded between two such losses take fewer bytes than the ring buffer has. The losses of a stretch are prevented if the ring buffer has additional room for
 * all lost events of the stretch. Before the first call of gaps_page(), the caller sets .ring, and all other members are 0.
 */
struct gaps {
	uint64_t ring;	  /* the size of the CPU's ring buffer in bytes */
	uint64_t since;	  /* bytes recorded since the last loss */
	uint64_t stretch; /* events lost in the present stretch */
	uint64_t longest; /* the most events lost in one stretch */
};

/*
 * Takes in the next sub-buffer, which has @used bytes of events. @lost events were lost before this sub-buffer. If @lost is LOST_UNKNOWN
 * (lib/data/record.h), one lost event is counted.
 */
void gaps_page(struct gaps *g, int64_t lost, uint32_t used);

/*
 * This struct is for a sample of the recorded events. It counts how often each function and each call depth occurs in the events of the tracers
 * function_graph and function. A struct that is all zero may be given to tally_fini().
 */
struct tally {
	struct page_format format;
	/*
	 * The events of the two tracers are funcgraph_entry, funcgraph_exit and function. The array has an element for each of these events whose format is
	 * among the recording's formats.
	 */
	struct tally_kind {
		uint16_t id;	/* the event's id */
		uint16_t func;	/* the offset of the function's address in the event's data */
		uint16_t depth; /* the offset of the call depth in the event's data; 0: the event has no depth */
	} kinds[3];
	size_t nkinds;		 /* how many elements of .kinds are used */
	uint64_t events;	 /* the number of all events in the sample, including the events that match none of .kinds */
	uint64_t depths[64];	 /* element i: how many events have the call depth i; the last element also counts all deeper events */
	VEC(uint64_t) functions; /* for each event that matches one of .kinds: the address of its function */
};

/*
 * Begins an empty sample. @meta has the formats of the recording. Returns 0. Returns -ENOENT without a message when @meta has neither the formats of
 * function_graph nor the format of function. Returns another -errno after a message.
 */
int tally_init(struct tally *t, const struct metadata *meta);
/*
 * Adds the events of the sub-buffer @page, which has @size bytes. If the sub-buffer is damaged, the function adds the events before the damage. Returns 0
 * or -ENOMEM.
 */
int tally_page(struct tally *t, const void *page, size_t size);
void tally_fini(struct tally *t);

/* The advice has two parts, the functions and the depth. A part that gives no advice has the percentage 0. */
struct advice {
	strv_t functions; /* leaving out these functions would have saved .functions_percent per cent of the events */
	unsigned int functions_percent;
	unsigned int depth; /* with this value of --max-graph-depth, .depth_percent per cent of the events would still be recorded */
	unsigned int depth_percent;
};

/*
 * Finds the functions to leave out (at most four), and a value for --max-graph-depth. Each of these two measures should by itself reduce the recorded
 * events to about @keep per cent. If a measure cannot do so, more events remain. A measure that would save less than a tenth of the events is not advised.
 * @kallsyms has the names of the functions. Returns 0 or -ENOMEM. The caller calls advice_fini().
 */
int tally_advice(struct tally *t, const struct text *kallsyms, unsigned int keep, struct advice *out);
void advice_fini(struct advice *a);

#endif
