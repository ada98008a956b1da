/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/diff-text.h"
#include "lib/base/parse.h"
#include "lib/base/str.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>

enum {
	KEY, VERDICT, SHARE, EVIDENCE, CHANGE, RATIO, LOW, HIGH, TIME_P, CALLS_P, CALLS_OLD, CALLS_NEW, TOTAL_OLD, TOTAL_NEW, SELF_OLD, SELF_NEW, OFF_OLD, OFF_NEW,
	P50_OLD, P50_NEW, P90_OLD, P90_NEW, P99_OLD, P99_NEW, MAX_OLD, MAX_NEW,
};

#define BOTH(column, name, type) \
	[column##_OLD] = { name "_old", type, .more = true }, [column##_NEW] = { name "_new", type, .more = true }
#define COLUMNS(name_)                                                                                                                   \
	[KEY] = { name_, TABLE_TEXT }, [VERDICT] = { "verdict", TABLE_TEXT }, [SHARE] = { "share", TABLE_PERCENT, .head = "%CHANGE" },   \
	[EVIDENCE] = { "evidence", TABLE_TEXT, .wrap = true }, [CHANGE] = { "change", TABLE_ID, .more = true },                          \
	[RATIO] = { "ratio", TABLE_REAL, .more = true }, [LOW] = { "ratio_low", TABLE_REAL, .more = true },                              \
	[HIGH] = { "ratio_high", TABLE_REAL, .more = true }, [TIME_P] = { "p_time", TABLE_REAL, .more = true },                          \
	[CALLS_P] = { "p_calls", TABLE_REAL, .more = true }, BOTH(CALLS, "calls", TABLE_COUNT), BOTH(TOTAL, "total", TABLE_NS),          \
	BOTH(SELF, "self", TABLE_NS), BOTH(OFF, "off", TABLE_NS), BOTH(P50, "p50", TABLE_NS), BOTH(P90, "p90", TABLE_NS),                \
	BOTH(P99, "p99", TABLE_NS), BOTH(MAX, "max", TABLE_NS), { NULL }

static const struct table_column by_function[] = { COLUMNS("function") };
static const struct table_column by_path[] = { COLUMNS("path") };

const struct table_spec *diff_spec(bool paths)
{
	static const struct table_spec functions = { .columns = by_function }, of_paths = { .columns = by_path };

	return paths ? &of_paths : &functions;
}

/* --- evidence in words ------------------------------------------------------------------------------------------------------- */

/* Signs that not every terminal has. */
struct signs {
	const char *to, *times;
};

static struct signs signs(void)
{
	if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		return (struct signs){ "→", "×" };
	return (struct signs){ "->", "x" };
}

/* A duration in the unit that suits the larger one of two. */
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

/* Three digits are what a quantile is worth; of larger numbers all in front of the point. */
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

static void add_times(struct str *out, const struct diff_row *row, struct signs sign)
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

static void add_calls(struct str *out, const struct diff_row *row, struct signs sign)
{
	const double o = row->sides[OLD].calls, n = row->sides[NEW].calls;

	str_add(out, out->len ? ", " : "");
	add_count(out, o);
	if (row->calls_verdict == DIFF_SAME)
		str_add(out, " against ");
	else
		str_addf(out, " %s ", sign.to);
	add_count(out, n);
	str_add(out, " calls");
	if ((row->calls_verdict == DIFF_MORE || row->calls_verdict == DIFF_LESS) && o > 0)
		str_addf(out, " (%s%.2f)", sign.times, n / o);
}

static void add_share(struct str *out, const struct diff *diff, const struct diff_row *row)
{
	/* The median can grow while the sum shrinks, as a few calls that take very long are most of a sum. */
	if ((row->verdict == DIFF_SLOWER && row->change < 0) || (row->verdict == DIFF_FASTER && row->change > 0)) {
		str_addf(out, "; in all its calls took %s, though", row->change < 0 ? "less" : "more");
		return;
	}
	if (!diff_explains(diff) || isnan(row->share) || fabs(row->share) < 0.5)
		return;
	str_addf(out, row->share > 0 ? "; explains %.0f %% of the change" : "; makes up for %.0f %% of the change", fabs(row->share));
}

/* What the verdict rests on, and why it is not another. */
static void add_reasons(struct str *out, const struct diff *diff, const struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	const double shift = row->ratio > 0 ? fabs(log(row->ratio)) : 0;

	if (row->by_time && diff->not_judged) {
		str_add(out, "; interrupts, idle tasks or the scheduler call it: one recording a side does not tell");
		return;
	}
	if (!(row->ratio > 0)) {
		str_add(out, "; too few calls to compare how long they took");
	} else {
		str_addf(out, "; times: Mann-Whitney z %.1f, p %.2g", row->test.z, row->time_p);
		if (o->design.effect > 1.05 || n->design.effect > 1.05)
			str_addf(out, ", as calls that follow each other are alike they tell as much as 1 in %.1f and 1 in %.1f of them would", o->design.effect,
				 n->design.effect);
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
	str_addf(out, "; adjusted for %zu rows", diff->rows.n);
}

static void set_evidence(struct table *table, const struct diff *diff, const struct diff_row *row, bool explain)
{
	const struct signs sign = signs();
	struct str text = { 0 };

	if (row->verdict == row->calls_verdict && row->verdict != DIFF_SAME) {
		add_calls(&text, row, sign);
		add_times(&text, row, sign);
	} else {
		add_times(&text, row, sign);
		add_calls(&text, row, sign);
	}
	add_share(&text, diff, row);
	if (explain)
		add_reasons(&text, diff, row);
	table_copy(table, EVIDENCE, str_text(&text));
	str_fini(&text);
}

/* --- rows -------------------------------------------------------------------------------------------------------------------- */

static void set_quantiles(struct table *table, unsigned int column, const struct diff_side *side)
{
	static const struct {
		unsigned int column, mille;
	} quantiles[] = { { P50_OLD, 500 }, { P90_OLD, 900 }, { P99_OLD, 990 } };

	for (size_t i = 0; i < ARRAY_LEN(quantiles); i++) {
		uint64_t value = quantiles_at(&side->all, quantiles[i].mille);

		if (value != QUANTILE_UNKNOWN)
			table_count(table, quantiles[i].column + column, value);
	}
	if (side->all.n)
		table_count(table, MAX_OLD + column, side->all.max);
}

static void add_row(struct table *table, const struct diff *diff, const struct diff_row *row, bool explain)
{
	static const enum table_tint tints[DIFF_VERDICTS] = {
		[DIFF_SLOWER] = TABLE_HOT, [DIFF_FASTER] = TABLE_GOOD, [DIFF_MORE] = TABLE_WARM, [DIFF_LESS] = TABLE_GOOD, [DIFF_NEW] = TABLE_WARM,
		[DIFF_SAME] = TABLE_FAINT,
	};

	table_row(table, TABLE_ROOT);
	table_text(table, KEY, row->key);
	table_text(table, VERDICT, diff_verdict_name(row->verdict));
	table_tint(table, VERDICT, tints[row->verdict]);
	if (!isnan(row->share))
		table_real(table, SHARE, row->share);
	table_id(table, CHANGE, (int64_t)llround(row->change));
	if (row->ratio > 0) {
		table_real(table, RATIO, row->ratio);
		table_real(table, LOW, row->low);
		table_real(table, HIGH, row->high);
		table_real(table, TIME_P, row->time_p);
	}
	table_real(table, CALLS_P, row->calls_p);
	for (unsigned int i = OLD; i <= NEW; i++) {
		const struct diff_side *side = &row->sides[i];

		table_count(table, CALLS_OLD + i, (uint64_t)llround(side->calls));
		table_count(table, TOTAL_OLD + i, (uint64_t)llround(side->total));
		table_count(table, SELF_OLD + i, (uint64_t)llround(side->self));
		table_count(table, OFF_OLD + i, (uint64_t)llround(side->off));
		set_quantiles(table, i, side);
	}
	if (table_wants(table, EVIDENCE))
		set_evidence(table, diff, row, explain);
}

bool diff_chosen(const struct diff_row *row, const struct diff_show *show)
{
	vec_each (&show->globs, glob)
		if (glob_match(*glob, row->key))
			return true;
	return !show->globs.n;
}

size_t diff_table(struct table *table, const struct diff *diff, const struct diff_show *show)
{
	size_t hidden = 0;

	vec_each (&diff->rows, row) {
		if (!diff_chosen(row, show))
			continue;
		if (row->verdict == DIFF_SAME && !show->all)
			hidden++;
		else
			add_row(table, diff, row, show->explain);
	}
	return hidden;
}

/* --- what stands below ------------------------------------------------------------------------------------------------------ */

static void note_change(struct table *table, const struct diff *diff)
{
	const double o = diff->roots[OLD], n = diff->roots[NEW];
	const struct unit unit = unit_for(fmax(o, n));
	struct str text = { 0 };

	add_in(&text, o, &unit);
	str_addf(&text, " %s ", signs().to);
	add_in(&text, n, &unit);
	table_note(table, "all calls together took %s %s (%+.1f %%)%s", str_text(&text), unit.name, o > 0 ? (n - o) * 100 / o : 0,
		   diff_explains(diff) ? "" : "; shares of so small a change say little");
	str_fini(&text);
}

static void note_runs(struct table *table, const diff_runs_t *runs)
{
	vec_each (runs, run) {
		if (run->lost.places)
			table_note(table, "%s: %llu%s events were lost and are not counted", run->path, (unsigned long long)run->lost.events,
				   run->lost.more ? " or more" : "");
		if (run->cut)
			table_note(table, "%s: %llu calls are not complete, and are in no figure", run->path, (unsigned long long)run->cut);
		if (run->folded)
			table_note(table, "%s: %llu rarer paths did not fit into the memory, and are not compared", run->path, (unsigned long long)run->folded);
	}
}

void diff_notes(struct table *table, const struct diff *diff, size_t hidden)
{
	const size_t shown = table_rows(table);

	note_change(table, diff);
	if (hidden)
		table_note(table, shown ? "%zu rows are the same as far as can be told, and not shown; --all shows them"
					: "nothing differs by more than chance: all %zu rows are the same as far as can be told; --all shows them", hidden);
	if (diff->unlike > log(1.5) && diff->runs[OLD]->n + diff->runs[NEW]->n == 2)
		table_note(table, "tasks waited %.0f and %.0f times, and %.0f and %.0f interrupts came: the machine was busy in another way, and only times that differ by a "
			   "larger ratio than these are told; several recordings a side tell more", diff->waits[OLD], diff->waits[NEW], diff->interrupts[OLD],
			   diff->interrupts[NEW]);
	if (diff->not_judged)
		table_note(table, "%zu rows are called by interrupts, idle tasks or the scheduler, which differ between any two recordings; "
			   "several recordings a side tell whether they have changed", diff->not_judged);
	if (diff->judged && fabs(diff->common) >= log(1.05))
		table_note(table, "most functions took %s%.2f as long as before: that is the machine or a setting of it; a row must differ from that, too, to be told",
			   signs().times, exp(diff->common));
	if (shown && diff->runs[OLD]->n + diff->runs[NEW]->n == 2)
		table_note(table, "with one recording a side, how far recordings of the same differ can only be estimated from within them; "
			   "several a side tell it: diff OLD... -- NEW...");
	if (diff->runs[OLD]->n + diff->runs[NEW]->n > 2)
		table_note(table, "calls and sums are of a recording, in the mean over those of its side");
	note_runs(table, diff->runs[OLD]);
	note_runs(table, diff->runs[NEW]);
}
