/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/writer: the bytes of what it writes, taken apart here by hand (trace-dat.5) and not by
 * our reader. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/data/format.h"
#include "lib/data/writer.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, CHUNK = DAT_CHUNK_PAGES * PAGE, BYTES0 = 2 * CHUNK + 3 * PAGE, BYTES2 = CHUNK };

/* What is written: CPU 0 with 23 pages, CPU 2 with 10, nothing on CPU 1; an instance with one page
 * on CPU 1. */
struct fixture {
	struct metadata meta;
	struct write_buffer buffers[2];
	unsigned char *bytes; /* what the file descriptor holds: CPU 0, 2, instance */
	int data;
	unsigned char *file; /* what was written */
	size_t size;
};

static void set(struct text *text, const char *value)
{
	*text = (struct text){ strdup(value), strlen(value) };
}

static void add_event(struct metadata *meta, const char *system, const char *format)
{
	struct event_text event = { strdup(system), { strdup(format), strlen(format) } };

	ck_assert_int_eq(vec_push(&meta->formats, event), 0);
}

static void set_up(struct fixture *f)
{
	const size_t all = BYTES0 + BYTES2 + PAGE;
	uint32_t x = 7;

	memset(f, 0, sizeof(*f));
	f->bytes = malloc(all);
	for (size_t i = 0; i < all; i++)
		f->bytes[i] = (unsigned char)(i % 64 < 40 ? i / 64 : (x = x * 69069 + 1) >> 24);
	f->data = memfd_create("data", MFD_CLOEXEC);
	ck_assert_int_eq(io_write(f->data, f->bytes, all), 0);
	f->meta.page_size = PAGE;
	f->meta.ncpus = 4;
	f->meta.user_long_size = 8;
	set(&f->meta.header_page, "header");
	set(&f->meta.header_event, "event");
	add_event(&f->meta, "ftrace", "format f");
	add_event(&f->meta, "irq", "format a");
	add_event(&f->meta, "sched", "format b");
	add_event(&f->meta, "irq", "format c");
	set(&f->meta.kallsyms, "ffff T x\n");
	set(&f->meta.cmdlines, "1 init\n");
	set(&f->meta.trace_clock, "local [mono]\n");
	set(&f->meta.modules, "ext4 1 0 - Live 0x0\n");
	f->buffers[0] = (struct write_buffer){ .name = "", .page_size = PAGE };
	f->buffers[1] = (struct write_buffer){ .name = "inst", .clock = "boot", .page_size = PAGE };
	vec_push(&f->buffers[0].cpus, (struct write_cpu){ 0, f->data, 0, BYTES0 });
	vec_push(&f->buffers[0].cpus, (struct write_cpu){ 2, f->data, BYTES0, BYTES2 });
	vec_push(&f->buffers[1].cpus, (struct write_cpu){ 1, f->data, BYTES0 + BYTES2, PAGE });
}

static void tear_down(struct fixture *f)
{
	vec_fini(&f->buffers[0].cpus);
	vec_fini(&f->buffers[1].cpus);
	metadata_fini(&f->meta);
	close(f->data);
	free(f->bytes);
	free(f->file);
}

static void write_file(struct fixture *f, unsigned int version, const char *codec, struct pool *pool)
{
	const struct write_options how = { .version = version, .codec = codec_find(codec), .pool = pool };
	int fd = memfd_create("file", MFD_CLOEXEC);
	struct text text;
	char path[64];

	ck_assert_int_eq(datfile_write(fd, "test", &f->meta, f->buffers, 2, &how), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_int_eq(io_slurp(path, &text), 0);
	free(f->file);
	f->file = (unsigned char *)text.at;
	f->size = text.size;
	close(fd);
}

static uint64_t get(const struct fixture *f, size_t at, size_t size)
{
	uint64_t value = 0;

	ck_assert_uint_le(at + size, f->size);
	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)f->file[f->meta.big_endian ? at + size - 1 - i : at + i] << (8 * i);
	return value;
}

