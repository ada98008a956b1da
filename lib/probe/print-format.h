/* SPDX-License-Identifier: GPL-2.0 */
/* Improves the format of a probe's event before the format is saved in a trace file. The kernel's own format lacks, for example, the names of enums. */
#ifndef RINGSIDE_PRINT_FORMAT_H
#define RINGSIDE_PRINT_FORMAT_H

#include "lib/base/str.h"
#include "lib/probe/command.h"

/*
 * Rewrites the "print fmt" in @format, the malloc()ed text of the event's format file. Values of enums and bools are printed as names, and values of chars
 * as characters. Bit-fields are printed as signed or hexadecimal numbers if their type or the probe says so. Fields that are needed only to pair calls with
 * returns are not printed. If a field is an array, the number of its elements is added to its declaration. Returns 0 or -ENOMEM.
 */
int probe_print_format(const struct probe_command *c, struct text *format);

#endif
