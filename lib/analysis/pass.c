/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/pass.h"
#include "lib/analysis/streams.h"
#include "lib/base/err.h"

static int check_order(struct streams *last, const struct batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		uint64_t *ts;

		if (rec->flags & RECORD_NODATA)
			continue;
		ts = stream_of(last, rec);
		if (!ts)
			return fail(ENOMEM, "%m");
		if (rec->ts < *ts)
			warn("the time of CPU %u goes back by %llu, from %llu to %llu", rec->cpu,
			     (unsigned long long)(*ts - rec->ts), (unsigned long long)*ts,
			     (unsigned long long)rec->ts);
		*ts = rec->ts;
	}
	return 0;
}

static bool has_data(const struct batch *batch)
{
	for (size_t i = 0; i < batch->n; i++)
		if (!(batch->records[i].flags & RECORD_NODATA))
			return true;
	return false;
}

static int one_batch(struct pass *pass, struct streams *last, struct batch *batch)
{
	int err = 0;

	pass->seen += batch->n - batch->nodata;
	if (pass->check_order)
		err = check_order(last, batch);
	/* First, for what is not selected has its call or its return too. */
	if (!err && pass->latency)
		err = latency_batch(pass->latency, batch);
	if (!err && pass->within)
		err = within_batch(pass->within, batch);
	if (!err && pass->select)
		err = select_batch(pass->select, batch);
	if (err == -ENOMEM)
		err = fail(ENOMEM, "%m");
	if (err || !batch->n) {
		batch_put(batch);
		return err;
	}
	pass->passed = pass->passed || has_data(batch);
	return pass->handler->records(pass->handler, batch);
}

int pass_run(struct pass *pass)
{
	struct handler *handler = pass->handler;
	struct streams last = { .size = sizeof(uint64_t) };
	struct batch *batch;
	int err = handler->begin ? handler->begin(handler) : 0;

	while (!err && !(pass->stop && *pass->stop)) {
		err = merge_next(pass->merge, &batch);
		if (err <= 0)
			break;
		err = one_batch(pass, &last, batch);
	}
	streams_fini(&last, NULL);
	if (err == -ENOMEM)
		fail(ENOMEM, "reading records: %m");
	if (handler->end) {
		int ret = handler->end(handler);

		err = err ? err : ret;
	}
	return err;
}
