/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Describes a trace that is read: the file or the running kernel, the formats of its records, and how its times are converted. Everything that works
 * on records (selection, analyses, texts) gets the same array of inputs, and record.file is an index into this array. As long as anybody
 * borrows the array, no input is added to it, so that it is not moved.
 */
#ifndef RINGSIDE_INPUT_H
#define RINGSIDE_INPUT_H

#include "lib/data/clock.h"
#include "lib/data/reader.h"
#include "lib/event/trace.h"

struct input {
	const char *path;     /* borrowed; the name that the user gave; after the file has been opened, datfile.path */
	int64_t ts_offset;    /* --ts-offset: added to its times, in the units of input_time() */
	uint64_t hz;	      /* --ts2secs: how many ticks its clock has in a second; 0: not given */
	struct datfile *file; /* the open file; .file and .trace are NULL before the file is open */
	struct trace *trace;
	struct clock clock; /* converts its times, and shifts them for --align-ts: see input_time() */
	const char *name;   /* what is printed in front of its lines; NULL: nothing, or blanks if other inputs have names */
	bool some_switches; /* only some records of sched_switch are selected, so that these do not tell when tasks were off the CPU */
	bool raw_ticks;	    /* --raw-ts: times are shown as the numbers that are stored, whatever the clock is */
};

typedef VEC(struct input) inputs_t;

/* This is why .some_switches is true, for messages. */
#define INPUT_SOME_SWITCHES "a filter, --func or --min-duration leaves out records of sched_switch"

/*
 * Returns the time of a record as it is shown: in ns where input_in_ns() is true, else in ticks of the clock. Such times can be compared between
 * inputs if they are in ns. Raw times (record.ts) can be compared only within one CPU of one input.
 */
static inline uint64_t input_time(const struct input *input, const struct record *rec)
{
	return clock_time(&input->clock, rec->cpu, rec->ts);
}

/* Returns how many buffers the input has. The running kernel counts as one. */
static inline unsigned int input_buffers(const struct input *input)
{
	return input->file && input->file->buffers.n ? (unsigned int)input->file->buffers.n : 1;
}

/*
 * Are the times of the buffer with this index in ns, so that they are shown as seconds? If there is no buffer with this index, the answer is for the
 * top buffer.
 */
bool input_in_ns(const struct input *input, unsigned int buffer);

/*
 * Returns the name of the machine on which the input, which must be an open file, was recorded. Returns NULL when the name is not known or memory runs out.
 * The caller frees the name.
 */
char *input_host(const struct input *input);

/* Does this clock of a buffer count ns? NULL stands for the clock that @meta names. */
bool input_clock_is_ns(const struct metadata *meta, const char *clock);

/* Shifts the times of all inputs so that @rec is shown at time 0, for --align-ts. */
void inputs_align(inputs_t *inputs, const struct record *rec);

#endif