/* Compares at *@at and moves behind it. */
static void expect(const struct fixture *f, size_t *at, const void *bytes, size_t n)
{
	ck_assert_uint_le(*at + n, f->size);
	ck_assert_mem_eq(f->file + *at, bytes, n);
	*at += n;
}

static void expect_number(const struct fixture *f, size_t *at, uint64_t value, size_t size)
{
	ck_assert_uint_eq(get(f, *at, size), value);
	*at += size;
}

static void expect_prefix(const struct fixture *f, size_t *at, const char *version)
{
	expect(f, at, "\x17\x08\x44tracing", 10);
	expect(f, at, version, 2);
	expect_number(f, at, f->meta.big_endian, 1);
	expect_number(f, at, 8, 1);
	expect_number(f, at, PAGE, 4);
}

static void expect_table(const struct fixture *f, size_t *at, const char *clock, const uint64_t *sizes, const unsigned char *bytes)
{
	uint64_t offset;

	expect(f, at, "flyrecord", 10);
	for (int cpu = 0; cpu < 4; cpu++) {
		offset = get(f, *at, 8);
		*at += 8;
		expect_number(f, at, sizes[cpu], 8);
		ck_assert_uint_eq(offset % PAGE, 0);
		ck_assert_uint_le(offset + sizes[cpu], f->size);
		ck_assert_mem_eq(f->file + offset, bytes, sizes[cpu]);
		bytes += sizes[cpu];
	}
	expect_number(f, at, strlen(clock), 8);
	expect(f, at, clock, strlen(clock));
}

START_TEST(version_6)
{
	static const uint64_t top[4] = { BYTES0, 0, BYTES2, 0 }, instance[4] = { 0, PAGE, 0, 0 };
	struct fixture f;
	size_t at = 0, inst;

	set_up(&f);
	f.meta.big_endian = _i;
	write_file(&f, 6, "zstd", NULL);
	expect_prefix(&f, &at, "6");
	expect(&f, &at, "header_page", 12);
	expect_number(&f, &at, 6, 8);
	expect(&f, &at, "header", 6);
	expect(&f, &at, "header_event", 13);
	expect_number(&f, &at, 5, 8);
	expect(&f, &at, "event", 5);
	expect_number(&f, &at, 1, 4); /* ftrace formats */
	expect_number(&f, &at, 8, 8);
	expect(&f, &at, "format f", 8);
	expect_number(&f, &at, 2, 4); /* systems */
	expect(&f, &at, "irq", 4);
	expect_number(&f, &at, 2, 4);
	expect_number(&f, &at, 8, 8);
	expect(&f, &at, "format a", 8);
	expect_number(&f, &at, 8, 8);
	expect(&f, &at, "format c", 8);
	expect(&f, &at, "sched", 6);
	expect_number(&f, &at, 1, 4);
	expect_number(&f, &at, 8, 8);
	expect(&f, &at, "format b", 8);
	expect_number(&f, &at, 9, 4);
	expect(&f, &at, "ffff T x\n", 9);
	expect_number(&f, &at, 0, 4); /* printk formats */
	expect_number(&f, &at, 7, 8);
	expect(&f, &at, "1 init\n", 7);
	expect_number(&f, &at, 4, 4); /* CPUs */
	expect(&f, &at, "options  ", 10);
	expect_number(&f, &at, DAT_TRACECLOCK, 2);
	expect_number(&f, &at, 14, 4);
	expect(&f, &at, "local [mono]\n", 14);
	expect_number(&f, &at, DAT_BUFFER, 2);
	expect_number(&f, &at, 8 + 5, 4);
	inst = get(&f, at, 8);
	at += 8;
	expect(&f, &at, "inst", 5);
	expect_number(&f, &at, 0, 2); /* no size after it */
	expect_table(&f, &at, "[mono]", top, f.bytes);
	expect_table(&f, &inst, "[boot]", instance, f.bytes + BYTES0 + BYTES2);
	tear_down(&f);
}
END_TEST

/* The section at @at, which must be inside the file; where the next one is. */
static size_t section(const struct fixture *f, size_t at, unsigned int *id, unsigned int *flags)
{
	*id = (unsigned int)get(f, at, 2);
	*flags = (unsigned int)get(f, at + 2, 2);
	return at + 16 + get(f, at + 8, 8);
}

