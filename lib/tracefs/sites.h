/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the instructions where the probes of hundreds of functions are enabled quickly.
 *
 * A kprobe at a function's beginning on x86 is on the five bytes that ftrace patches, so it is armed by ftrace: for each probe,
 * when it is enabled and again when it is disabled, the kernel goes through the records of all its functions several times. One
 * on the first instruction behind those bytes is a breakpoint (a jump, soon after), which is nothing beside it. It is hit once
 * for each call as well, and all registers are as they were, unless the function jumps back to that instruction; such functions
 * are found by what their code holds.
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
