/* SPDX-License-Identifier: GPL-2.0 */
/* lib/record/tap and backlog: what is read while the reader is at work arrives whole and in order. The rings are pipes. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/record/tap.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum { LANES = 3, PAGE = 4096, ROOM = 8 * PAGE, PAGES = 700 };

/* What the reader has got, and whether it may go on. */
static struct got {
	char room[ROOM];
	uint32_t next[LANES];		   /* the serial numbers that are expected */
	unsigned int rounds, ends, inside; /* rounds that had pages */
	uint64_t end_ns;
	bool wrong, after_error, has_pages;
	int err; /* what every round but the first returns */
	pthread_mutex_t gate;
	int in[LANES]; /* the ends of the pipes that are written to */
} got;

static void enter(void)
{
	if (__atomic_add_fetch(&got.inside, 1, __ATOMIC_SEQ_CST) != 1 || got.ends)
		got.wrong = true;
}

static int leave(int ret)
{
	__atomic_sub_fetch(&got.inside, 1, __ATOMIC_SEQ_CST);
	return ret;
}

static void *room(__unused void *ctx, __unused size_t lane, size_t *size)
{
	enter();
	*size = ROOM;
	leave(0);
	return got.room;
}

static int pages(__unused void *ctx, size_t lane, size_t size, __unused bool drained)
{
	enter();
	if (got.after_error)
		got.wrong = true;
	got.has_pages |= size > 0;
	for (size_t at = 0; at < size; at += PAGE) {
		uint32_t head[2];

		memcpy(head, got.room + at, sizeof(head));
		if (head[0] != lane || head[1] != got.next[lane]++)
			got.wrong = true;
	}
	return leave(0);
}

static int round_over(__unused void *ctx, uint64_t begin_ns, uint64_t end_ns, bool *pending)
{
	enter();
	if (begin_ns < got.end_ns || end_ns < begin_ns)
		got.wrong = true;
	got.end_ns = end_ns;
	*pending = false;
	/* The tap's thread itself may have called, as there is little to read. */
	if (!got.has_pages)
		return leave(0);
	got.has_pages = false;
	if (!__atomic_fetch_add(&got.rounds, 1, __ATOMIC_SEQ_CST))
		return leave(0);
	/* Nobody else reads now, if the tap does not. */
	pthread_mutex_lock(&got.gate);
	pthread_mutex_unlock(&got.gate);
	got.after_error = got.err;
	return leave(got.err);
}

static int end(__unused void *ctx)
{
	enter();
	got.ends++;
	return leave(0);
}

static const struct tap_reader reader = { .room = room, .pages = pages, .round = round_over, .end = end, .pause_ns = 1000, .out = -1 };

static void put(uint32_t lane, uint32_t serial)
{
	char page[PAGE] = { 0 };
	uint32_t used = PAGE - 16, head[2] = { lane, serial };

	memcpy(page, head, sizeof(head));
	memcpy(page + 8, &used, sizeof(used));
	ck_assert_int_eq(io_write(got.in[lane], page, PAGE), 0);
}

/* More than the reader's room is there at once. */
static struct tap *begin(uint32_t first)
{
	taplanes_t lanes = { 0 };
	struct tap *tap;

	got = (struct got){ .gate = PTHREAD_MUTEX_INITIALIZER };
	for (uint32_t lane = 0; lane < LANES; lane++) {
		int ends[2];

		ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
		ck_assert_int_ge(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
		got.in[lane] = ends[1];
		ck_assert_int_eq(vec_push(&lanes, (struct tap_lane){ .in = ends[0], .page_size = PAGE }), 0);
		for (uint32_t serial = 0; serial < first; serial++)
			put(lane, serial);
	}
	pthread_mutex_lock(&got.gate);
	ck_assert_int_eq(tap_open(&tap, &lanes, &reader), 0);
	return tap;
}

static void finish(struct tap *tap)
{
	tap_close(tap);
	for (uint32_t lane = 0; lane < LANES; lane++)
		close(got.in[lane]);
	ck_assert(!got.wrong);
}

/* The pipes hold 16 pages each, so that the writing ends only because the tap goes on to read. */
START_TEST(reads_on_while_the_reader_works)
{
	struct tap *tap = begin(ROOM / PAGE + 4);

	for (uint32_t serial = ROOM / PAGE + 4; serial < PAGES; serial++)
		for (uint32_t lane = 0; lane < LANES; lane++)
			put(lane, serial);
	pthread_mutex_unlock(&got.gate);
	ck_assert_int_eq(tap_stop(tap), 0);
	for (uint32_t lane = 0; lane < LANES; lane++)
		ck_assert_uint_eq(got.next[lane], PAGES);
	ck_assert_uint_eq(got.ends, 1);
	finish(tap);
}
END_TEST

/* What has been read by then is not given to the reader, and the tap ends with its error. */
START_TEST(ends_with_the_readers_error)
{
	struct tap *tap = begin(ROOM / PAGE + 4);

	got.err = -EPIPE;
	for (uint32_t serial = ROOM / PAGE + 4; serial < PAGES; serial++)
		put(1, serial);
	pthread_mutex_unlock(&got.gate);
	ck_assert_int_eq(tap_stop(tap), -EPIPE);
	ck_assert_uint_eq(got.rounds, 2);
	ck_assert_uint_eq(got.ends, 0);
	ck_assert_uint_lt(got.next[1], PAGES);
	finish(tap);
}
END_TEST

/* A reader that is at work when it is abandoned gets nothing more. */
START_TEST(abandoned_at_work)
{
	struct tap *tap = begin(ROOM / PAGE + 4);

	for (uint32_t serial = ROOM / PAGE + 4; serial < PAGES; serial++)
		put(2, serial);
	while (__atomic_load_n(&got.rounds, __ATOMIC_SEQ_CST) < 2)
		sched_yield();
	if (tap_abandon(tap))
		ck_abort_msg("the reader was at work");
	pthread_mutex_unlock(&got.gate);
	/* It has returned now, so the tap can be freed after all. */
	finish(tap);
	ck_assert_uint_eq(got.rounds, 2);
	ck_assert_uint_eq(got.ends, 0);
}
END_TEST

Suite *tap_suite(void)
{
	Suite *s = suite_create("tap");
	TCase *tc = tcase_create("tap");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, reads_on_while_the_reader_works);
	tcase_add_test(tc, ends_with_the_readers_error);
	tcase_add_test(tc, abandoned_at_work);
	suite_add_tcase(s, tc);
	return s;
}
