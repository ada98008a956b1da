/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells the user what failed. A failure is reported once, by the innermost function that can name what failed (the file, the offset, the event, the option).
 * The innermost function returns the negative errno, and its callers only pass the errno on. Each message is one line on stderr. The line is written with one
 * write(2), so that the messages of several threads do not mix.
 */
#ifndef RINGSIDE_ERR_H
#define RINGSIDE_ERR_H

#include "lib/base/base.h"

/*
 * Prints "ringside: TEXT" and returns -@err. @err is a positive errno. "%m" in @fmt stands for the text of this errno. @fmt is a sentence without a full
 * stop at its end. The sentence says what could not be done, why, and what the user can do about it.
 *	return fail(ENOENT, "%s: %m", path);
 */
int fail(int err, const char *fmt, ...) __printf(2, 3);

/* Prints "ringside: warning: TEXT". TEXT says what is wrong. The command goes on. */
void warn(const char *fmt, ...) __printf(1, 2);

/* Prints "ringside: TEXT". TEXT tells the user a fact that is not an error. */
void note(const char *fmt, ...) __printf(1, 2);

#endif
