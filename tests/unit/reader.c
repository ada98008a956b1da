/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/reader: files made by hand, whole, cut off and damaged. */
#include "lib/data/reader.h"
#include "lib/data/format.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

#include <unistd.h>

static struct dat layout(int i)
{
	return (struct dat){ .big = i & 1, .long_size = i & 2 ? 4 : 8, .page_size = 4096 };
}
enum { LAYOUTS = 4 };

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

/* Opens the file of @d, which may be given a place for what was said. */
static int open_dat(const struct dat *d, struct datfile **out, char **said)
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

static struct datfile *open_whole(const struct dat *d)
{
	struct datfile *file;
	char *said;

	ck_assert_int_eq(open_dat(d, &file, &said), 0);
	ck_assert_str_eq(said, "");
	ck_assert(!file->damaged);
	free(said);
	return file;
}

/* What a test has made of them; @said and @o may be NULL. */
static void done(struct datfile *file, char *said, struct dat *d, struct dat *o)
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

static void add_cpu(struct dat_buffer *b, const struct dat *like, uint32_t cpu, unsigned int pages)
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
	add_cpu(&s->buffers[0], like, 0, 2);
	add_cpu(&s->buffers[0], like, 1, 1);
	for (uint32_t cpu = 0; cpu < 3; cpu++)
		add_cpu(&s->buffers[1], like, cpu, cpu);
}

static void sample_fini(struct sample *s)
{
	for (size_t b = 0; b < 2; b++) {
		vec_each (&s->buffers[b].cpus, cpu)
			str_fini(&cpu->pages);
		vec_fini(&s->buffers[b].cpus);
	}
}

/* A file with the sample in it: version 7 with @codec, or 6 when that is NULL. */
static struct dat sample_file(int i, const char *codec)
{
	struct dat d = layout(i);
	struct sample s;

	sample_init(&s, &d);
	if (codec)
		dat7_file(&d, s.buffers, 2, codec, 1);
	else
		dat6_file(&d, s.buffers, 2);
	sample_fini(&s);
	return d;
}

static void check_metadata(const struct datfile *file, const struct dat *d)
{
	const struct metadata *meta = &file->meta;
	static const struct {
		const char *system, *first;
	} formats[] = {
		{ "ftrace", "name: funcgraph_entry\n" }, { "ftrace", "name: funcgraph_exit\n" },
		{ "sched", "name: sched_switch\n" },	 { "sched", "name: sched_waking\n" },
		{ "irq", "name: irq_handler_entry\n" },
	};

	ck_assert_int_eq(meta->big_endian, d->big);
	ck_assert_uint_eq(meta->user_long_size, d->long_size);
	ck_assert_uint_eq(meta->page_size, 4096);
	ck_assert_str_eq(meta->header_page.at, header_page_text(d));
	ck_assert_str_eq(meta->header_event.at, "# compressed entry header\n");
	ck_assert_uint_eq(meta->formats.n, ARRAY_LEN(formats));
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		ck_assert_str_eq(meta->formats.at[i].system, formats[i].system);
		ck_assert(str_starts(meta->formats.at[i].format.at, formats[i].first));
	}
	ck_assert_str_eq(meta->kallsyms.at, "ffffffff81000000 T _text\n");
	ck_assert_str_eq(meta->printk_formats.at, "0xffffffff82000000 : \"hello\"\n");
	ck_assert_str_eq(meta->cmdlines.at, "1 init\n42 answer\n");
	ck_assert_uint_eq(meta->cmdlines.size, strlen("1 init\n42 answer\n"));
	ck_assert_str_eq(meta->trace_clock.at, "[local] global boot");
}

static void check_buffers(const struct datfile *file)
{
	static const uint64_t top[] = { 8192, 4096 }, alpha[] = { 0, 4096, 8192 };

	ck_assert_uint_eq(file->buffers.n, 2);
	ck_assert_str_eq(file->buffers.at[0].name, "");
	ck_assert_str_eq(file->buffers.at[1].name, "alpha");
	ck_assert_uint_eq(file->buffers.at[0].cpus.n, 2);
	ck_assert_uint_eq(file->buffers.at[1].cpus.n, 3);
	for (size_t i = 0; i < 2; i++)
		ck_assert_uint_eq(file->buffers.at[0].cpus.at[i].size, top[i]);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(file->buffers.at[1].cpus.at[i].size, alpha[i]);
		ck_assert_uint_eq(file->buffers.at[1].cpus.at[i].cpu, i);
		ck_assert_uint_eq(file->buffers.at[1].cpus.at[i].offset % 4096, 0);
	}
	for (size_t b = 0; b < 2; b++) {
		ck_assert_str_eq(file->buffers.at[b].clock, "local");
		ck_assert_uint_eq(file->buffers.at[b].page_size, 4096);
	}
}

