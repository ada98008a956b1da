/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/cause-held.h"
#include "lib/analysis/cause-facts.h"
#include "lib/analysis/vcpus.h"

struct held {
	struct causes *causes;
	struct cause_call *call;
	const struct vcpu *vcpu;
	struct cause_fact fact; /* complete except for who ran */
	bool ran;		/* the guest believed that its task was running */
	int err;
};

static int add(struct held *held, uint64_t ns)
{
	held->fact.ns = held->fact.longest = ns;
	held->fact.times = 1;
	held->err = cause_fact_add(held->call, &held->fact);
	return held->err;
}

static int add_run(void *ctx, uint32_t person, int prio, uint64_t ns)
{
	struct held *held = ctx;

	held->fact.who_is = WHO_TASK;
	held->fact.who = person;
	held->fact.prio = prio;
	return add(held, ns);
}

/*
 * The virtual CPU waited for a CPU of its host from @from to @to. @cpu is the host's CPU on which it could have run. This adds facts about who ran there.
 * Returns 0 or -errno.
 */
static int waited(struct held *held, uint16_t cpu, uint64_t from, uint64_t to)
{
	uint64_t left;

	if (from >= to)
		return 0;
	held->fact = (struct cause_fact){ .kind = held->ran ? FACT_HELD : FACT_HELD_WAIT, .cpu = cpu, .prio = -1, .own_prio = -1 };
	left = meanwhile_runs(held->causes->meanwhile, held->vcpu->host, cpu, from, to, add_run, held);
	held->fact.who_is = WHO_UNKNOWN;
	held->fact.who = 0;
	held->fact.prio = -1;
	return held->err || !left ? held->err : add(held, left);
}

/*
 * The thread that is the virtual CPU slept on its host from @from to @to. A virtual CPU without work sleeps, too. So this adds a fact only if the guest had
 * a task running. Returns 0 or -errno.
 */
static int slept(struct held *held, uint64_t from, uint64_t to)
{
	if (from >= to || !held->ran)
		return 0;
	held->fact = (struct cause_fact){ .kind = FACT_HALTED, .who_is = WHO_TASK, .who = held->vcpu->person, .prio = -1, .own_prio = -1 };
	return add(held, to - from);
}

static int add_episode(void *ctx, const struct episode *episode, uint64_t from, uint64_t to)
{
	struct held *held = ctx;
	int err;

	if (episode->off == SCHED_RUNNABLE)
		return waited(held, episode->cpu, from, to);
	err = slept(held, from, episode->woken ? MIN(to, episode->woken) : to);
	return err || !episode->woken ? err : waited(held, episode->waited, MAX(from, episode->woken), to);
}

static int between(struct causes *causes, struct cause_call *call, uint16_t cpu, uint64_t from, uint64_t to, bool ran)
{
	struct held held = { .causes = causes, .call = call, .vcpu = vcpus_find(causes->vcpus, call->file, cpu), .ran = ran };

	if (!held.vcpu || from >= to)
		return 0;
	return meanwhile_offs(causes->meanwhile, held.vcpu->person, from, to, add_episode, &held);
}

int cause_held_running(struct causes *causes, struct cause_call *call, uint16_t cpu, uint64_t now)
{
	uint64_t since;

	if (!vcpus_find(causes->vcpus, call->file, cpu) || !meanwhile_since(causes->meanwhile, call->file, cpu, call->person, &since))
		return 0;
	/* If the guest has no sched_switch, the task is taken to be on the CPU where its call began. */
	if (!since && cpu != call->cpu)
		return 0;
	return between(causes, call, cpu, MAX(since, call->ns), now, true);
}

int cause_held_waiting(struct causes *causes, struct cause_call *call, uint16_t cpu, uint64_t from, uint64_t to)
{
	return between(causes, call, cpu, MAX(from, call->ns), to, false);
}