/* Unpacks a chunk list and compares it; all but the last have the full size. */
static void expect_chunks(const struct fixture *f, size_t at, uint64_t size, const struct codec *codec, const unsigned char *bytes, uint64_t plain_size)
{
	uint64_t n = get(f, at, 4), done = 0;
	size_t begin = at + 4;
	unsigned char *plain = malloc(CHUNK);

	ck_assert_uint_eq(at % PAGE, 0);
	ck_assert_uint_eq(n, (plain_size + CHUNK - 1) / CHUNK);
	at += 4;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t packed = get(f, at, 4), unpacked = get(f, at + 4, 4);

		ck_assert_uint_eq(unpacked, MIN(plain_size - done, (uint64_t)CHUNK));
		ck_assert_uint_le(at + 8 + packed, f->size);
		ck_assert_int_eq(codec->unpack(f->file + at + 8, packed, plain, unpacked), 0);
		ck_assert_mem_eq(plain, bytes + done, unpacked);
		done += unpacked;
		at += 8 + packed;
	}
	ck_assert_uint_eq(done, plain_size);
	ck_assert_uint_eq(size, at - begin);
	free(plain);
}

/* A BUFFER option from its data on. */
static void expect_buffer(const struct fixture *f, size_t at, const char *name, const char *clock, const uint64_t *sizes, uint32_t ncpus,
			  const unsigned char *bytes, const struct codec *codec)
{
	unsigned int id, flags;

	section(f, get(f, at, 8), &id, &flags);
	ck_assert_uint_eq(id, DAT_BUFFER);
	ck_assert_uint_eq(flags, codec_packs(codec));
	at += 8;
	expect(f, &at, name, strlen(name) + 1);
	expect(f, &at, clock, strlen(clock) + 1);
	expect_number(f, &at, PAGE, 4);
	expect_number(f, &at, ncpus, 4);
	for (uint32_t cpu = 0; cpu < ncpus; cpu++) {
		uint64_t offset = get(f, at + 4, 8), size = get(f, at + 12, 8);

		expect_number(f, &at, cpu, 4);
		at += 16;
		if (!sizes[cpu])
			ck_assert_uint_eq(size, 0);
		else if (codec_packs(codec))
			expect_chunks(f, offset, size, codec, bytes, sizes[cpu]);
		else
			ck_assert_mem_eq(f->file + offset, bytes, sizes[cpu]);
		bytes += sizes[cpu];
	}
}

/* Follows the chain of OPTIONS from @at on; marks the ids seen and checks the two BUFFERs. */
static void walk_options(const struct fixture *f, size_t at, bool *seen, const struct codec *codec)
{
	static const uint64_t top[4] = { BYTES0, 0, BYTES2, 0 }, instance[4] = { 0, PAGE, 0, 0 };
	unsigned int id, flags, buffers = 0;

	while (at) {
		size_t end = section(f, at, &id, &flags);

		ck_assert_uint_eq(id, DAT_OPTIONS);
		ck_assert_uint_eq(flags, 0);
		for (at += 16; (id = (unsigned int)get(f, at, 2)) != 0; at += 6 + get(f, at + 2, 4)) {
			seen[id] = true;
			if (id == DAT_BUFFER && buffers++ == 0)
				expect_buffer(f, at + 6, "", "mono", top, 3, f->bytes, codec);
			else if (id == DAT_BUFFER)
				expect_buffer(f, at + 6, "inst", "boot", instance, 2, f->bytes + BYTES0 + BYTES2, codec);
		}
		ck_assert_uint_eq(get(f, at + 2, 4), 8);
		ck_assert_uint_eq(at + 14, end);
		at = get(f, at + 6, 8);
	}
	ck_assert_uint_eq(buffers, 2);
}

