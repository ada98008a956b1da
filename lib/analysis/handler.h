/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who consumes records: the classic report, the call tree, an exporter. Several can run over one pass. All calls
 * come from one thread, in the order of time; a handler that uses more threads keeps them to itself.
 * Losses come with the records (RECORD_LOST), so that no output can forget them.
 */
#ifndef RINGSIDE_HANDLER_H
#define RINGSIDE_HANDLER_H

#include "lib/data/record.h"

struct handler {
	int (*begin)(struct handler *h);
	/*
	 * Takes the batch over: calls batch_put() when done with it. Records that filters dropped are not in it.
	 * 0; -EPIPE when nobody reads any more (the pass ends quietly); -ENOMEM, which the pass says; -errno after a message.
	 * So do the others.
	 */
	int (*records)(struct handler *h, struct batch *batch);
	int (*flush)(struct handler *h);	/* live: all that it was given is to be seen now; NULL: it always is */
	int (*end)(struct handler *h);	/* all has been seen: flush */
	void (*free)(struct handler *h);
};

#endif
