/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Describes a trace that is read: the file or the running kernel, the description of its records, and how its times are converted.
 * Everything that works on records (selection, analyses, texts) gets the same array of inputs, into which record.file is an index. The
 * array is not moved while somebody borrows it.
 */
#ifndef RINGSIDE_INPUT_H
#define RINGSIDE_INPUT_H

#include "lib/data/clock.h"
#include "lib/data/reader.h"
#include "lib/event/trace.h"

struct input {
	const char *path;     /* borrowed; the name that the user gave, and when the file is open, the name that it has */
	int64_t ts_offset;    /* --ts-offset: added to its times */
	uint64_t hz;	      /* --ts2secs: how many ticks its clock has in a second; 0: not given */
	struct datfile *file; /* NULL until it is open, as is .trace */
	struct trace *trace;
	struct clock clock; /* converts its times, also for --align-ts: see input_time() */
	const char *name;   /* what stands in front of its lines; NULL: nothing, or blanks when others have names */
	bool some_switches; /* only some records of sched_switch are chosen, so that they do not tell when tasks were off the CPU */
	bool raw_ticks;	    /* --raw-ts: times are shown as the stored numbers, whatever the clock is */
};

typedef VEC(struct input) inputs_t;

/*
 * Returns the time of a record as it is shown: in ns where input_in_ns() is true, else in ticks of the clock. Such times can be
 * compared between inputs when they are in ns. Raw times (record.ts) can be compared only within one CPU of one input.
 */
static inline uint64_t input_time(const struct input *input, const struct record *rec)
{
	return clock_time(&input->clock, rec->cpu, rec->ts);
}

/*
 * Do the times of the buffer with this index count ns, so that they are shown as seconds? For an index without a buffer the
 * answer is that of the top buffer.
 */
bool input_in_ns(const struct input *input, unsigned int buffer);

/*
 * Returns the name of the machine on which the input was recorded, which the caller frees, or NULL when it is not known or memory
 * runs out.
 */
char *input_host(const struct input *input);

/* Does this clock of a buffer count ns? NULL is the clock that the metadata name. */
bool input_clock_is_ns(const struct metadata *meta, const char *clock);

/* Shifts the times of all inputs so that @rec is shown at time 0, for --align-ts. */
void inputs_align(inputs_t *inputs, const struct record *rec);

#endif
