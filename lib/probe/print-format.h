/* SPDX-License-Identifier: GPL-2.0 */
/* Adds to the format of a probe's event, as it is saved in the file, what the kernel's own format lacks. */
#ifndef RINGSIDE_PRINT_FORMAT_H
#define RINGSIDE_PRINT_FORMAT_H

#include "lib/base/str.h"
#include "lib/probe/command.h"

/*
 * Rewrites the "print fmt" in @format, the malloc()ed text of the event's format file. Values of enums and bools get their names,
 * numbers of some bits get the sign of their type, and fields that are only needed to pair calls with returns are not printed.
 * Fields that are arrays get their number of elements. Returns 0 or -ENOMEM.
 */
int probe_print_format(const struct probe_command *c, struct text *format);

#endif
