/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out whether there are records of the tasks that the user asked for. An analysis that takes in the records of all tasks uses the result to explain an
 * empty answer.
 */
#ifndef RINGSIDE_ASKED_H
#define RINGSIDE_ASKED_H

#include "lib/analysis/input.h"
#include "lib/analysis/select.h"
#include "lib/analysis/stage.h"

/*
 * Makes a stage (lib/analysis/stage.h), which sees the records before the analyses do. The stage sets *@found to true when it sees a record of a
 * task that @opt names. The stage changes no record, and borrows @inputs, @opt and @found. *@out becomes NULL if @opt names no tasks. Returns 0 or -ENOMEM.
 */
int asked_new(struct stage **out, const inputs_t *inputs, const struct select_options *opt, bool *found);

#endif
