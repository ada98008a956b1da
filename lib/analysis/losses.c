/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/losses.h"

/* This is the state of a CPU of a buffer. What is counted for a whole buffer, or for a whole file, is kept at its first CPU. */
struct state {
	bool losing; /* the CPU is losing events */
	/* These two are for the whole buffer or file. */
	uint32_t open; /* how many CPUs are losing events */
	uint64_t n;    /* grows with each loss that ends, and with each record while .open is not 0 */
};

static struct record whole_of(const struct losses *losses, const struct record *rec)
{
	return (struct record){ .file = rec->file, .buffer = losses->by_file ? 0 : rec->buffer };
}

int losses_add(struct losses *losses, const struct record *rec, uint64_t *number)
{
	const struct record first = whole_of(losses, rec);
	struct state *cpu = stream_of(&losses->states, rec), *whole;
	const bool begins = rec->flags & RECORD_GAP, ends = rec->flags & RECORD_LOST;
	bool before;

	if (!cpu)
		return -ENOMEM;
	losses->any = true;
	before = cpu->losing;
	cpu->losing = begins || (before && !ends);
	whole = stream_of(&losses->states, &first);
	if (!whole)
		return -ENOMEM;
	if (ends && rec->lost == LOST_UNKNOWN)
		losses->more = true;
	else if (ends)
		losses->events += (uint64_t)rec->lost;
	whole->open -= before && ends;
	losses->losing = whole->open;
	whole->n += ends || whole->open;
	*number = whole->n;
	/* The loss begins after this record, so it does not count for it. */
	whole->open += begins && (ends || !before);
	return 0;
}

uint64_t losses_last(const struct losses *losses, const struct record *rec)
{
	const struct record first = whole_of(losses, rec);
	const struct state *whole = losses->any ? stream_of((struct streams *)&losses->states, &first) : NULL;

	return whole ? whole->n : 0;
}

void losses_init(struct losses *losses, bool by_file)
{
	*losses = (struct losses){ .by_file = by_file, .states.size = sizeof(struct state) };
}

void losses_fini(struct losses *losses)
{
	streams_fini(&losses->states, NULL);
}
