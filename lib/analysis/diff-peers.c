/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the change that is shared by functions which are called at the same time. Such a change comes from the machine, and not from the functions. */
#include "lib/analysis/diff-judge.h"
#include "lib/analysis/diff-peers.h"

#include <math.h>

/*
 * - JUDGES: this many rows that have peers are enough to find the change that most functions share.
 * - LEAST: fewer peers than this tell nothing.
 * - MOST: more peers than this would tell no more.
 */
enum { JUDGES = 3, LEAST = 2, MOST = 128 };

/*
 * - OWN: a function can be a peer if its own time is at least this part of its time.
 * - EXACT: no change is known better than this, because two recordings are never quite alike.
 */
#define OWN 0.8
#define EXACT 0.02
/* Sums of weights that differ by no more than this part are the same sum. */
#define ROUNDING 1e-9
/* With fewer peers than this, the median of their distances tells hardly anything about how far apart they are. */
#define FEW 2.5
/* A row counts as a peer only if at least this part of its calls comes at the same time as the other row's calls. */
#define BESIDE 0.25

/* This is a number, the variance of its error, and its weight. */
struct weighted {
	double value, variance, weight;
};
typedef VEC(struct weighted) weighted_t;

static int compare_values(const void *a, const void *b)
{
	const struct weighted *x = a, *y = b;

	return ORDER(x->value, y->value);
}

/*
 * Sorts the numbers and returns a quantile: the smallest number for which the numbers up to it have more than @part of all weights. If the numbers below it
 * have exactly @part, the result is in the middle between it and the largest of them. So numbers with the other sign have the same median with the other
 * sign, and the order of the sides of a comparison does not matter.
 */
static double quantile_of(weighted_t *all, double part)
{
	double sum = 0, below = 0, lower;
	bool exact = false;

	qsort(all->at, all->n, sizeof(*all->at), compare_values);
	vec_each (all, one)
		sum += one->weight;
	lower = all->at[all->n - 1].value;
	vec_each (all, one) {
		if (exact)
			return (lower + one->value) / 2;
		below += one->weight;
		/* The weights are added up in another order when the signs change. */
		exact = fabs(below - part * sum) <= ROUNDING * sum;
		if (exact)
			lower = one->value;
		else if (below > part * sum)
			return one->value;
	}
	return lower;
}

/* Returns which part of the calls of two rows came at the same time in the recordings of a side, from 0 to 1. */
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

/* Returns the weight of a peer, which is larger the more of its calls come at the same time as the row's. It is 0 if they seldom do. */
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

/* Returns how many peers of equal weight would tell as much as these. */
static double effective(const weighted_t *peers)
{
	double sum = 0, squares = 0;

	vec_each (peers, peer) {
		sum += peer->weight;
		squares += peer->weight * peer->weight;
	}
	return squares > 0 ? sum * sum / squares : 0;
}

/*
 * Finds the shifts of a row's peers: the rows whose calls come at the same time. If these are too few, takes all rows. If those are too few, too, there are
 * no peers. Returns 0 or -ENOMEM.
 */
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
 * Returns the median of the peers' shifts. *@scatter becomes how far the peers are from it, as a standard deviation. It is computed from the middle half of
 * the peers, because the other half may have changed. Of a normal distribution, one half is within 0.6745 standard deviations. If there are few peers, it is
 * computed from the peer that is farthest from the median, because one of the few is the median itself.
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

/* Returns how far the peers are from each other apart from the errors of their shifts, as a standard deviation. @scatter has both. */
static double apart_of(const weighted_t *peers, double scatter)
{
	double weights = 0, errors = 0;

	vec_each (peers, peer) {
		weights += peer->weight;
		errors += peer->weight * (peer->variance - EXACT * EXACT);
	}
	return sqrt(fmax(scatter * scatter - errors / weights, 0));
}

/*
 * Finds the shift that the row shares with its peers. A peer whose shift is known more exactly has more weight. But if the peers' shifts are far from each
 * other, a few exact ones must not outvote all others. So the scatter of the shifts is added to their variances. Returns 0 or -ENOMEM.
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
	row->apart = apart_of(peers, row->scatter);
	return 0;
}

static int compare_errors(const void *a, const void *b)
{
	const struct diff_row *x = *(const struct diff_row *const *)a, *y = *(const struct diff_row *const *)b;

	int order = ORDER(x->error, y->error);

	return order ? order : strcmp(x->key, y->key);
}

/* Is most of the time of the calls their own time, on both sides? The time of interrupts on top of them is left out. */
static bool is_own(const struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];

	return o->self >= OWN * (o->total - o->irq) && n->self >= OWN * (n->total - n->irq);
}

/* Sets diff->dependence to the median of the design effects: how much the calls of most functions depend on the calls before them. Returns 0 or -ENOMEM. */
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
	/* The rows whose change is known most exactly come first. */
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
