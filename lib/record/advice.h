/* SPDX-License-Identifier: GPL-2.0 */
/* Estimates from the recorded pages what would have prevented the loss of events. */
#ifndef RINGSIDE_ADVICE_H
#define RINGSIDE_ADVICE_H

#include "lib/base/vec.h"
#include "lib/data/metadata.h"
#include "lib/data/page.h"

/*
 * The stretches of one CPU in which events were lost. Two losses count as one stretch when fewer bytes of events than the ring
 * holds were kept between them, because a ring that is large enough for the first loss is still full when the second one comes.
 */
struct gaps {
	uint64_t ring;		   /* bytes of the ring */
	uint64_t since;		   /* bytes kept since the last loss */
	uint64_t stretch, longest; /* events lost in the present stretch, and in the worst one */
};

/* Takes in the next page, which has @used bytes of events. Before it @lost events were lost; LOST_UNKNOWN counts as one. */
void gaps_page(struct gaps *g, int64_t lost, uint32_t used);

/* Counts the functions and depths in a sample of events of function_graph and function. A struct that is all zero is an empty sample. */
struct tally {
	struct page_format format;
	struct tally_kind {
		uint16_t id;
		uint16_t func, depth; /* offsets in the record; @depth 0: it has none */
	} kinds[3];
	size_t nkinds;
	uint64_t events;	 /* of whatever kind */
	uint64_t depths[64];	 /* how many events have each depth; the last row counts all deeper ones, too */
	VEC(uint64_t) functions; /* the function of each event of these kinds */
};

/*
 * Begins an empty sample. @meta has the formats of the recording. Returns 0; -ENOENT without a message when @meta has no format of function_graph and
 * none of function; or another -errno after a message.
 */
int tally_init(struct tally *t, const struct metadata *meta);
/* Adds the events of a page of @size bytes. Of a damaged page it adds those in front of the damage. Returns 0 or -ENOMEM. */
int tally_page(struct tally *t, const void *page, size_t size);
void tally_fini(struct tally *t);

/* The advice has two parts, the functions and the depth. A part that gives no advice has the percentage 0. */
struct advice {
	strv_t functions; /* leaving out these few functions would remove .functions_percent of the events */
	unsigned int functions_percent;
	unsigned int depth; /* with --max-graph-depth of this value, .depth_percent of the events would be left */
	unsigned int depth_percent;
};

/*
 * Finds the functions to leave out, and the depth to choose, so that about @keep per cent of the events would be left. A part of the advice that
 * would remove less than a tenth of the events is not given. @kallsyms has the names of the functions. Returns 0 or -ENOMEM. The caller calls
 * advice_fini().
 */
int tally_advice(struct tally *t, const struct text *kallsyms, unsigned int keep, struct advice *out);
void advice_fini(struct advice *a);

#endif
