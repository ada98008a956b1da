/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the text of the lines for a batch of records. Before that, lines.c fills in a struct line for each record that is shown. Only lib/output uses this. */
#ifndef RINGSIDE_LINES_TEXT_H
#define RINGSIDE_LINES_TEXT_H

#include "lib/output/lines.h"

/* This is a record that is shown. One thread fills in these structs in the order of the records. After that, any threads can make the texts. */
struct line {
	const struct event *event; /* NULL: the record's id is unknown, or only a loss is printed */
	const char *comm;
	const struct symbol *function; /* NULL: the function is not known, or the record names no function */
	uint32_t rec;		       /* index in the batch */
	uint16_t depth;		       /* how many levels a function is indented */
};

/* There is one struct line_buffer for each buffer of each input. */
struct line_buffer {
	/*
	 * This is the text in front of each line of the buffer, such as "alpha: ". The text has the name of the buffer. If the buffer has no name, the text has
	 * the name of the input. If the input has no name either, the text is blanks of the same width as the other prefixes. If no buffer and no input has a
	 * name, the text is "".
	 */
	char *prefix;
	bool ns; /* the buffer's times are in ns */
};

struct line_input {
	const struct input *in;
	VEC(struct line_buffer) buffers;
};

/* This is "COMM-PID [CPU] FLAGS" of a recent line. The text is kept because the next line of the same CPU usually begins with the same text. */
struct line_head {
	const char *comm; /* NULL: .text has not been made yet */
	uint64_t key;	  /* pid, flags, preempt count and CPU */
	uint8_t len;
	char text[95]; /* longer than SHORT_ROOM, because put_short() (lib/base/digits.h) always reads SHORT_ROOM bytes */
};

struct text_job {
	const struct lines_options *opt;
	const struct line_input *inputs;
	const struct batch *batch;
	const struct line *lines;
	size_t n;
	uint64_t last_ts;	     /* the result of lines_diff_time() for the line before the first line; 0: there is no line before it */
	struct line_head heads[256]; /* the head of the last line of CPU n is at the index n % 256 */
	char second_text[24];	     /* the whole seconds of the last time that was written, as lines show them: " 12345." */
	uint8_t second_len;	     /* the length of that text; 0: there is none yet */
	uint64_t second;	     /* these whole seconds, in ns */
};

/* Appends the text of all lines to *@out. The function uses only *@job, and any thread may call it. */
void lines_text(struct text_job *job, struct str *out);

/*
 * Returns @ts in the unit in which --ts-diff shows differences. If @ns is false, this is the unit of the clock. If @ns is true, it is ns with -t, and us
 * without -t.
 */
uint64_t lines_diff_time(const struct lines_options *opt, bool ns, uint64_t ts);

#endif
