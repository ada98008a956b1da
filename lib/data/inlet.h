/* SPDX-License-Identifier: GPL-2.0 */
/* Opens a trace to read. A file is read where it is; what comes through a pipe is copied into a file without a name first. */
#ifndef RINGSIDE_INLET_H
#define RINGSIDE_INLET_H

#include "lib/base/base.h"

/* Returns the name that messages use for @path: the name - is called standard input. */
const char *inlet_name(const char *path);

/*
 * Opens @path for reading at any offset. What is not a regular file (a pipe, a socket, a device), and standard input from which a part has been read
 * already, is first copied into a file in $TMPDIR (else /var/tmp or /tmp). This copy has no name and is gone when it is closed. Nothing is copied
 * when the beginning is not that of a trace. The memory needed does not grow with the file. A terminal is refused. Returns the descriptor, or -errno
 * after a message.
 */
int inlet_open(const char *path);

/* Do the @n bytes at @head look like the beginning of a trace.dat? When there are fewer bytes than the magic has, only these are compared. */
bool inlet_is_trace(const void *head, size_t n);

/*
 * Prints a message that @path is not a trace. The message also says what the file is, if its first @n bytes at @head show that.
 * Returns -EINVAL.
 */
int inlet_not_a_trace(const char *path, const void *head, size_t n);

#endif
