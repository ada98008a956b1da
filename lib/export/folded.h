/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes stacks and their weights as text ("folded stacks"). Each line is "OUTERMOST;...;INNERMOST WEIGHT". The lines are sorted. flamegraph.pl and
 * speedscope read this format.
 */
#ifndef RINGSIDE_FOLDED_H
#define RINGSIDE_FOLDED_H

#include "lib/analysis/flame.h"
#include "lib/base/str.h"

/*
 * Writes the stacks of @flame. A stack whose own weight (flame_frame.own) is 0 is left out. Stacks whose frames have the same names become one line. If the
 * root of @flame has a weight of its own, its line is "all WEIGHT". Returns 0, -ENOMEM, or another -errno when writing fails.
 */
int folded_write(const struct flame *flame, int fd);

#endif
