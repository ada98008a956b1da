/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/profile: what tasks did, how often and how long, of records made by hand. */
#include "lib/analysis/profile.h"
#include "tests/unit/dat.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

#define A 0xffff000000001000ULL
#define B 0xffff000000002000ULL

struct test {
	struct hand_trace hand;
	struct profile *profile;
	unsigned int slot;
};

static void begin(struct test *t, const char *hook)
{
	struct profile_options opt = { 0 };

	*t = (struct test){ 0 };
	hand_trace_open(&t->hand);
	if (hook)
		ck_assert_int_eq(strv_add(&opt.hooks, hook), 0);
	ck_assert_int_eq(profile_new(&t->profile, &t->hand.inputs, &opt), 0);
	strv_fini(&opt.hooks);
}

static void end(struct test *t)
{
	t->profile->handler.free(&t->profile->handler);
	hand_trace_close(&t->hand);
}

static void feed(struct test *t, struct record rec)
{
	struct handler *h = &t->profile->handler;

	t->slot++;
	ck_assert_int_eq(h->records(h, &(struct batch){ .records = &rec, .n = 1 }), 0);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char *const kinds[] = {
	[PROFILE_RUN] = "run", [PROFILE_OFF] = "off", [PROFILE_PAIR] = "pair", [PROFILE_FUNC] = "func", [PROFILE_CALL] = "call", [PROFILE_COUNT] = "count"
};

static char *line(const struct profile *p, const struct profile_item *item, const struct times *times)
{
	const struct profile_owner *owner = &p->owners.at[item->owner];
	struct str s = { 0 };

	if (owner->kind == OWNER_GROUP)
		str_add(&s, owner->comm);
	else if (owner->kind == OWNER_CPU || !owner->pid)
		str_addf(&s, "%s%u", owner->kind == OWNER_CPU ? "cpu" : "idle", owner->cpu);
	else
		str_addf(&s, "%d", owner->pid);
	str_addf(&s, " %s", kinds[item->kind]);
	if (item->event)
		str_addf(&s, " %s", item->event->name);
	if (item->pair)
		str_addf(&s, " %s", item->pair->end.event);
	str_addf(&s, " %llx: %d, %d\n", (unsigned long long)item->value, (int)times->count, (int)times->total);
	return s.at;
}

/* "OWNER KIND WHAT VALUE: COUNT, TOTAL" of each item, sorted as texts. */
static void check(struct test *t, const struct profile_facts *facts, const char *want)
{
	struct str all = { 0 };
	strv_t lines = { 0 };

	vec_each (&facts->items, item)
		ck_assert_int_eq(vec_push(&lines, line(t->profile, item, &item->times)), 0);
	if (lines.n)
		qsort(lines.at, lines.n, sizeof(lines.at[0]), compare);
	vec_each (&lines, at)
		str_add(&all, *at);
	ck_assert_str_eq(str_text(&all), want);
	strv_fini(&lines);
	str_fini(&all);
}

START_TEST(on_and_off)
{
	struct test t;

	begin(&t, NULL);
	feed(&t, hand_sleep(t.slot, 100, 0, 7, 1, 8));
	feed(&t, hand_sleep(t.slot, 150, 0, 8, 2, 7));
	feed(&t, hand_sleep(t.slot, 250, 0, 7, 1, 9));
	feed(&t, hand_sleep(t.slot, 300, 1, 6, 0, 7)); /* it comes back on the other CPU */
	check(&t, &t.profile->facts, "7 off 1: 2, 100\n7 run 0: 1, 100\n8 run 0: 1, 50\n");
	ck_assert_uint_eq(t.profile->untimed, 0);
	end(&t);
}
END_TEST

/* Each CPU has an idle task of its own. */
START_TEST(idle)
{
	struct test t;

	begin(&t, NULL);
	feed(&t, hand_sleep(t.slot, 10, 0, 5, 1, 0));
	feed(&t, hand_sleep(t.slot, 20, 1, 6, 1, 0));
	feed(&t, hand_sleep(t.slot, 40, 0, 0, 0, 5));
	feed(&t, hand_sleep(t.slot, 90, 1, 0, 0, 6));
	check(&t, &t.profile->facts, "5 off 1: 1, 30\n6 off 1: 1, 70\nidle0 run 0: 1, 30\nidle1 run 0: 1, 70\n");
	end(&t);
}
END_TEST

START_TEST(pairs)
{
	const struct times *times;
	struct test t;

	begin(&t, NULL);
	/* Two tasks in the same call; one in another call, which does not end. */
	feed(&t, hand_syscall(t.slot, 10, 0, 7, ID_SYS_ENTER, 5));
	feed(&t, hand_syscall(t.slot, 12, 1, 8, ID_SYS_ENTER, 5));
	feed(&t, hand_syscall(t.slot, 13, 1, 9, ID_SYS_ENTER, 6));
	feed(&t, hand_syscall(t.slot, 30, 1, 7, ID_SYS_EXIT, 5));
	feed(&t, hand_syscall(t.slot, 33, 0, 8, ID_SYS_EXIT, 5));
	/* An end without its beginning is nothing. */
	feed(&t, hand_syscall(t.slot, 35, 0, 7, ID_SYS_EXIT, 5));
	feed(&t, hand_syscall(t.slot, 40, 0, 7, ID_SYS_ENTER, 5));
	feed(&t, hand_syscall(t.slot, 45, 0, 7, ID_SYS_EXIT, 5));
	check(&t, &t.profile->facts, "7 pair sys_exit 5: 2, 25\n8 pair sys_exit 5: 1, 21\n");
	times = &t.profile->facts.items.at[0].times;
	ck_assert_int_eq(t.profile->owners.at[t.profile->facts.items.at[0].owner].pid, 7);
	ck_assert_uint_eq(times->max, 20);
	ck_assert_uint_eq(times->max_at, 30);
	ck_assert_uint_eq(times->min, 5);
	ck_assert_uint_eq(times->min_at, 45);
	end(&t);
}
END_TEST

/* From the wakeup, by whomever, to the switch; it is the woken task's. */
START_TEST(woken)
{
	struct test t;

	begin(&t, NULL);
	feed(&t, hand_wakeup(t.slot, 10, 0, 7, ID_WAKEUP, 8));
	feed(&t, hand_sleep(t.slot, 35, 1, 9, 1, 8));
	check(&t, &t.profile->facts, "8 pair sched_switch 8: 1, 25\n");
	/* It is woken on its CPU, goes to sleep there, and is woken once more. */
	feed(&t, hand_wakeup(t.slot, 40, 0, 7, ID_WAKEUP, 8));
	feed(&t, hand_sleep(t.slot, 50, 1, 8, 1, 9));
	feed(&t, hand_wakeup(t.slot, 70, 0, 7, ID_WAKEUP, 8));
	feed(&t, hand_sleep(t.slot, 75, 1, 9, 1, 8));
	check(&t, &t.profile->facts, "8 off 1: 1, 25\n8 pair sched_switch 8: 2, 30\n8 run 0: 1, 15\n9 off 1: 1, 15\n9 run 0: 1, 25\n");
	end(&t);
}
END_TEST

/* Only a task that sleeps is woken, so 8 has run between the two wakeups. */
START_TEST(woken_again)
{
	for (int is_new = 0; is_new < 2; is_new++) {
		struct test t;

		begin(&t, NULL);
		feed(&t, hand_wakeup(t.slot, 10, 0, 7, is_new ? ID_WAKEUP_NEW : ID_WAKEUP, 8));
		feed(&t, hand_wakeup(t.slot, 20, 1, 9, ID_WAKEUP, 8));
		feed(&t, hand_sleep(t.slot, 35, 1, 9, 1, 8));
		check(&t, &t.profile->facts, "8 pair sched_switch 8: 1, 15\n");
		end(&t);
	}
}
END_TEST

/* 8 was about to sleep when it was preempted. It need not be woken to run again. */
START_TEST(woken_preempted)
{
	struct test t;

	begin(&t, NULL);
	feed(&t, hand_sleep(t.slot, 10, 1, 8, 0, 9));
	feed(&t, hand_wakeup(t.slot, 20, 0, 7, ID_WAKEUP, 8));
	feed(&t, hand_sleep(t.slot, 35, 1, 9, 1, 8));
	check(&t, &t.profile->facts, "8 off 0: 1, 25\n9 run 0: 1, 25\n");
	/* After a loss, it may have slept. */
	feed(&t, hand_sleep(t.slot, 40, 1, 8, 0, 9));
	feed(&t, (struct record){ .ts = 41, .cpu = 1, .flags = RECORD_NODATA | RECORD_LOST, .lost = 1 });
	feed(&t, hand_wakeup(t.slot, 50, 0, 7, ID_WAKEUP, 8));
	feed(&t, hand_sleep(t.slot, 60, 1, 5, 1, 8));
	check(&t, &t.profile->facts, "8 off 0: 1, 25\n8 pair sched_switch 8: 1, 10\n8 run 0: 1, 5\n9 off 1: 1, 5\n9 run 0: 1, 25\n");
	end(&t);
}
END_TEST

/* Events that were lost in its buffer leave an open pair untimed; those of another buffer do not. */
START_TEST(losses)
{
	for (uint16_t buffer = 0; buffer < 2; buffer++) {
		for (int data = 0; data < 2; data++) {
			struct record lost;
			struct test t;

			begin(&t, NULL);
			feed(&t, hand_syscall(t.slot, 10, 0, 7, ID_SYS_ENTER, 5));
			lost = data ? hand_entry(t.slot, 20, 1, 8, A, 0) : (struct record){ .ts = 20, .cpu = 1, .flags = RECORD_NODATA };
			lost.flags |= RECORD_LOST;
			lost.lost = 1;
			lost.buffer = buffer;
			feed(&t, lost);
			feed(&t, hand_syscall(t.slot, 30, 0, 7, ID_SYS_EXIT, 5));
			ck_assert_uint_eq(t.profile->untimed, !buffer);
			/* Behind the loss all is as before. */
			feed(&t, hand_syscall(t.slot, 40, 0, 7, ID_SYS_ENTER, 5));
			feed(&t, hand_syscall(t.slot, 43, 0, 7, ID_SYS_EXIT, 5));
			check(&t, &t.profile->facts, buffer ? "7 pair sys_exit 5: 2, 23\n" : "7 pair sys_exit 5: 1, 3\n");
			ck_assert_uint_eq(t.profile->untimed, !buffer);
			end(&t);
		}
	}
}
END_TEST

START_TEST(functions_and_others)
{
	struct record rec;
	struct test t;

	begin(&t, NULL);
	feed(&t, hand_entry(t.slot, 10, 0, 7, A, 0));
	feed(&t, hand_exit(t.slot, 50, 0, 7, A, 0, 40));
	feed(&t, hand_exit(t.slot, 60, 0, 7, A, 0, 2));
	feed(&t, hand_function(t.slot, 70, 0, 8, B, A));
	feed(&t, hand_print(t.slot, 80, 0, 8, "once"));
	feed(&t, hand_print(t.slot, 90, 1, 8, "twice"));
	/* Of --latency: what reading has found. */
	rec = hand_return(t.slot, 95, 1, 9, ID_F_RETURN, 16);
	rec.flags |= RECORD_TIMED;
	rec.took = 33;
	feed(&t, rec);
	check(&t, &t.profile->facts,
	      "7 func ffff000000001000: 2, 42\n8 count print 0: 2, 0\n8 func ffff000000002000: 1, 0\n"
	      "9 call f 0: 1, 33\n");
	end(&t);
}
END_TEST

/* A stack belongs to what the record before it on its CPU began or counted. */
START_TEST(stacks)
{
	const struct profile_facts *facts;
	struct test t;

	begin(&t, NULL);
	feed(&t, hand_sleep(t.slot, 100, 0, 7, 1, 8));
	feed(&t, hand_print(t.slot, 105, 1, 6, "on the other CPU"));
	feed(&t, hand_stack(t.slot, 110, 0, 7, (const uint64_t[5]){ B, A }));
	feed(&t, hand_sleep(t.slot, 200, 0, 8, 1, 7));
	/* It leaves at the same place once more, and then without a stack. */
	feed(&t, hand_sleep(t.slot, 300, 0, 7, 1, 8));
	feed(&t, hand_stack(t.slot, 310, 0, 7, (const uint64_t[5]){ B, A }));
	feed(&t, hand_sleep(t.slot, 350, 0, 8, 1, 7));
	feed(&t, hand_sleep(t.slot, 400, 0, 7, 1, 9));
	feed(&t, hand_sleep(t.slot, 401, 0, 9, 1, 7));
	facts = &t.profile->facts;
	ck_assert_uint_eq(facts->at_stacks.n, 1);
	ck_assert_int_eq(facts->items.at[facts->at_stacks.at[0].item].kind, PROFILE_OFF);
	ck_assert_uint_eq(facts->items.at[facts->at_stacks.at[0].item].times.total, 151);
	ck_assert_uint_eq(facts->at_stacks.at[0].times.count, 2);
	ck_assert_uint_eq(facts->at_stacks.at[0].times.total, 150);
	ck_assert_uint_eq(t.profile->stacks.n, 1);
	ck_assert_uint_eq(t.profile->stacks.at[0].n, 2);
	ck_assert_uint_eq(t.profile->addresses.at[t.profile->stacks.at[0].first], B);
	ck_assert_uint_eq(t.profile->addresses.at[t.profile->stacks.at[0].first + 1], A);
	end(&t);
}
END_TEST

START_TEST(by_comm)
{
	struct profile_facts facts;
	struct test t;

	begin(&t, NULL);
	comms_learn(t.hand.trace->comms, 20, "worker", 6);
	comms_learn(t.hand.trace->comms, 21, "worker", 6);
	feed(&t, hand_exit(t.slot, 50, 0, 20, A, 0, 40));
	feed(&t, hand_exit(t.slot, 60, 1, 21, A, 0, 5));
	feed(&t, hand_exit(t.slot, 70, 1, 22, A, 0, 3)); /* nobody knows its name */
	feed(&t, hand_wakeup(t.slot, 80, 0, 6, ID_WAKEUP, 20));
	feed(&t, hand_wakeup(t.slot, 80, 0, 6, ID_WAKEUP, 21));
	feed(&t, hand_switch(t.slot, 90, 0, 6, "six", 20, "worker"));
	feed(&t, hand_switch(t.slot, 91, 1, 5, "five", 21, "worker"));
	ck_assert_int_eq(profile_by_comm(t.profile, &facts), 0);
	check(&t, &facts, "22 func ffff000000001000: 1, 3\nworker func ffff000000001000: 2, 45\nworker pair sched_switch 0: 2, 21\n");
	profile_facts_fini(&facts);
	/* What was of each task is still there. */
	check(&t, &t.profile->facts,
	      "20 func ffff000000001000: 1, 40\n20 pair sched_switch 14: 1, 10\n"
	      "21 func ffff000000001000: 1, 5\n21 pair sched_switch 15: 1, 11\n22 func ffff000000001000: 1, 3\n");
	end(&t);
}
END_TEST

/* Pairs of -H: on CPU 0 7 wakes 8 at 10 and 20, and 9 at 30; 6 wakes 8 up at 50 on CPU 1, and 9 at 60 on CPU 0. */
START_TEST(hooks)
{
	static const struct {
		const char *hook, *want;
	} rows[] = {
		/* In one task: 7 begins, and 6 ends nothing. */
		{ "sched_waking,pid/sched_wakeup,pid", "" },
		{ "sched_waking,pid/sched_wakeup,pid,s", "" },
		/* Of the task that a field names; of several starts the last. */
		{ "sched_waking,pid,pid/sched_wakeup,pid", "8 pair sched_wakeup 8: 1, 30\n9 pair sched_wakeup 9: 1, 30\n" },
		{ "sched:sched_waking,pid,pid/sched:sched_wakeup,pid", "8 pair sched_wakeup 8: 1, 30\n9 pair sched_wakeup 9: 1, 30\n" },
		{ "sched_waking,pid,common_pid/sched_wakeup,pid", "7 pair sched_wakeup 8: 1, 30\n7 pair sched_wakeup 9: 1, 30\n" },
		/* On one CPU, of the task that runs at its start. */
		{ "sched_waking,pid/sched_wakeup,pid,p", "7 pair sched_wakeup 9: 1, 30\n" },
		/* Of the CPU. */
		{ "sched_waking,pid/sched_wakeup,pid,g", "cpu0 pair sched_wakeup 8: 1, 30\ncpu0 pair sched_wakeup 9: 1, 30\n" },
		{ "sched_waking,pid/sched_wakeup,pid,pg", "cpu0 pair sched_wakeup 9: 1, 30\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct test t;

		begin(&t, rows[i].hook);
		feed(&t, hand_wakeup(t.slot, 10, 0, 7, ID_WAKING, 8));
		feed(&t, hand_wakeup(t.slot, 20, 0, 7, ID_WAKING, 8));
		feed(&t, hand_wakeup(t.slot, 30, 0, 7, ID_WAKING, 9));
		feed(&t, hand_wakeup(t.slot, 50, 1, 6, ID_WAKEUP, 8));
		feed(&t, hand_wakeup(t.slot, 60, 0, 6, ID_WAKEUP, 9));
		check(&t, &t.profile->facts, rows[i].want);
		end(&t);
	}
}
END_TEST

START_TEST(bad_hooks)
{
	/* clang-format off */
	static const char *const bad[] = {
		"", "/", "sched_waking", "sched_waking,pid", "sched_waking/sched_wakeup", "sched_waking,pid/", "sched_waking,pid/sched_wakeup",
		",pid/sched_wakeup,pid", "sched_waking,/sched_wakeup,pid", ":sched_waking,pid/sched_wakeup,pid",
		"sched:,pid/sched_wakeup,pid", "sched_waking,pid,pid,pid/sched_wakeup,pid", "sched_waking,pid/sched_wakeup,pid,x",
		"sched_waking,pid/sched_wakeup,pid,p,p", "sched_waking,pid,pid/sched_wakeup,pid,g",
		/* What the file does not have. */
		"nonsuch,pid/sched_wakeup,pid", "sched_waking,pid/nonsuch,pid", "irq:sched_waking,pid/sched_wakeup,pid",
		"sched_waking,nonsuch/sched_wakeup,pid", "sched_waking,pid/sched_wakeup,nonsuch", "sched_waking,pid,nonsuch/sched_wakeup,pid",
	};
	/* clang-format on */
	struct hand_trace hand;

	hand_trace_open(&hand);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct profile_options opt = { 0 };
		struct profile *profile;
		char *said;

		ck_assert_int_eq(strv_add(&opt.hooks, bad[i]), 0);
		messages_begin();
		ck_assert_msg(profile_new(&profile, &hand.inputs, &opt) == -EINVAL, "-H %s", bad[i]);
		said = messages_end();
		ck_assert_msg(strstr(said, "-H") != NULL, "-H %s: %s", bad[i], said);
		ck_assert_msg(strchr(said, '\n') == said + strlen(said) - 1, "-H %s: %s", bad[i], said);
		free(said);
		strv_fini(&opt.hooks);
	}
	hand_trace_close(&hand);
}
END_TEST

Suite *profile_suite(void)
{
	Suite *suite = suite_create("profile");
	TCase *tc = tcase_create("profile");

	tcase_add_test(tc, on_and_off);
	tcase_add_test(tc, idle);
	tcase_add_test(tc, pairs);
	tcase_add_test(tc, woken);
	tcase_add_test(tc, woken_again);
	tcase_add_test(tc, woken_preempted);
	tcase_add_test(tc, losses);
	tcase_add_test(tc, functions_and_others);
	tcase_add_test(tc, stacks);
	tcase_add_test(tc, by_comm);
	tcase_add_test(tc, hooks);
	tcase_add_test(tc, bad_hooks);
	suite_add_tcase(suite, tc);
	return suite;
}
