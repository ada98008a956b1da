/* SPDX-License-Identifier: GPL-2.0 */
#include "tests/unit/dat-open.h"

#include <unistd.h>

struct dat dat_layout(int i)
{
	return (struct dat){ .big = i & 1, .long_size = i & 2 ? 4 : 8, .page_size = 4096 };
}

/* With kallsyms read by a job, the same is found and said; the latter perhaps in another order. */
static void check_ahead(const char *path, int err, const struct datfile *file, const char *said, unsigned int threads)
{
	struct datfile *again = NULL;
	struct pool *pool;
	char *now;

	ck_assert_int_eq(pool_new(&pool, threads), 0);
	messages_begin();
	ck_assert_int_eq(datfile_open_ahead(&again, path, pool), err);
	if (again)
		ck_assert_int_eq(datfile_ready(again), 0);
	now = messages_end();
	ck_assert_msg(strlen(now) == strlen(said), "%s, not %s", now, said);
	if (file) {
		const struct text *a = &file->meta.kallsyms, *b = &again->meta.kallsyms;

		ck_assert_int_eq(again->damaged, file->damaged);
		ck_assert_uint_eq(b->size, a->size);
		ck_assert(!a->size || memcmp(a->at, b->at, a->size + 1) == 0);
		datfile_close(take(again));
		/* Nobody waits for it. */
		messages_begin();
		ck_assert_int_eq(datfile_open_ahead(&again, path, pool), 0);
		free(messages_end());
	}
	datfile_close(again);
	pool_free(pool);
	free(now);
}

int dat_open(const struct dat *d, struct datfile **out, char **said)
{
	const char *path = dat_save(d);
	int err;

	*out = NULL;
	messages_begin();
	err = datfile_open(out, path);
	*said = messages_end();
	check_ahead(path, err, *out, *said, 1);
	check_ahead(path, err, *out, *said, 2);
	unlink(path);
	return err;
}

struct datfile *dat_open_whole(const struct dat *d)
{
	struct datfile *file;
	char *said;

	ck_assert_int_eq(dat_open(d, &file, &said), 0);
	ck_assert_str_eq(said, "");
	ck_assert(!file->damaged);
	free(said);
	return file;
}

void dat_done(struct datfile *file, char *said, struct dat *d, struct dat *o)
{
	free(said);
	datfile_close(file);
	if (o)
		str_fini(&o->s);
	str_fini(&d->s);
}

/* Two CPUs with two pages and one, and an instance "alpha" of three CPUs. */
struct sample {
	struct dat_buffer buffers[2];
};

static void sample_add(struct dat_buffer *b, const struct dat *like, uint32_t cpu, unsigned int pages)
{
	struct dat d = *like;
	struct dat_cpu row = { .cpu = cpu };

	d.s = (struct str){ 0 };
	for (unsigned int p = 0; p < pages; p++) {
		dat_page(&d, 1000 * p);
		dat_record(&d, 1, 2, 314);
		dat_page_end(&d, 0);
	}
	row.pages = d.s;
	ck_assert_int_eq(vec_push(&b->cpus, row), 0);
}

static void sample_init(struct sample *s, const struct dat *like)
{
	*s = (struct sample){ .buffers = { { .name = "" }, { .name = "alpha" } } };
	sample_add(&s->buffers[0], like, 0, 2);
	sample_add(&s->buffers[0], like, 1, 1);
	for (uint32_t cpu = 0; cpu < 3; cpu++)
		sample_add(&s->buffers[1], like, cpu, cpu);
}

static void sample_fini(struct sample *s)
{
	for (size_t b = 0; b < 2; b++) {
		vec_each (&s->buffers[b].cpus, cpu)
			str_fini(&cpu->pages);
		vec_fini(&s->buffers[b].cpus);
	}
}

struct dat dat_sample(int i, const char *codec)
{
	struct dat d = dat_layout(i);
	struct sample s;

	sample_init(&s, &d);
	if (codec)
		dat7_file(&d, s.buffers, 2, codec, 1);
	else
		dat6_file(&d, s.buffers, 2);
	sample_fini(&s);
	return d;
}
