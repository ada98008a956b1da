/* SPDX-License-Identifier: GPL-2.0 */
/* Keeps the lines that were typed at a prompt in a file in the user's home folder. */
#ifndef RINGSIDE_CMD_LINE_HISTORY_H
#define RINGSIDE_CMD_LINE_HISTORY_H

#include "lib/base/vec.h"

enum { HISTORY_LINES = 1000 }; /* how many of the last lines are used */

/*
 * Returns the path of the file "@name-history" in $XDG_STATE_HOME/ringside, or in ~/.local/state/ringside when $XDG_STATE_HOME is not an absolute path.
 * Makes the folder when it is missing. Returns NULL when there is no such folder and none can be made, or when memory runs out; then there is no
 * history. The caller frees the path.
 */
char *history_path(const char *name);

/*
 * Appends the last HISTORY_LINES lines of the file to @lines, without empty ones and those that contain a NUL. Nothing is appended when the file is
 * missing, cannot be read, is no regular file, or is larger than 4 MiB. When the file has more than 2 * HISTORY_LINES lines, it is written again with only
 * the lines that were appended.
 */
void history_read(const char *path, strv_t *lines);

/* Appends a line to the file. When the file is missing, it is made so that only the user can read it. Several programs may do this at once. */
void history_append(const char *path, const char *line);

#endif
