/* SPDX-License-Identifier: GPL-2.0 */
/* Implements count -r, which counts the same thing in several runs. It prints the mean of the runs and how much the runs differ. */
#ifndef RINGSIDE_CMD_COUNT_REPEAT_H
#define RINGSIDE_CMD_COUNT_REPEAT_H

#include "lib/output/counts-text.h"

enum { COUNT_MOST_RUNS = 100000 };

struct count_repeat {
	uint64_t times;		  /* how many runs are made */
	struct counts_view *view; /* borrowed; each run has a forked process, which sets .sink only in its own copy of the view */
	int (*once)(void *ctx);	  /* makes one run and returns its exit status; it is called in a process of its own for each run */
	void *ctx;
};

/*
 * Makes all runs, and writes the table of all runs to the file descriptor @out. Returns the exit status of the last run, or an exit status other than 0 when
 * counting or writing failed. *@complete tells whether the whole table was written.
 */
int count_repeat(struct count_repeat *repeat, int out, bool *complete);

#endif
