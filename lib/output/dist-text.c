/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/dist-text.h"
#include "lib/analysis/units.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/pair-spec.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/output/call-columns.h"
#include "lib/output/dist-missing.h"
#include "lib/output/heat-text.h"
#include "lib/output/missing.h"
#include "lib/output/reading-meta.h"
#include "lib/output/worst-text.h"

#include <langinfo.h>

/* The length of the longest bar in characters. Empty bars between others are shown if there are at most GAPS of them. */
enum { WIDTH = 40, GAPS = 100 };

enum { KEY, FROM, TO, COUNT, PERCENT, BAR };
enum { SUM_COUNT = 1, SUM, MEAN, LEAST, P50, P90, P99, P999, LARGEST };
enum { TS = 1, TASK, CPU, VALUE };

/* The columns of the three tables, for numbers that are durations, that may be negative, or that are neither. The first column is the key. */
/* clang-format off */
#define TABLES(kind, type, mean)                                                                                                          \
	static const struct table_column kind##_bars[] = {                                                                                \
		[KEY] = { "key", TABLE_TEXT }, [FROM] = { "from", type, .own_unit = (type) == TABLE_NS },                                 \
		[TO] = { "to", type, .own_unit = (type) == TABLE_NS }, [COUNT] = { "count", TABLE_COUNT },                                \
		[PERCENT] = { "percent", TABLE_PERCENT, .head = "%" },                                                                    \
		[BAR] = { "bar", TABLE_TEXT, .head = "", .people = true, .drawn = true }, { NULL },                                       \
	};                                                                                                                                \
	static const struct table_column kind##_sums[] = {                                                                                \
		[KEY] = { "key", TABLE_TEXT }, [SUM_COUNT] = { "count", TABLE_COUNT }, [SUM] = { "sum", type }, [MEAN] = { "mean", mean }, \
		[LEAST] = { "min", type }, [P50] = { "p50", type }, [P90] = { "p90", type }, [P99] = { "p99", type },                     \
		[P999] = { "p999", type }, [LARGEST] = { "max", type }, { NULL },                                                         \
	};                                                                                                                                \
	static const struct table_column kind##_outliers[] = {                                                                            \
		[KEY] = { "key", TABLE_TEXT }, [TS] = { "ts", TABLE_TS }, [TASK] = { "task", TABLE_TEXT }, [CPU] = { "cpu", TABLE_ID },   \
		[VALUE] = { "value", type }, { NULL },                                                                                    \
	}
/* clang-format on */

TABLES(time, TABLE_NS, TABLE_NS);
TABLES(signed, TABLE_ID, TABLE_REAL);
TABLES(unsigned, TABLE_COUNT, TABLE_REAL);

enum kind { TIME, SIGNED, UNSIGNED };
enum part { BARS, SUMS, OUTLIERS, PARTS };

static const struct table_column *const all_columns[][PARTS] = {
	[TIME] = { time_bars, time_sums, time_outliers },
	[SIGNED] = { signed_bars, signed_sums, signed_outliers },
	[UNSIGNED] = { unsigned_bars, unsigned_sums, unsigned_outliers },
};

struct dist_shown {
	struct handler handler; /* first */
	struct dist *dist;
	enum kind kind;
	struct {
		struct table_column columns[LARGEST + 2];
		struct table_spec spec;
		struct table *table;
	} parts[PARTS];
	struct reading *reading;
	struct table *heat;  /* for programs; NULL: not wanted */
	struct table *worst; /* for programs; NULL: nothing is known of it */
};

/* --- values -------------------------------------------------------------------------------------------------------------- */

static void set(const struct dist_shown *d, enum part part, unsigned int column, uint64_t value)
{
	if (d->kind == SIGNED)
		table_id(d->parts[part].table, column, (int64_t)value);
	else
		table_count(d->parts[part].table, column, value);
}

