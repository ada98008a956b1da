/* SPDX-License-Identifier: GPL-2.0 */
/* Standard output: what a command prints has to arrive, and what does not is said once. */
#ifndef RINGSIDE_CMD_OUTPUT_H
#define RINGSIDE_CMD_OUTPUT_H

/* The exit status when nobody reads our output any more: that which a shell gives for SIGPIPE. */
#define STATUS_PIPE 141

/* Opens what is closed of stdin, stdout and stderr, so that no file of ours takes their place; writing to it still fails. */
void output_begin(void);

/*
 * Writes out what printf() has gathered. 0, -EPIPE in silence, or -errno after a message. What could not be written is
 * dropped, so that a later call does not say it again.
 */
int output_flush(void);

/* The same at the end of a command whose exit status would be @status; the status that it has now. */
int output_end(int status);

#endif
