/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a recording has died, saves the data that the recording has left in the kernel's buffers and in the pipes of the recording. The data are appended to the
 * recording's files.
 */
#ifndef RINGSIDE_SAVE_H
#define RINGSIDE_SAVE_H

#include "lib/tracefs/journal.h"

/*
 * Says how the contents of a file in tracefs are saved. save_encode() makes a text from this struct. The text is the value of a JOURNAL_SAVE entry
 * (lib/tracefs/journal.h).
 */
struct save {
	uint32_t page_size; /* The bytes that one read() gives are filled up with zeros to a page of this many bytes. 0: all bytes are written as they are. */
	uint64_t most;	    /* Reading ends when this many bytes or more were written to .to. */
	const char *to;	    /* the absolute path of a regular file that exists and is owned by the effective user */
};

/* Returns *@save as a text, which the caller frees. Returns NULL when memory runs out. */
char *save_encode(const struct save *save);

/* Decodes a text that save_encode() has made. save->to points into @value. Returns false when save_encode() cannot have made @value. */
bool save_decode(struct save *save, const char *value);

/*
 * Stops tracing in the instance to which the file @path belongs. @path is relative to @top, such as "instances/foo/per_cpu/cpu0/trace_pipe_raw". Prints no
 * message and reports no failure.
 */
void save_stop(const struct tracedir *top, const char *path);

/* Appends the contents of the file @path to save->to. Returns 0 or -errno. Data that were read before an error are saved. */
int save_run(const struct tracedir *top, const char *path, const struct save *save);

/*
 * Appends to the file @to (as .to of struct save) the bytes that are in the pipe @pipe. Appends all of these bytes or nothing. Does not wait for further bytes.
 * Returns 0 or -errno.
 */
int save_pipe(int pipe, const char *to);

#endif