static void set_key(const struct dist_shown *d, enum part part, const struct dist_part *of)
{
	uint64_t above;
	int64_t below;

	table_row(d->parts[part].table, TABLE_ROOT);
	/* "[others]" is not a number. */
	if (of->key && d->dist->numeric)
		table_any(d->parts[part].table, KEY, of->key, !parse_u64(of->key, &above) || !parse_s64(of->key, &below));
	else if (of->key)
		table_text(d->parts[part].table, KEY, of->key);
}

static void add_sums(const struct dist_shown *d, const struct dist_part *part)
{
	static const struct {
		unsigned int column, mille;
	} quantiles[] = { { P50, 500 }, { P90, 900 }, { P99, 990 }, { P999, 999 } };
	struct table *table = d->parts[SUMS].table;
	const double most = 9e18; /* larger sums are not exact */

	set_key(d, SUMS, part);
	table_count(table, SUM_COUNT, dist_count(part));
	if (part->sum < most && part->sum > -most) {
		uint64_t sum = part->above.sum - part->below.sum;

		set(d, SUMS, SUM, sum);
		if (d->kind == TIME)
			table_count(table, MEAN, sum / dist_count(part));
		else
			table_real(table, MEAN, (double)(d->kind == SIGNED ? (int64_t)sum : (long double)sum) / (double)dist_count(part));
	} else if (d->kind != TIME) {
		table_real(table, MEAN, part->sum / (double)dist_count(part));
	}
	set(d, SUMS, LEAST, dist_min(part));
	set(d, SUMS, LARGEST, dist_max(part));
	for (size_t i = 0; i < ARRAY_LEN(quantiles); i++) {
		uint64_t value;

		if (dist_quantile(part, quantiles[i].mille, &value))
			set(d, SUMS, quantiles[i].column, value);
	}
}

static int add_bars(const struct dist_shown *d, const struct dist_part *part, bool empty)
{
	static const char block[] = "█", plain[] = "#";
	const char *mark = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? block : plain;
	struct table *table = d->parts[BARS].table;
	uint64_t most = 0;
	dist_bars_t bars = { 0 };
	int err = dist_bars(d->dist, part, empty ? GAPS : 0, &bars);

	vec_each (&bars, bar)
		most = MAX(most, bar->count);
	vec_each (&bars, bar) {
		struct str text = { 0 };

		if (err || (!empty && !bar->count))
			continue;
		set_key(d, BARS, part);
		set(d, BARS, FROM, bar->from);
		set(d, BARS, TO, bar->to);
		table_count(table, COUNT, bar->count);
		table_real(table, PERCENT, (double)bar->count * 100 / (double)dist_count(part));
		/* A bar has at least one character if anything was counted. */
		for (uint64_t i = 0; i * most < bar->count * WIDTH; i++)
			str_add(&text, mark);
		err = str_ok(&text);
		table_copy(table, BAR, str_text(&text));
		str_fini(&text);
	}
	vec_fini(&bars);
	return err;
}

static void add_outlier(const struct dist_shown *d, const struct dist_outlier *at)
{
	struct table *table = d->parts[OUTLIERS].table;
	const char *comm = comms_find(at->input->trace->comms, at->pid);
	__cleanup(free_ptr) char *task = str_printf(at->pid ? "%s-%d" : "%s/%u", comm, at->pid ? at->pid : (int)at->cpu);

	set_key(d, OUTLIERS, &d->dist->parts.at[at->part]);
	table_count(table, TS, at->ns);
	table_copy(table, TASK, task);
	table_id(table, CPU, at->cpu);
	set(d, OUTLIERS, VALUE, at->value);
}

static void add_notes(const struct dist_shown *d, struct table *table)
{
	const struct dist *dist = d->dist;

	call_note_cut(table, dist->cut, "counted");
	call_note_timeless(table, dist->timeless, units_why_timeless(dist->inputs));
	if (dist->timed)
		call_note_unmeasured(table, dist->inputs, dist->timed);
	if (dist->dropped)
		table_note(table, "%llu times had no room in the kernel's tables, and are not counted; --map-size makes them larger",
			   (unsigned long long)dist->dropped);
	if (dist->backwards)
		table_note(table, "%llu times ended before they began, as clocks of CPUs disagree; they are not counted", (unsigned long long)dist->backwards);
	if (dist->rounded && dist->parts.n)
		table_note(table, "the kernel counted whole microseconds: each time is within 1 us of what is told");
	if (dist->short_records)
		table_note(table, "%llu records end before the field; they are not counted", (unsigned long long)dist->short_records);
	if (dist->folded)
		table_note(table, "there were more than %d keys; [others] stands for those that came later", DIST_MOST_KEYS);
}

