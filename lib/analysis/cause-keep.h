/* SPDX-License-Identifier: GPL-2.0 */
/* Takes in calls that have ended: adds their times to what is typical (struct cause_typical), and keeps the slowest calls. Only lib/analysis uses this. */
#ifndef RINGSIDE_CAUSE_KEEP_H
#define RINGSIDE_CAUSE_KEEP_H

#include "lib/analysis/causes.h"

/*
 * Takes over a complete call, also after a failure. The call's .nodes and .facts are complete as well. Fills in .parts of the call from its nodes, and
 * shortens its facts accordingly (cause_facts_fit()). Returns 0 or -ENOMEM.
 */
int cause_keep(struct causes *causes, struct cause_call *call);

/* Takes over a call that is no longer needed, also after a failure. Returns 0 or -ENOMEM. */
int cause_spare(struct causes *causes, struct cause_call *call);

void cause_call_free(struct cause_call *call); /* accepts NULL */

#endif
