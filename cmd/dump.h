/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the options of a trace file. Only the files of `ringside dump` use this. */
#ifndef RINGSIDE_CMD_DUMP_H
#define RINGSIDE_CMD_DUMP_H

#include "lib/data/reader.h"

/* Is @section, a section of a trace file, one of the file's options? */
bool dump_is_option(const struct datsection *section);

/* Prints all options of the file, each with its meaning. */
void dump_options(const struct datfile *file);

#endif
