/* SPDX-License-Identifier: GPL-2.0 */
/* The options of every command that shows calls merged by path: graph and funcs. */
#ifndef RINGSIDE_CMD_PATHS_OPTIONS_H
#define RINGSIDE_CMD_PATHS_OPTIONS_H

#include "cmd/opt.h"
#include "lib/analysis/paths.h"

/* Rows for OPT_ROWS, whose context structure is struct paths_options. */
extern const struct opt paths_rows[];

/* Splits words that are several names of functions with commas between them. Returns 0, or -ENOMEM after a message. */
int paths_words(strv_t *words);

#endif
