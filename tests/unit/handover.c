/* SPDX-License-Identifier: GPL-2.0 */
/* The way of a CPU's pages from the recorder to the packer: lib/record/handover, packed, packer. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/data/format.h"
#include "lib/record/packed.h"
#include "lib/record/packer.h"
#include "lib/record/rest.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1000, N = 3, PAGE = 4096, LANE_CHUNK = PAGE * DAT_CHUNK_PAGES };

static int memory(void)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Puts @n bytes of the value @c, which begin at @at, and hands over what is full. */
static void put(struct handover *h, char c, size_t n, uint64_t at)
{
	size_t room;
	char *to = handover_room(h, at, &room);

	ck_assert_ptr_nonnull(to);
	ck_assert_uint_ge(room, n);
	memset(to, c, n);
	if (handover_put(h, n))
		ck_assert_uint_eq(handover_give(h), CHUNK);
}

static void expect(const struct handed *chunk, char c, size_t size, uint64_t at)
{
	ck_assert_uint_eq(chunk->size, size);
	ck_assert_uint_eq(chunk->at, at);
	for (size_t i = 0; i < size; i++)
		ck_assert_int_eq(chunk->bytes[i], c);
}

START_TEST(in_order)
{
	int fd = memory();
	struct handover *h;
	struct handed got;
	size_t room;

	ck_assert_int_eq(handover_new(&h, fd, CHUNK, N), 0);
	ck_assert(!handover_holds(fd));
	ck_assert(!handover_first(h, &got));
	ck_assert_uint_eq(handover_give(h), 0);
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < N; i++) {
			put(h, (char)(round * N + i), CHUNK, (uint64_t)i * 5000);
			ck_assert_int_eq(handover_presses(h), i >= 1);
		}
		ck_assert_ptr_null(handover_room(h, 1, &room));
		ck_assert(handover_holds(fd));
		for (int i = 0; i < N; i++) {
			ck_assert(handover_first(h, &got));
			expect(&got, (char)(round * N + i), CHUNK, (uint64_t)i * 5000);
			handover_drop(h);
		}
		ck_assert(!handover_first(h, &got));
	}
	/* Not full. */
	put(h, 'x', 10, 77);
	put(h, 'x', 20, 78);
	ck_assert_uint_eq(handover_give(h), 30);
	ck_assert(handover_first(h, &got));
	expect(&got, 'x', 30, 77);
	handover_drop(h);
	ck_assert(!handover_holds(fd));
	handover_free(h);
	close(fd);
}
END_TEST

