/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "cmd/cost.h"
#include "lib/base/err.h"
#include "lib/base/now.h"
#include "lib/base/str.h"
#include "lib/bpf/laps.h"
#include "lib/bpf/tally.h"
#include "lib/tracefs/hist.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The best of so many rounds of so many calls: what else the machine does only adds to it. */
enum { ROUNDS = 20, CALLS = 100 };

static const char enter[] = "raw_syscalls:sys_enter", leave[] = "raw_syscalls:sys_exit";
static const char enter_dir[] = "events/raw_syscalls/sys_enter";

static double time_calls(void)
{
	uint64_t best = UINT64_MAX;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		const uint64_t begin = now_ns();

		for (unsigned int i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		best = MIN(best, now_ns() - begin);
	}
	return (double)best / CALLS;
}

/* --- the states that are timed -------------------------------------------------------------------------------- */

static int time_recorded(struct instance *inst, double *ns)
{
	strv_t events = { 0 };
	int err = strv_add(&events, enter) ? fail(ENOMEM, "out of memory") : 0;

	err = err ? err : session_setf(inst, "events/raw_syscalls/sys_enter/filter", "common_pid == %d", (int)gettid());
	err = err ? err : session_events(inst, &events, true);
	if (!err)
		*ns = time_calls();
	err = err ? err : session_events(inst, &events, false);
	strv_fini(&events);
	return err;
}

/* The instance is ours: its triggers need not be remembered. All system calls go slower while there is one, so it goes at once. */
static int remove_trigger(struct instance *inst, const char *event, const char *trigger)
{
	const char *colon = strchr(event, ':');
	__cleanup(free_ptr) char *file = str_printf("events/%.*s/%s/trigger", (int)(colon - event), event, colon + 1);
	__cleanup(free_ptr) char *text = str_printf("!%s", trigger);
	int err = file && text ? tracedir_write(&inst->dir, file, text, false) : -ENOMEM;

	return err ? fail(-err, "%s/%s: %s", inst->dir.path, file ? file : event, strerror(-err)) : 0;
}

static int time_counted(struct instance *inst, size_t nkeys, double *ns)
{
	static const char *const keys[HIST_MOST_KEYS] = { "common_pid", "common_pid,id", "common_pid,id,common_cpu" };
	__cleanup(free_ptr) char *trigger = str_printf("hist:keys=%s:size=256 if common_pid == %d", keys[MIN(MAX(nkeys, (size_t)1), ARRAY_LEN(keys)) - 1],
						       (int)gettid());
	int err = trigger ? session_trigger(inst, enter, trigger) : fail(ENOMEM, "out of memory");

	if (err)
		return err;
	*ns = time_calls();
	return remove_trigger(inst, enter, trigger);
}

/* Our own events are those of a task that is followed. */
static int time_tallied(const struct tracedir *top, double *ns)
{
	__cleanup(free_ptr) char *why_not = NULL;
	strv_t events = { 0 };
	const struct tally_options options = { &events, true };
	struct tally *tally = NULL;
	int err = strv_add(&events, enter);

	err = err ? err : tally_open(&tally, top, &options, &why_not);
	if (!err) {
		tally_follow(tally, (int)gettid());
		err = tally_run(tally, true);
	}
	if (!err)
		*ns = time_calls();
	tally_close(tally);
	strv_fini(&events);
	return err > 0 ? fail(EOPNOTSUPP, "--cost: %s", why_not) : err ? fail(-err, "--cost: %s", strerror(-err)) : 0;
}

/* Those of all processes are measured, as the condition costs little. */
static int time_lapped(const struct tracedir *top, double *ns)
{
	__cleanup(free_ptr) char *why_not = NULL;
	const struct laps_options options = { .from = { .event = enter, .keys = { "common_pid" } },
					      .to = { .event = leave, .keys = { "common_pid" } },
					      .nkeys = 1 };
	struct laps *laps = NULL;
	int err = laps_open(&laps, top, &options, &why_not);

	err = err ? err : laps_begin(laps);
	if (!err)
		*ns = time_calls();
	laps_close(laps);
	return err > 0 ? fail(EOPNOTSUPP, "--cost: %s", why_not) : err ? fail(-err, "--cost: %s", strerror(-err)) : 0;
}

