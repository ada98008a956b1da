/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/merge: order, losses, leaf calls and damage over pages, chunks, CPUs and files. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/data/bytes.h"
#include "lib/data/merge.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Loop numbers: threads 1 to 4. */
enum { FIRST = 1, LAST = 4 };

static const struct graph_ids graph = {
	.entry = { 11, 8, 8 }, .exit = { 10, 8, 8 }, .type_offset = 0, .pid_offset = 4,
};

/* A trace under construction: CPU by CPU, page by page. */
struct trace {
	struct dat like;
	struct dat_buffer buffers[2];
	size_t nbuffers;
};

static void trace_init(struct trace *t, bool big, size_t nbuffers)
{
	*t = (struct trace){
		.like = { .big = big, .long_size = 8, .page_size = 4096 },
		.buffers = { { .name = "" }, { .name = "other" } },
		.nbuffers = nbuffers,
	};
}

static void trace_fini(struct trace *t)
{
	for (size_t b = 0; b < t->nbuffers; b++) {
		vec_each (&t->buffers[b].cpus, cpu)
			str_fini(&cpu->pages);
		vec_fini(&t->buffers[b].cpus);
	}
}

/* Pages made with @d become the next CPU of buffer @b. */
static void add_cpu(struct trace *t, size_t b, struct dat *d)
{
	struct dat_cpu cpu = { .cpu = (uint32_t)t->buffers[b].cpus.n, .pages = d->s };

	ck_assert_int_eq(str_ok(&d->s), 0);
	ck_assert_int_eq(vec_push(&t->buffers[b].cpus, cpu), 0);
	d->s = (struct str){ 0 };
}

static struct datfile *open_trace(struct trace *t, const char *codec)
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

/* A record with what it points at, to be looked at when its batch is gone. */
struct seen {
	struct record rec;
	uint16_t type;
	uint64_t exit_func;
};
struct run {
	VEC(struct seen) seen;
	bool damaged;
	int err;
};

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

/* All that @inputs give, by @threads threads; several batches are held at a time. */
static struct run run_merge(const struct merge_input *inputs, size_t n, unsigned int threads)
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

static struct run run_file(struct datfile *file, unsigned int threads)
{
	struct merge_input input = { .file = file, .graph = graph };

	return run_merge(&input, 1, threads);
}

/* The same of a version 6 file of one CPU, with the pages made with @d. */
static struct run run_cpu(struct trace *t, struct dat *d, unsigned int threads, struct datfile **file)
{
	add_cpu(t, 0, d);
	*file = open_trace(t, NULL);
	return run_file(*file, threads);
}

static void close_run(struct run *run, struct datfile *file, struct trace *t)
{
	vec_fini(&run->seen);
	datfile_close(file);
	trace_fini(t);
}

