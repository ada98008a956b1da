/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace that is read: the file (or the running kernel), what it means, and how its times are to be taken. All that stands
 * on records (selection, analyses, texts) gets the same array of these, in which record.file is an index. The array does not
 * move while somebody borrows it.
 */
#ifndef RINGSIDE_INPUT_H
#define RINGSIDE_INPUT_H

#include "lib/data/clock.h"
#include "lib/data/reader.h"
#include "lib/event/trace.h"

struct input {
	const char *path;	/* as the user named it, or the file does once it is open; borrowed */
	int64_t ts_offset;	/* --ts-offset: added to its times */
	uint64_t hz;		/* --ts2secs: its clock ticks so often a second; 0: not given */
	struct datfile *file;	/* NULL until it is open, as is .trace */
	struct trace *trace;
	struct clock clock;	/* how its times are shown, alignment included: see input_time() */
	const char *name;	/* in front of its lines; NULL: there is one file, or blanks as wide as the others' names */
	bool raw_ticks;		/* --raw-ts: times are shown as the numbers that are stored, whatever the clock */
};

typedef VEC(struct input) inputs_t;

/*
 * The time of a record as it is shown: in ns where input_in_ns(), else in the clock's ticks. Two such times of inputs that both
 * count ns can be compared; raw times (record.ts) only within one CPU of one input.
 */
static inline uint64_t input_time(const struct input *input, const struct record *rec)
{
	return clock_time(&input->clock, rec->cpu, rec->ts);
}

/* Do the times of the buffer with this index count ns, so that they are shown as seconds? Of one that does not exist: as the top buffer. */
bool input_in_ns(const struct input *input, unsigned int buffer);

/* The name of the machine that the input was recorded on; NULL: not known, or out of memory. The caller frees it. */
char *input_host(const struct input *input);

/* Does this clock of a buffer (NULL: the one that the metadata name) count ns? */
bool input_clock_is_ns(const struct metadata *meta, const char *clock);

/* Moves the times of all inputs so that @rec is shown at time 0: --align-ts. */
void inputs_align(inputs_t *inputs, const struct record *rec);

#endif