/* --- showing ------------------------------------------------------------------------------------------------------------- */

/* Orders parts by how many numbers they have, most first. */
static int compare_parts(const void *a, const void *b)
{
	const struct dist_part *const *x = a, *const *y = b;
	int order = ORDER(dist_count(*y), dist_count(*x));

	return order || !(*x)->key ? order : strcmp((*x)->key, (*y)->key);
}

static int fill(struct dist_shown *d, bool people)
{
	VEC(const struct dist_part *) parts = { 0 };
	int err = 0;

	vec_each (&d->dist->parts, part)
		err = err ? err : vec_push(&parts, part);
	if (parts.n)
		qsort(parts.at, parts.n, sizeof(*parts.at), compare_parts);
	vec_each (&parts, part) {
		if (err)
			break;
		add_sums(d, *part);
		err = add_bars(d, *part, people);
	}
	vec_fini(&parts);
	vec_each (&d->dist->outliers, outlier)
		add_outlier(d, outlier);
	return err;
}

/* Prints all tables one below the other, for people. */
static int show_all(struct dist_shown *d, struct reading *reading, struct table_meta *meta)
{
	static const enum part order[] = { SUMS, BARS, OUTLIERS };
	struct table_meta above = { .ticks = meta->ticks, .ts_ticks = meta->ts_ticks }, first = above;
	const size_t n = d->dist->outliers.n ? 3 : 2;
	struct str line = { 0 };
	int err = 0;

	first.place = take(meta->place);
	first.why = meta->why;
	first.file = meta->file;
	first.files = meta->files;
	add_notes(d, d->parts[order[n - 1]].table);
	for (size_t i = 0; !err && i < n; i++) {
		str_clear(&line);
		str_add(&line, i ? "\n" : "");
		err = reading_write(reading, &line);
		err = err ? err : table_show(d->parts[order[i]].table, i == 0 ? &first : i + 1 < n ? &above : meta, reading->out);
	}
	if (!err && d->dist->worst.any) {
		str_clear(&line);
		str_addc(&line, '\n');
		worst_text(&d->dist->worst, meta->ticks, &line);
		err = reading_write(reading, &line);
	}
	if (!err && d->dist->heat) {
		str_clear(&line);
		str_addc(&line, '\n');
		heat_text(d->dist->heat, meta->ticks, meta->ts_ticks, &line);
		err = reading_write(reading, &line);
	}
	str_fini(&line);
	return err;
}

static int add_heat(struct dist_shown *d, const struct dist_view *o)
{
	int err = 0;

	table_free(take(d->heat));
	if (d->dist->heat)
		err = heat_table(&d->heat, d->dist->heat, &o->table);
	if (!err && d->heat)
		table_also(d->parts[BARS].table, "heat", d->heat);
	return err;
}

static int add_worst(struct dist_shown *d, const struct dist_view *o)
{
	int err = 0;

	table_free(take(d->worst));
	if (d->dist->worst.any)
		err = worst_table(&d->worst, &d->dist->worst, &o->table);
	if (!err && d->worst)
		table_also(d->parts[BARS].table, "worst", d->worst);
	return err;
}

