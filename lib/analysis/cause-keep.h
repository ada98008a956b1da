/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes in calls of functions, or calls of another kind (lib/analysis/causes.h), that have ended. Adds their times to the typical times (struct cause_typical),
 * and keeps the slowest calls. Only lib/analysis uses this.
 */
#ifndef RINGSIDE_CAUSE_KEEP_H
#define RINGSIDE_CAUSE_KEEP_H

#include "lib/analysis/causes.h"

/*
 * Takes in a call that is complete, with all of its .nodes and .facts. The function takes three steps:
 * - It corrects the times of the nodes so that their sum is the call's .total.
 * - It fills in the call's .parts from the nodes.
 * - It shortens the facts to fit the parts (cause_facts_fit()).
 * The call belongs to @causes from now on. On failure, the call is freed. Returns 0 or -ENOMEM.
 */
int cause_keep(struct causes *causes, struct cause_call *call);

/*
 * Puts a call that is no longer needed into causes.spare, so that a later call can use its memory. If the call cannot be put there, it is freed. Returns 0
 * or -ENOMEM.
 */
int cause_spare(struct causes *causes, struct cause_call *call);

void cause_call_free(struct cause_call *call); /* accepts NULL */

#endif
