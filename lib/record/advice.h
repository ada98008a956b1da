/* SPDX-License-Identifier: GPL-2.0 */
/* What would have prevented the loss of events, estimated from the pages that were recorded. */
#ifndef RINGSIDE_ADVICE_H
#define RINGSIDE_ADVICE_H

#include "lib/base/vec.h"
#include "lib/data/metadata.h"
#include "lib/data/page.h"

/*
 * The stretches of one CPU in which events were lost. Two losses with less than a ring of kept events between them are one stretch: a ring large
 * enough for the first is still full when the second comes.
 */
struct gaps {
	uint64_t ring;			/* bytes of the ring */
	uint64_t since;			/* bytes kept since the last loss */
	uint64_t stretch, longest;	/* events lost in this one, and in the worst */
};

/* The next page, of @used bytes of events, with @lost events (0: none, LOST_UNKNOWN counts as one) before it. */
void gaps_page(struct gaps *g, int64_t lost, uint32_t used);

/* A sample of function_graph's and function's events, of which functions and how deep they are. All zero: an empty one. */
struct tally {
	struct page_format format;
	struct tally_kind {
		uint16_t id;
		uint16_t func, depth;	/* offsets in the record; @depth 0: it has none */
	} kinds[3];
	size_t nkinds;
	uint64_t events;		/* of whatever kind */
	uint64_t depths[64];		/* of those with a depth; the last row: that deep and deeper */
	VEC(uint64_t) functions;	/* of each event of these kinds */
};

/* @meta: with the formats that were recorded. 0, or -ENOENT: neither of the tracers' events is among them; other -errno after a message. */
int tally_init(struct tally *t, const struct metadata *meta);
int tally_page(struct tally *t, const void *page, size_t size);
void tally_fini(struct tally *t);

/* Either part may be missing: then its percentage is 0. */
struct advice {
	strv_t functions;		/* few, with which so many per cent of the events would be gone */
	unsigned int functions_percent;
	unsigned int depth;		/* with --max-graph-depth so many per cent would be left */
	unsigned int depth_percent;
};

/*
 * What leaves about @keep per cent of the events, or comes as near to it as is worth saying. Names are looked up in @kallsyms. 0 or -ENOMEM.
 */
int tally_advice(struct tally *t, const struct text *kallsyms, unsigned int keep, struct advice *out);
void advice_fini(struct advice *a);

#endif
