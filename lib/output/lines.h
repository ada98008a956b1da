/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints the classic report: a line for each record, in the layout of trace-cmd 3.3 and later. The threads of a pool (lib/base/pool.h) make the texts of
 * batches of records. The texts are written in the order of the records, so the output is the same for any number of threads.
 */
#ifndef RINGSIDE_LINES_H
#define RINGSIDE_LINES_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/input.h"
#include "lib/base/pool.h"

struct lines_options {
	bool latency;  /* -l: the latency format, with shorter lines */
	bool no_flags; /* --no-flags: write lines as trace-cmd before 3.3 did; must not be set together with .latency */
	bool exact;    /* -t: nanoseconds */
	bool ts_diff;  /* --ts-diff: show the time since the line before */
	bool boundary; /* --boundary: show where sub-buffers begin */
	bool colour;
};

/*
 * This analysis prints the lines. The options of the analysis are a struct lines_options. The analysis ignores .exact of these options, and uses .exact
 * of struct reading (lib/analysis/reading.h) instead.
 */
extern const struct analysis lines_analysis;

/* Makes a handler that writes the lines to @fd. Borrows @inputs and @pool. Returns 0 or -ENOMEM. */
int lines_new(struct handler **out, const inputs_t *inputs, const struct lines_options *opt, struct pool *pool, int fd);

#endif
