/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the probes of hundreds of functions are armed quickly.
 *
 * A kprobe at a function's beginning on x86 is on the five bytes that ftrace patches, so it is armed by ftrace: for each probe,
 * when it is enabled and again when it is disabled, the kernel goes through the records of all its functions several times. One
 * on the first instruction behind those bytes is a breakpoint (a jump, soon after), which is nothing beside it. It is hit once for
 * each call as well, and all registers are as they were, unless the function jumps back to that instruction; such functions are
 * found by what their code holds.
 */
#ifndef RINGSIDE_SITES_H
#define RINGSIDE_SITES_H

#include "lib/base/vec.h"

/*
 * For each of @functions ("name" or "name [module]", all different) into @behind how many bytes behind its beginning that place is; 0:
 * there is none, or it is not known; -1: it is not the only symbol of that name, and cannot be probed by it. @kallsyms and @kcore:
 * the kernel's files, NULL being those in /proc; where they tell nothing (not root, lockdown, another machine than x86-64), all
 * are 0. 0 or -ENOMEM, no message.
 */
int sites_behind(const strv_t *functions, int *behind, const char *kallsyms, const char *kcore);

#endif
