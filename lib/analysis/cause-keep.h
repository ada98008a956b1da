/* SPDX-License-Identifier: GPL-2.0 */
/* Takes in calls that have ended: adds their times to what is typical (struct cause_typical), and keeps the slowest calls. Only lib/analysis uses this. */
#ifndef RINGSIDE_CAUSE_KEEP_H
#define RINGSIDE_CAUSE_KEEP_H

#include "lib/analysis/causes.h"

/*
 * Takes in a call that is complete, with all of its .nodes and .facts. Corrects the times of the nodes so that their sum is .total of the call, fills in
 * .parts of the call from the nodes, and shortens the facts to fit the parts (cause_facts_fit()). The call belongs to @causes from now on; on failure it
 * is freed. Returns 0 or -ENOMEM.
 */
int cause_keep(struct causes *causes, struct cause_call *call);

/*
 * Puts a call that is no longer needed into causes.spare, so that its memory is used for a later call. Frees the call when that fails. Returns 0 or
 * -ENOMEM.
 */
int cause_spare(struct causes *causes, struct cause_call *call);

void cause_call_free(struct cause_call *call); /* accepts NULL */

#endif
