/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A stage gets the records of a pass (lib/analysis/pass.h) before the handlers get them. It marks records (record.flags), or removes records that are not
 * wanted. For each batch, one thread calls the stages one after the other. The batches come in the order of time.
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
