/* SPDX-License-Identifier: GPL-2.0 */
/* The second half of lines.c: what was decided for each record of a batch becomes text. Inside lib/output only. */
#ifndef RINGSIDE_LINES_TEXT_H
#define RINGSIDE_LINES_TEXT_H

#include "lib/output/lines.h"

/* One record that is shown, with what depends on the order of records. */
struct line {
	const struct event *event;	/* NULL: its id is unknown, or there is only a loss to tell */
	const char *comm;
	const struct symbol *function;	/* if it is known */
	uint32_t rec;			/* index in the batch */
	uint16_t depth;			/* of a function */
};

/* What stands in front of a line of each buffer of each input; made once. */
struct line_buffer {
	char *prefix;			/* "alpha: ", or blanks; "" when there is but one buffer */
	bool ns;
};

struct line_input {
	const struct input *in;
	VEC(struct line_buffer) buffers;
};

/* "COMM-PID [CPU] FLAGS" of recent lines: it changes seldom on a CPU. */
struct line_head {
	const char *comm;		/* NULL: empty */
	uint64_t key;			/* pid, flags, preempt count and CPU */
	uint8_t len;
	char text[95];			/* can be copied by put_short() */
};

struct text_job {
	const struct lines_options *opt;
	const struct line_input *inputs;
	const struct batch *batch;
	const struct line *lines;
	size_t n;
	uint64_t last_ts;		/* of the line before the first one, as ts-diff counts; 0: none */
	struct line_head heads[256];
	uint64_t second;		/* the time at which the second began that second_text says */
	uint8_t second_len;		/* 0: nothing yet */
	char second_text[24];
};

/* Appends the text of all lines to *@out. Depends on nothing but *@job. */
void lines_text(struct text_job *job, struct str *out);

/* The time that ts-diff compares: in the unit that is shown. */
uint64_t lines_diff_time(const struct lines_options *opt, bool ns, uint64_t ts);

#endif
