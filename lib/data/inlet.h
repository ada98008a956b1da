/* SPDX-License-Identifier: GPL-2.0 */
/* Opens a trace to read. A file is read where it is; what comes through a pipe is copied into a file without a name first. */
#ifndef RINGSIDE_INLET_H
#define RINGSIDE_INLET_H

#include "lib/base/base.h"

/* Returns the name that messages use for @path: the name - is called standard input. */
const char *inlet_name(const char *path);

/*
 * Opens @path for reading at any offset. What is no regular file (a pipe, a socket, a device), or one of which somebody
 * has read a part already, is copied first, unless its beginning is not that of a trace: into a file in $TMPDIR (else
 * /var/tmp or /tmp) that has no name and is gone when it is closed. Memory does not grow with it. A terminal is refused.
 * The descriptor, or -errno after a message.
 */
int inlet_open(const char *path);

/* Does what @n bytes at @head begin look like a trace.dat? Fewer than its magic has are compared as far as they go. */
bool inlet_is_trace(const void *head, size_t n);

/*
 * Prints a message that @path is not a trace, which also says what the file is where its first @n bytes at @head show that.
 * Returns -EINVAL.
 */
int inlet_not_a_trace(const char *path, const void *head, size_t n);

#endif
