/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A pass goes through records once and gives them to handlers, in batches (lib/analysis/pass.h). A stage gets each batch before the handlers get it. The stage
 * marks records (record.flags), or removes records that are not wanted. For each batch, one thread calls the stages one after the other. The batches come in
 * the order of time.
 */
#ifndef RINGSIDE_STAGE_H
#define RINGSIDE_STAGE_H

#include "lib/data/record.h"

struct stage {
	/* Changes the batch in place. Returns 0, -ENOMEM, or another -errno after a message. */
	int (*batch)(struct stage *stage, struct batch *batch);
	void (*free)(struct stage *stage); /* may be NULL */
};

#endif
