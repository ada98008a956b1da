/* SPDX-License-Identifier: GPL-2.0 */
/* Implements two options of `listen` and `agent`: -D (go to the background) and -l (append all messages to a file). */
#ifndef RINGSIDE_CMD_BACKGROUND_H
#define RINGSIDE_CMD_BACKGROUND_H

#include "lib/base/base.h"

/*
 * From this call on, everything that the process prints is appended to the file @path. If the file does not exist, it is created. Returns 0, or -errno after
 * a message.
 */
int background_log(const char *path);

/*
 * Forks, so that the child can go on in the background. @has_log says whether background_log() has been called. If @has_log is false, everything that the child
 * prints is lost. Returns 0 in the child. In the parent, prints a note and returns 1. The note says what the child does (@doing, such as "listening") and how
 * the user can end the child. Returns -errno after a message when it could not fork.
 */
int background_go(const char *doing, bool has_log);

#endif
