/* SPDX-License-Identifier: GPL-2.0 */
/* Standard output: what a command prints has to arrive, and what does not is said once. */
#ifndef RINGSIDE_CMD_OUTPUT_H
#define RINGSIDE_CMD_OUTPUT_H

#include "lib/base/outfile.h"

/* The exit status when nobody reads our output any more: that which a shell gives for SIGPIPE. */
#define STATUS_PIPE 141

/* Opens what is closed of stdin, stdout and stderr, so that no file of ours takes their place; writing to it still fails. */
void output_begin(void);

/*
 * On a terminal what is printed is shown as lib/base/visible.h says, from output_begin() on: no command prints anything to it
 * that is meant to be more than text and lines. This writes text of foreign origin that way, without printf(). Returns 0 or -errno.
 */
int output_write(const void *bytes, size_t n);

/*
 * Writes out what printf() has gathered. Returns 0, -EPIPE in silence, or -errno after a message. What could not be written is
 * dropped, so that a later call does not say it again.
 */
int output_flush(void);

/* The same at the end of a command whose exit status would be @status; the status that it has now. */
int output_end(int status);

/*
 * Publishes a file that is to be looked at (outfile_publish()). When standard error is a terminal, it also says the file's name
 * and size and how to open it. Returns 0, or -errno after a message.
 */
int output_publish_page(struct outfile *file);

#endif