START_TEST(version6)
{
	struct dat d = sample_file(_i, NULL);
	struct datfile *file;

	file = open_whole(&d);
	ck_assert_uint_eq(file->version, 6);
	ck_assert_uint_eq(file->meta.ncpus, 3);
	check_metadata(file, &d);
	check_buffers(file);
	done(file, NULL, &d, NULL);
}
END_TEST

START_TEST(version7)
{
	static const char *const codecs[] = { "none", "zlib", "zstd" };
	const char *codec = codecs[_i / LAYOUTS];
	struct dat d = sample_file(_i % LAYOUTS, codec);
	struct datfile *file;

	file = open_whole(&d);
	ck_assert_uint_eq(file->version, 7);
	check_metadata(file, &d);
	if (_i / LAYOUTS == 0)
		check_buffers(file);
	ck_assert_uint_eq(file->buffers.n, 2);
	ck_assert_int_eq(file->buffers.at[1].compressed, _i / LAYOUTS != 0);
	ck_assert_str_eq(file->codec ? file->codec->name : "none", codec);
	done(file, NULL, &d, NULL);
}
END_TEST

/* Every part, in order and without a gap, for dump. */
START_TEST(section_list)
{
	struct dat d = sample_file(0, "zlib");
	uint64_t next = 0;
	struct datfile *file;
	size_t n = 0;

	file = open_whole(&d);
	vec_each (&file->sections, section) {
		if (str_starts(section->name, "option "))
			continue;
		ck_assert(!next || section->offset == next);
		next = section->offset + DAT_SECTION_HEADER + section->size;
		n++;
	}
	ck_assert_uint_eq(next, d.s.len);
	ck_assert_uint_eq(n, 6 + 3 + 2);	/* texts, options, buffers */
	done(file, NULL, &d, NULL);
}
END_TEST

/* Cut off at any place: opens as far as it goes, says so, and never fails once the header is there. */
START_TEST(cut_off)
{
	bool v7 = _i & 4;
	struct dat whole = sample_file(_i & 3, v7 ? _i & 1 ? "zlib" : "none" : NULL);

	for (size_t size = 1; size < whole.s.len; size += size < 3000 ? 3 : 501) {
		struct dat cut = whole;
		struct datfile *file;
		char *said;
		int err;

		cut.s.len = size;
		err = open_dat(&cut, &file, &said);
		ck_assert_msg(err == 0 || err == -EINVAL, "%zu bytes: %d", size, err);
		ck_assert_msg(size < 40 || err == 0, "%zu bytes: %d, %s", size, err, said);
		ck_assert_msg(strstr(said, "ringside: ") == said, "%zu bytes: '%s'", size, said);
		if (!err) {
			ck_assert_msg(file->damaged, "%zu bytes", size);
			ck_assert(strstr(said, "truncated"));
			vec_each (&file->buffers, buf)
				vec_each (&buf->cpus, cpu)
					ck_assert_uint_le(cpu->offset + cpu->size, size);
			datfile_close(file);
		}
		free(said);
	}
	str_fini(&whole.s);
}
END_TEST

/* A version 6 file with these options; no data. */
static void options_file(struct dat *d, const struct dat *options)
{
	static const struct dat_buffer none = { .name = "" };
	size_t at;

	dat6_file(d, &none, 1);
	/* The list ends with two zero bytes before "flyrecord", the clock's size and name. */
	at = d->s.len - 10 - 8 - strlen("[local]") - 2;
	d->s.len = at;
	str_addn(&d->s, options->s.at, options->s.len);
	dat_put16(d, 0);
	str_addn(&d->s, "flyrecord", 10);
	dat_sized(d, 8, "[local]");
}

static void option(struct dat *d, uint16_t id, uint32_t size)
{
	dat_put16(d, id);
	dat_put32(d, size);
}

static void text_option(struct dat *d, uint16_t id, const char *text)
{
	option(d, id, (uint32_t)strlen(text) + 1);
	dat_text(d, text);
}

