/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds instructions at which a probe can be enabled fast. This matters when hundreds of functions get probes.
 *
 * On x86 a kprobe at the beginning of a function lies on the five bytes that ftrace patches. So ftrace enables and disables this kprobe. For this, the
 * kernel goes several times through ftrace's records of all functions. A kprobe on the first instruction behind these bytes costs very little to enable. It
 * is a breakpoint, which the kernel soon replaces by a jump. At this instruction, the registers still have the values that they had at the entry of the
 * function. In most functions, each call hits the probe once. But in a function that jumps back to this instruction, one call would hit the probe several
 * times. The function's code shows whether there is such a jump. If there is one, this instruction is not used.
 */
#ifndef RINGSIDE_SITES_H
#define RINGSIDE_SITES_H

#include "lib/base/vec.h"

/*
 * Finds, in each of @functions, the first instruction behind the bytes that ftrace patches. @behind[i] becomes the offset of this instruction in the i-th
 * function (from 0), in bytes. @behind[i] is 0 when that instruction cannot be used or is not known. It is -1 when several symbols have the function's
 * name, because the name then does not say which of them to probe. The functions are all different, each "name" or "name [module]". @kallsyms and @kcore
 * are the paths of the kernel's files. If a path is NULL, the file in /proc is read. When @kallsyms cannot be read, @behind[i] is 0 for all functions. When
 * @kcore does not tell the code (not root, lockdown, another machine than x86-64), no offset is known, and @behind[i] is 0 or -1. Returns 0, or -ENOMEM
 * without a message.
 */
int sites_behind(const strv_t *functions, int *behind, const char *kallsyms, const char *kcore);

#endif
