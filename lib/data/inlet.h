/* SPDX-License-Identifier: GPL-2.0 */
/* Opens a trace for reading. A regular file is read where it is. What comes through a pipe is first copied into a file without a name. */
#ifndef RINGSIDE_INLET_H
#define RINGSIDE_INLET_H

#include "lib/base/base.h"

/* Returns the name that messages use for @path. For "-" this is "standard input". */
const char *inlet_name(const char *path);

/*
 * Opens @path for reading at any offset. What is not a regular file (a pipe, a socket, a device), and standard input from which a part has been read
 * already, is first copied into a file in $TMPDIR (else /var/tmp or /tmp). This copy has no name and is gone when it is closed. If the data do not
 * begin like a trace, they are refused and not copied. The memory that copying needs does not depend on the size of the trace. A terminal is refused,
 * too. Returns the descriptor, or -errno after a message.
 */
int inlet_open(const char *path);

/* Do the @n bytes at @head look like the beginning of a trace.dat? When @n is smaller than the length of the magic, only @n bytes are compared. */
bool inlet_is_trace(const void *head, size_t n);

/*
 * Prints a message that @path is not a trace. The message also says what kind of file it is, if the first @n bytes of the file, at @head, show that.
 * Returns -EINVAL.
 */
int inlet_not_a_trace(const char *path, const void *head, size_t n);

#endif
