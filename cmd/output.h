/* SPDX-License-Identifier: GPL-2.0 */
/* Checks that what a command prints on standard output was written. A failure is reported once. */
#ifndef RINGSIDE_CMD_OUTPUT_H
#define RINGSIDE_CMD_OUTPUT_H

#include "lib/base/outfile.h"

/* This is the exit status when nobody reads our output any more. A shell gives the same status when SIGPIPE has ended a program. */
#define STATUS_PIPE 141

/*
 * If descriptor 0, 1 or 2 is closed, opens /dev/null as this descriptor. So no file that is opened later gets the number of stdin, stdout or stderr. Reading
 * from such a stdin, and writing to such a stdout or stderr, still fails.
 */
void output_begin(void);

/*
 * After output_begin(), text that printf() and the other functions of stdio.h print to a terminal is escaped, as lib/base/visible.h says. So commands use
 * stdio.h only for lines of text, and write coloured output without stdio.h. output_write() writes a block of text that a command has read, such as the
 * contents of a file of tracefs. It escapes this text in the same way. The caller calls output_flush() before output_write(), so that the order of the output
 * is kept. output_write() returns 0 or -errno.
 */
int output_write(const void *bytes, size_t n);

/*
 * Writes out what printf() has put into the buffer of standard output. Returns 0, -EPIPE without a message, or another -errno after a message. What could not
 * be written is dropped, so that a later call does not report the same failure again.
 */
int output_flush(void);

/*
 * Does what output_flush() does, at the end of a command that would exit with @status. Returns the exit status. It is @status when the output was written,
 * and also when @status is not 0. Otherwise it is STATUS_PIPE when nobody reads the output any more, and 1 after any other error.
 */
int output_end(int status);

/*
 * Publishes a file that the user will open in a browser (outfile_publish()). When standard error is a terminal, a message then tells the file's name and size.
 * The message also says that a browser shows the file. Returns 0, or -errno after a message.
 */
int output_publish_page(struct outfile *file);

#endif
