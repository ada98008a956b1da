/* SPDX-License-Identifier: GPL-2.0 */
/* Adds up the episodes of tasks, and keeps sums of those that are no longer kept themselves. */
#include "lib/analysis/meanwhile-inside.h"

void past_add_episode(struct off_sums *sums, const struct episode *episode, uint64_t from, uint64_t to)
{
	uint64_t end = episode->back ? episode->back : to, ns;

	if (episode->unsure) {
		sums->unknown += meanwhile_overlap(from, to, episode->since, end);
		return;
	}
	if (episode->off == SCHED_RUNNABLE) {
		sums->preempted += meanwhile_overlap(from, to, episode->since, end);
		return;
	}
	ns = meanwhile_overlap(from, to, episode->since, episode->woken ? episode->woken : end);
	sums->blocked += ns;
	if (episode->woken)
		sums->queued += meanwhile_overlap(from, to, episode->woken, end);
	if (ns > sums->longest) {
		sums->longest = ns;
		sums->why = *episode;
	}
}

/* Adds the sums @from to the sums @to. */
static void add_sums(struct off_sums *to, const struct off_sums *from)
{
	to->blocked += from->blocked;
	to->queued += from->queued;
	to->preempted += from->preempted;
	to->unknown += from->unknown;
	if (from->longest > to->longest) {
		to->longest = from->longest;
		to->why = from->why;
	}
}

int past_keep(past_t *past, const struct episode *episode)
{
	size_t at, first;

	if (vec_push(past, (struct past_block){ .since = episode->since, .episodes = 1 }))
		return -ENOMEM;
	past_add_episode(&past->at[past->n - 1].sums, episode, 0, UINT64_MAX);
	/* No block has fewer episodes than a later one. The blocks from @first to @at have the same number. */
	for (at = past->n - 1;; at = first) {
		for (first = at; first > 0 && past->at[first - 1].episodes == past->at[at].episodes; first--)
			;
		if (at - first < PAST_SAME)
			return 0;
		add_sums(&past->at[first].sums, &past->at[first + 1].sums);
		past->at[first].episodes *= 2;
		memmove(&past->at[first + 1], &past->at[first + 2], (past->n - first - 2) * sizeof(*past->at));
		past->n--;
	}
}

void past_add(const past_t *past, uint64_t end, uint64_t from, uint64_t to, struct off_sums *sums)
{
	for (size_t i = past->n; i-- > 0; end = past->at[i].since) {
		const struct past_block *block = &past->at[i];

		if (end <= from)
			break;
		if (block->since >= from && end <= to)
			add_sums(sums, &block->sums);
		else
			sums->merged += meanwhile_overlap(from, to, block->since, end);
	}
}
