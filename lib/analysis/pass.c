/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/pass.h"
#include "lib/analysis/ahead.h"
#include "lib/base/err.h"

static bool has_data(const struct batch *batch)
{
	for (size_t i = 0; i < batch->n; i++)
		if (!(batch->records[i].flags & RECORD_NODATA))
			return true;
	return false;
}

/* Gives the message for -ENOMEM, because handlers and stages leave it to the pass. Gives it once. Returns @err. */
static int said(struct pass *pass, int err)
{
	if (err == -ENOMEM && !pass->said)
		fail(ENOMEM, "out of memory");
	pass->said |= err == -ENOMEM;
	return err;
}

static void remember(struct pass *pass, const struct batch *batch)
{
	if (!batch->n)
		return;
	if (!pass->last.ts && !pass->seen)
		pass->first = batch->records[0];
	pass->last = batch->records[batch->n - 1];
	/* The exit of a leaf call is the last record, but may be left out of the batch. */
	if (record_is_leaf(&pass->last))
		pass->last.ts += pass->last.later;
	pass->first.data = pass->last.data = NULL;
	pass->seen += batch->n - batch->nodata + batch->folded;
}

/* Does what remember() does for the records of the wanted CPUs. */
static void remember_chosen(struct pass *pass, const struct batch *batch)
{
	for (size_t i = 0; i < batch->n; i++)
		if (cpuset_has(pass->cpus, batch->records[i].cpu))
			remember(pass, &(struct batch){ .records = &batch->records[i], .n = 1, .nodata = (batch->records[i].flags & RECORD_NODATA) != 0 });
}

static int choose_cpus(const struct pass *pass, struct batch *batch)
{
	int err = pass->whole && batch->n ? pass->whole->records(pass->whole, batch) : 0;
	size_t n = 0;

	for (size_t i = 0; i < batch->n; i++)
		if (cpuset_has(pass->cpus, batch->records[i].cpu))
			batch->records[n++] = batch->records[i];
	batch->n = n;
	return err;
}

static int to_stages(struct pass *pass, struct batch *batch)
{
	int err = 0;

	if (unlikely(pass->cpus))
		remember_chosen(pass, batch);
	else
		remember(pass, batch);
	for (size_t i = 0; !err && i < pass->stages.n; i++)
		err = pass->stages.at[i]->batch(pass->stages.at[i], batch);
	return err || likely(!pass->cpus) ? err : choose_cpus(pass, batch);
}

static int one_batch(struct pass *pass, struct batch *batch)
{
	int err = to_stages(pass, batch);

	if (err || !batch->n)
		return err;
	pass->passed = pass->passed || has_data(batch);
	for (size_t i = 0; !err && i < pass->handlers.n; i++)
		if (pass->handlers.at[i]->records && !(pass->cpus && pass->handlers.at[i] == pass->whole))
			err = pass->handlers.at[i]->records(pass->handlers.at[i], batch);
	return err;
}

int pass_begin(struct pass *pass)
{
	int err = 0;

	vec_each (&pass->handlers, h)
		if (!err && (*h)->begin)
			err = (*h)->begin(*h);
	return said(pass, err);
}

int pass_go(struct pass *pass)
{
	struct ahead *ahead = NULL;
	struct batch *batch;
	int err = pass->pool ? ahead_new(&ahead, pass->merge, pass->pool) : 0;

	while (!err && !(pass->stop && *pass->stop)) {
		err = ahead ? ahead_next(ahead, &batch) : merge_next(pass->merge, &batch);
		if (err <= 0)
			break;
		err = one_batch(pass, batch);
		batch_put(batch);
	}
	ahead_free(ahead);
	return said(pass, err);
}

int pass_next(struct pass *pass, struct batch **out)
{
	int err = merge_next(pass->merge, out);

	if (err > 0) {
		err = to_stages(pass, *out);
		if (!err)
			return 1;
		batch_put(*out);
	}
	return said(pass, err);
}

int pass_flush(struct pass *pass)
{
	int err = 0;

	vec_each (&pass->handlers, h)
		if (!err && (*h)->flush)
			err = (*h)->flush(*h);
	return said(pass, err);
}

int pass_end(struct pass *pass)
{
	int err = 0;

	/* What a handler has gathered may be wrong if it ran out of memory. */
	if (pass->said)
		return -ENOMEM;
	vec_each (&pass->handlers, h) {
		int ret = (*h)->end ? (*h)->end(*h) : 0;

		err = err ? err : ret;
	}
	return said(pass, err);
}

int pass_run(struct pass *pass)
{
	int err = pass_begin(pass), ret;

	err = err ? err : pass_go(pass);
	ret = pass_end(pass);
	return err ? err : ret;
}

int pass_add_stage(struct pass *pass, struct stage *stage)
{
	int err = vec_push(&pass->stages, stage);

	if (err && stage->free)
		stage->free(stage);
	return err;
}

int pass_add_handler(struct pass *pass, struct handler *handler)
{
	int err = vec_push(&pass->handlers, handler);

	if (err && handler->free)
		handler->free(handler);
	return err;
}

void pass_fini(struct pass *pass)
{
	vec_each (&pass->handlers, h)
		if ((*h)->free)
			(*h)->free(*h);
	vec_each (&pass->stages, stage)
		if ((*stage)->free)
			(*stage)->free(*stage);
	vec_fini(&pass->handlers);
	vec_fini(&pass->stages);
}
