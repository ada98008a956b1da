/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/call-columns.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/units.h"
#include "lib/output/unseen.h"

#include <langinfo.h>

/* --- how durations are spread --------------------------------------------------------------------------------------- */

enum { BARS = 12 };

/* Counts the calls by their time, from the shortest to the longest, in steps of equal ratio. */
static void count_bars(const struct quantiles *calls, uint64_t counts[BARS])
{
	unsigned int low = 63 - (unsigned int)__builtin_clzll(calls->min | 1), high = 63 - (unsigned int)__builtin_clzll(calls->max | 1);
	struct quantiles_bucket bucket = { 0 };
	unsigned int steps = high - low + 1;

	memset(counts, 0, BARS * sizeof(*counts));
	while (quantiles_each(calls, &bucket)) {
		uint64_t at = bucket.low | 1;
		unsigned int bit = 63 - (unsigned int)__builtin_clzll(at);
		/* The power of two and its sixteenth are a logarithm that is good enough for bars. */
		unsigned int sixteenth = bit >= 4 ? (unsigned int)(at >> (bit - 4)) & 15 : 0;
		unsigned int x = (MAX(bit, low) - low) * 16 + sixteenth;

		counts[MIN(x * BARS / (steps * 16), BARS - 1u)] += bucket.count;
	}
}

