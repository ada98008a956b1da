/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a recording that is compared with others, for the commands that compare. */
#ifndef RINGSIDE_CMD_DIFF_RUN_H
#define RINGSIDE_CMD_DIFF_RUN_H

#include "lib/analysis/diff.h"

/*
 * Takes in the recording at run->path. @reading says which records are selected. @reading must have no inputs, and has none afterwards.
 * Returns 0, or after a message the exit status of the failure: 2 when the selection is wrong, otherwise 1. Returns -1 when the recording was damaged
 * and was taken in as far as it could be read.
 */
int diff_take(struct reading *reading, struct diff_run *run);

#endif
