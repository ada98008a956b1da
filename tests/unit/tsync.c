/* SPDX-License-Identifier: GPL-2.0 */
/* lib/net/tsync: two clocks of a known difference through a pair of sockets, and peers that break the exchange. */
#include "lib/net/tsync.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/net/message.h"
#include "lib/net/request.h"
#include "tests/unit/unit.h"
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define AHEAD 123456789012345

static unsigned int asked_cpu;

static bool read_here(void *ctx, int64_t *time)
{
	*time = (int64_t)now_ns() + *(const int64_t *)ctx;
	return true;
}

static void note_cpu(unsigned int cpu)
{
	asked_cpu = cpu;
}

static void pair(int fds[2])
{
	const struct timeval patience = { .tv_sec = 20 };

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	for (int i = 0; i < 2; i++)
		setsockopt(fds[i], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
}

/* An agent, until it is told that there will be no more. Returns how often it was asked, or -errno. */
static void *agent(void *arg)
{
	int64_t ahead = 0;
	const struct tsync_clock clock = { read_here, &ahead };
	const char *wrong = NULL;
	intptr_t n = 0;
	int more;

	while ((more = tsync_reply(*(int *)arg, (uint32_t)n + 1, &clock, note_cpu, &wrong)) > 0)
		n++;
	return (void *)(more < 0 ? more : n);
}

START_TEST(tsync_finds_the_difference)
{
	int64_t ahead = AHEAD, begin = (int64_t)now_ns();
	const struct tsync_clock clock = { read_here, &ahead };
	struct tsync_answer answer;
	const char *wrong = NULL;
	pthread_t thread;
	int fds[2];
	void *n;

	pair(fds);
	ck_assert_int_eq(pthread_create(&thread, NULL, agent, &fds[1]), 0);
	for (unsigned int cpu = 0; cpu < 3; cpu++) {
		ck_assert_int_eq(tsync_ask(fds[0], cpu, &clock, &answer, &wrong), 0);
		ck_assert_uint_eq(asked_cpu, cpu);
		/* The stated error holds. */
		ck_assert_int_le(answer.offset - AHEAD, answer.error);
		ck_assert_int_ge(answer.offset - AHEAD, -answer.error);
		ck_assert_int_gt(answer.time, begin);
		ck_assert_int_le(answer.time, (int64_t)now_ns());
	}
	ck_assert_int_eq(tsync_stop(fds[0]), 0);
	pthread_join(thread, &n);
	ck_assert_int_eq((intptr_t)n, 3);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

/* A TIME_SYNC message with @n bytes behind its fixed part. */
static void add(struct str *out, const char *name, uint32_t kind, const char *rest, size_t n)
{
	char fixed[16] = { 0 };
	uint32_t numbers[5];

	memcpy(fixed, name, strlen(name));
	for (int i = 0; i < 4; i++)
		numbers[i] = message_u32(fixed + 4 * i);
	numbers[4] = kind;
	message_add(out, MESSAGE_TIME_SYNC, numbers, 5, rest, n);
}

/* Takes what is answered, which nobody looks at, so that nobody waits. */
static void *drain(void *arg)
{
	char bytes[4096];

	while (read(*(int *)arg, bytes, sizeof(bytes)) > 0)
		;
	return NULL;
}

static int ask_of(struct str *said, const char **wrong)
{
	int64_t ahead = 0;
	const struct tsync_clock clock = { read_here, &ahead };
	struct tsync_answer answer;
	pthread_t thread;
	int fds[2], err;

	pair(fds);
	ck_assert_int_eq(io_write(fds[1], said->at, said->len), 0);
	shutdown(fds[1], SHUT_WR);
	ck_assert_int_eq(pthread_create(&thread, NULL, drain, &fds[1]), 0);
	*wrong = NULL;
	err = tsync_ask(fds[0], 0, &clock, &answer, wrong);
	close(fds[0]);
	pthread_join(thread, NULL);
	close(fds[1]);
	str_fini(said);
	return err;
}

static int reply_to(struct str *said, const char **wrong)
{
	int64_t ahead = 0;
	const struct tsync_clock clock = { read_here, &ahead };
	pthread_t thread;
	int fds[2], err;

	pair(fds);
	ck_assert_int_eq(io_write(fds[1], said->at, said->len), 0);
	shutdown(fds[1], SHUT_WR);
	ck_assert_int_eq(pthread_create(&thread, NULL, drain, &fds[1]), 0);
	*wrong = NULL;
	err = tsync_reply(fds[0], 1, &clock, note_cpu, wrong);
	close(fds[0]);
	pthread_join(thread, NULL);
	close(fds[1]);
	str_fini(said);
	return err;
}

/* An agent that lies of its clock, measures nothing or without an end, or goes away. */
START_TEST(tsync_of_bad_agents)
{
	static const char start[8] = "\0\0\0\1\0\0\0\3", one[4] = "\0\0\0\1", offset[16] = { 0 };
	struct str said = { 0 };
	const char *wrong;

	ck_assert_int_eq(ask_of(&said, &wrong), -EPROTO);
	ck_assert_str_eq(wrong, "it went away while clocks were compared");
	add(&said, "ptp", 1, start, 8);
	add(&said, "ptp", 5, NULL, 0);
	ck_assert_int_eq(ask_of(&said, &wrong), -EPROTO);
	ck_assert_str_eq(wrong, "it measured nothing");
	add(&said, "ptp", 1, start, 8);
	add(&said, "ptp", 2, one, 4);
	add(&said, "ptp", 5, NULL, 0);
	add(&said, "ptp", 4, offset, 16);
	ck_assert_int_eq(ask_of(&said, &wrong), -EPROTO);
	ck_assert_str_eq(wrong, "what it says of its clock cannot be true");
	add(&said, "ptp", 1, start, 8);
	for (int i = 0; i < 700; i++)
		add(&said, "ptp", 2, one, 4);
	ck_assert_int_eq(ask_of(&said, &wrong), -EPROTO);
	ck_assert_str_eq(wrong, "it measures without an end");
	add(&said, "kvm", 1, start, 8);
	ck_assert_int_eq(ask_of(&said, &wrong), -EPROTO);
	ck_assert_str_eq(wrong, "it compares clocks in another way than was agreed upon");
	str_addn(&said, "\0\1\0\0\0\0\0\11\0\0\0\24", 12);
	ck_assert_int_eq(ask_of(&said, &wrong), -EPROTO);
	ck_assert_str_eq(wrong, "it sent something else than the time");
}
END_TEST

/* A recorder that tells times of nothing, or more than it sends. */
START_TEST(tsync_of_bad_recorders)
{
	static const char start[8] = "\0\0\0\1\0\0\0\3", many[8] = "\0\0\0\1\377\377\377\377", none[20] = "\0\0\0\1\0\0\0\1";
	struct str said = { 0 };
	const char *wrong;

	ck_assert_int_eq(reply_to(&said, &wrong), 0);
	add(&said, "none", 2, NULL, 0);
	ck_assert_int_eq(reply_to(&said, &wrong), 0);
	add(&said, "none", 1, "\0", 1);
	ck_assert_int_eq(reply_to(&said, &wrong), -EPROTO);
	for (int i = 0; i < 2; i++) {
		add(&said, "none", 1, "\0\0", 2);
		add(&said, "ptp", 1, start, 8);
		for (int probe = 1; probe <= 339; probe++) {
			const char number[4] = { 0, 0, (char)(probe >> 8), (char)probe };

			add(&said, "ptp", 2, number, 4);
		}
		add(&said, "ptp", 3, i ? many : none, i ? 8 : 20);
		ck_assert_int_eq(reply_to(&said, &wrong), -EPROTO);
		ck_assert_ptr_nonnull(wrong);
	}
}
END_TEST

/* Whatever comes, it comes to an end. */
START_TEST(tsync_of_noise)
{
	uint32_t seed = 7;

	for (int round = 0; round < 2000; round++) {
		static const uint8_t sizes[] = { 0, 1, 2, 4, 8, 16, 20, 40 };
		struct str said = { 0 };
		const char *wrong;

		for (int i = 0; i < 6; i++) {
			char rest[40];

			seed = seed * 1664525 + 1013904223;
			for (size_t at = 0; at < sizeof(rest); at++)
				rest[at] = (char)(seed >> (at % 24));
			add(&said, i && seed >> 31 ? "none" : "ptp", (i ? seed >> 20 : 1) % 7, rest, sizes[(seed >> 13) % 8]);
			if (seed % 11 == 0)
				said.at[seed % said.len] ^= 0x40;
		}
		ck_assert_int_lt(round % 2 ? ask_of(&said, &wrong) : reply_to(&said, &wrong), 1);
	}
}
END_TEST

START_TEST(tsync_is_agreed_upon)
{
	struct trace_request request = { .sync = true }, again;
	const unsigned int ports[] = { 1500 };
	struct trace_response response;
	struct str bytes = { 0 };
	const char *wrong;
	struct message m;

	ck_assert(request_add(&bytes, &request));
	ck_assert_int_eq(message_take(bytes.at, bytes.len, &m, &wrong), (ssize_t)bytes.len);
	ck_assert_int_eq(request_take(&m, &again, &wrong), 0);
	ck_assert(again.sync);
	request_fini(&again);
	str_clear(&bytes);
	for (uint32_t port = 0; port < 2000; port += 1502) {
		response_add(&bytes, 1, 4096, ports, false, port);
		ck_assert_int_eq(message_take(bytes.at, bytes.len, &m, &wrong), (ssize_t)bytes.len);
		ck_assert_int_eq(response_take(&m, &response, &wrong), 0);
		ck_assert_uint_eq(response.sync, port);
		str_clear(&bytes);
	}
	str_fini(&bytes);
}
END_TEST

/* A byte now and then, of a request that never ends. */
static void *trickle(void *arg)
{
	const int fd = *(int *)arg;

	while (send(fd, "", 1, MSG_NOSIGNAL) == 1)
		usleep(10000);
	return NULL;
}

START_TEST(request_has_to_come_in_time)
{
	struct trace_request request;
	struct str said = { 0 };
	pthread_t thread;
	int fds[2];

	pair(fds);
	/* A message of 65,536 bytes, of which one comes each 10 ms. */
	message_add_u32(&said, 65536);
	message_add_u32(&said, MESSAGE_TRACE_REQ);
	message_add_u32(&said, 16);
	ck_assert_int_eq(send(fds[1], said.at, said.len, 0), 12);
	str_fini(&said);
	pthread_create(&thread, NULL, trickle, &fds[1]);
	ck_assert_int_eq(request_hear(fds[0], "somebody", 300, &request), -EPROTO);
	request_fini(&request);
	close(fds[0]);
	pthread_join(thread, NULL);
	close(fds[1]);
}
END_TEST

Suite *tsync_suite(void)
{
	Suite *suite = suite_create("tsync");
	TCase *c = tcase_create("tsync");

	tcase_add_test(c, tsync_finds_the_difference);
	tcase_add_test(c, tsync_of_bad_agents);
	tcase_add_test(c, tsync_of_bad_recorders);
	tcase_add_test(c, tsync_of_noise);
	tcase_add_test(c, tsync_is_agreed_upon);
	tcase_add_test(c, request_has_to_come_in_time);
	tcase_set_timeout(c, 60);
	suite_add_tcase(suite, c);
	return suite;
}
