/* SPDX-License-Identifier: GPL-2.0 */
/* Adds to the format of a probe's event what the kernel's own text lacks, before the format is saved in a trace file. */
#ifndef RINGSIDE_PRINT_FORMAT_H
#define RINGSIDE_PRINT_FORMAT_H

#include "lib/base/str.h"
#include "lib/probe/command.h"

/*
 * Rewrites the "print fmt" in @format, the malloc()ed text of the event's format file. Values of enums and bools are printed as names, those of chars as
 * characters, and bit-fields as signed or hexadecimal numbers if their type or the probe says so. Fields that are needed only to pair calls with returns
 * are not printed. The declaration of a field that is an array gets the number of elements. Returns 0 or -ENOMEM.
 */
int probe_print_format(const struct probe_command *c, struct text *format);

#endif
