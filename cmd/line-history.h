/* SPDX-License-Identifier: GPL-2.0 */
/* Keeps a history of the lines that the user typed at a prompt. The history is a file in the user's home folder. */
#ifndef RINGSIDE_CMD_LINE_HISTORY_H
#define RINGSIDE_CMD_LINE_HISTORY_H

#include "lib/base/vec.h"

enum { HISTORY_LINES = 1000 }; /* only this many lines at the end of the file are used */

/*
 * Returns the path of the file "@name-history" in $XDG_STATE_HOME/ringside, or in ~/.local/state/ringside when $XDG_STATE_HOME is not an absolute path. Makes
 * the folder when it is missing. The caller frees the path. Returns NULL, and there is no history, in these cases:
 * - $HOME is needed but is not an absolute path.
 * - The folder cannot be made.
 * - Memory runs out.
 */
char *history_path(const char *name);

/*
 * Appends the last HISTORY_LINES lines of the file to @lines. Empty lines and lines that contain a NUL are left out. Nothing is appended when the file is
 * missing, cannot be read, is no regular file, or is larger than 4 MiB. When the file has more than 2 * HISTORY_LINES lines, the function writes the file
 * again. The file then has only the lines that were appended to @lines.
 */
void history_read(const char *path, strv_t *lines);

/*
 * Appends a line to the file. A missing file is made with permissions that allow only the user to read and write it. Nothing is appended when the file is a
 * symbolic link, is no regular file, or cannot be written. Several processes may call this function at the same time.
 */
void history_append(const char *path, const char *line);

#endif
