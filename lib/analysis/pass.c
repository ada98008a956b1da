/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/pass.h"
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
			return -ENOMEM;
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

/* The first record of all is time zero. */
static void align(struct pass *pass, const struct batch *batch)
{
	for (size_t i = 0; pass->align && i < batch->n; i++)
		if (!(batch->records[i].flags & RECORD_NODATA))
			inputs_align(take(pass->align), &batch->records[i]);
}

/* Handlers and what comes before them leave this one to the pass. */
static int said(struct pass *pass, int err)
{
	if (err == -ENOMEM && !pass->said)
		fail(ENOMEM, "out of memory");
	pass->said |= err == -ENOMEM;
	return err;
}

static int one_batch(struct pass *pass, struct batch *batch)
{
	int err = 0;

	pass->seen += batch->n - batch->nodata;
	if (pass->look)
		pass->look(pass->look_ctx, batch);
	if (pass->check_order)
		err = check_order(&pass->last, batch);
	/* First, for what is not selected has its call or its return too. */
	if (!err && pass->latency)
		err = latency_batch(pass->latency, batch);
	if (!err && pass->wakeups)
		err = wakeups_batch(pass->wakeups, batch);
	if (!err && pass->within)
		err = within_batch(pass->within, batch);
	if (!err && pass->select)
		err = select_batch(pass->select, batch);
	if (!err && pass->align)
		align(pass, batch);
	if (!err && pass->wakeups)
		wakeups_count(pass->wakeups, batch);
	if (err || !batch->n) {
		batch_put(batch);
		return err;
	}
	pass->passed = pass->passed || has_data(batch);
	return pass->handler->records(pass->handler, batch);
}

int pass_begin(struct pass *pass)
{
	struct handler *handler = pass->handler;

	pass->last = (struct streams){ .size = sizeof(uint64_t) };
	return handler->begin ? said(pass, handler->begin(handler)) : 0;
}

int pass_go(struct pass *pass)
{
	struct batch *batch;
	int err = 0;

	while (!err && !(pass->stop && *pass->stop)) {
		err = merge_next(pass->merge, &batch);
		if (err <= 0)
			break;
		err = one_batch(pass, batch);
	}
	return said(pass, err);
}

int pass_end(struct pass *pass)
{
	struct handler *handler = pass->handler;

	streams_fini(&pass->last, NULL);
	/* What a handler has gathered is not to be relied on when it has had no memory. */
	if (pass->said)
		return -ENOMEM;
	return handler->end ? said(pass, handler->end(handler)) : 0;
}

int pass_run(struct pass *pass)
{
	int err = pass_begin(pass), ret;

	err = err ? err : pass_go(pass);
	ret = pass_end(pass);
	return err ? err : ret;
}
