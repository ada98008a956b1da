/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out whether there are records of the tasks that were asked for. When there are none, an analysis that takes in the records of all tasks can
 * give this as the reason for its empty answer.
 */
#ifndef RINGSIDE_ASKED_H
#define RINGSIDE_ASKED_H

#include "lib/analysis/input.h"
#include "lib/analysis/select.h"
#include "lib/analysis/stage.h"

/*
 * Makes a stage that sets *@found when a record is of a task that @opt names. The stage changes no record, and borrows all arguments. *@out becomes NULL
 * when @opt names no tasks. Returns 0 or -ENOMEM.
 */
int asked_new(struct stage **out, const inputs_t *inputs, const struct select_options *opt, bool *found);

#endif
