/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/order.h"
#include "lib/analysis/streams.h"
#include "lib/base/err.h"

struct order {
	struct stage stage;
	struct streams last; /* has a uint64_t for each CPU of each buffer: the time of its last record */
	const struct cpuset *cpus;
};

static int check_order(struct stage *stage, struct batch *batch)
{
	struct order *order = container_of(stage, struct order, stage);

	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		uint64_t *ts;

		if (rec->flags & RECORD_NODATA || !cpuset_wants(order->cpus, rec->cpu))
			continue;
		ts = stream_of(&order->last, rec);
		if (!ts)
			return -ENOMEM;
		if (rec->ts < *ts)
			warn("the time of CPU %u goes back by %llu, from %llu to %llu", rec->cpu, (unsigned long long)(*ts - rec->ts), (unsigned long long)*ts,
			     (unsigned long long)rec->ts);
		*ts = rec->ts;
	}
	return 0;
}

static void free_order(struct stage *stage)
{
	struct order *order = container_of(stage, struct order, stage);

	streams_fini(&order->last, NULL);
	free(order);
}

int order_stage_new(struct stage **out, const struct cpuset *cpus)
{
	struct order *order = calloc(1, sizeof(*order));

	if (!order)
		return -ENOMEM;
	*order = (struct order){ .stage = { .batch = check_order, .free = free_order }, .last.size = sizeof(uint64_t), .cpus = cpus };
	*out = &order->stage;
	return 0;
}

struct align {
	struct stage stage;
	inputs_t *inputs; /* NULL: the clocks have been aligned */
	const struct cpuset *cpus;
};

static int align_clocks(struct stage *stage, struct batch *batch)
{
	struct align *align = container_of(stage, struct align, stage);

	for (size_t i = 0; align->inputs && i < batch->n; i++)
		if (!(batch->records[i].flags & RECORD_NODATA) && cpuset_wants(align->cpus, batch->records[i].cpu))
			inputs_align(take(align->inputs), &batch->records[i]);
	return 0;
}

static void free_align(struct stage *stage)
{
	free(container_of(stage, struct align, stage));
}

int align_stage_new(struct stage **out, inputs_t *inputs, const struct cpuset *cpus)
{
	struct align *align = calloc(1, sizeof(*align));

	if (!align)
		return -ENOMEM;
	*align = (struct align){ .stage = { .batch = align_clocks, .free = free_align }, .inputs = inputs, .cpus = cpus };
	*out = &align->stage;
	return 0;
}