static int show_dist(struct dist_shown *d, struct reading *reading, const struct dist_view *o)
{
	struct table_meta meta;
	strv_t files = { 0 };
	int err;

	if (!d->dist->parts.n && d->dist->timed && !d->dist->cut && !d->dist->timeless && !missing_all(reading))
		return dist_missing(d->dist, reading);
	if (!d->dist->parts.n && !d->dist->times && reading->pass.passed)
		note("%s holds no number of %s", reading->inputs.at[0].path, d->dist->opt.what);
	if (!d->dist->parts.n && o->opt.over_ns && o->pair && !o->fill && !reading->quiet)
		note("no %s took as long as --over says", d->dist->opt.what);
	else if (!d->dist->parts.n && o->pair && o->pair->from.event && o->place && strcmp(o->place, "file") == 0 && !lacking_some(reading) && !reading->quiet)
		note("there is no %s: it is the time from %s to %s, and `ringside record -e %s -e %s` records both", d->dist->opt.what, o->pair->from.event,
		     o->pair->to.event, o->pair->from.event, o->pair->to.event);
	if (d->dist->pairs && !o->fill && reading->pass.passed && !reading->quiet)
		dist_say_without(d->dist, o->pair);
	for (enum part i = 0; i < PARTS; i++)
		table_clear(d->parts[i].table);
	err = o->fill ? o->fill(o->ctx, reading, d->dist) : 0;
	if (!err && o->fill && !d->dist->parts.n && !reading->quiet)
		note(o->opt.over_ns ? "no %s took as long as --over says" : "no %s was measured", d->dist->opt.what);
	err = err ? err : reading_meta(reading, &meta, &files);
	if (d->dist->timed)
		reading_meta_of_calls(&meta);
	if (o->elapsed_ns && *o->elapsed_ns && !meta.ticks)
		meta.span = *o->elapsed_ns;
	meta.place = o->place;
	meta.why = o->why;
	if (d->dist->pairs) {
		meta.lost = d->dist->lost;
		meta.lost_more = d->dist->lost_more;
	}
	err = err ? err : fill(d, o->table.form == TABLE_FOR_PEOPLE);
	if (!err && o->table.form == TABLE_FOR_PEOPLE && d->dist->parts.n) {
		err = show_all(d, reading, &meta);
	} else if (!err) {
		add_notes(d, d->parts[BARS].table);
		table_also(d->parts[BARS].table, "summary", d->parts[SUMS].table);
		table_also(d->parts[BARS].table, "outliers", d->parts[OUTLIERS].table);
		err = add_worst(d, o);
		err = err ? err : add_heat(d, o);
		err = err ? err : table_show(d->parts[BARS].table, &meta, reading->out);
	}
	strv_fini(&files);
	return err;
}

/* --- its life ------------------------------------------------------------------------------------------------------------ */

static void shown_free(struct handler *h)
{
	struct dist_shown *d = container_of(h, struct dist_shown, handler);

	for (enum part i = 0; i < PARTS; i++)
		table_free(d->parts[i].table);
	table_free(d->heat);
	table_free(d->worst);
	dist_free(d->dist);
	free(d);
}

static const char *key_name(const struct dist_options *opt)
{
	static const char *const names[] = { [DIST_ALL] = "key", [DIST_COMM] = "comm", [DIST_TASK] = "task", [DIST_CPU] = "cpu" };

	return opt->by == DIST_FIELD ? opt->field : names[opt->by];
}

/* Returns the name that the key of latency wakeup and latency migrate once had, or NULL. */
static const char *once_name(const struct dist_view *o)
{
	const char *pid = o->pair && o->pair->preset ? o->pair->preset->pid : NULL;

	if (pid && o->opt.by == DIST_COMM)
		return pair_key_comm(pid);
	return pid && o->opt.by == DIST_FIELD && strcmp(o->opt.field, "pid") == 0 ? pid : NULL;
}

