/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel's format of a probe's event lacks, put into the copy that goes into the file. */
#ifndef RINGSIDE_PRINT_FORMAT_H
#define RINGSIDE_PRINT_FORMAT_H

#include "lib/base/str.h"
#include "lib/probe/command.h"

/*
 * Rewrites the "print fmt" in @format, the text of the event's format file in memory of malloc(): the values of enums and bools get
 * their names, some bits of a register or a word get the sign that their type has, and what only pairs calls with returns is not
 * printed. Fields that are arrays get their number of elements. 0 or -ENOMEM.
 */
int probe_print_format(const struct probe_command *c, struct text *format);

#endif
