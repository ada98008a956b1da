/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/cause-facts.h"
#include "lib/analysis/cause-held.h"

#include <stdio.h>

/* A call has at most this many different facts. All further facts of a kind are added to one fact of this kind, which has no culprit. */
enum { MOST_FACTS = 64 };

static bool same(const struct cause_fact *a, const struct cause_fact *b)
{
	return a->kind == b->kind && a->who_is == b->who_is && a->who == b->who && a->where == b->where && a->from == b->from && a->irq == b->irq;
}

int cause_fact_add(struct cause_call *call, const struct cause_fact *fact)
{
	const struct cause_fact rest = { .kind = fact->kind, .ns = fact->ns, .times = fact->times, .longest = fact->longest, .prio = -1, .own_prio = -1 };

	vec_each (&call->facts, at) {
		if (!same(at, fact))
			continue;
		at->ns += fact->ns;
		at->times += fact->times;
		at->longest = MAX(at->longest, fact->longest);
		at->cpu = fact->cpu;
		return 0;
	}
	if (call->facts.n < MOST_FACTS || same(fact, &rest))
		return vec_push(&call->facts, *fact);
	return cause_fact_add(call, &rest);
}

/* --- off the CPU ---------------------------------------------------------------------------------------------------------- */

struct waiting {
	struct cause_call *call;
	struct cause_fact fact; /* complete except for who ran */
	int err;
};

static int add_run(void *ctx, uint32_t person, int prio, uint64_t ns)
{
	struct waiting *waiting = ctx;
	struct cause_fact fact = waiting->fact;

	fact.who_is = WHO_TASK;
	fact.who = person;
	fact.prio = prio;
	fact.ns = fact.longest = ns;
	fact.times = 1;
	waiting->err = cause_fact_add(waiting->call, &fact);
	return waiting->err;
}

/* Adds facts about who ran on CPU @cpu from @from to @to, which is a part of the episode. Returns 0 or -errno. */
static int add_runs(struct causes *causes, struct cause_call *call, const struct episode *episode, enum cause_part kind, uint16_t cpu, uint64_t from,
		    uint64_t to)
{
	struct waiting waiting = {
		.call = call,
		.fact = { .kind = (uint8_t)kind, .cpu = cpu, .prio = -1, .own_prio = episode->prio, .where = kind == PART_PREEMPTED ? episode->where : 0 },
	};
	uint64_t left = meanwhile_runs(causes->meanwhile, call->file, cpu, from, to, add_run, &waiting);
	struct cause_fact rest = waiting.fact;

	waiting.err = waiting.err ? waiting.err : cause_held_waiting(causes, call, cpu, from, to);
	if (waiting.err || !left)
		return waiting.err;
	rest.ns = rest.longest = left;
	rest.times = 1;
	return cause_fact_add(call, &rest);
}

/* The task waited for a CPU from @from to the end of the episode, at first for @cpu. Adds facts about who ran on the CPUs. Returns 0 or -errno. */
static int add_wait(struct causes *causes, struct cause_call *call, const struct episode *episode, enum cause_part kind, uint16_t cpu, uint64_t from)
{
	int err = 0;

	if (episode->moved > from && episode->moved < episode->back) {
		err = add_runs(causes, call, episode, kind, episode->before, from, episode->moved);
		from = episode->moved;
	}
	return err ? err : add_runs(causes, call, episode, kind, episode->moved ? episode->waited : cpu, from, episode->back);
}

static int add_blocked(struct causes *causes, struct cause_call *call, const struct episode *episode)
{
	const struct waker *waker = &episode->waker;
	const uint64_t since = MAX(episode->since, call->ns), ns = episode->woken - MIN(since, episode->woken);
	struct cause_fact
		fact = { .kind = PART_BLOCKED, .where = episode->where, .cpu = episode->cpu, .prio = -1, .own_prio = -1, .ns = ns, .longest = ns, .times = 1 };

	if (waker->known && !episode->lost) {
		fact.irq = waker->irq;
		fact.from = waker->irq ? 0 : waker->from;
		fact.who_is = waker->irq ? WHO_IRQ : WHO_TASK;
		fact.who = waker->irq ? waker->from : waker->person;
	}
	if (ns > call->chain_ns) {
		call->chain_ns = ns;
		call->nchain = fact.who_is != WHO_TASK ? 0 : meanwhile_chain(causes->meanwhile, waker->person, since, episode->woken, call->chain);
	}
	/* The waker's CPU may be a virtual CPU that its host held up meanwhile. */
	if (waker->known && !episode->lost && cause_held_waiting(causes, call, waker->cpu, since, episode->woken))
		return -ENOMEM;
	return ns || !call->placed ? cause_fact_add(call, &fact) : 0;
}

int cause_fact_off(struct causes *causes, struct cause_call *call, const struct episode *episode)
{
	/* If another task began the call, the call may begin while its own task is off the CPU. */
	const uint64_t since = MAX(episode->since, call->ns);
	struct cause_fact unknown = { .kind = PART_OFF,
				      .where = episode->where,
				      .cpu = episode->cpu,
				      .prio = -1,
				      .own_prio = -1,
				      .ns = episode->back - since,
				      .longest = episode->back - since,
				      .times = 1 };
	int err;

	if (episode->off == SCHED_RUNNABLE)
		return add_wait(causes, call, episode, PART_PREEMPTED, episode->cpu, since);
	if (!episode->woken)
		return cause_fact_add(call, &unknown);
	err = add_blocked(causes, call, episode);
	return err || episode->back == episode->woken ? err : add_wait(causes, call, episode, PART_QUEUED, episode->waited, MAX(episode->woken, since));
}

