/* SPDX-License-Identifier: GPL-2.0 */
/* What `listen` and `agent` share: -D and -l. */
#ifndef RINGSIDE_CMD_BACKGROUND_H
#define RINGSIDE_CMD_BACKGROUND_H

#include "lib/base/base.h"

/* What is printed is appended to this file from now on. Returns 0 or -errno after a message. */
int background_log(const char *path);

/*
 * Goes to the background, where what is printed is lost unless there is a log. In the child 0, in the parent 1 after a sentence that says what goes on there (@doing:
 * "listening") and how it ends, or -errno after a message.
 */
int background_go(const char *doing, bool has_log);

#endif
