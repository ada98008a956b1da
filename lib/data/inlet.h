/* SPDX-License-Identifier: GPL-2.0 */
/* Opens a trace for reading. A regular file is read where it is. Input from a pipe is first copied into a file without a name. */
#ifndef RINGSIDE_INLET_H
#define RINGSIDE_INLET_H

#include "lib/base/base.h"

/* Returns the name that messages use for @path. For "-" this is "standard input". */
const char *inlet_name(const char *path);

/*
 * Opens @path for reading at any offset. The path "-" stands for standard input. Two kinds of input are first copied into a file:
 * - an input that is no regular file (a pipe, a socket, a device);
 * - standard input, if a part of it has been read already.
 * The copy is in $TMPDIR, or else in /var/tmp or /tmp. The copy has no name, and is gone when it is closed. The memory that copying needs does not depend on
 * the size of the trace. If the data to be copied do not begin like a trace, they are refused. A terminal is refused, too. Returns the descriptor, or -errno
 * after a message.
 */
int inlet_open(const char *path);

/*
 * Returns true if inlet_open() can open @path several times, and gives the same data each time. Returns false if inlet_open() has to copy the data, because
 * they can be read only once. This is so for an input that is no regular file, and for standard input if a part of it has been read already.
 */
bool inlet_stays(const char *path);

/*
 * Returns true if the @n bytes at @head look like the beginning of a trace.dat. A trace.dat begins with DAT_MAGIC (lib/data/format.h). If @n is smaller than
 * the length of this magic, only @n bytes are compared. If @n is 0, returns false.
 */
bool inlet_is_trace(const void *head, size_t n);

/*
 * Prints a message that @path is not a trace. @head has the first @n bytes of the file. If these bytes show what kind of file it is, the message names
 * this kind. Returns -EINVAL.
 */
int inlet_not_a_trace(const char *path, const void *head, size_t n);

#endif