START_TEST(version_7)
{
	static const char *const codecs[] = { "none", "zlib", "zstd" };
	const struct codec *codec = codec_find(codecs[_i / 2]);
	bool options[64] = { 0 }, sections[64] = { 0 };
	unsigned int id, flags;
	struct fixture f;
	size_t at = 0, first;

	set_up(&f);
	f.meta.big_endian = _i % 2;
	write_file(&f, 7, codec->name, NULL);
	expect_prefix(&f, &at, "7");
	expect(&f, &at, codec->name, strlen(codec->name) + 1);
	expect(&f, &at, codec->version(), strlen(codec->version()) + 1);
	first = get(&f, at, 8);
	for (at += 8; at < f.size;) {
		at = section(&f, at, &id, &flags);
		ck_assert_uint_lt(id, 64);
		sections[id] = true;
		if (id != DAT_OPTIONS)
			ck_assert_uint_eq(flags, codec_packs(codec));
	}
	ck_assert_uint_eq(at, f.size); /* back to back, up to the end */
	walk_options(&f, first, options, codec);
	for (id = DAT_HEADER_INFO; id <= DAT_CMDLINES; id++)
		ck_assert(options[id] && sections[id]);
	ck_assert(sections[DAT_STRINGS] && !options[DAT_STRINGS] && options[DAT_CPUCOUNT]);
	/* trace-cmd cannot open a file with this section uncompressed. */
	ck_assert(options[DAT_MODULES_FILE] == codec_packs(codec));
	ck_assert(sections[DAT_MODULES_FILE] == codec_packs(codec));
	tear_down(&f);
}
END_TEST

START_TEST(threads_change_nothing)
{
	struct fixture f;
	struct pool *pool;
	unsigned char *alone;
	size_t size;

	set_up(&f);
	write_file(&f, 7, "zstd", NULL);
	alone = take(f.file);
	size = f.size;
	ck_assert_int_eq(pool_new(&pool, (unsigned int)_i), 0);
	write_file(&f, 7, "zstd", pool);
	ck_assert_uint_eq(f.size, size);
	ck_assert_mem_eq(f.file, alone, size);
	pool_free(pool);
	free(alone);
	tear_down(&f);
}
END_TEST

/* Packs the chunk of CPU 0 at @at into the file of @part. */
static void pack_before(const struct fixture *f, const struct codec *codec, struct packed_part *part, uint64_t at, uint64_t offset)
{
	size_t plain = MIN((size_t)(BYTES0 - at), (size_t)CHUNK);
	struct packed_run *last = part->runs.n ? &part->runs.at[part->runs.n - 1] : NULL;
	struct str chunk = { 0 };
	void *work = NULL;
	ssize_t got = chunk_pack(codec, 0, &work, f->meta.big_endian, (char *)f->bytes + at, plain, &chunk);

	ck_assert_int_gt(got, DAT_CHUNK_HEADER);
	if (last && last->at + last->plain == at) {
		offset = last->offset + last->size;
		last->size += (uint64_t)got;
		last->plain += plain;
		last->chunks++;
	} else {
		ck_assert_int_eq(vec_push(&part->runs, (struct packed_run){ at, plain, offset, (uint64_t)got, 1 }), 0);
	}
	ck_assert_int_eq(io_pwrite(part->fd, chunk.at, (size_t)got, offset), 0);
	ck_assert_int_eq(io_pwrite(f->data, "changed", 7, at), 0);
	codec_work_free(codec, work);
	str_fini(&chunk);
}

/* What was packed before makes the same file: each choice of the three chunks of CPU 0. */
START_TEST(packed_before)
{
	const struct codec *codec = codec_find("zstd");
	struct packed_part part = { .fd = memfd_create("part", MFD_CLOEXEC) };
	struct packed_section symbols = { 0 };
	struct write_options how = { .version = 7, .codec = codec, .section = &symbols };
	int fd = memfd_create("file", MFD_CLOEXEC);
	struct fixture f;
	ssize_t size;
	void *again;

	set_up(&f);
	write_file(&f, 7, "zstd", NULL);
	for (unsigned int i = 0; i < 3; i++)
		if (_i & 1 << i)
			pack_before(&f, codec, &part, i * CHUNK, 100 + i * 2 * CHUNK);
	f.buffers[0].cpus.at[0].part = &part;
	ck_assert_int_eq(section_pack(&symbols, DAT_KALLSYMS, &f.meta, codec), 0);
	/* So that they cannot come from elsewhere. */
	memset(f.meta.kallsyms.at, 'x', f.meta.kallsyms.size);
	ck_assert_uint_eq(packed_part_plain(&part), (_i & 1) * CHUNK + (_i >> 1 & 1) * CHUNK + (_i >> 2) * 3 * PAGE);
	ck_assert_int_eq(datfile_write(fd, "test", &f.meta, f.buffers, 2, &how), 0);
	again = malloc(f.size);
	size = io_pread(fd, again, f.size, 0);
	ck_assert_int_eq(size, (ssize_t)f.size);
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), (off_t)f.size);
	ck_assert_mem_eq(again, f.file, f.size);
	free(again);
	free(symbols.chunk.at);
	vec_fini(&part.runs);
	close(part.fd);
	close(fd);
	tear_down(&f);
}
END_TEST

