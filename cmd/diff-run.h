/* SPDX-License-Identifier: GPL-2.0 */
/* A recording that is compared with others, for the commands that compare. */
#ifndef RINGSIDE_CMD_DIFF_RUN_H
#define RINGSIDE_CMD_DIFF_RUN_H

#include "lib/analysis/diff.h"

/*
 * Takes the recording of run->path in, by what else @reading asks for; the reading has no inputs before and afterwards. The exit status; below zero: it was
 * damaged, and is there as far as it could be read.
 */
int diff_take(struct reading *reading, struct diff_run *run);

#endif
