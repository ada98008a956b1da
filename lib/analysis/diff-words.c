/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/diff-words.h"

#include <math.h>
#include <stdio.h>

struct diff_signs diff_signs(bool utf8)
{
	if (utf8)
		return (struct diff_signs){ "→", "×" };
	return (struct diff_signs){ "->", "x" };
}

/* This is a unit of time. Two durations that are compared have the same unit, which suits the larger one. */
struct unit {
	const char *name;
	double of;
};

static struct unit unit_for(double ns)
{
	static const struct unit units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	unsigned int i = 0;

	while (i + 1 < ARRAY_LEN(units) && ns >= units[i + 1].of * 1.5)
		i++;
	return units[i];
}

/* Adds a duration in @unit with three digits, because a quantile is no more exact. A larger number has all digits before the point. */
static void add_in(struct str *out, double ns, const struct unit *unit)
{
	double x = ns / unit->of;

	str_addf(out, "%.*f", unit->of <= 1 || x >= 100 || x == 0 ? 0 : x >= 10 ? 1 : 2, x);
}

static void add_count(struct str *out, double n)
{
	char digits[32];
	int len = snprintf(digits, sizeof(digits), "%.0f", n);

	for (int i = 0; i < len; i++)
		str_addf(out, "%s%c", i && (len - i) % 3 == 0 ? "," : "", digits[i]);
}

static void add_times(struct str *out, const struct diff_row *row, struct diff_signs sign)
{
	const uint64_t o = quantiles_at(&row->sides[OLD].all, 500), n = quantiles_at(&row->sides[NEW].all, 500);
	struct unit unit;

	if (o == QUANTILE_UNKNOWN && n == QUANTILE_UNKNOWN)
		return;
	str_add(out, out->len ? ", p50 " : "p50 ");
	if (o == QUANTILE_UNKNOWN || n == QUANTILE_UNKNOWN) {
		unit = unit_for((double)MIN(o, n));
		add_in(out, (double)MIN(o, n), &unit);
		str_addf(out, " %s", unit.name);
		return;
	}
	unit = unit_for((double)MAX(o, n));
	add_in(out, (double)o, &unit);
	str_addf(out, " %s ", sign.to);
	add_in(out, (double)n, &unit);
	str_addf(out, " %s", unit.name);
	if (row->ratio > 0)
		str_addf(out, " (%s%.2f, 95 %% %.2f to %.2f)", sign.times, row->ratio, row->low, row->high);
}

static void add_side(struct str *out, const struct diff_side *side)
{
	if (side->unrecorded)
		str_add(out, "unknown");
	else
		add_count(out, side->calls);
}

static void add_calls(struct str *out, const struct diff_row *row, struct diff_signs sign)
{
	const double o = row->sides[OLD].calls, n = row->sides[NEW].calls;

	str_add(out, out->len ? ", " : "");
	add_side(out, &row->sides[OLD]);
	if (row->calls_verdict == DIFF_SAME)
		str_add(out, " against ");
	else
		str_addf(out, " %s ", sign.to);
	add_side(out, &row->sides[NEW]);
	str_add(out, " calls");
	if ((row->calls_verdict == DIFF_MORE || row->calls_verdict == DIFF_LESS) && o > 0)
		str_addf(out, " (%s%.2f)", sign.times, n / o);
}

static void add_share(struct str *out, const struct diff *diff, const struct diff_row *row)
{
	/* The median can grow while the sum of all calls shrinks, because a few very long calls may be most of the sum. */
	if ((row->verdict == DIFF_SLOWER && row->change < 0) || (row->verdict == DIFF_FASTER && row->change > 0)) {
		str_addf(out, "; all its calls together took %s, though", row->change < 0 ? "less" : "more");
		return;
	}
	if (row->verdict == DIFF_UNKNOWN || !diff_explains(diff) || isnan(row->share) || fabs(row->share) < 0.5)
		return;
	str_addf(out, row->share > 0 ? "; explains %.0f %% of the change" : "; makes up for %.0f %% of the change", fabs(row->share));
}

/* Adds the reasons for the verdict, and why it is not another one. */
static void add_reasons(struct str *out, const struct diff *diff, const struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	const double shift = row->ratio > 0 ? fabs(log(row->ratio)) : 0;

	if (row->verdict == DIFF_UNKNOWN) {
		str_add(out, "; not compared, because not every recording has such calls");
		return;
	}
	if (row->by_time && diff->not_judged) {
		str_add(out, "; interrupts, idle tasks or the scheduler call it: one recording a side does not tell");
		return;
	}
	if (!(row->ratio > 0)) {
		str_add(out, "; too few calls to compare how long they took");
	} else if (row->brief) {
		str_add(out, "; its calls come in a short time, in which the machine may have been slower: one recording a side does not tell");
	} else {
		str_addf(out, "; times: Mann-Whitney z %.1f, p %.2g", row->test.z, row->time_p);
		if (o->design.effect > 1.05 || n->design.effect > 1.05)
			str_addf(out, ", as calls that follow each other are alike they tell as much as 1 in %.1f and 1 in %.1f of them would",
				 o->design.effect, n->design.effect);
		if (row->time_verdict == DIFF_SAME && shift > 0 && (shift <= o->median_range || shift <= n->median_range))
			str_add(out, ", no larger than between recordings of a side");
		else if (row->time_verdict == DIFF_SAME && row->time_p <= 0.05)
			str_add(out, ", less than 5 % or not in the median");
	}
	if (o->all.n != n->all.n) {
		str_addf(out, "; calls: p %.2g", row->calls_p);
		if (row->calls_verdict == DIFF_SAME && (fabs(n->calls - o->calls) <= o->calls_range || fabs(n->calls - o->calls) <= n->calls_range))
			str_add(out, ", no larger than between recordings of a side");
	}
	str_addf(out, "; adjusted for %zu row%s", diff->rows.n, diff->rows.n == 1 ? "" : "s");
}

void diff_evidence(const struct diff *diff, const struct diff_row *row, struct diff_signs sign, bool explain, struct str *out)
{
	if (row->verdict == row->calls_verdict && row->verdict != DIFF_SAME) {
		add_calls(out, row, sign);
		add_times(out, row, sign);
	} else {
		add_times(out, row, sign);
		add_calls(out, row, sign);
	}
	add_share(out, diff, row);
	if (explain)
		add_reasons(out, diff, row);
}

void diff_whole(const struct diff *diff, struct diff_signs sign, struct str *out)
{
	const double o = diff->roots[OLD], n = diff->roots[NEW];
	const struct unit unit = unit_for(fmax(o, n));

	if (diff->incomparable) {
		str_add(out, "the times of all calls together are not compared, because not every recording has the same kinds of calls");
		return;
	}
	str_add(out, "all calls together took ");
	add_in(out, o, &unit);
	str_addf(out, " %s ", sign.to);
	add_in(out, n, &unit);
	str_addf(out, " %s", unit.name);
	if (o > 0)
		str_addf(out, " (%+.1f %%)", (n - o) * 100 / o);
	else if (n <= 0)
		str_add(out, " (+0.0 %)");
	if (!diff_explains(diff))
		str_add(out, "; shares of so small a change say little");
}
