/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the options of a trace file. Only the files of `ringside dump` (cmd/dump.c and cmd/dump-options.c) use this. */
#ifndef RINGSIDE_CMD_DUMP_H
#define RINGSIDE_CMD_DUMP_H

#include "lib/data/reader.h"

/* Returns true if @section is an option. In struct datfile, the list of sections also has the options of the file. */
bool dump_is_option(const struct datsection *section);

/* Prints all options of the file, each with its meaning. */
void dump_options(const struct datfile *file);

#endif
