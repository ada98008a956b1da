/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/texts.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/merge.h"

int texts_init(struct texts *texts, struct pool *pool, int fd, size_t slot_size, size_t n, void (*run)(struct job *job))
{
	*texts = (struct texts){ .pool = pool, .fd = fd, .what = "the report", .size = slot_size, .n = n ? n : pool_threads(pool) * 2 + 1 };
	texts->slots = calloc(texts->n, slot_size);
	if (!texts->slots)
		return -ENOMEM;
	for (size_t i = 0; i < texts->n; i++)
		((struct texts_slot *)texts_slot(texts, i))->job.run = run;
	return 0;
}

static void wait_for(const struct texts *texts, struct texts_slot *slot)
{
	if (!texts->in_order)
		pool_wait(texts->pool, &slot->job);
}

/* Waits for a slot's text and writes it. Afterwards the slot is free, even if writing failed. Returns 0 or a negative errno. */
static int finish(struct texts *texts, struct texts_slot *slot)
{
	int err;

	if (!slot->busy)
		return 0;
	wait_for(texts, slot);
	slot->busy = false;
	batch_put(take(slot->held));
	err = str_ok(&slot->out);
	if (!err && !texts->failed)
		err = io_write(texts->fd, str_text(&slot->out), slot->out.len);
	str_clear(&slot->out);
	texts->failed |= err != 0;
	return err && err != -EPIPE && err != -ENOMEM ? fail(-err, "writing %s: %m", texts->what) : err;
}

void *texts_next(struct texts *texts, int *err)
{
	struct texts_slot *slot = texts_slot(texts, texts->next);

	*err = finish(texts, slot);
	return *err ? NULL : slot;
}

void texts_start(struct texts *texts, struct texts_slot *slot, const struct batch *batch)
{
	slot->busy = true;
	slot->held = batch ? batch_get(batch) : NULL;
	slot->batch = batch;
	if (texts->in_order)
		slot->job.run(&slot->job);
	else
		pool_submit(texts->pool, &slot->job);
	texts->next = (texts->next + 1) % texts->n;
}

int texts_flush(struct texts *texts)
{
	int err = 0;

	for (size_t i = 0; i < texts->n; i++) {
		int ret = finish(texts, texts_slot(texts, (texts->next + i) % texts->n));

		err = err ? err : ret;
	}
	return err;
}

void texts_fini(struct texts *texts, void (*fini)(void *slot))
{
	for (size_t i = 0; texts->slots && i < texts->n; i++) {
		struct texts_slot *slot = texts_slot(texts, i);

		if (slot->busy) {
			wait_for(texts, slot);
			batch_put(slot->held);
		}
		if (fini)
			fini(slot);
		str_fini(&slot->out);
	}
	free(take(texts->slots));
}
