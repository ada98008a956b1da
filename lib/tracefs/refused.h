/* SPDX-License-Identifier: GPL-2.0 */
/* Prints messages that say why the kernel refused something. */
#ifndef RINGSIDE_REFUSED_H
#define RINGSIDE_REFUSED_H

#include "lib/tracefs/tracedir.h"

/*
 * Prints why the kernel refused to open, read or write @file ("set_ftrace_filter"), and what the user can do. If @err is EPERM, EACCES or ENOENT, these are
 * the possible reasons:
 *  - We are not root.
 *  - The kernel is locked down.
 *  - We are in a container.
 *  - The kernel refuses function tracing.
 *  - The kernel does not have the file.
 * For any other @err, the message has the text of this errno. @err is positive. Returns -@err.
 */
int refused(const struct tracedir *dir, const char *file, int err);

/*
 * Prints that the kernel refused to take @value for @file. The message has the kernel's own
 * explanation from error_log with its caret. When error_log has no explanation, the message depends
 * on @err, which is a positive errno:
 * - If @err is EPERM, EACCES or ENOENT, the function only prints the message of refused().
 * - For any other @err, the message says what @err means for this file.
 * In the messages of this function, @hint ("; nearest: ...") stands behind the explanation. If @hint is NULL, there is no hint. Returns -@err.
 */
int refused_value(const struct tracedir *dir, const char *file, const char *value, int err, const char *hint);

/* Do we have CAP_SYS_ADMIN? Is the kernel locked down? */
bool may_administer(void);
bool kernel_locked_down(void);

#endif
