/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/pass.h"
#include "lib/base/err.h"

/* The last time of each CPU of each buffer of each file. */
struct order {
	VEC(struct order_mark { uint32_t stream; uint64_t ts; }) marks;
};

static struct order_mark *mark_of(struct order *order, const struct record *rec)
{
	uint32_t stream = (uint32_t)rec->file << 24 ^ (uint32_t)rec->buffer << 16 ^ rec->cpu;

	vec_each (&order->marks, mark)
		if (mark->stream == stream)
			return mark;
	if (vec_push(&order->marks, (struct order_mark){ stream, 0 }))
		return NULL;
	return &order->marks.at[order->marks.n - 1];
}

static int check_order(struct order *order, const struct batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		struct order_mark *mark;

		if (rec->flags & RECORD_NODATA)
			continue;
		mark = mark_of(order, rec);
		if (!mark)
			return fail(ENOMEM, "%m");
		if (rec->ts < mark->ts)
			warn("the time of CPU %u goes back by %llu, from %llu to %llu", rec->cpu,
			     (unsigned long long)(mark->ts - rec->ts), (unsigned long long)mark->ts,
			     (unsigned long long)rec->ts);
		mark->ts = rec->ts;
	}
	return 0;
}

static uint64_t count(const struct batch *batch)
{
	uint64_t n = 0;

	for (size_t i = 0; i < batch->n; i++)
		n += !(batch->records[i].flags & RECORD_NODATA);
	return n;
}

static int one_batch(struct pass *pass, struct order *order, struct batch *batch)
{
	int err = 0;

	pass->seen += count(batch);
	if (pass->check_order)
		err = check_order(order, batch);
	if (!err && pass->select) {
		err = select_batch(pass->select, batch);
		if (err == -ENOMEM)
			err = fail(ENOMEM, "%m");
	}
	if (err || !batch->n) {
		batch_put(batch);
		return err;
	}
	pass->passed += count(batch);
	return pass->handler->records(pass->handler, batch);
}

int pass_run(struct pass *pass)
{
	struct handler *handler = pass->handler;
	struct order order = { 0 };
	struct batch *batch;
	int err = handler->begin ? handler->begin(handler) : 0;

	while (!err && !(pass->stop && *pass->stop)) {
		err = merge_next(pass->merge, &batch);
		if (err <= 0)
			break;
		err = one_batch(pass, &order, batch);
	}
	vec_fini(&order.marks);
	if (err == -ENOMEM)
		fail(ENOMEM, "reading records: %m");
	if (handler->end) {
		int ret = handler->end(handler);

		err = err ? err : ret;
	}
	return err;
}
