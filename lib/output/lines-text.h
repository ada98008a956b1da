/* SPDX-License-Identifier: GPL-2.0 */
/* Makes text of what lines.c has decided for each record of a batch. Only lib/output uses this. */
#ifndef RINGSIDE_LINES_TEXT_H
#define RINGSIDE_LINES_TEXT_H

#include "lib/output/lines.h"

/* A record that is shown, and what depends on the order of records. */
struct line {
	const struct event *event; /* NULL: the record's id is unknown, or only a loss is printed */
	const char *comm;
	const struct symbol *function; /* NULL: not known, or no function */
	uint32_t rec;		       /* index in the batch */
	uint16_t depth;		       /* how many levels a function is indented */
};

/* Each buffer of each input has one of these, which is made once. */
struct line_buffer {
	char *prefix; /* the text in front of each line of the buffer: "alpha: ", or blanks; "" when there is only one buffer */
	bool ns;      /* the buffer's times are in ns */
};

struct line_input {
	const struct input *in;
	VEC(struct line_buffer) buffers;
};

/* This is "COMM-PID [CPU] FLAGS" of a recent line. It is kept because the next line of the same CPU mostly has the same. */
struct line_head {
	const char *comm; /* NULL: empty */
	uint64_t key;	  /* pid, flags, preempt count and CPU */
	uint8_t len;
	char text[95]; /* has enough room to be copied by put_short() (lib/base/digits.h) */
};

struct text_job {
	const struct lines_options *opt;
	const struct line_input *inputs;
	const struct batch *batch;
	const struct line *lines;
	size_t n;
	uint64_t last_ts;	     /* what lines_diff_time() gives for the line before the first one; 0: there is none */
	struct line_head heads[256]; /* the head of the last line of CPU n is at the index n % 256 */
	char second_text[24];	     /* the second of the time that was written last, as lines show it: " 1234." */
	uint8_t second_len;	     /* the length of that text; 0: there is none yet */
	uint64_t second;	     /* when that second begins, in ns */
};

/* Appends the text of all lines to *@out. It uses nothing but *@job, and any thread may call it. */
void lines_text(struct text_job *job, struct str *out);

/* Returns a time in the unit that is shown, for the differences of --ts-diff. */
uint64_t lines_diff_time(const struct lines_options *opt, bool ns, uint64_t ts);

#endif
