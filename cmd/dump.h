/* SPDX-License-Identifier: GPL-2.0 */
/* Inside `ringside dump`. */
#ifndef RINGSIDE_CMD_DUMP_H
#define RINGSIDE_CMD_DUMP_H

#include "lib/data/reader.h"

/* Is it an option's row among the sections? */
bool dump_is_option(const struct datsection *section);

/* All options of the file on stdout, each with what it says. */
void dump_options(const struct datfile *file);

#endif