static void draw_bars(const struct quantiles *calls, char *out, bool utf8)
{
	static const char *const bars[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇" }, *const plain[] = { " ", ".", ".", ":", ":", "+", "+", "#" };
	uint64_t counts[BARS], most = 0;

	count_bars(calls, counts);
	for (unsigned int i = 0; i < BARS; i++)
		most = MAX(most, counts[i]);
	for (unsigned int i = 0; i < BARS; i++) {
		/* A bar is at least one step high if anything was counted. */
		unsigned int height = counts[i] ? 1 + (unsigned int)((double)counts[i] * 6 / (double)most) : 0;

		out = stpcpy(out, (utf8 ? bars : plain)[height]);
	}
}

/* --- values ---------------------------------------------------------------------------------------------------------- */

static void set_quantile(struct table *table, unsigned int column, const struct quantiles *calls, unsigned int mille)
{
	uint64_t value = quantiles_at(calls, mille);

	if (value != QUANTILE_UNKNOWN)
		table_count(table, column, value);
}

static void set_off(struct table *table, unsigned int first, const struct call_row *row)
{
	const struct timed_facts *facts = row->facts;

	/* If it is not known of some calls, the sum is not known either. */
	if (row->figures->unplaced || row->lacks)
		return;
	if (timed_off_known(facts))
		table_count(table, first + CALL_OFF, row->figures->off);
	if (facts->switches)
		table_count(table, first + CALL_PREEMPTED, row->figures->preempted);
	if (timed_waits_known(facts)) {
		table_count(table, first + CALL_BLOCKED, row->figures->blocked);
		table_count(table, first + CALL_QUEUED, row->figures->queued);
	}
	table_count(table, first + CALL_GUESSED, row->figures->guessed);
}

void call_values(struct table *table, unsigned int first, const struct call_row *row)
{
	static const struct {
		enum call_column column;
		unsigned int mille;
	} quantiles[] = { { CALL_P50, 500 }, { CALL_P90, 900 }, { CALL_P99, 990 }, { CALL_P999, 999 } };
	const struct quantiles *calls = &row->figures->calls;

	table_count(table, first + CALL_CALLS, calls->n + row->figures->timeless);
	table_count(table, first + CALL_CUT, row->figures->cut);
	/* If all calls are incomplete or have no known totals, there are no times to show. */
	if (!calls->n)
		return;
	/* A sum that did not fit is not shown. */
	if (likely(quantiles_sum_fits(calls))) {
		table_count(table, first + CALL_TOTAL, row->total);
		table_count(table, first + CALL_SELF, row->figures->self + (row->lacks ? row->figures->off : 0));
		set_off(table, first, row);
		if (row->facts->irq && !row->figures->unplaced)
			table_count(table, first + CALL_IRQ, row->figures->irq);
		table_count(table, first + CALL_MEAN, quantiles_mean(calls));
	}
	table_count(table, first + CALL_MIN, calls->min);
	table_count(table, first + CALL_MAX, calls->max);
	for (size_t i = 0; i < ARRAY_LEN(quantiles); i++)
		if (table_wants(table, first + quantiles[i].column))
			set_quantile(table, first + quantiles[i].column, calls, quantiles[i].mille);
	if (table_wants(table, first + CALL_SPREAD)) {
		char bars[BARS * 4 + 1];

		draw_bars(calls, bars, strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
		table_copy(table, first + CALL_SPREAD, bars);
	}
}

void call_note_cut(struct table *table, uint64_t cut, const char *so)
{
	if (cut == 1)
		table_note(table,
			   "1 call is not complete: it began before the recording, ended after it or never, or events were lost in between; it is not %s", so);
	else if (cut)
		table_note(
			table,
			"%llu calls are not complete: they began before the recording, ended after it or never, or events were lost in between; they are not %s",
			(unsigned long long)cut, so);
}

void call_note_timeless(struct table *table, uint64_t calls, const char *why)
{
	if (calls == 1)
		table_note(table, "the time of 1 call is not known: %s", why);
	else if (calls)
		table_note(table, "the times of %llu calls are not known: %s", (unsigned long long)calls, why);
}

void call_note_unmeasured(struct table *table, const inputs_t *inputs, const struct timed *timed)
{
	for (unsigned int file = 0; file < inputs->n; file++)
		if (timed_facts_of(timed, file).unmeasured)
			table_note(table, TIMED_UNMEASURED_TEXT, inputs->at[file].path);
}

typedef const char *facts_text_t(const struct timed_facts *facts, bool narrowed);

/* Returns the note about times off the CPU for a file of which @facts are known, or NULL if everything is known. */
static const char *off_text(const struct timed_facts *facts, bool narrowed)
{
	if (facts->some)
		return facts->guessed ? "off is the time in schedule() and its like, as " INPUT_SOME_SWITCHES
				      : "off is not known, and is part of self: " INPUT_SOME_SWITCHES;
	if (facts->ticks)
		return facts->guessed ? "off is the time in schedule() and its like, as " INPUT_TICKS : "off is not known, and is part of self: " INPUT_TICKS;
	if (facts->guessed)
		return unseen_text(UNSEEN_SWITCHES_GUESSED, narrowed);
	if (!facts->switches)
		return unseen_text(UNSEEN_SWITCHES, narrowed);
	return facts->wakeups ? NULL : unseen_text(UNSEEN_WAKEUPS, narrowed);
}

/* Does the same for times of interrupts. */
static const char *irq_text(const struct timed_facts *facts, bool narrowed)
{
	if (facts->hidden)
		return "irq is not known, and is part of self: " INPUT_NO_INTERRUPTS;
	return facts->irq ? NULL : unseen_text(UNSEEN_INTERRUPTS, narrowed);
}

static const char *file_text(const struct paths *paths, unsigned int file, facts_text_t *of)
{
	const struct timed_facts facts = timed_facts_of(paths->timed, file);

	return of(&facts, paths->inputs->at[file].narrowed);
}

/* Adds the note of this file that @of returns, if it is the first file with this note. */
static void note_facts(struct table *table, const struct paths *paths, unsigned int file, facts_text_t *of)
{
	const char *text = file_text(paths, file, of);
	size_t like = 0;

	for (unsigned int other = 0; text && other < paths->inputs->n; other++) {
		if (file_text(paths, other, of) != text)
			continue;
		if (other < file)
			return;
		like++;
	}
	if (text && like == paths->inputs->n)
		table_note(table, "%s", text);
	else if (text && like == 1)
		table_note(table, "%s: %s", paths->inputs->at[file].path, text);
	else if (text)
		table_note(table, "%s and %zu more: %s", paths->inputs->at[file].path, like - 1, text);
}

void call_notes(struct table *table, unsigned int first, const struct paths *paths, const struct callgraph_figures *all, const struct callgraph *graph)
{
	/* Without calls, nothing is part of a self. */
	for (unsigned int file = 0; table_rows(table) && file < paths->inputs->n; file++)
		note_facts(table, paths, file, off_text);
	for (unsigned int file = 0; table_rows(table) && file < paths->inputs->n; file++) {
		const uint64_t n = paths_find_lacking(paths, file, NULL);

		if (n)
			table_note(table, LACKING_CALLS, LACKING_CALLS_ARGS(n, paths->inputs->at[file].path));
	}
	for (unsigned int file = 0; table_rows(table) && table_wants(table, first + CALL_IRQ) && file < paths->inputs->n; file++)
		note_facts(table, paths, file, irq_text);
	if (table_rows(table))
		call_note_unmeasured(table, paths->inputs, paths->timed);
	call_note_cut(table, all->cut, "in calls and times");
	call_note_timeless(table, all->timeless, units_why_timeless(paths->inputs));
	if (graph->folded_paths)
		table_note(table, "%llu of the rarer paths were folded to stay within %zu MiB%s; --memory sets the limit",
			   (unsigned long long)graph->folded_paths, graph->opt.most_bytes >> 20,
			   paths_rows_by_caller(paths) ? ", and their calls are missing" : "");
}
