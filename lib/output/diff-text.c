/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/diff-text.h"
#include "lib/analysis/diff-words.h"
#include "lib/analysis/lacking.h"
#include "lib/base/parse.h"
#include "lib/base/str.h"
#include "lib/analysis/lost-text.h"
#include "lib/output/unseen.h"

#include <langinfo.h>
#include <math.h>

enum {
	KEY,
	VERDICT,
	SHARE,
	EVIDENCE,
	CHANGE,
	RATIO,
	LOW,
	HIGH,
	TIME_P,
	CALLS_P,
	CALLS_OLD,
	CALLS_NEW,
	TOTAL_OLD,
	TOTAL_NEW,
	SELF_OLD,
	SELF_NEW,
	OFF_OLD,
	OFF_NEW,
	P50_OLD,
	P50_NEW,
	P90_OLD,
	P90_NEW,
	P99_OLD,
	P99_NEW,
	MAX_OLD,
	MAX_NEW,
};

#define BOTH(column, name, type) [column##_OLD] = { name "_old", type, .more = true }, [column##_NEW] = { name "_new", type, .more = true }
#define COLUMNS(name_) \
	[KEY] = { name_, TABLE_TEXT }, [VERDICT] = { "verdict", TABLE_TEXT }, [SHARE] = { "share", TABLE_PERCENT, .head = "%CHANGE" }, \
	[EVIDENCE] = { "evidence", TABLE_TEXT, .wrap = true }, [CHANGE] = { "change", TABLE_ID, .more = true }, \
	[RATIO] = { "ratio", TABLE_REAL, .more = true }, [LOW] = { "ratio_low", TABLE_REAL, .more = true }, \
	[HIGH] = { "ratio_high", TABLE_REAL, .more = true }, [TIME_P] = { "p_time", TABLE_REAL, .more = true }, \
	[CALLS_P] = { "p_calls", TABLE_REAL, .more = true }, BOTH(CALLS, "calls", TABLE_COUNT), BOTH(TOTAL, "total", TABLE_NS), BOTH(SELF, "self", TABLE_NS), \
	BOTH(OFF, "off", TABLE_NS), BOTH(P50, "p50", TABLE_NS), BOTH(P90, "p90", TABLE_NS), BOTH(P99, "p99", TABLE_NS), BOTH(MAX, "max", TABLE_NS), \
	{ \
		NULL \
	}

static const struct table_column by_function[] = { COLUMNS("function") };
static const struct table_column by_path[] = { COLUMNS("path") };

const struct table_spec *diff_spec(bool paths)
{
	static const struct table_spec functions = { .columns = by_function }, of_paths = { .columns = by_path };

	return paths ? &of_paths : &functions;
}

/* --- evidence in words ------------------------------------------------------------------------------------------------------- */