/* Makes the three tables. The key's column has the name of the key, or "key" if another column has that name. It is left out if there are no keys. */
static int make_tables(struct dist_shown *d, const struct dist_view *o)
{
	int err = 0;

	for (enum part i = 0; i < PARTS; i++) {
		const struct table_column *from = all_columns[d->kind][i];
		struct table_show show = o->table;
		const char *key = key_name(&o->opt);
		unsigned int n = 0;

		for (; from[n].name; n++) {
			d->parts[i].columns[n] = from[n];
			if (strcmp(from[n].name, key) == 0)
				key = "key";
		}
		d->parts[i].columns[KEY].name = key;
		d->parts[i].columns[KEY].once = once_name(o);
		if (d->dist->numeric)
			d->parts[i].columns[KEY].type = TABLE_ANY;
		d->parts[i].columns[KEY].more = d->parts[i].columns[KEY].people = o->opt.by == DIST_ALL;
		d->parts[i].columns[n].name = NULL;
		d->parts[i].spec.columns = d->parts[i].columns;
		if (i != BARS)
			show.columns = NULL;
		err = err ? err : table_new(&d->parts[i].table, &d->parts[i].spec, &show);
	}
	return err;
}

/* Prints each time over the limit as it comes: a line as in the classic report, with the time it took. */
static int show_traced(struct dist_shown *d)
{
	const struct dist *dist = d->dist;
	struct str out = { 0 };
	int err;

	vec_each (&dist->traced, at) {
		const struct dist_part *part = &dist->parts.at[at->part];
		const bool ns = input_in_ns(at->input, 0);

		str_addf(&out, "%16s-%-7d [%03u] ", comms_find(at->input->trace->comms, at->pid), at->pid, at->cpu);
		if (ns)
			str_addf(&out, "%12.6f: %s: %.3f us", (double)at->ns / (double)NSEC_PER_SEC, dist->opt.what, (double)at->value / 1e3);
		else
			str_addf(&out, "%llu: %s: %llu", (unsigned long long)at->ns, dist->opt.what, (unsigned long long)at->value);
		str_addf(&out, "%s%s\n", part->key ? " " : "", part->key ? part->key : "");
	}
	d->dist->traced.n = 0;
	err = out.len || out.oom ? reading_write(d->reading, &out) : 0;
	str_fini(&out);
	return err;
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct dist_shown *d = container_of(h, struct dist_shown, handler);
	int err = (d->dist->take)(d->dist, batch);

	return err || !d->dist->traced.n ? err : show_traced(d);
}

static int make(struct handler **out, struct reading *reading, void *options, int (*new_dist)(struct dist **, struct reading *, const struct dist_options *))
{
	struct dist_view *o = options;
	struct dist_shown *d = calloc(1, sizeof(*d));
	int err = d ? new_dist(&d->dist, reading, &o->opt) : -ENOMEM;

	if (!err) {
		d->reading = reading;
		d->kind = d->dist->times ? TIME : d->dist->is_signed ? SIGNED : UNSIGNED;
		d->handler = (struct handler){ .records = d->dist->take ? take_records : NULL, .free = shown_free };
		err = make_tables(d, o);
	}
	if (!err)
		*out = &d->handler;
	else if (d)
		shown_free(&d->handler);
	return err;
}

static int make_calls(struct handler **out, struct reading *reading, void *options)
{
	return make(out, reading, options, dist_new_calls);
}

static int make_events(struct handler **out, struct reading *reading, void *options)
{
	return make(out, reading, options, dist_new_events);
}

static int new_pairs(struct dist **out, struct reading *reading, const struct dist_options *opt)
{
	const struct dist_view *o = container_of(opt, struct dist_view, opt);

	return dist_new_pairs(out, reading, opt, o->pair);
}

static int make_pairs(struct handler **out, struct reading *reading, void *options)
{
	return make(out, reading, options, new_pairs);
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	return show_dist(container_of(h, struct dist_shown, handler), reading, options);
}

const struct analysis dist_calls_analysis = {
	.name = "dist",
	.needs = ANALYSIS_ALL_TASKS,
	.folds = calls_fold,
	.make = make_calls,
	.show = show,
};

const struct analysis dist_events_analysis = {
	.name = "dist",
	.needs = ANALYSIS_LEARN,
	.make = make_events,
	.show = show,
};

const struct analysis dist_pairs_analysis = {
	.name = "latency",
	.needs = ANALYSIS_SUMS | ANALYSIS_LEARN,
	.make = make_pairs,
	.show = show,
};
