/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/selected.h"

struct counter {
	struct handler handler; /* first */
	uint64_t *n;
};

static int count(struct handler *h, const struct batch *batch)
{
	struct counter *counter = container_of(h, struct counter, handler);

	for (size_t i = 0; i < batch->n; i++)
		*counter->n += !(batch->records[i].flags & RECORD_NODATA);
	return 0;
}

static void counter_free(struct handler *h)
{
	free(container_of(h, struct counter, handler));
}

static int make(struct handler **out, __unused struct reading *reading, void *n)
{
	struct counter *counter = calloc(1, sizeof(*counter));

	if (!counter)
		return -ENOMEM;
	*counter = (struct counter){ .handler = { .records = count, .free = counter_free }, .n = n };
	*out = &counter->handler;
	return 0;
}

/* It does not fold: a call of function_graph has two records. */
static const struct analysis selected_analysis = { .name = "selected", .make = make };

static bool selects(const struct reading *reading)
{
	const struct select_options *select = &reading->select;

	return reading->has_cpus || reading_has_holes(reading) || select->pids.n || select->tids.n || select->comms.n || within_selects(&reading->within);
}

int selected_count(struct reading *whole, uint64_t *n)
{
	struct reading reading;
	int err;

	if (!whole->counted && !selects(whole))
		whole->counted = 1 + whole->pass.seen;
	*n = whole->counted ? whole->counted - 1 : 0;
	if (whole->counted)
		return 0;
	err = reading_share(&reading, whole);
	reading.hush = true;
	reading.pairs = (pairs_t){ 0 };
	err = err ? err : reading_take(&reading, &selected_analysis, n);
	reading_again(&reading);
	whole->counted = err ? 0 : 1 + *n;
	return err;
}
