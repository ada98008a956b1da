/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks and their weights as text: "OUTERMOST;...;INNERMOST WEIGHT", a line for each, sorted, as flamegraph.pl and speedscope read them. */
#ifndef RINGSIDE_FOLDED_H
#define RINGSIDE_FOLDED_H

#include "lib/analysis/flame.h"
#include "lib/base/str.h"

/* Stacks that weigh nothing by themselves are left out; frames of the same names are one stack. Returns 0; -ENOMEM; -errno of writing. */
int folded_write(const struct flame *flame, int fd);

#endif
