/* SPDX-License-Identifier: GPL-2.0 */
/* lib/record/recorder with the CPUs of a large machine. Their rings are plain files, which end where they are empty. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/base/str.h"
#include "lib/record/unsent.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { CPUS = 512, PAGE = 4096, PAGES = 5 };

static int nameless(void)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Pages of the CPU's own, the last of them only half full of events. */
static void fill(int fd, unsigned int cpu)
{
	char page[PAGE];

	for (uint32_t i = 0; i < PAGES; i++) {
		uint32_t used = i + 1 < PAGES ? PAGE - 16 : PAGE / 2;

		memset(page, (int)(cpu * 7 + i), sizeof(page));
		memcpy(page + 8, &used, sizeof(used));
		ck_assert_int_eq(io_pwrite(fd, page, sizeof(page), i * PAGE), 0);
	}
}

static void same(int fd, unsigned int cpu)
{
	static char is[PAGES * PAGE], wanted[PAGES * PAGE];
	int other = nameless();

	fill(other, cpu);
	ck_assert_int_eq(io_pread(other, wanted, sizeof(wanted), 0), sizeof(wanted));
	ck_assert_int_eq(io_pread(fd, is, sizeof(is), 0), sizeof(is));
	ck_assert_mem_eq(is, wanted, sizeof(is));
	close(other);
}

static long peak_kb(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_maxrss;
}

static void add_lane(lanespecs_t *lanes, unsigned int cpu)
{
	struct lane_spec lane = { .cpu = cpu, .page_size = PAGE, .in = nameless(), .out = nameless(), .handover = -1 };

	fill(lane.in, cpu);
	ck_assert_int_eq(vec_push(lanes, lane), 0);
}

/* Each way of moving: all arrives, and memory stays a fraction of what a ring buffer of the kernel takes. */
START_TEST(hundreds_of_cpus)
{
	struct recorder_config config = { .no_splice = _i, .interval_ns = NSEC_PER_SEC };
	struct rlimit limit = { 8192, 8192 };
	struct recorder *rec;
	lanespecs_t lanes = { 0 };
	long before;

	if (setrlimit(RLIMIT_NOFILE, &limit))
		return;
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		add_lane(&lanes, cpu);
	before = peak_kb();
	ck_assert_int_eq(recorder_open(&rec, &lanes, &config), 0);
	ck_assert_uint_eq(recorder_lanes(rec), CPUS);
	recorder_start(rec);
	ck_assert_int_eq(recorder_stop(rec), 0);
	ck_assert_uint_eq(recorder_bytes(rec), (uint64_t)CPUS * PAGES * PAGE);
	for (unsigned int i = 0; i < CPUS; i++) {
		struct lane_result lane;

		recorder_result(rec, i, &lane);
		ck_assert_uint_eq(lane.cpu, i);
		ck_assert_uint_eq(lane.size, PAGES * PAGE);
		same(lane.fd, i);
	}
	recorder_close(rec);
	ck_assert_msg(peak_kb() - before < CPUS * 160L, "%ld kB for %d CPUs", peak_kb() - before, CPUS);
}
END_TEST

/* Of five sub-buffers only four are kept at the end, although one more is not yet too many while recording goes on; and at least two are kept. */
START_TEST(newest_bytes)
{
	static const struct {
		uint64_t most, kept;
	} cases[] = { { 4 * PAGE + PAGE / 2, 4 }, { 1024, 2 }, { PAGES * PAGE, PAGES } };
	struct recorder_config config = { .no_splice = _i % 2, .max_bytes = cases[_i / 2].most, .interval_ns = NSEC_PER_SEC };
	struct lane_result lane;
	struct recorder *rec;
	lanespecs_t lanes = { 0 };
	char page[PAGE];

	add_lane(&lanes, 0);
	ck_assert_int_eq(recorder_open(&rec, &lanes, &config), 0);
	recorder_start(rec);
	ck_assert_int_eq(recorder_stop(rec), 0);
	recorder_result(rec, 0, &lane);
	ck_assert_uint_eq(lane.size, cases[_i / 2].kept * PAGE);
	ck_assert_uint_eq(lane.size + lane.dropped, PAGES * PAGE);
	ck_assert_int_eq(io_pread(lane.fd, page, PAGE, lane.offset), PAGE);
	ck_assert_int_eq(page[0], PAGES - (int)cases[_i / 2].kept);
	recorder_close(rec);
}
END_TEST