static uint32_t draw(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* @pages pages of records at random times; the second payload word counts them. Returns how many. */
static size_t random_cpu(struct dat *d, unsigned int pages, uint32_t seed)
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

/* In the order of time, ties by CPU, and each CPU's records are all there in their order. */
static void check_order(const struct run *run, size_t total)
{
	ck_assert_uint_eq(run->seen.n, total);
	for (size_t i = 1; i < run->seen.n; i++) {
		const struct record *a = &run->seen.at[i - 1].rec, *b = &run->seen.at[i].rec;

		ck_assert_msg(a->ts < b->ts || (a->ts == b->ts && a->cpu <= b->cpu),
			      "record %zu: %llu on %u before %llu on %u", i,
			      (unsigned long long)a->ts, a->cpu, (unsigned long long)b->ts, b->cpu);
	}
}

START_TEST(few_cpus)
{
	static const char *const codecs[] = { NULL, "none", "zlib", "zstd" };

	for (size_t c = 0; c < ARRAY_LEN(codecs); c++) {
		struct trace t;
		struct datfile *file;
		struct run run;
		size_t total = 0;

		trace_init(&t, c & 1, 1);
		for (uint32_t cpu = 0; cpu < 3; cpu++) {
			struct dat d = t.like;

			total += random_cpu(&d, 40 + 30 * cpu, cpu);
			add_cpu(&t, 0, &d);
		}
		file = open_trace(&t, codecs[c]);
		run = run_file(file, (unsigned int)_i);
		ck_assert_int_eq(run.err, 0);
		ck_assert(!run.damaged);
		check_order(&run, total);
		close_run(&run, file, &t);
	}
}
END_TEST

START_TEST(many_cpus)
{
	struct trace t;
	struct datfile *file;
	struct run run;
	size_t total = 0;

	trace_init(&t, false, 1);
	for (uint32_t cpu = 0; cpu < 256; cpu++) {
		struct dat d = t.like;

		total += random_cpu(&d, 1 + cpu % 23, cpu);
		add_cpu(&t, 0, &d);
	}
	file = open_trace(&t, NULL);
	run = run_file(file, (unsigned int)_i);
	ck_assert_int_eq(run.err, 0);
	check_order(&run, total);
	close_run(&run, file, &t);
}
END_TEST

/* Buffers and files come in between by time as well; equal times: the first file, its first buffer, the lower CPU. */
START_TEST(ties)
{
	struct trace t;
	struct datfile *files[2];
	struct merge_input inputs[2];
	struct run run;

	trace_init(&t, false, 2);
	for (size_t b = 0; b < 2; b++) {
		for (uint32_t cpu = 0; cpu < 2; cpu++) {
			struct dat d = t.like;

			dat_page(&d, 500);
			for (int i = 0; i < 3; i++)
				dat_record(&d, i == 2, 1, 314);
			dat_page_end(&d, 0);
			add_cpu(&t, b, &d);
		}
	}
	for (int f = 0; f < 2; f++) {
		files[f] = open_trace(&t, NULL);
		inputs[f] = (struct merge_input){ .file = files[f] };
	}
	run = run_merge(inputs, 2, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 24);
	for (size_t i = 0; i < 24; i++) {
		const struct record *rec = &run.seen.at[i].rec;
		/* 16 records at 500, two of each stream, then 8 at 501. */
		size_t stream = i < 16 ? i / 2 : i - 16;

		ck_assert_uint_eq(rec->ts, i < 16 ? 500 : 501);
		ck_assert_uint_eq(rec->file, stream / 4);
		ck_assert_uint_eq(rec->buffer, stream / 2 % 2);
		ck_assert_uint_eq(rec->cpu, stream % 2);
	}
	vec_fini(&run.seen);
	/* The second file is shifted before the first one, its own times stay. */
	inputs[1].clock = &(struct clock){ .plain = true, .offset = -100 };
	run = run_merge(inputs, 2, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 24);
	for (size_t i = 0; i < 24; i++)
		ck_assert_uint_eq(run.seen.at[i].rec.file, i < 12);
	ck_assert_uint_eq(run.seen.at[0].rec.ts, 500);
	vec_fini(&run.seen);
	/* Ticks of half a ns: 250 ns are before the 500 of the first file. */
	inputs[1].clock = &(struct clock){ .tsc = { .present = true, .mult = 1, .shift = 1 } };
	run = run_merge(inputs, 2, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 24);
	for (size_t i = 0; i < 24; i++)
		ck_assert_uint_eq(run.seen.at[i].rec.file, i < 12);
	datfile_close(files[1]);
	close_run(&run, files[0], &t);
}
END_TEST

static bool only_other(void *ctx, const char *name)
{
	++*(int *)ctx;
	return strcmp(name, "other") == 0;
}

START_TEST(selection)
{
	struct trace t;
	struct datfile *file;
	struct merge_input input = { 0 };
	struct cpuset cpus = { 0 };
	struct run run;
	int asked = 0;

	trace_init(&t, false, 2);
	for (size_t b = 0; b < 2; b++) {
		for (uint32_t cpu = 0; cpu < 4; cpu++) {
			struct dat d = t.like;

			random_cpu(&d, 2, cpu);
			/* What nobody wants is not even read: damage there is not found. */
			if (cpu == 3)
				memset(d.s.at + 16, 0, 100);
			add_cpu(&t, b, &d);
		}
	}
	file = open_trace(&t, NULL);
	ck_assert_int_eq(parse_cpus("0,2", &cpus), 0);
	input = (struct merge_input){ .file = file, .cpus = &cpus };
	run = run_merge(&input, 1, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 2 * 2 * 400);
	ck_assert(!run.damaged);
	vec_each (&run.seen, s)
		ck_assert_uint_eq(s->rec.cpu % 2, 0);
	vec_fini(&run.seen);
	input.buffer_wanted = only_other;
	input.ctx = &asked;
	run = run_merge(&input, 1, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 2 * 400);
	vec_each (&run.seen, s)
		ck_assert_uint_eq(s->rec.buffer, 1);
	ck_assert_int_eq(asked, 2);
	cpuset_fini(&cpus);
	close_run(&run, file, &t);
}
END_TEST

/* Without the exits that their entries tell: all the others of @all, in the same order. */
static void check_fold(const struct run *all, struct datfile *file, unsigned int threads)
{
	struct merge_input input = { .file = file, .graph = graph, .fold = true };
	struct run run = run_merge(&input, 1, threads);
	size_t n = 0;

	vec_each (&all->seen, s) {
		if (s->rec.flags & RECORD_FOLDED)
			continue;
		ck_assert_uint_lt(n, run.seen.n);
		ck_assert_uint_eq(run.seen.at[n].rec.ts, s->rec.ts);
		ck_assert_uint_eq(run.seen.at[n].rec.flags, s->rec.flags);
		ck_assert_uint_eq(run.seen.at[n].exit_func, s->exit_func);
		n++;
	}
	ck_assert_uint_eq(n, run.seen.n);
	ck_assert_uint_lt(n, all->seen.n);
	vec_fini(&run.seen);
}

/* Pages of which each ends with an entry whose exit begins the next one, so that chunks are crossed as well. */
START_TEST(leaves)
{
	enum { PAGES = 200 };
	bool big = _i & 1;
	struct trace t;
	struct datfile *file;
	struct run run;
	struct dat d;

	trace_init(&t, big, 1);
	d = t.like;
	for (int p = 0; p < PAGES; p++) {
		dat_page(&d, 1000 + 100ULL * (unsigned int)p);
		if (p)
			dat_exit(&d, 1, 7, 0x1000 + (uint64_t)p - 1);
		dat_entry(&d, 1, 7, 0x99);
		dat_entry(&d, 1, 7, 0x98);	/* the call that the one before made: that is no leaf */
		dat_exit(&d, 1, 7, 0x98);	/* a leaf within the page */
		dat_exit(&d, 1, 7, 0x99);
		dat_entry(&d, 1, 7, 0x97);
		dat_exit(&d, 1, 8, 0x97);	/* another task */
		dat_entry(&d, 1, 7, 0x97);
		dat_exit(&d, 1, 7, 0x96);	/* another function */
		dat_entry(&d, 1, 7, 0x97);
		dat_record(&d, 1, 6, 314);	/* something in between */
		dat_exit(&d, 1, 7, 0x97);
		dat_entry(&d, 1, 7, 0x1000 + (uint64_t)p);
		dat_page_end(&d, 0);
	}
	add_cpu(&t, 0, &d);
	file = open_trace(&t, _i & 2 ? "zlib" : NULL);
	run = run_file(file, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, PAGES * 13 - 1);
	for (size_t i = 0; i < run.seen.n; i++) {
		size_t page = (i + 1) / 13, in_page = (i + 1) % 13;
		const struct seen *s = &run.seen.at[i];
		bool last = i + 1 == run.seen.n;
		int want = in_page == 2 || (in_page == 12 && !last) ? RECORD_LEAF :
			   in_page == 3 || (in_page == 0 && page)   ? RECORD_FOLDED : 0;

		ck_assert_msg((s->rec.flags & (RECORD_LEAF | RECORD_FOLDED)) == want,
			      "record %zu, %zu in page %zu: flags %d", i, in_page, page, s->rec.flags);
		ck_assert_int_eq(s->rec.exit != NULL, want == RECORD_LEAF);
		if (want == RECORD_LEAF)
			ck_assert_uint_eq(s->exit_func, in_page == 2 ? 0x98 : 0x1000 + page);
	}
	check_fold(&run, file, (unsigned int)_i);
	close_run(&run, file, &t);
}
END_TEST

/* A loss between entry and exit: they are not one call that is told. */
START_TEST(leaf_with_loss)
{
	struct trace t;
	struct datfile *file;
	struct run run;
	struct dat d;

	trace_init(&t, false, 1);
	d = t.like;
	dat_page(&d, 1000);
	dat_entry(&d, 1, 7, 0x99);
	dat_page_end(&d, 0);
	dat_page(&d, 2000);
	dat_exit(&d, 1, 7, 0x99);
	dat_page_end(&d, 5);
	run = run_cpu(&t, &d, (unsigned int)_i, &file);
	ck_assert_uint_eq(run.seen.n, 2);
	ck_assert_uint_eq(run.seen.at[0].rec.flags, RECORD_PAGE | RECORD_GAP);
	ck_assert_uint_eq(run.seen.at[1].rec.flags, RECORD_PAGE | RECORD_LOST);
	ck_assert_int_eq(run.seen.at[1].rec.lost, 5);
	close_run(&run, file, &t);
}
END_TEST

/* Losses of pages without events go to the next record, also over chunks, and to none at the end. */
START_TEST(losses)
{
	struct trace t;
	struct datfile *file;
	struct run run;
	struct dat d;

	trace_init(&t, false, 1);
	d = t.like;
	dat_page(&d, 1000);
	dat_record(&d, 1, 1, 314);
	dat_page_end(&d, 0);
	for (int p = 0; p < 100; p++) {
		dat_page(&d, 1500);
		dat_page_end(&d, p < 50 ? 2 : 0);
	}
	dat_page(&d, 2000);
	dat_record(&d, 1, 1, 314);
	dat_page_end(&d, 7);
	dat_page(&d, 2500);
	dat_page_end(&d, 3);
	dat_page(&d, 2500);
	dat_page_end(&d, LOST_UNKNOWN);
	run = run_cpu(&t, &d, (unsigned int)_i, &file);
	ck_assert_uint_eq(run.seen.n, 3);
	ck_assert_int_eq(run.seen.at[1].rec.lost, 107);
	ck_assert(run.seen.at[1].rec.flags & RECORD_LOST);
	ck_assert_uint_eq(run.seen.at[2].rec.flags, RECORD_NODATA | RECORD_LOST);
	ck_assert_ptr_null(run.seen.at[2].rec.data);
	ck_assert_uint_eq(run.seen.at[2].rec.ts, 2001);
	ck_assert_int_eq(run.seen.at[2].rec.lost, LOST_UNKNOWN);
	ck_assert(!run.damaged);
	close_run(&run, file, &t);
}
END_TEST

/*
 * In each of many chunks, pages that begin with a loss: what stands before it says so, also when that is an exit which is told with its
 * entry. What was lost in front of all is said before anything else.
 */
START_TEST(gaps)
{
	enum { PAGES = 200 };
	struct trace t;
	struct datfile *file;
	struct merge_input input;
	struct run run;
	struct dat d;
	bool gap = false;
	size_t lost = 0;

	trace_init(&t, false, 1);
	d = t.like;
	for (unsigned int p = 0; p < PAGES; p++) {
		dat_page(&d, 1000 * (p + 1));
		dat_record(&d, 1, 1, 314);
		dat_entry(&d, 1, 7, 0x99);
		dat_exit(&d, 1, 7, 0x99);
		dat_page_end(&d, p % 3 ? 0 : 5);
	}
	add_cpu(&t, 0, &d);
	file = open_trace(&t, NULL);
	input = (struct merge_input){ .file = file, .graph = graph, .fold = true };
	run = run_merge(&input, 1, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 1 + 2 * PAGES);
	ck_assert_uint_eq(run.seen.at[0].rec.flags, RECORD_NODATA | RECORD_GAP);
	vec_each (&run.seen, seen) {
		ck_assert_uint_eq(!!(seen->rec.flags & RECORD_LOST), gap);
		gap = seen->rec.flags & RECORD_GAP;
		lost += !!(seen->rec.flags & RECORD_LOST);
	}
	ck_assert(!gap);
	ck_assert_uint_eq(lost, (PAGES + 2) / 3);
	close_run(&run, file, &t);
}
END_TEST

/* A clock that jumps back on one CPU: all is told, and the other CPU stays in order. */
START_TEST(backwards)
{
	struct trace t;
	struct datfile *file;
	struct run run;
	size_t n[2] = { 0 };

	trace_init(&t, false, 1);
	for (int cpu = 0; cpu < 2; cpu++) {
		struct dat d = t.like;

		for (int p = 0; p < 50; p++) {
			dat_page(&d, cpu || p != 20 ? 1000 + 100ULL * (unsigned int)p : 5);
			for (int i = 0; i < 90; i++)
				dat_record(&d, 1, 1, 314);
			dat_page_end(&d, 0);
		}
		add_cpu(&t, 0, &d);
	}
	file = open_trace(&t, NULL);
	run = run_file(file, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 2 * 50 * 90);
	vec_each (&run.seen, s)
		n[s->rec.cpu]++;
	ck_assert_uint_eq(n[0], n[1]);
	for (size_t i = 1, last = 0; i < run.seen.n; i++) {
		if (run.seen.at[i].rec.cpu != 1)
			continue;
		ck_assert_uint_ge(run.seen.at[i].rec.ts, last);
		last = run.seen.at[i].rec.ts;
	}
	close_run(&run, file, &t);
}
END_TEST

/* A damaged page costs what is behind the damage, which is a loss; it is told where. */
START_TEST(damaged_page)
{
	struct trace t;
	struct datfile *file;
	struct run run;
	struct dat d;
	char where[64], *said;

	trace_init(&t, false, 1);
	d = t.like;
	for (int p = 0; p < 3; p++) {
		dat_page(&d, 1000ULL * (unsigned int)p);
		dat_record(&d, 1, 1, 314);
		if (p == 1) {
			dat_event(&d, 28, 1);
			dat_put32(&d, 0);
		}
		dat_page_end(&d, 0);
	}
	add_cpu(&t, 0, &d);
	file = open_trace(&t, NULL);
	messages_begin();
	run = run_file(file, (unsigned int)_i);
	said = messages_end();
	ck_assert_int_eq(run.err, 0);
	ck_assert(run.damaged);
	ck_assert_uint_eq(run.seen.n, 3);
	ck_assert_int_eq(run.seen.at[2].rec.lost, LOST_UNKNOWN);
	snprintf(where, sizeof(where), "offset %llu",
		 (unsigned long long)file->buffers.at[0].cpus.at[0].offset + 4096 + 24);
	ck_assert_msg(strstr(said, where) != NULL, "%s not in %s", where, said);
	ck_assert_ptr_nonnull(strstr(said, file->path));
	free(said);
	close_run(&run, file, &t);
}
END_TEST

/* One byte of a compressed chunk is wrong: the chunks around it are read. */
START_TEST(damaged_chunk)
{
	struct trace t;
	struct dat d;
	struct datfile *file;
	struct run run;
	size_t total, at;
	char *said;

	trace_init(&t, false, 1);
	d = t.like;
	total = random_cpu(&d, 100, 1);
	add_cpu(&t, 0, &d);
	d = t.like;
	dat7_file(&d, t.buffers, 1, "zlib", 10);
	file = open_trace(&t, "zlib");
	/* The second chunk begins behind the number of chunks and the first one. */
	at = file->buffers.at[0].cpus.at[0].offset + 4;
	at += 8 + get32(d.s.at + at, false);
	datfile_close(file);
	d.s.at[at + 8 + 1000] ^= 0x55;
	said = (char *)dat_save(&d);
	ck_assert_int_eq(datfile_open(&file, said), 0);
	unlink(said);
	messages_begin();
	run = run_file(file, (unsigned int)_i);
	said = messages_end();
	ck_assert_int_eq(run.err, 0);
	ck_assert(run.damaged);
	ck_assert_ptr_nonnull(strstr(said, "chunk"));
	ck_assert_uint_eq(run.seen.n, total - 2000);
	free(said);
	str_fini(&d.s);
	close_run(&run, file, &t);
}
END_TEST

/* Offsets have 64 bits: the same pages at 5 GiB of a file with a hole. */
START_TEST(large_file)
{
	const uint64_t far = 5ULL << 30;
	struct trace t;
	struct datfile *file;
	struct run run;
	struct dat d;
	size_t total, table;
	const char *path;
	int fd;

	trace_init(&t, false, 1);
	d = t.like;
	total = random_cpu(&d, 40, 1);
	add_cpu(&t, 0, &d);
	d = t.like;
	dat6_file(&d, t.buffers, 1);
	table = (size_t)((char *)memmem(d.s.at, d.s.len, "flyrecord", 10) - d.s.at) + 10;
	dat_patch64(&d, table, far);
	path = dat_save(&d);
	fd = open(path, O_WRONLY);
	ck_assert_int_eq(io_pwrite(fd, t.buffers[0].cpus.at[0].pages.at,
				   t.buffers[0].cpus.at[0].pages.len, far), 0);
	close(fd);
	ck_assert_int_eq(datfile_open(&file, path), 0);
	unlink(path);
	ck_assert(!file->damaged);
	run = run_file(file, (unsigned int)_i);
	ck_assert(!run.damaged);
	check_order(&run, total);
	str_fini(&d.s);
	close_run(&run, file, &t);
}
END_TEST

START_TEST(nothing)
{
	struct trace t;
	struct datfile *file;
	struct merge *merge;
	struct batch *batch;
	struct run run;

	trace_init(&t, false, 1);
	file = open_trace(&t, NULL);
	run = run_file(file, (unsigned int)_i);
	ck_assert_int_eq(run.err, 0);
	ck_assert_uint_eq(run.seen.n, 0);
	ck_assert_int_eq(merge_open(&merge, NULL, 0, NULL), 0);
	ck_assert_int_eq(merge_next(merge, &batch), 0);
	merge_close(merge);
	merge_close(NULL);
	batch_put(NULL);
	close_run(&run, file, &t);
}
END_TEST

/* Closed in the middle, with chunks under way. */
START_TEST(closed_early)
{
	struct trace t;
	struct datfile *file;
	struct merge_input input = { 0 };
	struct batch *batch;
	struct merge *merge;
	struct pool *pool;

	trace_init(&t, false, 1);
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		struct dat d = t.like;

		random_cpu(&d, 300, cpu);
		add_cpu(&t, 0, &d);
	}
	file = open_trace(&t, NULL);
	input.file = file;
	ck_assert_int_eq(pool_new(&pool, (unsigned int)_i), 0);
	for (int reads = 0; reads < 3; reads++) {
		ck_assert_int_eq(merge_open(&merge, &input, 1, pool), 0);
		for (int i = 0; i < reads; i++) {
			ck_assert_int_eq(merge_next(merge, &batch), 1);
			batch_put(batch);
		}
		merge_close(merge);
	}
	pool_free(pool);
	datfile_close(file);
	trace_fini(&t);
}
END_TEST

