/* SPDX-License-Identifier: GPL-2.0 */
/* What a recording that has died left in the kernel, and how it gets to the files that wait for it. */
#ifndef RINGSIDE_SAVE_H
#define RINGSIDE_SAVE_H

#include "lib/tracefs/journal.h"

/* The value of an entry JOURNAL_SAVE. */
struct save {
	uint32_t page_size;	/* whole pages of that size are written; 0: the bytes as they are */
	uint64_t most;		/* no more bytes, as the kernel may go on writing what is read */
	const char *to;		/* an absolute path of a file that is there and ours */
};

/* In new memory; NULL: out of memory. */
char *save_encode(const struct save *save);

/* False: it is none. save->to points into @value. */
bool save_decode(struct save *save, const char *value);

/* Ends tracing in the instance of @path, which is below @top and named like "instances/foo/per_cpu/cpu0/trace_pipe_raw". */
void save_stop(const struct tracedir *top, const char *path);

/* 0 or -errno: what was read until then is saved. */
int save_run(const struct tracedir *top, const char *path, const struct save *save);

#endif