/* Too few descriptors even so: told, and nothing is left open. */
START_TEST(too_few_descriptors)
{
	struct recorder_config config = { 0 };
	struct rlimit limit = { 64, 64 };
	lanespecs_t lanes = { 0 };
	struct recorder *rec;
	int first;

	for (unsigned int cpu = 0; cpu < 20; cpu++)
		add_lane(&lanes, cpu);
	first = lanes.at[0].in;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_int_eq(recorder_open(&rec, &lanes, &config), -EMFILE);
	ck_assert_ptr_null(rec);
	ck_assert_int_eq(fcntl(first, F_GETFD), -1);
}
END_TEST

/* What a slow connection has taken, and how often it had no room. */
struct taken {
	struct str lanes[3];
	unsigned int times;
};

static ssize_t take_some(void *ctx, const struct lane_result *lane, const char *bytes, size_t n)
{
	struct taken *taken = ctx;

	if (taken->times++ % 3 == 0)
		return 0;
	n = MIN(n, (size_t)1000 * (1 + lane->cpu));
	str_addn(&taken->lanes[lane->cpu], bytes, n);
	return (ssize_t)n;
}

static ssize_t refuse(__unused void *ctx, __unused const struct lane_result *lane, __unused const char *bytes, __unused size_t n)
{
	return -EPIPE;
}

/* All is sent, in order, also in parts; and nothing again. */
START_TEST(sent_out_of_spools)
{
	struct recorder_config config = { .interval_ns = NSEC_PER_SEC };
	struct unsent unsent;
	struct taken taken = { 0 };
	lanespecs_t lanes = { 0 };
	struct recorder *rec;
	char room[3000];

	for (unsigned int cpu = 0; cpu < 3; cpu++)
		add_lane(&lanes, cpu);
	ck_assert_int_eq(recorder_open(&rec, &lanes, &config), 0);
	recorder_start(rec);
	ck_assert_int_eq(recorder_stop(rec), 0);
	ck_assert_int_eq(unsent_init(&unsent, 3, PAGE), 0);
	ck_assert_int_eq(unsent_send(&unsent, rec, room, sizeof(room), refuse, NULL), -EPIPE);
	ck_assert_uint_eq(unsent_sent(&unsent, 0), 0);
	ck_assert_int_eq(unsent_send(&unsent, rec, room, sizeof(room), take_some, &taken), 0);
	for (unsigned int cpu = 0; cpu < 3; cpu++) {
		int fd = nameless();

		ck_assert_uint_eq(unsent_sent(&unsent, cpu), PAGES * PAGE);
		ck_assert_uint_eq(taken.lanes[cpu].len, PAGES * PAGE);
		ck_assert_int_eq(io_pwrite(fd, taken.lanes[cpu].at, taken.lanes[cpu].len, 0), 0);
		same(fd, cpu);
		close(fd);
		str_fini(&taken.lanes[cpu]);
	}
	ck_assert_int_eq(unsent_send(&unsent, rec, room, sizeof(room), refuse, NULL), 0);
	unsent_fini(&unsent);
	recorder_close(rec);
}
END_TEST

Suite *recorder_suite(void)
{
	Suite *suite = suite_create("recorder");
	TCase *tc = tcase_create("recorder");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, hundreds_of_cpus, 0, 2);
	tcase_add_loop_test(tc, newest_bytes, 0, 6);
	tcase_add_test(tc, too_few_descriptors);
	tcase_add_test(tc, sent_out_of_spools);
	suite_add_tcase(suite, tc);
	return suite;
}
