/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out whether the tasks that were asked for did anything at all, for analyses that take in the records of all tasks: where they
 * did nothing, an empty answer has that reason and no other.
 */
#ifndef RINGSIDE_ASKED_H
#define RINGSIDE_ASKED_H

#include "lib/analysis/input.h"
#include "lib/analysis/select.h"
#include "lib/analysis/stage.h"

/*
 * Makes a stage that sets *@found when a record is of a task that @opt names. It changes no record, and borrows everything. *@out
 * becomes NULL when @opt names no tasks. Returns 0 or -ENOMEM.
 */
int asked_new(struct stage **out, const inputs_t *inputs, const struct select_options *opt, bool *found);

#endif