Suite *merge_suite(void)
{
	Suite *suite = suite_create("merge");
	TCase *tc = tcase_create("merge");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, few_cpus, FIRST, LAST + 1);
	tcase_add_loop_test(tc, many_cpus, FIRST, LAST + 1);
	tcase_add_loop_test(tc, ties, FIRST, LAST + 1);
	tcase_add_loop_test(tc, selection, FIRST, LAST + 1);
	tcase_add_loop_test(tc, leaves, FIRST, LAST + 1);
	tcase_add_loop_test(tc, leaf_with_loss, FIRST, LAST + 1);
	tcase_add_loop_test(tc, losses, FIRST, LAST + 1);
	tcase_add_loop_test(tc, gaps, FIRST, LAST + 1);
	tcase_add_loop_test(tc, backwards, FIRST, LAST + 1);
	tcase_add_loop_test(tc, damaged_page, FIRST, LAST + 1);
	tcase_add_loop_test(tc, damaged_chunk, FIRST, LAST + 1);
	tcase_add_loop_test(tc, large_file, FIRST, LAST + 1);
	tcase_add_loop_test(tc, nothing, FIRST, LAST + 1);
	tcase_add_loop_test(tc, closed_early, FIRST, LAST + 1);
	suite_add_tcase(suite, tc);
	return suite;
}
