/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds instructions at which a kprobe can be enabled fast. Kprobes are put on these instructions when a glob matches many functions (lib/probe/command.c).
 *
 * On x86, ftrace patches the first five bytes of a function. To enable or disable a kprobe on these bytes, the kernel uses ftrace, which takes long. A kprobe
 * on the first instruction behind these bytes is enabled fast. At this instruction, the registers still have the values that they had at the entry of the
 * function. If the function jumps back to this instruction, one call would hit the probe several times. So this instruction is used only if the code of the
 * function has no such jump.
 */
#ifndef RINGSIDE_SITES_H
#define RINGSIDE_SITES_H

#include "lib/base/vec.h"

/*
 * Finds, in each of @functions, the first instruction behind the bytes that ftrace patches. Each element of @functions is "name" or "name [module]", and no two
 * elements are equal. @behind[i] is about the function @functions->at[i] and becomes one of these:
 * - the offset of this instruction in the function, in bytes;
 * - 0 when the instruction cannot be used or is not known;
 * - -1 when several symbols have the function's name.
 *
 * @kallsyms and @kcore are the paths of the kernel's files. If a path is NULL, the file in /proc is read. When @kallsyms cannot be read, @behind[i] is 0 for
 * all functions. The code cannot be read from @kcore in these cases: ringside does not run as root, the kernel is locked down, or the machine is not an x86-64.
 * In each of these cases, no offset is known, and @behind[i] is 0 or -1. Returns 0, or -ENOMEM without a message.
 */
int sites_behind(const strv_t *functions, int *behind, const char *kallsyms, const char *kcore);

#endif
