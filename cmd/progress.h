/* SPDX-License-Identifier: GPL-2.0 */
/* Shows "converting  42 %" on stderr while a file is written. Nothing is shown if stderr is not a terminal, or if the file is small. */
#ifndef RINGSIDE_CMD_PROGRESS_H
#define RINGSIDE_CMD_PROGRESS_H

#include "lib/base/base.h"

struct progress {
	const char *what; /* the text in front of the percentage, such as "saving" */
	bool live;	  /* stderr is a terminal, and the user wants to see progress */
	bool open;	  /* the line is on the terminal, and no newline has been printed after it */
	uint64_t percent; /* the percentage that was shown last */
	uint64_t seconds; /* the number of seconds that was shown last */
};

/* Borrows @what. If @wanted is false, nothing will be shown. */
void progress_init(struct progress *progress, const char *what, bool wanted);

/* Shows @done as a percentage of @total. This function can be .progress of struct write_options (lib/data/writer.h). @ctx is the struct progress. Returns 0. */
int progress_bytes(void *ctx, uint64_t done, uint64_t total);

/* Shows for how many seconds the work has been going on. This function is for work of unknown length. Shows nothing in the first two seconds. */
void progress_seconds(struct progress *progress, uint64_t seconds);

/* Clears the line. */
void progress_end(struct progress *progress);

#endif
