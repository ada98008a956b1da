/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A handler takes records in. The report, the calls and a count of events are handlers, for example. Several handlers can run over one pass, one
 * after the other for each batch. One thread calls all functions, with records in the order of time. A handler may use more threads by itself. Losses
 * come with the records (RECORD_LOST), so that no output can forget them. Each function may be NULL. They return 0, -EPIPE when nobody reads the
 * output any more (the pass then ends without a message), -ENOMEM, which the pass reports, or another -errno after a message.
 */
#ifndef RINGSIDE_HANDLER_H
#define RINGSIDE_HANDLER_H

#include "lib/data/record.h"

struct handler {
	int (*begin)(struct handler *h);
	/*
	 * Takes a batch in, without changing it. The batch belongs to the pass; a handler that keeps it for longer than the call takes a reference
	 * with batch_get(). Records that stages have taken out are not in it.
	 */
	int (*records)(struct handler *h, const struct batch *batch);
	int (*flush)(struct handler *h); /* live: writes out all that it has been given */
	int (*end)(struct handler *h);	 /* says that there are no more records */
	void (*free)(struct handler *h);
};

#endif