static struct diff_signs signs(void)
{
	return diff_signs(strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
}

static void set_evidence(struct table *table, const struct diff *diff, const struct diff_row *row, bool explain)
{
	struct str text = { 0 };

	diff_evidence(diff, row, signs(), explain, &text);
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

static bool off_known(const diff_runs_t *runs)
{
	vec_each (runs, run)
		if (!run->off_known)
			return false;
	return true;
}

static void add_row(struct table *table, const struct diff *diff, const struct diff_row *row, bool explain)
{
	static const enum table_tint tints[DIFF_VERDICTS] = {
		[DIFF_SLOWER] = TABLE_HOT, [DIFF_FASTER] = TABLE_GOOD, [DIFF_MORE] = TABLE_WARM,     [DIFF_LESS] = TABLE_GOOD,
		[DIFF_NEW] = TABLE_WARM,   [DIFF_SAME] = TABLE_FAINT,  [DIFF_UNKNOWN] = TABLE_FAINT,
	};

	table_row(table, TABLE_ROOT);
	table_text(table, KEY, row->key);
	table_text(table, VERDICT, diff_verdict_name(row->verdict));
	table_tint(table, VERDICT, tints[row->verdict]);
	if (row->verdict != DIFF_UNKNOWN) {
		if (!isnan(row->share))
			table_real(table, SHARE, row->share);
		table_id(table, CHANGE, (int64_t)llround(row->change));
	}
	if (row->ratio > 0) {
		table_real(table, RATIO, row->ratio);
		table_real(table, LOW, row->low);
		table_real(table, HIGH, row->high);
		table_real(table, TIME_P, row->time_p);
	}
	if (row->verdict != DIFF_UNKNOWN)
		table_real(table, CALLS_P, row->calls_p);
	for (unsigned int i = OLD; i <= NEW; i++) {
		const struct diff_side *side = &row->sides[i];

		if (side->unrecorded)
			continue;
		table_count(table, CALLS_OLD + i, (uint64_t)llround(side->calls));
		table_count(table, TOTAL_OLD + i, (uint64_t)llround(side->total));
		table_count(table, SELF_OLD + i, (uint64_t)llround(side->self));
		if (off_known(diff->runs[i]) && !side->unplaced)
			table_count(table, OFF_OLD + i, (uint64_t)llround(side->off));
		set_quantiles(table, i, side);
	}
	if (table_wants(table, EVIDENCE))
		set_evidence(table, diff, row, explain);
}

bool diff_chosen(const struct diff_row *row, const struct diff_show *show)
{
	return !show->globs.n || globs_match(&show->globs, row->key);
}

size_t diff_table(struct table *table, const struct diff *diff, const struct diff_show *show)
{
	size_t hidden = 0;

	vec_each (&diff->rows, row) {
		if (!diff_chosen(row, show))
			continue;
		if (show->all || (row->verdict != DIFF_SAME && row->verdict != DIFF_UNKNOWN))
			add_row(table, diff, row, show->explain);
		else
			hidden += row->verdict == DIFF_SAME;
	}
	return hidden;
}

/* --- what stands below ------------------------------------------------------------------------------------------------------ */

static void note_change(struct table *table, const struct diff *diff)
{
	struct str text = { 0 };

	diff_whole(diff, signs(), &text);
	table_note(table, "%s", str_text(&text));
	str_fini(&text);
}

static void note_runs(struct table *table, const diff_runs_t *runs)
{
	vec_each (runs, run) {
		struct str lost = { 0 };

		lost_text(run->lost.events, run->lost.more, &lost);
		if (lost.len)
			table_note(table, "%s: %s", run->path, str_text(&lost));
		str_fini(&lost);
		if (run->cut)
			table_note(table, "%s: %llu call%s not complete, and in no figure", run->path, (unsigned long long)run->cut,
				   run->cut == 1 ? " is" : "s are");
		if (run->timeless)
			table_note(table, "%s: the times of %llu call%s are not known: %s", run->path, (unsigned long long)run->timeless,
				   run->timeless == 1 ? "" : "s", run->why_timeless);
		if (run->unmeasured)
			table_note(table, TIMED_UNMEASURED_TEXT, run->path);
		if (run->folded)
			table_note(table, "%s: %llu rarer path%s did not fit into the memory, and %s not compared", run->path, (unsigned long long)run->folded,
				   run->folded == 1 ? "" : "s", run->folded == 1 ? "is" : "are");
	}
}

/* Adds a note if only some of the recordings tell times off the CPU, or if a recording tells them only of some tasks. */
static void note_off(struct table *table, const struct diff *diff)
{
	bool known = false;

	for (unsigned int i = OLD; i <= NEW; i++)
		vec_each (diff->runs[i], run)
			known |= run->off_known;
	for (unsigned int i = OLD; known && i <= NEW; i++)
		vec_each (diff->runs[i], run)
			if (!run->off_known)
				table_note(table, "%s: %s", run->path, unseen_text(UNSEEN_SWITCHES, run->narrowed));
	for (unsigned int i = OLD; i <= NEW; i++)
		vec_each (diff->runs[i], run)
			if (run->lacking)
				table_note(table, LACKING_CALLS, LACKING_CALLS_ARGS(run->lacking, run->path));
}

/* Adds a note if the machine behaved in another way. Only what is known on both sides is told. */
static void note_unlike(struct table *table, const struct diff *diff)
{
	struct str text = { 0 };

	if (!(diff->unlike > log(1.5)) || !diff_is_single(diff))
		return;
	if (!isnan(diff->waits[OLD]))
		str_addf(&text, "tasks waited %.0f and %.0f times", diff->waits[OLD], diff->waits[NEW]);
	if (!isnan(diff->interrupts[OLD]))
		str_addf(&text, "%s%.0f and %.0f interrupts came", text.len ? ", and " : "", diff->interrupts[OLD], diff->interrupts[NEW]);
	table_note(
		table,
		"%s: the machine was busy in another way, and only times that differ by a larger ratio than these are told; several recordings a side tell more",
		str_text(&text));
	str_fini(&text);
}

/* Adds a note for each source of calls that a recording lacks, if other recordings have calls of this source. */
static void note_lacking(struct table *table, const struct diff *diff, const struct diff_run *run)
{
	for (unsigned int source = 0; source < call_sources_count(); source++) {
		size_t n = 0;

		vec_each (&diff->rows, row)
			n += (row->sources & ~run->sources & 1u << source) != 0;
		if (n)
			table_note(table, "%s has no %s: %zu row%s of such calls %s not compared", run->path, call_source_calls(source), n, n == 1 ? "" : "s",
				   n == 1 ? "is" : "are");
	}
}

void diff_notes(struct table *table, const struct diff *diff, size_t hidden)
{
	const size_t shown = table_rows(table);

	note_change(table, diff);
	if (hidden == 1)
		table_note(table, shown ? "1 row is the same as far as can be told, and not shown; --all shows it"
					: "nothing differs by more than chance: the only row is the same as far as can be told; --all shows it");
	else if (hidden)
		table_note(table,
			   shown ? "%zu rows are the same as far as can be told, and not shown; --all shows them"
				 : "nothing differs by more than chance: all %zu rows are the same as far as can be told; --all shows them",
			   hidden);
	for (unsigned int side = OLD; side <= NEW; side++)
		vec_each (diff->runs[side], run)
			note_lacking(table, diff, run);
	note_unlike(table, diff);
	if (diff->not_judged)
		table_note(table,
			   "%zu row%s called by interrupts, idle tasks or the scheduler, which differ between any two recordings; "
			   "several recordings a side tell whether %s changed",
			   diff->not_judged, diff->not_judged == 1 ? " is" : "s are", diff->not_judged == 1 ? "it has" : "they have");
	if (diff->brief)
		table_note(
			table,
			"the calls of %zu row%s come in a short time, in which the machine may have been slower; several recordings a side tell whether they take longer",
			diff->brief, diff->brief == 1 ? "" : "s");
	if (diff->judged && fabs(diff->common) >= log(1.05))
		table_note(table,
			   "most functions took %s%.2f as long as before: the reason is the machine or a setting of it; "
			   "a row is reported only if it differs from that, too",
			   signs().times, exp(diff->common));
	if (shown && diff_is_single(diff))
		table_note(table, "with one recording a side, it can only be estimated how much recordings of the same work differ; "
				  "several on each side show it: diff OLD... -- NEW...");
	if (!diff_is_single(diff))
		table_note(table, "calls and sums are means over the recordings of a side");
	note_off(table, diff);
	note_runs(table, diff->runs[OLD]);
	note_runs(table, diff->runs[NEW]);
}
