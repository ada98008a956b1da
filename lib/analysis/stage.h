/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a pass does with all records before it gives them to its handlers: a stage marks them (record.flags), or takes out
 * what is not wanted. Stages are called one after the other, batch by batch, in the order of time, from one thread.
 */
#ifndef RINGSIDE_STAGE_H
#define RINGSIDE_STAGE_H

#include "lib/data/record.h"

struct stage {
	/* Changes the batch in place. 0; -ENOMEM; another negative errno after a message. */
	int (*batch)(struct stage *stage, struct batch *batch);
	void (*free)(struct stage *stage);	/* may be NULL */
};

#endif
