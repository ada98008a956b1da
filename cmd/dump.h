/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the options of a trace file. Only the files of `ringside dump` use this. */
#ifndef RINGSIDE_CMD_DUMP_H
#define RINGSIDE_CMD_DUMP_H

#include "lib/data/reader.h"

/* Returns true when this section of the file is one of its options. */
bool dump_is_option(const struct datsection *section);

/* Prints all options of the file, each with its meaning. */
void dump_options(const struct datfile *file);

#endif
