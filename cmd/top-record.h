/* SPDX-License-Identifier: GPL-2.0 */
/* Makes a command line of `ringside record` that records what a row of `ringside top` is about. */
#ifndef RINGSIDE_CMD_TOP_RECORD_H
#define RINGSIDE_CMD_TOP_RECORD_H

#include "lib/analysis/top.h"
#include "lib/record/spec.h"

/* A buffer of this many bytes has room for any name that top_record_name() makes. */
enum { TOP_RECORD_NAME = 300 };

/* Everything is borrowed. */
struct top_record {
	const struct top *top;
	const struct record_spec *spec; /* .pids has the processes that -p of `ringside top` names */
	const struct metadata *meta;	/* the metadata of the running kernel */
	const char *seconds;		/* how long to record, in seconds, as the text for --duration */
	const char *file;		/* the recording's name */
};

/*
 * Appends the words of the command line, without a NULL at their end. If the user has given a -p to `top`, the command line records functions, events and
 * system calls only in the processes of -p. For this, the words have a -P with those processes of -p that still run. If all processes of -p have ended, the -P
 * names the first of these processes, so that `ringside record` refuses to record, instead of recording all tasks. Returns 0 or -ENOMEM.
 */
int top_record_words(const struct top_record *what, const struct top_row *row, strv_t *words);

/* Makes the name of the row's recording: "top-NAME.dat". NAME is the row's name, with a "-" for each character other than letters, digits and "_". */
void top_record_name(const struct top_row *row, char file[TOP_RECORD_NAME]);

#endif
