/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A handler takes records in. For example, one handler writes the lines of `ringside report`, another puts calls together (lib/analysis/calls.h), and another
 * counts events. Several handlers can run in one pass (lib/analysis/pass.h), one after the other for each batch of records. One thread calls all functions of
 * all handlers, with the records in the order of time. A handler may use more threads for its work. Records also say where events were lost (RECORD_LOST). Each
 * function of a handler may be NULL. A function that returns an int returns one of these:
 * - 0;
 * - -EPIPE when nobody reads the output any more; then the pass ends without a message;
 * - -ENOMEM, for which the pass gives a message;
 * - another -errno after a message.
 */
#ifndef RINGSIDE_HANDLER_H
#define RINGSIDE_HANDLER_H

#include "lib/data/record.h"

struct handler {
	int (*begin)(struct handler *h); /* called before the first batch */
	/*
	 * Takes a batch in, without changing it. The batch belongs to the pass. A handler that keeps the batch for longer than the call takes a
	 * reference with batch_get(). Records that stages (lib/analysis/stage.h) have removed are not in the batch.
	 */
	int (*records)(struct handler *h, const struct batch *batch);
	int (*flush)(struct handler *h); /* called while the kernel still makes records: writes out what the handler has made from all records so far */
	int (*end)(struct handler *h);	 /* called after the last batch */
	void (*free)(struct handler *h);
};

#endif
