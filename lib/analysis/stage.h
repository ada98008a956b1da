/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A stage sees all records of a pass before the handlers: it marks them (record.flags), or removes those that are not wanted. One
 * thread calls the stages one after the other for each batch, in the order of time.
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
