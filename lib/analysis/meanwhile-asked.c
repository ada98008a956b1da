/* SPDX-License-Identifier: GPL-2.0 */
/* Answers questions about the past that meanwhile.c has kept. */
#include "lib/analysis/meanwhile-inside.h"

const struct episode *meanwhile_last(const struct meanwhile *m, uint32_t person)
{
	const struct history *history = person < m->histories.n ? &m->histories.at[person] : NULL;

	return history && history->n ? &history->ring[(history->n - 1) % history->cap] : NULL;
}

uint64_t meanwhile_runs(struct meanwhile *m, uint8_t file, uint16_t at, uint64_t from, uint64_t to,
			int (*each)(void *ctx, uint32_t person, int prio, uint64_t ns), void *ctx)
{
	const struct cpu_runs *cpu = meanwhile_cpu(m, file, at);
	const size_t n = cpu ? MIN(cpu->n, (size_t)RUNS) : 0;
	uint64_t left = to - from, ns;

	if (!cpu)
		return left;
	for (size_t i = cpu->n; i-- > cpu->n - n;) {
		const struct run *run = &cpu->ring[i % RUNS];

		if (run->to <= from)
			break;
		ns = meanwhile_overlap(from, to, run->from, run->to);
		left -= ns;
		if (ns && each(ctx, run->person, run->prio, ns))
			return left;
	}
	ns = cpu->known ? meanwhile_overlap(from, to, cpu->now.from, to) : 0;
	left -= ns;
	if (ns)
		each(ctx, cpu->now.person, cpu->now.prio, ns);
	return left;
}

/*
 * Returns the time since which the history tells what its task did. After a loss, this is the beginning of the first episode that is kept, or the first time at
 * which something is known again, whichever is earlier. If nothing is known, returns UINT64_MAX.
 */
static uint64_t known_since(const struct history *history)
{
	const uint64_t known = history->is_known ? history->known : UINT64_MAX;

	if (history->past.n)
		return MIN(known, history->past.at[0].since);
	if (history->n)
		return MIN(known, history->ring[history->n > history->cap ? history->n % history->cap : 0].since);
	return history->now.off ? MIN(known, history->now.since) : known;
}

/* Fills in what the task of the link did. Returns true if it slept. Then *@why is the longest sleep. */
static bool what_it_did(const struct meanwhile *m, struct chain_link *link, struct episode *why)
{
	const struct history *history = &m->histories.at[link->person];
	const size_t n = MIN(history->n, history->cap);
	struct off_sums sums = { 0 };
	uint64_t sum;

	for (size_t i = history->n; i-- > history->n - n;) {
		const struct episode *episode = &history->ring[i % history->cap];

		if (episode->back <= link->from)
			break;
		past_add_episode(&sums, episode, link->from, link->to);
	}
	/* A task of which only a wakeup is known may have been on a CPU at that time. */
	if (history->now.off && !history->now.fresh)
		past_add_episode(&sums, &history->now, link->from, link->to);
	if (history->past.n)
		past_add(&history->past, history->ring[history->n % history->cap].since, link->from, link->to, &sums);
	link->blocked = sums.blocked;
	link->queued = sums.queued;
	link->preempted = sums.preempted;
	link->merged = sums.merged;
	link->unknown = sums.unknown + meanwhile_overlap(link->from, link->to, 0, known_since(history));
	sum = link->blocked + link->queued + link->preempted + link->merged + link->unknown;
	link->ran = link->to - link->from > sum ? link->to - link->from - sum : 0;
	*why = sums.why;
	return sums.longest;
}

unsigned int meanwhile_chain(const struct meanwhile *m, uint32_t person, uint64_t from, uint64_t to, struct chain_link chain[CHAIN_MOST])
{
	unsigned int n = 0;

	while (n < CHAIN_MOST && person < m->histories.n && to > from) {
		struct chain_link *link = &chain[n++];
		struct episode why;

		*link = (struct chain_link){ .person = person, .from = from, .to = to, .waker.person = MEANWHILE_NOBODY };
		if (!what_it_did(m, link, &why))
			break;
		link->where = why.where;
		link->waker = why.waker;
		if (!why.woken || why.lost || why.waker.person == MEANWHILE_NOBODY || link->blocked < MAX(link->ran, link->queued))
			break;
		person = why.waker.person;
		from = MAX(from, why.since);
		to = MIN(to, why.woken);
	}
	return n;
}

int meanwhile_keep_long(struct meanwhile *m, uint32_t person)
{
	struct history *history = meanwhile_history(m, person);

	if (!history)
		return -ENOMEM;
	/* A ring that has been filled once cannot grow, so it begins anew. */
	if (history->n > history->cap) {
		history->known = history->ring[(history->n - 1) % history->cap].back;
		history->n = history->past.n = 0;
	}
	history->longer = true;
	return 0;
}

int meanwhile_offs(const struct meanwhile *m, uint32_t person, uint64_t from, uint64_t to,
		   int (*each)(void *ctx, const struct episode *episode, uint64_t from, uint64_t to), void *ctx)
{
	const struct history *history = person < m->histories.n ? &m->histories.at[person] : NULL;
	const size_t n = history ? MIN(history->n, history->cap) : 0;
	int err = 0;

	for (size_t i = history ? history->n : 0; !err && i-- > history->n - n;) {
		const struct episode *episode = &history->ring[i % history->cap];

		if (episode->back <= from)
			break;
		if (meanwhile_overlap(from, to, episode->since, episode->back))
			err = each(ctx, episode, MAX(from, episode->since), MIN(to, episode->back));
	}
	if (!err && history && history->now.off && meanwhile_overlap(from, to, history->now.since, to))
		err = each(ctx, &history->now, MAX(from, history->now.since), to);
	return err;
}

bool meanwhile_since(struct meanwhile *m, uint8_t file, uint16_t at, uint32_t person, uint64_t *since)
{
	const struct cpu_runs *cpu = meanwhile_cpu(m, file, at);

	*since = cpu && cpu->known ? cpu->now.from : 0;
	return !cpu || !cpu->known || cpu->now.person == person;
}
