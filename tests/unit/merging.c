/* SPDX-License-Identifier: GPL-2.0 */
#include "tests/unit/merging.h"
#include "lib/data/bytes.h"

#include <unistd.h>

const struct graph_ids merging_graph = {
	.entry = { 11, 8, 8 },
	.exit = { 10, 8, 8 },
	.type_offset = 0,
	.pid_offset = 4,
};

void merging_init(struct merging *t, bool big, size_t nbuffers)
{
	*t = (struct merging){
		.like = { .big = big, .long_size = 8, .page_size = 4096 },
		.buffers = { { .name = "" }, { .name = "other" } },
		.nbuffers = nbuffers,
	};
}

void merging_fini(struct merging *t)
{
	for (size_t b = 0; b < t->nbuffers; b++) {
		vec_each (&t->buffers[b].cpus, cpu)
			str_fini(&cpu->pages);
		vec_fini(&t->buffers[b].cpus);
	}
}

void merging_add(struct merging *t, size_t b, struct dat *d)
{
	struct dat_cpu cpu = { .cpu = (uint32_t)t->buffers[b].cpus.n, .pages = d->s };

	ck_assert_int_eq(str_ok(&d->s), 0);
	ck_assert_int_eq(vec_push(&t->buffers[b].cpus, cpu), 0);
	d->s = (struct str){ 0 };
}

struct datfile *merging_open(struct merging *t, const char *codec)
{
	struct dat d = t->like;
	struct datfile *file;
	const char *path;

	if (codec)
		dat7_file(&d, t->buffers, t->nbuffers, codec, 10);
	else
		dat6_file(&d, t->buffers, t->nbuffers);
	path = dat_save(&d);
	ck_assert_int_eq(datfile_open(&file, path), 0);
	unlink(path);
	str_fini(&d.s);
	return file;
}

static void see(struct run *run, const struct batch *batch, bool big)
{
	for (size_t i = 0; i < batch->n; i++) {
		struct seen s = { .rec = batch->records[i] };

		if (s.rec.data)
			s.type = get16(s.rec.data, big);
		if (s.rec.exit) {
			ck_assert_uint_ge(s.rec.exit_size, 16);
			s.exit_func = get64((const char *)s.rec.exit + 8, big);
		}
		ck_assert_int_eq(vec_push(&run->seen, s), 0);
	}
}

struct run merging_run(const struct merge_input *inputs, size_t n, unsigned int threads)
{
	enum { HELD = 3 };
	struct batch *held[HELD] = { NULL };
	struct run run = { 0 };
	struct merge *merge;
	struct pool *pool;
	uint64_t seq = 0;

	ck_assert_int_eq(pool_new(&pool, threads), 0);
	ck_assert_int_eq(merge_open(&merge, inputs, n, pool), 0);
	for (;;) {
		struct batch **slot = &held[seq % HELD];

		if (*slot)
			see(&run, *slot, inputs[0].file->meta.big_endian);
		batch_put(take(*slot));
		run.err = merge_next(merge, slot);
		if (run.err <= 0)
			break;
		ck_assert_uint_eq((*slot)->seq, seq);
		ck_assert_uint_gt((*slot)->n, 0);
		seq++;
	}
	for (int i = 1; i < HELD; i++) {
		struct batch **slot = &held[(seq + (uint64_t)i) % HELD];

		if (*slot)
			see(&run, *slot, inputs[0].file->meta.big_endian);
		batch_put(take(*slot));
	}
	run.damaged = merge_damaged(merge);
	merge_close(merge);
	pool_free(pool);
	return run;
}

struct run merging_run_file(struct datfile *file, unsigned int threads)
{
	struct merge_input input = { .file = file, .graph = merging_graph };

	return merging_run(&input, 1, threads);
}

struct run merging_run_cpu(struct merging *t, struct dat *d, unsigned int threads, struct datfile **file)
{
	merging_add(t, 0, d);
	*file = merging_open(t, NULL);
	return merging_run_file(*file, threads);
}

void merging_close(struct run *run, struct datfile *file, struct merging *t)
{
	vec_fini(&run->seen);
	datfile_close(file);
	merging_fini(t);
}

static uint32_t draw(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

size_t merging_random(struct dat *d, unsigned int pages, uint32_t seed)
{
	uint64_t ts = 1000 + draw(&seed) % 50;
	size_t n = 0;

	for (unsigned int p = 0; p < pages; p++) {
		dat_page(d, ts);
		for (unsigned int i = 0; i < 200; i++, n++) {
			uint32_t delta = i ? draw(&seed) % 64 : 0;

			ts += delta;
			dat_event(d, 2, delta);
			dat_put16(d, 314);
			dat_put16(d, 0);
			dat_put32(d, (uint32_t)n);
		}
		dat_page_end(d, 0);
	}
	return n;
}

void merging_check(const struct run *run, size_t total)
{
	ck_assert_uint_eq(run->seen.n, total);
	for (size_t i = 1; i < run->seen.n; i++) {
		const struct record *a = &run->seen.at[i - 1].rec, *b = &run->seen.at[i].rec;

		ck_assert_msg(a->ts < b->ts || (a->ts == b->ts && a->cpu <= b->cpu), "record %zu: %llu on %u before %llu on %u", i, (unsigned long long)a->ts,
			      a->cpu, (unsigned long long)b->ts, b->cpu);
	}
}
