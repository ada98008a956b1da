/* SPDX-License-Identifier: GPL-2.0 */
/* Calls that have ended: what is typical of all, and which are kept as the slowest. Inside lib/analysis only. */
#ifndef RINGSIDE_CAUSE_KEEP_H
#define RINGSIDE_CAUSE_KEEP_H

#include "lib/analysis/causes.h"

/* A complete call, whose nodes and facts are all there: adds its parts up, and takes it over. 0 or -ENOMEM. */
int cause_keep(struct causes *causes, struct cause_call *call);

void cause_call_free(struct cause_call *call);	/* accepts NULL */

#endif
