/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measures how long print programs and libtraceevent take to print the events of a recording.
 *
 *	print-speed FILE [SYSTEM/EVENT...]
 *
 * Prints both times in nanoseconds per record, each the best of several rounds over up to 4096 records of each event. libtraceevent's
 * plug-ins are not loaded.
 */
#include "lib/base/err.h"
#include "lib/data/merge.h"
#include "lib/event/print.h"
#include <stdio.h>
#include <time.h>
#include <traceevent/event-parse.h>

#define MOST_RECORDS 4096
#define ROUNDS 7

struct sample {
	uint8_t *data;
	size_t size;
};

/* The records of one event. */
struct samples {
	const struct tep_event *event;
	VEC(struct sample) records;
};

typedef VEC(struct samples) events_t;

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static double time_ours(const struct print_program *program, const struct samples *s)
{
	double start, best = 1e12;
	struct str out = { 0 };

	for (int round = 0; round < ROUNDS; round++) {
		start = now_ns();
		vec_each (&s->records, r) {
			str_clear(&out);
			print_run(program, r->data, r->size, &out);
		}
		best = MIN(best, now_ns() - start);
	}
	str_fini(&out);
	return best / s->records.n;
}

static double time_theirs(struct tep_handle *tep, const struct samples *s)
{
	double start, best = 1e12;
	struct trace_seq seq;

	trace_seq_init(&seq);
	for (int round = 0; round < ROUNDS; round++) {
		start = now_ns();
		vec_each (&s->records, r) {
			struct tep_record record = { .data = r->data, .size = r->size };

			trace_seq_reset(&seq);
			tep_print_event(tep, &seq, &record, "%s", TEP_PRINT_INFO);
		}
		best = MIN(best, now_ns() - start);
	}
	trace_seq_destroy(&seq);
	return best / s->records.n;
}

static int add_record(events_t *events, struct tep_handle *tep, const struct record *rec)
{
	struct tep_record record = { .data = (void *)rec->data, .size = rec->size };
	struct tep_event *event = rec->data ? tep_find_event_by_record(tep, &record) : NULL;
	struct sample sample = { .size = rec->size };
	struct samples *found = NULL;

	if (!event)
		return 0;
	vec_each (events, s)
		if (s->event == event)
			found = s;
	if (!found) {
		if (vec_push(events, (struct samples){ .event = event }))
			return -ENOMEM;
		found = &events->at[events->n - 1];
	}
	if (found->records.n == MOST_RECORDS)
		return 0;
	sample.data = malloc(sample.size);
	if (!sample.data || vec_push(&found->records, sample))
		return -ENOMEM;
	memcpy(sample.data, rec->data, sample.size);
	return 0;
}

static int collect(events_t *events, struct tep_handle *tep, struct datfile *file)
{
	struct merge_input input = { .file = file };
	struct batch *batch;
	struct merge *merge;
	struct pool *pool;
	int err = pool_new(&pool, 1) ?: merge_open(&merge, &input, 1, pool);

	if (err)
		return err;
	while (!err && (err = merge_next(merge, &batch)) == 1) {
		err = 0;
		for (size_t i = 0; i < batch->n && !err; i++)
			err = add_record(events, tep, &batch->records[i]);
		batch_put(batch);
	}
	merge_close(merge);
	pool_free(pool);
	return err;
}

static void time_event(struct tep_handle *tep, const struct print_env *env, const struct samples *s)
{
	struct print_program *program;
	double ours, theirs;
	const char *why = "";

	if (print_compile(&program, s->event, env, &why)) {
		printf("%s/%s: not compiled: %s\n", s->event->system, s->event->name, why);
		return;
	}
	ours = time_ours(program, s);
	theirs = time_theirs(tep, s);
	printf("%-16s %-28s %5zu records %7.1f ns %8.1f ns %5.1f times\n", s->event->system, s->event->name, s->records.n, ours, theirs, theirs / ours);
	print_free(program);
}

int main(int argc, char **argv)
{
	struct tep_handle *tep = tep_alloc();
	struct symbols *symbols = NULL;
	struct printk *printk = NULL;
	struct print_env env = { 0 };
	struct datfile *file = NULL;
	events_t events = { 0 };

	if (argc < 2 || !tep)
		return fail(EINVAL, "usage: print-speed FILE [SYSTEM/EVENT...]") != 0;
	if (datfile_open(&file, argv[1]) || symbols_new(&symbols, &file->meta.kallsyms) || printk_new(&printk, &file->meta.printk_formats))
		return 1;
	env = (struct print_env){ symbols, printk, file->meta.big_endian, file->meta.user_long_size };
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, env.long_size);
	tep_set_file_bigendian(tep, env.big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	if (file->meta.kallsyms.at)
		tep_parse_kallsyms(tep, file->meta.kallsyms.at);
	if (file->meta.printk_formats.at)
		tep_parse_printk_formats(tep, file->meta.printk_formats.at);
	vec_each (&file->meta.formats, f)
		tep_parse_event(tep, f->format.at, f->format.size, f->system);
	if (collect(&events, tep, file))
		return 1;
	vec_each (&events, s) {
		__cleanup(free_ptr) char *name = str_printf("%s/%s", s->event->system, s->event->name);
		bool wanted = argc == 2;

		for (int i = 2; i < argc; i++)
			wanted |= name && !strcmp(name, argv[i]);
		if (wanted)
			time_event(tep, &env, s);
	}
	return 0;
}