static int count_progress(void *ctx, uint64_t done, uint64_t total)
{
	uint64_t *last = ctx;

	ck_assert_uint_gt(done, *last);
	ck_assert_uint_eq(total, BYTES0 + BYTES2 + PAGE);
	*last = done;
	return 0;
}

START_TEST(progress)
{
	static const char *const codecs[] = { "none", "zstd" };
	uint64_t last = 0;
	struct write_options how = { .version = 7, .codec = codec_find(codecs[_i]), .progress = count_progress, .ctx = &last };
	struct fixture f;
	int fd = memfd_create("file", MFD_CLOEXEC);

	set_up(&f);
	ck_assert_int_eq(datfile_write(fd, "test", &f.meta, f.buffers, 2, &how), 0);
	ck_assert_uint_eq(last, BYTES0 + BYTES2 + PAGE);
	close(fd);
	tear_down(&f);
}
END_TEST

static int try_write(struct fixture *f, int fd, unsigned int version, const char *codec)
{
	struct write_options how = { .version = version, .codec = codec_find(codec) };
	int err;

	ck_assert_int_eq(pool_new(&how.pool, 2), 0);
	err = datfile_write(fd, "test", &f->meta, f->buffers, 2, &how);
	pool_free(how.pool);
	return err;
}

START_TEST(failures)
{
	static const char *const codecs[] = { "none", "zlib", "zstd" };
	const char *codec = codecs[_i];
	struct fixture f;
	int fd = memfd_create("file", MFD_CLOEXEC), full = open("/dev/full", O_WRONLY);

	set_up(&f);
	ck_assert_int_eq(try_write(&f, fd, 5, codec), -EINVAL);
	ck_assert_int_eq(try_write(&f, full, 6, codec), -ENOSPC);
	ck_assert_int_eq(try_write(&f, full, 7, codec), -ENOSPC);
	f.buffers[1].page_size = 4 * PAGE;
	f.buffers[1].cpus.at[0].size = 4 * PAGE;
	ck_assert_int_eq(try_write(&f, fd, 6, codec), -EINVAL);
	ck_assert_int_eq(try_write(&f, fd, 7, codec), -ENODATA); /* there is one page only */
	f.buffers[1].cpus.at[0].size = PAGE;
	ck_assert_int_eq(try_write(&f, fd, 7, codec), -EINVAL); /* not a whole sub-buffer */
	f.buffers[1].page_size = PAGE;
	f.buffers[0].cpus.at[0].cpu = 3;
	ck_assert_int_eq(try_write(&f, fd, 7, codec), -EINVAL); /* not ascending */
	close(fd);
	close(full);
	tear_down(&f);
}
END_TEST

Suite *writer_suite(void)
{
	Suite *suite = suite_create("writer");
	TCase *tests = tcase_create("writer");

	tcase_add_loop_test(tests, version_6, 0, 2);
	tcase_add_loop_test(tests, version_7, 0, 6);
	tcase_add_loop_test(tests, packed_before, 0, 8);
	tcase_add_loop_test(tests, threads_change_nothing, 1, 4);
	tcase_add_loop_test(tests, progress, 0, 2);
	tcase_add_loop_test(tests, failures, 0, 3);
	suite_add_tcase(suite, tests);
	return suite;
}
