/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/base/turn.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int policy(void)
{
	return sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
}

/* A real-time priority may not be allowed here (sched(7)). */
static bool allowed(void)
{
	const struct sched_param lowest = { .sched_priority = 1 }, none = { 0 };
	bool yes = !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest);

	if (yes)
		sched_setscheduler(0, SCHED_OTHER, &none);
	return yes;
}

/* The kernel says who comes first: we do, as long as we are asked to, and a child does not. */
START_TEST(first_and_back)
{
	const struct sched_param none = { 0 };
	struct turn turn = TURN_OF(gettid());
	int status = 0, first = allowed() ? SCHED_FIFO : SCHED_BATCH;
	pid_t pid;

	ck_assert_int_eq(sched_setscheduler(0, SCHED_BATCH, &none), 0);
	turn_first(&turn);
	turn_first(&turn);
	ck_assert_int_eq(policy(), first);
	pid = fork();
	if (!pid)
		_exit(policy());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_ne(WEXITSTATUS(status), SCHED_FIFO);
	turn_back(&turn);
	ck_assert_int_eq(policy(), SCHED_BATCH);
	turn_back(&turn);
	ck_assert_int_eq(policy(), SCHED_BATCH);
	turn_first(&turn);
	ck_assert_int_eq(policy(), first);
	turn_end(&turn);
	turn_first(&turn);
	ck_assert_int_eq(policy(), SCHED_BATCH);
}
END_TEST

/* Who has such a priority keeps it. */
START_TEST(first_already)
{
	const struct sched_param high = { .sched_priority = 2 };
	struct turn turn = TURN_OF(gettid());
	struct sched_param now;

	if (sched_setscheduler(0, SCHED_RR, &high))
		return;
	turn_first(&turn);
	turn_back(&turn);
	ck_assert_int_eq(policy(), SCHED_RR);
	ck_assert_int_eq(sched_getparam(0, &now), 0);
	ck_assert_int_eq(now.sched_priority, 2);
}
END_TEST

Suite *turn_suite(void)
{
	Suite *s = suite_create("turn");
	TCase *c = tcase_create("turn");

	tcase_add_test(c, first_and_back);
	tcase_add_test(c, first_already);
	suite_add_tcase(s, c);
	return s;
}