START_TEST(options)
{
	struct dat d = layout(_i), o = layout(_i);
	struct datfile *file;
	struct metadata *meta;

	text_option(&o, DAT_DATE, "0x16f8a2");
	text_option(&o, DAT_CPUSTAT, "CPU: 0\nentries: 5\n");
	text_option(&o, DAT_CPUSTAT, "CPU: 1\nentries: 6\n");
	text_option(&o, DAT_UNAME, "Linux host 6.1.0 x86_64");
	text_option(&o, DAT_HOOK, "sched_wakeup,pid/sched_switch,next_pid");
	text_option(&o, DAT_OFFSET, "-12345");
	text_option(&o, DAT_VERSION, "3.4.0 abc");
	text_option(&o, DAT_PROCMAPS, "2a 0 /bin/true\n");
	option(&o, DAT_TRACEID, 8);
	dat_put64(&o, 0x1122334455667788);
	option(&o, DAT_TSC2NSEC, 16);
	dat_put32(&o, 3);
	dat_put32(&o, 4);
	dat_put64(&o, 5);
	option(&o, DAT_GUEST, 4 + 8 + 4 + 16);
	dat_text(&o, "vm1");
	dat_put64(&o, 99);
	dat_put32(&o, 2);
	dat_put32(&o, 0);
	dat_put32(&o, 700);
	dat_put32(&o, 1);
	dat_put32(&o, 701);
	text_option(&o, DAT_LAST_BOOT_INFO, "top:0 kernel");
	options_file(&d, &o);
	file = open_whole(&d);
	meta = &file->meta;
	ck_assert(meta->has_date);
	ck_assert_int_eq(meta->date_us, 0x16f8a2);
	ck_assert_uint_eq(meta->cpustat.n, 2);
	ck_assert_str_eq(meta->cpustat.at[1], "CPU: 1\nentries: 6\n");
	ck_assert_str_eq(meta->uname.at, "Linux host 6.1.0 x86_64");
	ck_assert_uint_eq(meta->uname.size, strlen("Linux host 6.1.0 x86_64"));
	ck_assert_str_eq(meta->hooks.at[0], "sched_wakeup,pid/sched_switch,next_pid");
	ck_assert_int_eq(meta->ts_offset, -12345);
	ck_assert_str_eq(meta->version.at, "3.4.0 abc");
	ck_assert_str_eq(meta->procmaps.at[0], "2a 0 /bin/true\n");
	ck_assert_uint_eq(meta->trace_id, 0x1122334455667788);
	ck_assert(meta->tsc2nsec.present && meta->tsc2nsec.mult == 3 && meta->tsc2nsec.shift == 4 &&
		  meta->tsc2nsec.offset == 5);
	ck_assert_uint_eq(meta->guests.n, 1);
	ck_assert_str_eq(meta->guests.at[0].name, "vm1");
	ck_assert_uint_eq(meta->guests.at[0].trace_id, 99);
	ck_assert_uint_eq(meta->guests.at[0].cpus.n, 2);
	ck_assert_int_eq(meta->guests.at[0].cpus.at[1].pid, 701);
	ck_assert_str_eq(meta->last_boot.at, "top:0 kernel");
	done(file, NULL, &d, &o);
}
END_TEST

static void put_samples(struct dat *o, const struct time_sample *s, uint32_t n)
{
	dat_put32(o, n);
	for (uint32_t i = 0; i < n; i++)
		dat_put64(o, (uint64_t)s[i].time);
	for (uint32_t i = 0; i < n; i++)
		dat_put64(o, (uint64_t)s[i].offset);
	for (uint32_t i = 0; i < n; i++)
		dat_put64(o, (uint64_t)s[i].scaling);
}

/* The samples are sorted by time, of equal times one is kept, and the fractions follow them. */
START_TEST(time_shift)
{
	static const struct time_sample cpu0[] = {
		{ 300, -3, 1, 13 }, { 100, -1, 1, 11 }, { 200, -2, 1, 12 }, { 100, -1, 1, 11 },
	}, cpu1[] = { { 7, 8, 9, 10 } };
	bool fractions = _i & 4;
	struct dat d = layout(_i & 3), o = layout(_i & 3);
	uint32_t size = 16 + 4 + 4 * 24 + 4 + 24 + (fractions ? 5 * 8 : 0);
	struct datfile *file;
	struct time_shift *shift;

	option(&o, DAT_TIME_SHIFT, size);
	dat_put64(&o, 77);
	dat_put32(&o, 1);
	dat_put32(&o, 2);
	put_samples(&o, cpu0, 4);
	put_samples(&o, cpu1, 1);
	for (int i = 0; fractions && i < 4; i++)
		dat_put64(&o, (uint64_t)cpu0[i].fraction);
	if (fractions)
		dat_put64(&o, 10);
	options_file(&d, &o);
	file = open_whole(&d);
	shift = &file->meta.time_shift;
	ck_assert(shift->present);
	ck_assert_uint_eq(shift->peer_id, 77);
	ck_assert_uint_eq(shift->flags, 1);
	ck_assert_uint_eq(shift->cpus.n, 2);
	ck_assert_uint_eq(shift->cpus.at[0].samples.n, 3);
	for (int i = 0; i < 3; i++) {
		const struct time_sample *sample = &shift->cpus.at[0].samples.at[i];

		ck_assert_int_eq(sample->time, 100 * (i + 1));
		ck_assert_int_eq(sample->offset, -(i + 1));
		ck_assert_int_eq(sample->fraction, fractions ? 11 + i : 0);
	}
	ck_assert_int_eq(shift->cpus.at[1].samples.at[0].scaling, 9);
	ck_assert_int_eq(shift->cpus.at[1].samples.at[0].fraction, fractions ? 10 : 0);
	done(file, NULL, &d, &o);
}
END_TEST