struct step {
	const char *event;
	char *trigger;
};

/* Arms them in their order, and takes them away in the other. */
static int time_steps(struct instance *inst, const struct step *steps, size_t n, double *ns)
{
	size_t armed = 0;
	int err = 0;

	for (size_t i = 0; i < n && !err; i++) {
		err = steps[i].trigger ? session_trigger(inst, steps[i].event, steps[i].trigger) : fail(ENOMEM, "out of memory");
		armed += !err;
	}
	if (!err)
		*ns = time_calls();
	while (armed--) {
		int removed = remove_trigger(inst, steps[armed].event, steps[armed].trigger);

		err = err ? err : removed;
	}
	return err;
}

static int time_paired(struct instance *inst, double *ns)
{
	const int tid = (int)gettid();
	__cleanup(free_ptr) char *text = str_printf("s:ringside_cost_%d u64 lat", tid), *remove = str_printf("-:synthetic/ringside_cost_%d", tid);
	__cleanup(free_ptr) char *synthetic = str_printf("synthetic:ringside_cost_%d", tid), *what = NULL;
	struct step steps[] = {
		{ synthetic, str_printf("hist:keys=lat:size=2048") },
		{ enter, str_printf("hist:keys=common_pid:rs_ts=common_timestamp.usecs:size=256 if common_pid == %d", tid) },
		{ leave,
		  str_printf("hist:keys=common_pid:rs_lat=common_timestamp.usecs-$rs_ts:onmatch(raw_syscalls.sys_enter).ringside_cost_%d($rs_lat):size=256 "
			     "if common_pid == %d",
			     tid, tid) },
	};
	size_t at = 0;
	int err = text && remove && synthetic ? session_dynevent(inst->session, text, NULL, remove, &what, &at) : fail(ENOMEM, "out of memory");

	err = what ? fail(-err, "the kernel does not take the synthetic event: %s", what) : err;
	err = err ? err : time_steps(inst, steps, ARRAY_LEN(steps), ns);
	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		free(steps[i].trigger);
	return err;
}

/* --- what it costs ---------------------------------------------------------------------------------------------- */

/* The instance in which the kernel records or counts. */
static int make_instance(struct session *s, struct instance **inst)
{
	char name[40];
	int err;

	snprintf(name, sizeof(name), "ringside-cost-%d", (int)getpid());
	err = session_instance(s, name, false, inst);
	return err ? err : instance_on(*inst, true);
}

int cost_measure(struct cost *out, struct session *s, enum cost_of what, size_t nkeys)
{
	const bool by_bpf = what == COST_TALLIED || what == COST_LAPPED;
	const uint64_t begin = now_ns();
	double without, with = 0;
	struct instance *inst = NULL;
	int err;

	*out = (struct cost){ .calls = ROUNDS * CALLS };
	if (!tracedir_has(session_dir(s), enter_dir))
		return 0;
	err = by_bpf ? 0 : make_instance(s, &inst);
	if (err)
		return err;
	without = time_calls();
	if (what == COST_RECORDED)
		err = time_recorded(inst, &with);
	else if (what == COST_COUNTED)
		err = time_counted(inst, nkeys, &with);
	else if (what == COST_TALLIED)
		err = time_tallied(session_dir(s), &with);
	else if (what == COST_LAPPED)
		err = time_lapped(session_dir(s), &with);
	else
		err = time_paired(inst, &with);
	if (inst)
		err = instance_on(inst, false) ?: err;
	/* If other work slowed only the first calls down, the difference would be too small. So the calls are timed behind the events, too. */
	without = err ? without : MIN(without, time_calls());
	out->measured = !err;
	out->ns = with - without;
	out->took_ns = now_ns() - begin;
	return err;
}
