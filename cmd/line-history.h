/* SPDX-License-Identifier: GPL-2.0 */
/* What was typed at a prompt before, a line each in a file of the user's. */
#ifndef RINGSIDE_CMD_LINE_HISTORY_H
#define RINGSIDE_CMD_LINE_HISTORY_H

#include "lib/base/vec.h"

enum { HISTORY_LINES = 1000 };

/* The file "@name-history" in the folder of the user's state, which is made; NULL: there is none, and so no history. The caller frees it. */
char *history_path(const char *name);

/* Appends its last lines. A file that is not there, or cannot be read, has none. */
void history_read(const char *path, strv_t *lines);

/* Appends a line to the file, which nobody else can read. Several programs may do so at once. */
void history_append(const char *path, const char *line);

#endif
