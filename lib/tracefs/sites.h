/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds instructions at which a probe can be enabled fast. This matters when hundreds of functions get probes.
 *
 * On x86 a kprobe at the beginning of a function lies on the five bytes that ftrace patches, so ftrace arms it: whenever such a probe is
 * enabled or disabled, the kernel goes through the records of all its functions several times. A kprobe on the first instruction behind
 * these bytes costs very little to enable: it is a breakpoint, which the kernel soon replaces by a jump. Each call hits it once, and the
 * registers still have the values of the entry. A function that jumps back to that instruction would hit it more often; such functions are
 * recognised by their code, and no instruction is named for them.
 */
#ifndef RINGSIDE_SITES_H
#define RINGSIDE_SITES_H

#include "lib/base/vec.h"

/*
 * Sets @behind[i] to the offset of that instruction from the beginning of the function @functions[i], in bytes. The functions
 * are all different, each "name" or "name [module]". 0: there is no such instruction, or it is not known. -1: several symbols
 * have that name, so that it does not say which one to probe. @kallsyms and @kcore are the kernel's files; NULL: those in
 * /proc. Where they tell nothing (not root, lockdown, another machine than x86-64), all offsets are 0. Returns 0, or -ENOMEM
 * without a message.
 */
int sites_behind(const strv_t *functions, int *behind, const char *kallsyms, const char *kcore);

#endif
