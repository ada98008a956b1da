/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the rows of a comparison from the recordings of its two sides, old and new. */
#include "lib/analysis/diff-judge.h"
#include "lib/base/map.h"

#include <math.h>

/* A share of the calls that is larger than one in this many is more than a few. */
enum { FEW = 20 };

const char *diff_verdict_name(enum diff_verdict verdict)
{
	static const char *const names[] = { [DIFF_SAME] = "same",	 [DIFF_SLOWER] = "slower", [DIFF_FASTER] = "faster", [DIFF_MORE] = "more often",
					     [DIFF_LESS] = "less often", [DIFF_NEW] = "new",	   [DIFF_GONE] = "gone",     [DIFF_UNKNOWN] = "unknown" };

	return names[verdict];
}

/* --- rows ------------------------------------------------------------------------------------------------------------------- */

/* This map has 1 + the index of the row for each key. */
typedef MAP(struct text, uint32_t) row_map_t;

static int add_run(struct diff *diff, row_map_t *map, const struct diff_run *run, size_t number)
{
	const size_t all = diff_runs(diff, OLD) + diff_runs(diff, NEW);

	vec_each (&run->items, item) {
		map_entry(map) entry = map_add_text(map, item->key, strlen(item->key));
		struct diff_row *row;

		if (!entry)
			return -ENOMEM;
		if (!entry->value) {
			struct diff_row fresh = { .key = item->key, .items = calloc(all, sizeof(struct diff_item *)), .time_p = 1, .calls_p = 1 };

			if (!fresh.items || vec_push(&diff->rows, fresh))
				return free(fresh.items), -ENOMEM;
			entry->value = (uint32_t)diff->rows.n;
		}
		row = &diff->rows.at[entry->value - 1];
		row->items[number] = item;
		row->sources |= item->sources;
		row->level = MAX(row->level, item->level);
		row->anytime |= item->anytime;
		row->by_time |= item->by_time * FEW > item->calls.n;
	}
	return 0;
}

double diff_log_median(const struct diff_item *item)
{
	uint64_t median = item ? quantiles_at(&item->calls, 500) : QUANTILE_UNKNOWN;

	return median == QUANTILE_UNKNOWN ? NAN : log((double)MAX(median, (uint64_t)1));
}

/* This is the range of several numbers. A number that is not known (NAN) is ignored. */
struct range {
	double low, high;
};
static void range_add(struct range *range, double x)
{
	range->low = fmin(range->low, x);
	range->high = fmax(range->high, x);
}

static double range_of(const struct range *range)
{
	return range->high > range->low ? range->high - range->low : 0;
}

/* Fills in a side of a row from the @n recordings of this side. An element of @items is NULL if the recording has no such function. Returns 0 or -ENOMEM. */
static int fill_side(struct diff_side *side, const struct diff_item *const *items, size_t n)
{
	struct range calls = { INFINITY, -INFINITY }, medians = { INFINITY, -INFINITY };
	double effect = 0, judged = 0;
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		const struct diff_item *item = items[i];
		struct design design;

		range_add(&calls, item ? (double)item->calls.n : 0);
		if (!item)
			continue;
		range_add(&medians, diff_log_median(item));
		design = batches_design(&item->batches);
		side->calls += (double)item->calls.n / (double)n;
		side->total += (double)item->total / (double)n;
		side->self += (double)item->self / (double)n;
		side->off += (double)item->off / (double)n;
		side->irq += (double)item->irq / (double)n;
		side->unplaced |= item->unplaced > 0;
		side->variance += item->spread / (double)(n * n);
		side->calm += item->calm / (double)n;
		side->calm_variance += item->calm_spread / (double)(n * n);
		/* If a recording has too few calls of the function, it does not tell how they depend on each other. */
		if (design.freedom > 0) {
			effect += design.effect * (double)item->calls.n;
			judged += (double)item->calls.n;
			side->design.freedom += design.freedom;
		}
		err = quantiles_merge(&side->all, &item->calls);
	}
	side->design.effect = judged > 0 ? effect / judged : 1;
	side->calls_range = range_of(&calls);
	side->median_range = range_of(&medians);
	return err;
}

