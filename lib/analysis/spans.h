/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time between two events that have a number in common, as the hooks of -H name them: a request to a device and its end, a file that is made and
 * removed. What is open when events are lost is forgotten, so that nothing is put together across a loss. No printing.
 */
#ifndef RINGSIDE_SPANS_H
#define RINGSIDE_SPANS_H

#include "lib/analysis/input.h"

/* So many can be open at once; what begins beyond is not told. */
enum { SPANS_MOST = 1000000 };

struct span {
	uint64_t ns;	/* when it began, as input_time() has it */
	uint64_t took;	/* spans_record() has found its end: how long it was */
	int pid;	/* the task in which it began */
	bool open;
	struct text data;	/* a copy of the record in which it began, where copies are kept */
};

enum span_is { SPAN_NONE, SPAN_BEGINS, SPAN_ENDS };

struct spans;

/* Of all hooks. @copies: the records in which they begin are kept until they end. Borrows @inputs. 0; -EINVAL after a message: a hook has a fault, or an event has no such field; -ENOMEM. */
int spans_new(struct spans **out, const inputs_t *inputs, const strv_t *hooks, bool copies);
void spans_free(struct spans *spans);

/* All records in the order of time. enum span_is, with *@out when it is SPAN_ENDS; -ENOMEM. An end without a beginning is
 * SPAN_NONE. out->data holds until the next record. */
int spans_record(struct spans *spans, const struct record *rec, struct span *out);

#endif
