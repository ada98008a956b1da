/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the options of a trace file. Only cmd/dump.c and cmd/dump-options.c, which are `ringside dump`, use this. */
#ifndef RINGSIDE_CMD_DUMP_H
#define RINGSIDE_CMD_DUMP_H

#include "lib/data/reader.h"

/* Tells whether @section is an option. The reader of trace files lists the options of a file among its sections. */
bool dump_is_option(const struct datsection *section);

/* Prints all options of the file, each with its meaning. */
void dump_options(const struct datfile *file);

#endif