/* Returns the mean of what the recordings of a side have counted in this way. The result is NAN if one of them has not. */
static double mean_of(const diff_runs_t *runs, enum diff_way way, bool of_waits)
{
	double sum = 0;

	vec_each (runs, run)
		sum += (of_waits ? run->waits : run->interrupts)[way];
	return sum / (double)runs->n;
}

static void count(const struct diff *diff, bool of_waits, double counts[2])
{
	for (unsigned int way = 0; way < DIFF_WAYS; way++) {
		for (unsigned int side = OLD; side <= NEW; side++)
			counts[side] = mean_of(diff->runs[side], way, of_waits);
		if (!isnan(counts[OLD]) && !isnan(counts[NEW]))
			return;
	}
	counts[OLD] = counts[NEW] = NAN;
}

/* Finds the sides whose figures of the row are not known. Then there is no verdict. */
static void find_unrecorded(const struct diff *diff, struct diff_row *row)
{
	for (unsigned int side = OLD; side <= NEW; side++)
		vec_each (diff->runs[side], run)
			for (unsigned int level = 0; level < row->level; level++)
				row->sources |= run->outer[level];
	for (unsigned int side = OLD; side <= NEW; side++)
		vec_each (diff->runs[side], run)
			row->sides[side].unrecorded |= (row->sources & ~run->sources) != 0;
	if (row->sides[OLD].unrecorded || row->sides[NEW].unrecorded)
		row->verdict = DIFF_UNKNOWN;
}

static int fill(struct diff *diff)
{
	int err = 0;

	vec_each (&diff->rows, row) {
		err = err ? err : fill_side(&row->sides[OLD], row->items, diff_runs(diff, OLD));
		err = err ? err : fill_side(&row->sides[NEW], row->items + diff_runs(diff, OLD), diff_runs(diff, NEW));
		find_unrecorded(diff, row);
		diff->incomparable |= row->verdict == DIFF_UNKNOWN;
		row->change = row->sides[NEW].self + row->sides[NEW].off - row->sides[OLD].self - row->sides[OLD].off;
	}
	for (unsigned int side = OLD; side <= NEW; side++) {
		vec_each (diff->runs[side], run) {
			diff->roots[side] += (double)run->roots / (double)diff_runs(diff, side);
			diff->span[side] += (double)run->span / (double)diff_runs(diff, side);
		}
	}
	count(diff, true, diff->waits);
	count(diff, false, diff->interrupts);
	return err;
}

/* --- the whole -------------------------------------------------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;
	int order = ORDER(fabs(y->change), fabs(x->change));

	return order ? order : strcmp(x->key, y->key);
}

static void share(struct diff *diff)
{
	const double change = diff->roots[NEW] - diff->roots[OLD];

	vec_each (&diff->rows, row)
		row->share = change != 0 && !diff->incomparable ? row->change / change * 100 : NAN;
	if (diff->rows.n)
		qsort(diff->rows.at, diff->rows.n, sizeof(*diff->rows.at), compare_rows);
}

int diff_new(struct diff **out, diff_runs_t *old, diff_runs_t *new)
{
	struct diff *diff = calloc(1, sizeof(*diff));
	row_map_t map = { 0 };
	size_t number = 0;
	int err = diff ? 0 : -ENOMEM;

	if (err)
		return err;
	diff->runs[OLD] = old;
	diff->runs[NEW] = new;
	for (unsigned int side = OLD; side <= NEW; side++)
		vec_each (diff->runs[side], run)
			err = err ? err : add_run(diff, &map, run, number++);
	map_fini(&map);
	err = err ? err : fill(diff);
	err = err ? err : diff_judge(diff);
	if (!err)
		share(diff);
	if (err)
		diff_free(diff);
	else
		*out = diff;
	return err;
}

void diff_free(struct diff *diff)
{
	if (!diff)
		return;
	vec_each (&diff->rows, row) {
		quantiles_fini(&row->sides[OLD].all);
		quantiles_fini(&row->sides[NEW].all);
		free(row->items);
	}
	vec_fini(&diff->rows);
	free(diff);
}
