/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who takes records in: the classic report, the calls put together, a count of events. Several can run over one pass, one after
 * the other for each batch. All calls come from one thread, in the order of time; a handler that uses more threads keeps them to
 * itself. Losses come with the records (RECORD_LOST), so that no output can forget them.
 * Each function may be NULL.
 */
#ifndef RINGSIDE_HANDLER_H
#define RINGSIDE_HANDLER_H

#include "lib/data/record.h"

struct handler {
	int (*begin)(struct handler *h);
	/*
	 * The batch belongs to the pass: who wants to keep it behind the call takes a reference with batch_get(). It is not
	 * changed. Records that stages took out are not in it.
	 * 0; -EPIPE when nobody reads any more (the pass ends quietly); -ENOMEM, which the pass says; -errno after a message.
	 * So do the others.
	 */
	int (*records)(struct handler *h, const struct batch *batch);
	int (*flush)(struct handler *h);	/* live: all that it was given is to be seen now */
	int (*end)(struct handler *h);		/* all has been seen */
	void (*free)(struct handler *h);
};

#endif
