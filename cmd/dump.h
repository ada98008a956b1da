/* SPDX-License-Identifier: GPL-2.0 */
/* Inside `ringside dump`. */
#ifndef RINGSIDE_CMD_DUMP_H
#define RINGSIDE_CMD_DUMP_H

#include "lib/data/reader.h"

/* Is this an option among the sections? */
bool dump_is_option(const struct datsection *section);

/* Prints all options of the file, each with its meaning. */
void dump_options(const struct datfile *file);

#endif