/* As long as the taker keeps up, one chunk's space is used, and none before the first. */
START_TEST(little_space)
{
	int fd = memory();
	struct handover *h;
	struct stat st;

	ck_assert_int_eq(handover_new(&h, fd, LANE_CHUNK, 100), 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_int_eq(st.st_blocks, 0);
	for (int i = 0; i < 300; i++) {
		size_t room;

		ck_assert_ptr_nonnull(handover_room(h, 0, &room));
		ck_assert(handover_put(h, room));
		handover_give(h);
		handover_drop(h);
	}
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_int_le(st.st_blocks * 512, LANE_CHUNK + 8192);
	handover_free(h);
	close(fd);
}
END_TEST

struct seen {
	char values[8];
	size_t sizes[8], n;
};

static int see(void *ctx, const struct handed *chunk)
{
	struct seen *seen = ctx;

	seen->values[seen->n] = chunk->bytes[0];
	seen->sizes[seen->n++] = chunk->size;
	return 0;
}

START_TEST(what_is_left)
{
	int fd = memory();
	struct seen seen = { 0 };
	struct handover *h;

	ck_assert_int_eq(handover_salvage(fd, see, &seen), 0);
	ck_assert_int_eq(handover_new(&h, fd, CHUNK, N), 0);
	ck_assert_int_eq(handover_salvage(fd, see, &seen), 0);
	ck_assert_uint_eq(seen.n, 0);
	put(h, 'a', CHUNK, 0);
	put(h, 'b', CHUNK, CHUNK);
	handover_drop(h);
	put(h, 'c', 12, 2 * CHUNK);
	handover_free(h);
	ck_assert_int_eq(handover_salvage(fd, see, &seen), 0);
	ck_assert_uint_eq(seen.n, 2);
	ck_assert_mem_eq(seen.values, "bc", 2);
	ck_assert_uint_eq(seen.sizes[0], CHUNK);
	ck_assert_uint_eq(seen.sizes[1], 12);
	/* Cut short. */
	ck_assert_int_eq(ftruncate(fd, 9000), 0);
	ck_assert_int_eq(handover_salvage(fd, see, &seen), -EBADMSG);
	ck_assert_int_eq(ftruncate(fd, 100), 0);
	ck_assert_int_eq(handover_salvage(fd, see, &seen), -EBADMSG);
	close(fd);
}
END_TEST

/* Puts @n sub-buffers of @page bytes there, of those that are expected. */
static void arrive(char *to, size_t n, size_t page, char c)
{
	for (size_t i = 0; i < n * page; i++)
		to[i] = c;
}

/* The giver is killed while it reads: @_i of the sub-buffers that it expects have come. There were others before in their place. */
START_TEST(killed_while_reading)
{
	enum { SMALL = 100, OLD = 2 };
	int fd = memory();
	struct seen seen = { 0 };
	struct handover *h;
	struct handed got;
	size_t room;

	ck_assert_int_eq(handover_new(&h, fd, CHUNK, 1), 0);
	put(h, 'o', CHUNK, 0);
	ck_assert(handover_first(h, &got));
	handover_drop(h);
	ck_assert(!handover_holds(fd));
	/* One that came to nothing leaves nothing. */
	ck_assert_ptr_nonnull(handover_room(h, CHUNK, &room));
	handover_expect(h, 5 * SMALL, SMALL);
	ck_assert(!handover_holds(fd));
	ck_assert(!handover_put(h, 0));
	ck_assert(!handover_holds(fd));
	handover_expect(h, OLD * SMALL, SMALL);
	arrive(handover_room(h, CHUNK, &room), OLD, SMALL, 'a');
	ck_assert(!handover_put(h, OLD * SMALL));
	handover_expect(h, (CHUNK / SMALL - OLD) * SMALL, SMALL);
	arrive(handover_room(h, CHUNK, &room), (size_t)_i, SMALL, 'b');
	handover_free(h);
	ck_assert(handover_holds(fd));
	ck_assert_int_eq(handover_salvage(fd, see, &seen), 0);
	ck_assert_uint_eq(seen.n, 1);
	ck_assert_int_eq(seen.values[0], 'a');
	ck_assert_uint_eq(seen.sizes[0], (size_t)(OLD + _i) * SMALL);
	close(fd);
}
END_TEST

/* What the file for what was saved holds behind its head, what the CPU had before, and what it has afterwards. */
START_TEST(rest_is_taken)
{
	static const struct {
		const char *before, *rest, *after;
	} cases[] = {
		{ "aaaabbbb", "ccccdddd", "aaaabbbbccccdddd" },
		{ "aaaabbbb", "", "aaaabbbb" },
		{ "", "cccc", "cccc" },
		/* A sub-buffer that is there in part: its end was in the pipe, or it is gone. */
		{ "aaaab", "bbbcccc", "aaaabbbbcccc" },
		{ "aaaabbb", "b", "aaaabbbb" },
		{ "aaaabb", "cccc", "aaaacccc" },
		{ "aaaabb", "bcccc", "aaaacccc" },
		{ "aaaa", "bcccc", "aaaacccc" },
	};
	int from = memory(), to = memory();
	char got[32] = "";

	ck_assert_int_eq(rest_take(from, to, 0, 4), 0);
	ck_assert_int_eq(rest_begin(from), 0);
	ck_assert_int_eq(io_write(from, cases[_i].rest, strlen(cases[_i].rest)), 0);
	ck_assert_int_eq(io_write(to, cases[_i].before, strlen(cases[_i].before)), 0);
	ck_assert_int_eq(rest_take(from, to, strlen(cases[_i].before), 4), 0);
	ck_assert_int_eq(io_pread(to, got, sizeof(got), 0), (int)strlen(cases[_i].after));
	ck_assert_str_eq(got, cases[_i].after);
	/* Once more, with an end that has moved. */
	ck_assert_int_eq(rest_take(from, to, strlen(cases[_i].after), 4), 0);
	ck_assert_int_eq(io_pread(to, got, sizeof(got), 0), (int)strlen(cases[_i].after));
	ck_assert_str_eq(got, cases[_i].after);
	ck_assert_int_eq(io_pwrite(from, "x", 1, 0), 0);
	ck_assert_int_eq(rest_take(from, to, 0, 4), -EBADMSG);
	close(from);
	close(to);
}
END_TEST

/* Every byte of the head is changed: nothing is read that is not there. */
START_TEST(damaged)
{
	int fd = memory();
	struct handover *h;
	char head[80];

	ck_assert_int_eq(handover_new(&h, fd, CHUNK, N), 0);
	put(h, 'a', CHUNK, 0);
	put(h, 'b', 5, CHUNK);
	handover_free(h);
	ck_assert_int_eq(io_pread(fd, head, sizeof(head), 0), sizeof(head));
	for (size_t i = 0; i < sizeof(head); i++) {
		struct seen seen = { 0 };
		char changed = (char)(head[i] ^ 0x55);

		ck_assert_int_eq(io_pwrite(fd, &changed, 1, i), 0);
		handover_salvage(fd, see, &seen);
		ck_assert_int_eq(io_pwrite(fd, &head[i], 1, i), 0);
	}
	close(fd);
}
END_TEST

static char *noise(size_t size, unsigned int seed)
{
	char *at = malloc(size);

	for (size_t i = 0; i < size; i++) {
		seed = seed * 1103515245 + 12345;
		at[i] = (char)(seed >> 16 & 15);
	}
	return at;
}

static int put_in(void *ctx, uint64_t at, const char *pages, size_t size)
{
	memcpy((char *)ctx + at, pages, size);
	return 0;
}

/* Written by packed_add(), read by packed_open(): also when it was cut anywhere. */
START_TEST(packed_file)
{
	static const uint64_t places[] = { 0, PAGE, 10 * PAGE, 11 * PAGE, 40 * PAGE };
	struct packed p = { .part.fd = memory(), .codec = codec_find("zstd") }, again;
	char *plain = noise(50 * PAGE, 1), *got = calloc(50, PAGE);
	struct str chunk = { 0 };
	uint64_t ends[5];
	void *work = NULL;

	for (size_t i = 0; i < 5; i++) {
		ssize_t size = chunk_pack(p.codec, 0, &work, false, plain + places[i], PAGE, &chunk);

		ck_assert_int_gt(size, 0);
		ck_assert_int_eq(packed_add(&p, places[i], chunk.at, (size_t)size, PAGE), 0);
		ends[i] = p.end;
	}
	ck_assert_uint_eq(p.part.runs.n, 3);
	ck_assert_uint_eq(p.part.runs.at[0].offset % 4096, PACKED_RUN_ROOM);
	ck_assert_uint_eq(p.part.runs.at[1].plain, 2 * PAGE);
	for (size_t i = 5; i-- > 0;) {
		uint64_t all = 0;

		ck_assert_int_eq(ftruncate(p.part.fd, (off_t)ends[i] + (i < 4 ? 11 : 0)), 0);
		memset(got, 0, 50 * PAGE);
		ck_assert_int_eq(packed_open(&again, dup(p.part.fd)), 0);
		ck_assert_ptr_eq(again.codec, p.codec);
		vec_each (&again.part.runs, run) {
			ck_assert_int_eq(packed_pages(again.part.fd, run, again.codec, put_in, got), 0);
			all += run->plain;
		}
		ck_assert_uint_eq(all, (i + 1) * PAGE);
		for (size_t k = 0; k <= i; k++)
			ck_assert_mem_eq(got + places[k], plain + places[k], PAGE);
		packed_fini(&again);
	}
	ck_assert_int_eq(io_pwrite(p.part.fd, "x", 1, 0), 0);
	ck_assert_int_eq(packed_open(&again, dup(p.part.fd)), -EBADMSG);
	packed_fini(&again);
	codec_work_free(p.codec, work);
	str_fini(&chunk);
	packed_fini(&p);
	free(plain);
	free(got);
}
END_TEST

static void wake(void *ctx)
{
	struct packer **packer = ctx;

	if (*packer)
		packer_wake(*packer);
}

/*
 * A lane of many chunks goes to the packer or into the spool; whatever went which way, together it is what came. @_i: how much room for chunks on their
 * way there is, and (odd) whether the packer's file cannot be written.
 */
START_TEST(all_arrives)
{
	enum { CHUNKS = 60, SIZE = CHUNKS * LANE_CHUNK + 5 * PAGE };
	struct packer *packer = NULL;
	struct recorder_config config = {
		.interval_ns = 1000000,
		.handover_bytes = (uint64_t)(_i / 2) * 10 * LANE_CHUNK,
		.moved = wake,
		.ctx = &packer,
	};
	struct lane_spec spec = { .page_size = PAGE, .in = memory(), .out = memory(), .handover = memory() };
	char *plain = noise(SIZE, 7), *got = calloc(1, SIZE);
	uint32_t page_size = PAGE;
	struct metadata meta = { 0 };
	lanespecs_t lanes = { 0 };
	struct recorder *recorder;
	struct lane_result lane;
	const struct packed_part *part;
	int file = _i & 1 ? open("/dev/full", O_RDWR) : memory();

	for (size_t i = 0; i < SIZE; i += PAGE) {
		uint64_t used = PAGE - 16;

		memcpy(plain + i + 8, &used, sizeof(used));
	}
	ck_assert_int_eq(io_pwrite(spec.in, plain, SIZE, 0), 0);
	ck_assert_int_eq(vec_push(&lanes, spec), 0);
	ck_assert_int_eq(recorder_open(&recorder, &lanes, &config), 0);
	ck_assert_int_eq(
		packer_open(
			&packer,
			&(struct packer_config){ .codec = codec_find("zstd"), .recorder = recorder, .meta = &meta, .page_sizes = &page_size, .files = &file }),
		0);
	recorder_start(recorder);
	while (recorder_bytes(recorder) < SIZE / 2)
		usleep(1000);
	ck_assert_int_eq(recorder_stop(recorder), 0);
	ck_assert_int_eq(packer_stop(packer), 0);
	recorder_result(recorder, 0, &lane);
	ck_assert_uint_eq(lane.size, SIZE);
	ck_assert_int_ge(io_pread(lane.fd, got, SIZE, 0), 0);
	part = packer_part(packer, 0);
	ck_assert(!part || !(_i & 1));
	if (part)
		vec_each (&part->runs, run)
			ck_assert_int_eq(packed_pages(part->fd, run, codec_find("zstd"), put_in, got), 0);
	ck_assert_mem_eq(got, plain, SIZE);
	packer_close(packer);
	recorder_close(recorder);
	free(plain);
	free(got);
}
END_TEST

Suite *handover_suite(void)
{
	Suite *suite = suite_create("handover");
	TCase *tc = tcase_create("handover");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, in_order);
	tcase_add_test(tc, little_space);
	tcase_add_test(tc, what_is_left);
	tcase_add_loop_test(tc, killed_while_reading, 0, 9);
	tcase_add_loop_test(tc, rest_is_taken, 0, 8);
	tcase_add_test(tc, damaged);
	tcase_add_test(tc, packed_file);
	tcase_add_loop_test(tc, all_arrives, 0, 10);
	suite_add_tcase(suite, tc);
	return suite;
}
