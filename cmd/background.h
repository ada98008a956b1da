/* SPDX-License-Identifier: GPL-2.0 */
/* Implements the options -D and -l, which `listen` and `agent` share. */
#ifndef RINGSIDE_CMD_BACKGROUND_H
#define RINGSIDE_CMD_BACKGROUND_H

#include "lib/base/base.h"

/* From this call on, everything that is printed is appended to the file @path. Returns 0 or -errno after a message. */
int background_log(const char *path);

/*
 * Forks, and the child goes on in the background. If @has_log is false, everything that the child prints is lost. @doing says what the child does, such
 * as "listening". Returns 0 in the child. The parent prints what the child does and how the user ends it, and gets 1. Returns -errno after a message when
 * it fails.
 */
int background_go(const char *doing, bool has_log);

#endif
