/* SPDX-License-Identifier: GPL-2.0 */
/* Reads one recording for a command that compares recordings. */
#ifndef RINGSIDE_CMD_DIFF_RUN_H
#define RINGSIDE_CMD_DIFF_RUN_H

#include "lib/analysis/diff.h"

/*
 * Takes in the recording at run->path. @reading says which records are selected. @reading must have no inputs, and has none afterwards. Returns 0 when the
 * whole recording was taken in. Returns -1 when the recording was damaged and was taken in as far as it could be read. After any other failure, prints a
 * message and returns the exit status: 2 when the selection is wrong, otherwise 1.
 */
int diff_take(struct reading *reading, struct diff_run *run);

#endif
