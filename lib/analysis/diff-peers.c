/* SPDX-License-Identifier: GPL-2.0 */
/* What the functions of a comparison have in common that are called at the same time: it is the machine's doing, and not theirs. */
#include "lib/analysis/diff-judge.h"
#include "lib/analysis/diff-peers.h"

#include <math.h>

/*
 * JUDGES: so many rows that have peers tell what most functions have in common. LEAST: fewer peers than this say nothing. MOST: more of them would say no more.
 */
enum { JUDGES = 3, LEAST = 2, MOST = 128 };

/* OWN: of these most of the time is their own. EXACT: no shift is known better than this, because two recordings are never quite alike. */
#define OWN 0.8
#define EXACT 0.02
/* So few peers hardly tell how far they are from each other. */
#define FEW 2.5
/* At least such a part of the calls of a row and of its peer come at the same time. */
#define BESIDE 0.25

/* A number, the variance with which it is known, and how much it counts. */
struct weighted {
	double value, variance, weight;
};
typedef VEC(struct weighted) weighted_t;

static int compare_values(const void *a, const void *b)
{
	const struct weighted *x = a, *y = b;

	return ORDER(x->value, y->value);
}

/* Sorts the numbers, and returns the least of which so large a part of the weights is not above it. */
static double quantile_of(weighted_t *all, double part)
{
	double sum = 0, below = 0;

	qsort(all->at, all->n, sizeof(*all->at), compare_values);
	vec_each (all, one)
		sum += one->weight;
	vec_each (all, one) {
		below += one->weight;
		if (below >= part * sum)
			return one->value;
	}
	return all->at[all->n - 1].value;
}

/* Which part of the calls of two rows came at the same time in the recordings of a side? */
static double together(const struct diff *diff, unsigned int side, const struct diff_row *a, const struct diff_row *b)
{
	const size_t first = side == NEW ? diff_runs(diff, OLD) : 0;
	double sum = 0;

	for (size_t run = first; run < first + diff_runs(diff, side); run++) {
		const struct diff_item *x = a->items[run], *y = b->items[run];

		for (size_t i = 0; x && y && i < DIFF_SLICES; i++)
			sum += fmin(x->slices[i] / (double)x->calls.n, y->slices[i] / (double)y->calls.n);
	}
	return sum / (double)diff_runs(diff, side);
}

/* How much a peer counts because its calls come at the same time as the row's. One that is there only now and then does not count. */
static double beside(const struct diff *diff, const struct diff_row *row, const struct diff_row *peer)
{
	const double old = together(diff, OLD, row, peer), new = together(diff, NEW, row, peer);

	return fmin(old, new) >= BESIDE ? old * new : 0;
}

static double shift_of(const struct diff_row *row)
{
	return log(row->ratio);
}

typedef VEC(const struct diff_row *) judges_t;

/* How many peers of equal weight tell as much as these. */
static double effective(const weighted_t *peers)
{
	double sum = 0, squares = 0;

	vec_each (peers, peer) {
		sum += peer->weight;
		squares += peer->weight * peer->weight;
	}
	return squares > 0 ? sum * sum / squares : 0;
}

/* The shifts of a row's peers: those that came at the same time, and, when these are too few, all. */
static int find_shifts(const struct diff *diff, const judges_t *judges, struct diff_row *row, weighted_t *peers)
{
	for (int all = 0; all <= 1; all++) {
		int err = 0;

		peers->n = 0;
		vec_each (judges, judge) {
			const double variance = (*judge)->error * (*judge)->error + EXACT * EXACT, weight = all ? 1 : beside(diff, row, *judge);

			if (!err && *judge != row && weight > 0)
				err = vec_push(peers, (struct weighted){ shift_of(*judge), variance, weight });
		}
		row->alone = all;
		if (err || effective(peers) >= LEAST)
			return err;
	}
	peers->n = 0;
	return 0;
}

/*
 * The middle of the peers' shifts, and how far they are from it, as a standard deviation. Of the normal distribution one half is within 0.6745 standard
 * deviations. The other half of the functions may have changed. Of few peers the farthest tells, because one of them is the median itself.
 */
static double middle_of_peers(const weighted_t *peers, weighted_t *room, double *scatter)
{
	double middle;

	memcpy(room->at, peers->at, peers->n * sizeof(*peers->at));
	room->n = peers->n;
	middle = quantile_of(room, 0.5);
	vec_each (room, peer)
		peer->value = fabs(peer->value - middle);
	*scatter = quantile_of(room, effective(peers) < FEW ? 1 : 0.5) / 0.6745;
	return middle;
}

/*
 * What is known exactly counts more, but only as far as functions have the same shift at all: few that are known exactly are not to outvote all others where
 * these are far from each other.
 */
static int find_common(const struct diff *diff, const judges_t *judges, struct diff_row *row, weighted_t *peers, weighted_t *room)
{
	int err = find_shifts(diff, judges, row, peers);
	double scatter;

	err = err || !peers->n ? err : vec_reserve(room, peers->n);
	if (err || !peers->n)
		return err;
	middle_of_peers(peers, room, &scatter);
	vec_each (peers, peer)
		peer->weight /= peer->variance + scatter * scatter;
	if (effective(peers) < LEAST)
		return 0;
	row->peers = effective(peers);
	row->common = middle_of_peers(peers, room, &row->scatter);
	return 0;
}

static int compare_errors(const void *a, const void *b)
{
	const struct diff_row *x = *(const struct diff_row *const *)a, *y = *(const struct diff_row *const *)b;

	return ORDER(x->error, y->error);
}

/* Is most of the time of the calls their own, on both sides? Interrupts on top of them do not count. */
static bool is_own(const struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];

	return o->self >= OWN * (o->total - o->irq) && n->self >= OWN * (n->total - n->irq);
}

/* How much the calls of most functions depend on those before them: the median of the design effects. 0 or -ENOMEM. */
static int find_dependence(struct diff *diff, const judges_t *judges)
{
	weighted_t effects = { 0 };
	int err = 0;

	vec_each (judges, judge)
		for (unsigned int side = OLD; !err && side <= NEW; side++)
			err = vec_push(&effects, (struct weighted){ (*judge)->sides[side].design.effect, 0, 1 });
	diff->dependence = !err && effects.n ? quantile_of(&effects, 0.5) : 1;
	vec_fini(&effects);
	return err;
}

int diff_find_peers(struct diff *diff)
{
	judges_t judges = { 0 };
	weighted_t peers = { 0 }, room = { 0 }, commons = { 0 };
	int err = 0;

	vec_each (&diff->rows, row)
		if (!err && row->ratio > 0 && !row->by_time && is_own(row))
			err = vec_push(&judges, row);
	/* Those that are known best tell best. */
	if (judges.n)
		qsort(judges.at, judges.n, sizeof(*judges.at), compare_errors);
	judges.n = MIN(judges.n, (size_t)MOST);
	err = err ? err : find_dependence(diff, &judges);
	vec_each (&diff->rows, row) {
		if (err || !(row->ratio > 0))
			continue;
		err = find_common(diff, &judges, row, &peers, &room);
		if (!err && row->peers > 0 && !row->by_time)
			err = vec_push(&commons, (struct weighted){ row->common, 0, 1 });
	}
	if (!err && commons.n >= JUDGES) {
		diff->judged = commons.n;
		diff->common = quantile_of(&commons, 0.5);
	}
	vec_fini(&judges);
	vec_fini(&peers);
	vec_fini(&room);
	vec_fini(&commons);
	return err;
}
