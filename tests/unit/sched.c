/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/sched and scheduling: what is known of tasks and CPUs, and what is not. */
#include "lib/analysis/sched.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

/*
 * A letter is a record, a microsecond after the one before it; the CPU is 0, or of a capital letter 1.
 *	s S	the idle task leaves, 8 comes		o O	8 leaves asleep, the idle task comes
 *	r R	8 leaves runnable (R+: 0x100)		x	8 leaves for good (a zombie)
 *	w	sched_waking of 8			k	sched_wakeup of 8
 *	l L	the next record of this CPU comes behind a loss
 *	.	nothing: time passes
 */
static const struct {
	const char *records, *want; /* run, queued, blocked, preempted, switches, moves, cut of task 8, in us */
} cases[] = {
	/* At the end the task is somewhere: that state is cut, and so is one that began before. */
	{ "s..o", "3 0 0 0 1 0 2" },
	{ "o", "0 0 0 0 0 0 2" },
	{ "o..w.s", "0 2 3 0 1 0 2" },
	{ "o..w.ks", "0 3 3 0 1 0 2" }, /* the first sign counts */
	{ "o..k.s", "0 2 3 0 1 0 2" },
	{ "o...s", "0 0 0 0 1 0 2" }, /* nobody saw it being woken: neither is known */
	{ "r..s.o", "2 0 0 3 1 0 2" },
	{ "rw.s.o", "2 0 0 3 1 0 2" },	  /* it was not asleep */
	{ "sx", "1 0 0 0 1 0 1" },	  /* it is nowhere at the end */
	{ "s.o.w.S.O", "4 2 2 0 2 1 2" }, /* on another CPU */
	{ "w.s.x", "2 2 0 0 1 0 1" },	  /* before it was woken nothing is known */
	{ "sw.o", "3 0 0 0 1 0 2" },	  /* woken while it ran: nothing comes of it */
	{ "s.wo.s", "3 2 0 0 2 0 2" },	  /* … but if it was about to sleep, it only waits then */
	{ "s.wo.ks", "3 3 0 0 2 0 2" },	  /* the rest of the same wakeup */
	{ "s.wko.s", "4 0 0 0 2 0 2" },	  /* that was all of it, so who ended the sleep is not seen */
	{ "s.wo.ws", "3 1 2 0 2 0 2" },	  /* another */
	{ "s.wr.s", "3 0 0 2 2 0 2" },	  /* it was not about to sleep */
	{ ".wo.s", "0 2 0 0 1 0 2" },	  /* the switch from it shows that it was on a CPU, although nothing was known of it before */
	{ ".w..o..ks", "0 4 0 0 1 0 2" }, /* the rest of the same wakeup */
	{ ".wko.s", "0 0 0 0 1 0 2" },	  /* that was all of it */
	{ ".wo.w.s", "0 2 2 0 1 0 2" },	  /* another wakeup */
	{ ".wr.s", "0 0 0 2 1 0 2" },	  /* it was not about to sleep */
	{ ".wwo.s", "0 2 0 0 1 0 2" },
	/* Switches that are not recorded. The kernel wakes only a task that sleeps, so a task that is woken twice has run in between. */
	{ "s.o.w..w.s", "2 2 0 0 2 0 3" },   /* cut before it came, and at the second wakeup, and at the end */
	{ "s.o.wk..wk.s", "2 3 0 0 2 0 3" }, /* two events of each wakeup */
	{ "s.o.k..k.s", "2 2 0 0 2 0 3" },
	{ "w..w.s", "0 2 0 0 1 0 2" }, /* before the last wakeup nothing is known */
	{ "wk.w.k..s", "0 5 0 0 1 0 2" },
	/* Losses. */
	{ "s.l.o", "0 0 0 0 1 0 3" },	 /* cut before it came, by the loss, and at the end */
	{ "s.L..S", "0 0 0 0 2 0 3" },	 /* both cannot be; a loss elsewhere does not end a run by itself … */
	{ "s.LW.o", "4 0 0 0 1 0 2" },	 /* … as here */
	{ "o.w.LWs", "0 0 0 0 1 0 3" },	 /* it may have been there while it was off */
	{ "o.LWw.s", "0 2 0 0 1 0 3" },	 /* woken after the loss: since then it is known */
	{ "s.wLWo.s", "4 0 0 0 2 0 2" }, /* what more told of its waking may be lost */
	{ ".wLWo.s", "0 0 0 0 1 0 2" },
	{ "s.lw.o.s", "0 2 0 0 2 0 3" }, /* woken after the loss: the switch from it shows that it was on its CPU */
	{ "s.wo.LWs", "3 0 0 0 2 0 3" },
};

static bool is_1(char letter)
{
	return letter >= 'A' && letter <= 'Z';
}

static struct record record_of(char letter, uint64_t ts)
{
	const uint16_t cpu = is_1(letter);

	switch (letter | 0x20) {
	case 's':
		return hand_sleep(0, ts, cpu, 0, 0, 8);
	case 'o':
		return hand_sleep(0, ts, cpu, 8, 1, 0);
	case 'r':
		return hand_sleep(0, ts, cpu, 8, 0x100, 0);
	case 'x':
		return hand_sleep(0, ts, cpu, 8, 0x20, 0);
	case 'k':
		return hand_wakeup(0, ts, cpu, 7, ID_WAKEUP, 8);
	default:
		return hand_wakeup(0, ts, cpu, 7, ID_WAKING, letter == 'W' ? 9 : 8);
	}
}

START_TEST(knows)
{
	const struct sched_options opt = { 0 };
	struct hand_trace hand;
	struct sched *sched;
	struct str got = { 0 };
	sched_open_t open = { 0 };
	bool lost[2] = { false, false };
	uint64_t ts = 0;

	hand_trace_open(&hand);
	ck_assert_int_eq(sched_new(&sched, &hand.inputs, &opt), 0);
	for (const char *at = cases[_i].records; *at; at++, ts += 1000) {
		struct record rec;
		struct batch batch = { .records = &rec, .n = 1 };

		if (*at == '.')
			continue;
		if ((*at | 0x20) == 'l') {
			lost[is_1(*at)] = true;
			ts -= 1000;
			continue;
		}
		rec = record_of(*at, ts + 1000);
		if (lost[rec.cpu]) {
			rec.flags |= RECORD_LOST;
			rec.lost = 1;
			lost[rec.cpu] = false;
		}
		ck_assert_int_eq(sched->handler.records(&sched->handler, &batch), 0);
	}
	ck_assert_int_eq(sched_open(sched, &open), 0);
	for (size_t i = 0; i < sched->parts.n; i++) {
		const struct sched_sums *sums = &sched->parts.at[i].sums;

		if (sched->tasks.at[sched->parts.at[i].task].pid == 8)
			str_addf(&got, "%d %d %d %d %d %d %d", (int)sums->run / 1000, (int)sums->delays.sum / 1000, (int)sums->blocked / 1000,
				 (int)sums->preempted / 1000, (int)sums->switches, (int)sums->moves, (int)(sums->cut + open.at[i].cut));
	}
	ck_assert_msg(strcmp(str_text(&got), cases[_i].want) == 0, "%s: %s, not %s", cases[_i].records, str_text(&got), cases[_i].want);
	str_fini(&got);
	vec_fini(&open);
	sched->handler.free(&sched->handler);
	hand_trace_close(&hand);
}
END_TEST

Suite *sched_suite(void)
{
	Suite *s = suite_create("sched");
	TCase *c = tcase_create("knows");

	tcase_add_loop_test(c, knows, 0, ARRAY_LEN(cases));
	suite_add_tcase(s, c);
	return s;
}