/* --- others --------------------------------------------------------------------------------------------------------------- */

int cause_fact_still(struct cause_call *call, uint16_t cpu, uint64_t ns)
{
	return cause_fact_add(call, &(struct cause_fact){ .kind = FACT_STILL,
							  .who_is = WHO_TASK,
							  .who = call->person,
							  .cpu = cpu,
							  .ns = ns,
							  .longest = ns,
							  .times = 1,
							  .prio = -1,
							  .own_prio = -1 });
}

int cause_fact_irq(struct causes *causes, struct cause_call *call, const char *name, uint64_t ns)
{
	int64_t text = meanwhile_text_id(causes->meanwhile, name);

	if (text < 0)
		return (int)text;
	return cause_fact_add(call, &(struct cause_fact){ .kind = PART_IRQ,
							  .who_is = WHO_IRQ,
							  .who = (uint32_t)text,
							  .ns = ns,
							  .longest = ns,
							  .times = 1,
							  .prio = -1,
							  .own_prio = -1 });
}

int cause_fact_fault(struct causes *causes, struct cause_call *call, bool user)
{
	int64_t text = meanwhile_text_id(causes->meanwhile, user ? "of the program" : "of the kernel");

	if (text < 0)
		return (int)text;
	return cause_fact_add(call,
			      &(struct cause_fact){ .kind = FACT_FAULT, .who_is = WHO_TEXT, .who = (uint32_t)text, .times = 1, .prio = -1, .own_prio = -1 });
}

int cause_fact_lock(struct cause_call *call, uint32_t lock, uint64_t ns)
{
	return cause_fact_add(
		call,
		&(struct cause_fact){ .kind = FACT_LOCK, .who_is = WHO_TEXT, .who = lock, .ns = ns, .longest = ns, .times = 1, .prio = -1, .own_prio = -1 });
}

int cause_fact_device(struct causes *causes, struct cause_call *call, const struct record *rec, uint64_t ns)
{
	enum { MINOR_BITS = 20 }; /* the minor part of a device's number in the kernel has this many bits */
	const struct device_use *use = &call->device;
	char text[64];
	uint64_t served;
	int64_t id;

	if (!devices_completed(causes->devices, use, rec, &served))
		return 0;
	snprintf(text, sizeof(text), "device %u,%u", use->dev >> MINOR_BITS, use->dev & ((1U << MINOR_BITS) - 1));
	id = meanwhile_text_id(causes->meanwhile, text);
	if (id < 0)
		return (int)id;
	return cause_fact_add(call, &(struct cause_fact){ .kind = FACT_DEVICE,
							  .who_is = WHO_TEXT,
							  .who = (uint32_t)id,
							  .ns = ns,
							  .longest = ns,
							  .times = use->others,
							  .before = use->before,
							  .served = served,
							  .prio = -1,
							  .own_prio = -1 });
}

void cause_facts_fit(struct cause_call *call)
{
	for (unsigned int part = PART_IRQ; part < PARTS; part++) {
		uint64_t sum = 0;

		vec_each (&call->facts, fact)
			sum += fact->kind == part ? fact->ns : 0;
		while (sum > call->parts[part]) {
			struct cause_fact *most = NULL;
			uint64_t less;

			vec_each (&call->facts, fact)
				if (fact->kind == part && (!most || fact->ns > most->ns))
					most = fact;
			less = MIN(most->ns, sum - call->parts[part]);
			most->ns -= less;
			most->longest = MIN(most->longest, most->ns);
			sum -= less;
		}
	}
	/* Interrupts that came in this time have facts of their own, so this is not longer than the time in which the task itself computed. */
	vec_each (&call->facts, fact)
		if (fact->kind == FACT_STILL)
			fact->ns = fact->longest = MIN(fact->ns, call->parts[PART_SELF]);
}

int64_t cause_lock_text(struct causes *causes, uint64_t addr, uint64_t flags)
{
	/* These are the kernel's flags LCB_F_SPIN, LCB_F_READ, LCB_F_WRITE, LCB_F_RT, LCB_F_PERCPU and LCB_F_MUTEX (include/trace/events/lock.h). */
	enum { SPIN = 1, READER = 2, WRITER = 4, RT = 8, PERCPU = 16, MUTEX = 32 };
	const char *kind = flags & MUTEX	       ? "mutex"
			   : flags & PERCPU	       ? "per-CPU rwsem"
			   : flags & RT		       ? "rt lock"
			   : flags & SPIN	       ? flags & (READER | WRITER) ? "rwlock" : "spinlock"
			   : flags & (READER | WRITER) ? "rwsem"
						       : "lock";
	char text[64];

	snprintf(text, sizeof(text), "%s at 0x%llx", kind, (unsigned long long)addr);
	return meanwhile_text_id(causes->meanwhile, text);
}