START_TEST(unknown_options)
{
	struct dat d = layout(_i), o = layout(_i);
	struct datfile *file;
	char *said;

	text_option(&o, 4711, "future");
	text_option(&o, 4711, "future again");
	text_option(&o, DAT_UNAME, "after it");
	options_file(&d, &o);
	ck_assert_int_eq(open_dat(&d, &file, &said), 0);
	ck_assert(!file->damaged);
	ck_assert_ptr_nonnull(strstr(said, "unknown option 4711"));
	ck_assert_ptr_null(strstr(strstr(said, "4711") + 1, "4711"));
	ck_assert_uint_eq(file->meta.unknown.n, 2);
	ck_assert_uint_eq(file->meta.unknown.at[1].data.size, strlen("future again") + 1);
	ck_assert_str_eq(file->meta.uname.at, "after it");
	done(file, said, &d, &o);
}
END_TEST

/* Damage inside an option costs that option and no other. */
START_TEST(bad_options)
{
	static const struct {
		uint16_t id;
		uint32_t size;
		uint32_t words[8];
		const char *says;
	} rows[] = {
		{ DAT_TRACEID, 4, { 1 }, "option TRACEID" },
		{ DAT_DATE, 4, { 0x21212121 }, "should be a number" },
		{ DAT_TSC2NSEC, 16, { 1, 64 }, "shift" },
		{ DAT_TIME_SHIFT, 20, { 0, 0, 0, 1, 1000000 }, "more samples" },
		{ DAT_TIME_SHIFT, 16, { 0, 0, 0, 1 }, "TIME_SHIFT" },
		{ DAT_GUEST, 24, { 0, 0, 0, 0xffffffff }, "GUEST" },
		{ DAT_CPUCOUNT, 4, { 0x00ffff00 }, "so many CPUs" },
		{ DAT_BUFFER, 4, { 0 }, "option BUFFER" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat d = layout(_i), o = layout(_i);
		struct datfile *file;
		char *said;

		option(&o, rows[i].id, rows[i].size);
		for (uint32_t w = 0; w < rows[i].size / 4; w++)
			dat_put32(&o, rows[i].words[w]);
		text_option(&o, DAT_UNAME, "after it");
		options_file(&d, &o);
		ck_assert_int_eq(open_dat(&d, &file, &said), 0);
		ck_assert_msg(file->damaged, "row %zu", i);
		ck_assert_msg(strstr(said, rows[i].says) != NULL, "row %zu: %s", i, said);
		ck_assert_msg(strchr(said, '\n') == said + strlen(said) - 1, "row %zu: %s", i, said);
		ck_assert_str_eq(file->meta.uname.at, "after it");
		done(file, said, &d, &o);
	}
}
END_TEST

/* Bytes that are overwritten in a good file, and what is said. */
START_TEST(refused)
{
	static const struct {
		size_t at;
		const char *bytes;
		size_t n;
		const char *says;
	} rows[] = {
		{ 0, "x", 1, "not a trace.dat file" },
		{ 10, "5", 1, "version 5" },
		{ 10, "77", 2, "version" },
		{ 13, "\x05", 1, "long of 5 bytes" },
		{ 18, "lz4", 3, "'lz4b'" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat d = sample_file(0, "zlib");
		struct datfile *file;
		char *said;

		memcpy(d.s.at + rows[i].at, rows[i].bytes, rows[i].n);
		ck_assert_int_eq(open_dat(&d, &file, &said), -EINVAL);
		ck_assert_msg(strstr(said, rows[i].says) != NULL, "row %zu: %s", i, said);
		free(said);
		str_fini(&d.s);
	}
}
END_TEST

START_TEST(option_loop)
{
	struct dat d = sample_file(0, "none");
	size_t last = 0;
	struct datfile *file;
	char *said;

	file = open_whole(&d);
	vec_each (&file->sections, section)
		if (section->id == DAT_OPTIONS && str_starts(section->name, "options"))
			last = section->offset + DAT_SECTION_HEADER + section->size - 8;
	datfile_close(file);
	/* The last one is followed by the first, whose offset is behind "none" and its empty version. */
	memcpy(d.s.at + last, d.s.at + 18 + 5 + 1, 8);
	ck_assert_int_eq(open_dat(&d, &file, &said), 0);
	ck_assert(file->damaged);
	ck_assert_ptr_nonnull(strstr(said, "follow themselves"));
	check_metadata(file, &d);
	check_buffers(file);
	done(file, said, &d, NULL);
}
END_TEST

/* Without any option the texts are found by walking along the sections. */
START_TEST(lost_options)
{
	struct dat d = sample_file(0, "zlib");
	struct datfile *file;
	char *said;

	/* The offset of the first options follows "zlib" and its version. */
	dat_patch64(&d, 18 + 5 + strlen(codec_find("zlib")->version()) + 1, 0);
	ck_assert_int_eq(open_dat(&d, &file, &said), 0);
	ck_assert(file->damaged);
	ck_assert_uint_eq(file->meta.formats.n, 5);
	ck_assert_str_eq(file->meta.cmdlines.at, "1 init\n42 answer\n");
	done(file, said, &d, NULL);
}
END_TEST

/* A section that claims to unpack to gigabytes is not believed. */
START_TEST(bomb)
{
	struct dat d = sample_file(0, "zlib");
	struct datfile *file;
	uint64_t at = 0;
	char *said;

	file = open_whole(&d);
	vec_each (&file->sections, section)
		if (section->id == DAT_KALLSYMS && section->flags)
			at = section->offset + DAT_SECTION_HEADER + 4;
	datfile_close(file);
	dat_patch32(&d, at, 0xf0000000);
	ck_assert_int_eq(open_dat(&d, &file, &said), 0);
	ck_assert(file->damaged);
	ck_assert_ptr_nonnull(strstr(said, "kallsyms"));
	ck_assert_uint_eq(file->meta.kallsyms.size, 0);
	ck_assert_str_eq(file->meta.cmdlines.at, "1 init\n42 answer\n");
	done(file, said, &d, NULL);
}
END_TEST

START_TEST(latency6)
{
	static const char text[] = "# tracer: irqsoff\n#\n ls-1 0d... 1us : x <-y\n";
	static const struct dat_buffer none = { .name = "" };
	struct dat d = layout(_i);
	struct datfile *file;

	dat6_file(&d, &none, 1);
	d.s.len -= 10 + 8 + strlen("[local]");
	str_addn(&d.s, "latency  ", 10);
	str_add(&d.s, text);
	file = open_whole(&d);
	ck_assert_uint_eq(file->buffers.n, 1);
	ck_assert(file->buffers.at[0].latency);
	ck_assert_str_eq(file->buffers.at[0].text.at, text);
	done(file, NULL, &d, NULL);
}
END_TEST

START_TEST(no_file)
{
	struct datfile *file;
	char *said;

	messages_begin();
	ck_assert_int_eq(datfile_open(&file, "/nonexistent/trace.dat"), -ENOENT);
	ck_assert_int_eq(datfile_open(&file, "/"), -EISDIR);
	ck_assert_int_eq(datfile_open(&file, "/dev/null"), -EINVAL);
	said = messages_end();
	ck_assert_ptr_nonnull(strstr(said, "/nonexistent/trace.dat"));
	free(said);
}
END_TEST

Suite *reader_suite(void)
{
	Suite *suite = suite_create("reader");
	TCase *tc = tcase_create("reader");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, version6, 0, LAYOUTS);
	tcase_add_loop_test(tc, version7, 0, 3 * LAYOUTS);
	tcase_add_test(tc, section_list);
	tcase_add_loop_test(tc, cut_off, 0, 8);
	tcase_add_loop_test(tc, options, 0, LAYOUTS);
	tcase_add_loop_test(tc, time_shift, 0, 8);
	tcase_add_loop_test(tc, unknown_options, 0, LAYOUTS);
	tcase_add_loop_test(tc, bad_options, 0, LAYOUTS);
	tcase_add_test(tc, refused);
	tcase_add_test(tc, option_loop);
	tcase_add_test(tc, lost_options);
	tcase_add_test(tc, bomb);
	tcase_add_loop_test(tc, latency6, 0, LAYOUTS);
	tcase_add_test(tc, no_file);
	suite_add_tcase(suite, tc);
	return suite;
}
