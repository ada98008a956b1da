/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Describes an input, which is a trace that is read. An input is a file or the running kernel. A struct input has the formats of the input's records, and tells
 * how the times of these records are converted. Everything that works on records (selection, analyses, texts) gets the same array of inputs. record.file is an
 * index into this array. No input is added to the array while the array is borrowed, because this would move the array.
 */
#ifndef RINGSIDE_INPUT_H
#define RINGSIDE_INPUT_H

#include "lib/data/clock.h"
#include "lib/data/reader.h"
#include "lib/event/trace.h"

struct lacking;

struct input {
	const char *path;     /* the name that the user gave, or datfile.path after the file has been opened; borrowed */
	int64_t ts_offset;    /* --ts-offset: this is added to the input's times, in the units of input_time() */
	uint64_t hz;	      /* --ts2secs: how many ticks the input's clock has in a second; 0: not given */
	struct datfile *file; /* the open file; .file and .trace are NULL before the file is open */
	struct trace *trace;
	struct clock clock; /* converts the input's times, and shifts them for --align-ts: see input_time() */
	/* This is printed in front of the input's lines. NULL: if another input has a name, blanks are printed; if no input has a name, nothing is printed. */
	const char *name;
	bool some_switches;	       /* only some records of sched_switch are selected, so the selected records do not tell when tasks were off the CPU */
	bool no_interrupts;	       /* -I or -S leaves out records of interrupts, so the selected records do not tell when interrupts ran */
	bool narrowed;		       /* options can leave out all records of an event that was recorded: see lib/analysis/narrowed.h */
	const struct lacking *lacking; /* which tasks lack switches (lib/analysis/lacking.h); NULL: nobody asks which tasks these are; borrowed */
	bool raw_ticks;		       /* --raw-ts: times are shown as they are stored, whatever the clock is */
};

typedef VEC(struct input) inputs_t;

/* Messages use this text to say why .some_switches is true. */
#define INPUT_SOME_SWITCHES "a filter, --func or --min-duration leaves out records of sched_switch"

/* Messages use this text to say why .no_interrupts is true. */
#define INPUT_NO_INTERRUPTS "-I or -S leaves out records of interrupts"

/* Messages use this text to say why something is not known: input_in_ns() is false, and the figure needs times in ns. */
#define INPUT_TICKS "the trace's clock counts ticks of an unknown length; `record -C mono` has a clock of nanoseconds"

/*
 * Returns the time of a record as it is shown. If input_in_ns() is true, the time is in ns. If input_in_ns() is false, the time is in ticks of the clock. Times
 * in ns can be compared between inputs. Raw times (record.ts) can be compared only within one CPU of one input.
 */
static inline uint64_t input_time(const struct input *input, const struct record *rec)
{
	return clock_time(&input->clock, rec->cpu, rec->ts);
}

/* Returns how many buffers the input has. For the running kernel, this is 1. */
static inline unsigned int input_buffers(const struct input *input)
{
	return input->file && input->file->buffers.n ? (unsigned int)input->file->buffers.n : 1;
}

/*
 * input_in_ns() returns true if the times of the buffer with this index are in ns.
 * input_in_seconds() returns true if points of time of this buffer are printed in seconds, as times
 * in ns are. The two results differ only for the clock "uptime" (clock_in_seconds()). The texts of
 * records, and the times that a user gives, go by input_in_seconds(). Analyses go by input_in_ns().
 * If .raw_ticks is true, both results are false. If there is no buffer with this index, the results
 * are about the top buffer. The top buffer is the buffer that belongs to no instance.
 */
bool input_in_ns(const struct input *input, unsigned int buffer);
bool input_in_seconds(const struct input *input, unsigned int buffer);

/*
 * Returns the name of the machine on which the input was recorded. The input must be an open file. Returns NULL when the name is not known, or when
 * memory runs out. The caller frees the name.
 */
char *input_host(const struct input *input);

/* Shifts the times of all inputs so that @rec is shown at time 0, for --align-ts. */
void inputs_align(inputs_t *inputs, const struct record *rec);

#endif
