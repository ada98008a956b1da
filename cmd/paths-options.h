/* SPDX-License-Identifier: GPL-2.0 */
/* Provides the options that `ringside graph` and `ringside funcs` share. These commands merge calls by path. A path is a function with its callers. */
#ifndef RINGSIDE_CMD_PATHS_OPTIONS_H
#define RINGSIDE_CMD_PATHS_OPTIONS_H

#include "cmd/opt.h"
#include "lib/analysis/paths.h"

/* These are rows of options for OPT_ROWS (cmd/opt.h). Their context structure is struct paths_options. */
extern const struct opt paths_rows[];

/* Splits each word that has several names of functions, separated by commas, into these names. Returns 0, or -ENOMEM after a message. */
int paths_words(strv_t *words);

#endif
