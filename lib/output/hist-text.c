/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/output/hist-shared.h"
#include "lib/analysis/reading.h"
#include "lib/base/digits.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/visible.h"
#include "lib/analysis/lost-text.h"
#include "lib/output/reading-meta.h"

#include <stdio.h>

static int make_names(struct hist_text *v)
{
	size_t n = v->h->chains.frames.n;

	v->names = calloc(n + 1, sizeof(*v->names));
	if (!v->names)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct str name = { 0 };

		str_add(&name, v->h->chains.frames.at[i].name);
		visible_str(&name, 0, false);
		v->names[i] = str_take(&name);
		if (!v->names[i])
			return -ENOMEM;
	}
	return 0;
}

static int measure_names(struct hist_text *v)
{
	size_t n = v->h->chains.frames.n;

	v->lengths = calloc(n + 1, sizeof(*v->lengths));
	if (!v->lengths)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		v->lengths[i] = (uint32_t)strlen(hist_text_frame(v, i));
	return 0;
}

/* --- what belongs together ----------------------------------------------------------------------------------- */

static int by_group(const void *a, const void *b, void *ctx)
{
	const struct hist_text *v = ctx;
	const struct hist_group *x = a, *y = b;
	const struct chain_owner *of_x = hist_text_owner(v, x), *of_y = hist_text_owner(v, y);
	int order = ORDER(y->count, x->count);

	order = order ? order : strcmp(v->h->chains.frames.at[x->frame].name, v->h->chains.frames.at[y->frame].name);
	order = order ? order : ORDER(of_x->file, of_y->file);
	return order ? order : ORDER(of_x->pid, of_y->pid);
}

static int add_end(struct hist_text *v, size_t i)
{
	const struct chain_node *node = &v->h->chains.nodes.at[v->ends[i]];
	uint32_t root = v->roots[v->ends[i]];
	struct hist_group *last = v->groups.n ? &v->groups.at[v->groups.n - 1] : NULL;

	v->total += node->count;
	if (!last || last->root != root || last->frame != node->frame) {
		if (vec_push(&v->groups, (struct hist_group){ .root = root, .frame = node->frame, .first = i }))
			return -ENOMEM;
		last = &v->groups.at[v->groups.n - 1];
	}
	last->n++;
	last->count += node->count;
	return 0;
}

/* Returns the number by which the chain that ends at @node is sorted. */
typedef uint32_t (*end_key_t)(const struct hist_text *v, uint32_t node);

static uint32_t frame_key(const struct hist_text *v, uint32_t node)
{
	return v->h->chains.nodes.at[node].frame;
}

static uint32_t owner_key(const struct hist_text *v, uint32_t node)
{
	return v->h->chains.nodes.at[v->roots[node]].frame;
}

/* Sorts the ends by @key, whose values are below @n. Ends with equal keys stay in their order. Returns 0 or -ENOMEM. */
static int sort_ends(struct hist_text *v, end_key_t key, size_t n)
{
	__cleanup(free_ptr) uint32_t *next = calloc(n + 1, sizeof(*next));
	uint32_t *sorted = calloc(v->nends + 1, sizeof(*sorted));

	if (!next || !sorted)
		return free(sorted), -ENOMEM;
	for (size_t i = 0; i < v->nends; i++)
		next[key(v, v->ends[i]) + 1]++;
	for (size_t i = 1; i < n; i++)
		next[i] += next[i - 1];
	for (size_t i = 0; i < v->nends; i++)
		sorted[next[key(v, v->ends[i])]++] = v->ends[i];
	free(v->ends);
	v->ends = sorted;
	return 0;
}

/* Puts the nodes where chains end in the order of their tasks, then of their frames, then of themselves. */
static int make_groups(struct hist_text *v)
{
	const struct hist *h = v->h;
	size_t n = MAX(h->chains.nodes.n, (size_t)1);
	int err;

	v->roots = calloc(n, sizeof(*v->roots));
	v->ends = calloc(n, sizeof(*v->ends));
	if (!v->roots || !v->ends)
		return -ENOMEM;
	for (uint32_t i = 0; i < h->chains.nodes.n; i++) {
		const struct chain_node *node = &h->chains.nodes.at[i];

		v->roots[i] = node->caller == i ? i : v->roots[node->caller];
		if (node->count)
			v->ends[v->nends++] = i;
	}
	err = sort_ends(v, frame_key, MAX(h->chains.frames.n, h->chains.owners.n));
	err = err ? err : sort_ends(v, owner_key, h->chains.owners.n);
	for (size_t i = 0; !err && i < v->nends; i++)
		err = add_end(v, i);
	if (!err && v->groups.n)
		qsort_r(v->groups.at, v->groups.n, sizeof(*v->groups.at), by_group, v);
	return err;
}

/* --- shares -------------------------------------------------------------------------------------------------- */

static double percent(uint64_t all, uint64_t part)
{
	return all ? (double)part * 100 / (double)all : 0;
}

/* Puts a number as "%.2f" does, in up to 32 bytes. A number near the middle between two results is left to printf. */
static char *put_share(char *at, double share)
{
	double hundredths = share * 100, rest = hundredths - (double)(uint64_t)hundredths;
	uint64_t n = (uint64_t)hundredths + (rest > 0.5);

	if (unlikely(rest > 0.4999 && rest < 0.5001))
		return at + snprintf(at, 32, "%.2f", share);
	at = put_u64(at, n / 100);
	*at++ = '.';
	return put_2(at, (unsigned int)(n % 100));
}

/* Shares of 5 % and more are red, and those of 0.5 % and more are green. */
char *hist_text_share(const struct hist_text *v, char *at, uint64_t all, uint64_t part, size_t width)
{
	const double share = percent(all, part);
	const char *on = !v->colour ? "" : share >= 5 ? "\033[31m" : share >= 0.5 ? "\033[32m" : "";
	char buf[32];
	size_t n = (size_t)(put_share(buf, share) - buf);

	at = put_bytes(at, on, strlen(on));
	if (!width)
		*at++ = '%';
	for (size_t i = n; i < width; i++)
		*at++ = ' ';
	at = put_bytes(at, buf, n);
	if (width)
		*at++ = '%';
	return *on ? put_bytes(at, "\033[m", 3) : at;
}

static void add_percent(struct hist_text *v, uint64_t part, size_t width)
{
	if (str_room(&v->out, HIST_SHARE))
		v->out.len = (size_t)(hist_text_share(v, v->out.at + v->out.len, v->total, part, width) - v->out.at);
}

/* --- tables -------------------------------------------------------------------------------------------------- */

static void add_row(struct hist_text *v, const struct hist_group *group)
{
	const struct chain_owner *owner = hist_text_owner(v, group);
	char task[80] = "";

	if (owner->pid >= 0)
		snprintf(task, sizeof(task), "%s-%d", hist_text_comm(v, owner), owner->pid);
	str_addf(&v->out, "%12llu ", (unsigned long long)group->count);
	add_percent(v, group->count, 7);
	str_add(&v->out, "  ");
	if (owner->pid >= 0)
		str_addf(&v->out, "%-22s ", task);
	str_addf(&v->out, "%s\n", hist_text_frame(v, group->frame));
}

enum { EVENT, FUNCTION, COMM, TID, COUNT, SUM, TIME, PERCENT };

static const struct table_column columns[] = {
	[EVENT] = { "event", TABLE_TEXT },
	[FUNCTION] = { "function", TABLE_TEXT },
	[COMM] = { "comm", TABLE_TEXT },
	[TID] = { "tid", TABLE_ID },
	[COUNT] = { "count", TABLE_COUNT },
	[SUM] = { "sum", TABLE_COUNT },
	[TIME] = { "self", TABLE_NS },
	[PERCENT] = { "percent", TABLE_PERCENT, .heat = true },
	{ NULL },
};
static const struct table_spec spec = { .columns = columns };

static void add_table_row(const struct hist_text *v, const struct hist_group *group, struct table *table)
{
	const struct hist_options *opt = &v->h->opt;
	const struct chain_owner *owner = hist_text_owner(v, group);
	const struct chain_frame *frame = &v->h->chains.frames.at[group->frame];

	table_row(table, TABLE_ROOT);
	table_text(table, frame->event ? EVENT : FUNCTION, frame->name);
	if (owner->pid >= 0) {
		table_text(table, COMM, hist_text_comm(v, owner));
		table_id(table, TID, owner->pid);
	}
	table_count(table, opt->sum ? SUM : opt->time ? TIME : COUNT, group->count);
	table_real(table, PERCENT, percent(v->total, group->count));
}

static void say_nothing(const struct hist_text *v, const struct reading *reading)
{
	const char *file = reading->inputs.at[0].path;

	if (v->groups.n || !reading->pass.passed || reading->quiet)
		return;
	if (v->h->opt.time)
		note("nothing in %s has a duration that --time could add up; calls have one, and they come from `record -p function_graph` or "
		     "`record --latency`",
		     file);
	else if (v->h->opt.sum)
		note("--sum %s: no event in %s that is counted has such a field; `ringside report --events` shows which events have it", v->h->opt.sum, file);
}

/* Prints the table, most frequent first, which is the order of hist_text.groups. */
static int print_table(struct hist_text *v, struct reading *reading, const struct table_show *show)
{
	struct table_meta meta;
	struct table *table;
	strv_t files = { 0 };
	int err = table_new(&table, &spec, show);

	if (err)
		return err;
	vec_each (&v->groups, group)
		add_table_row(v, group, table);
	if (v->h->chains.cut)
		table_note(table, "there were too many different chains: %llu calls have lost their callers", (unsigned long long)v->h->chains.cut);
	err = reading_meta(reading, &meta, &files);
	if (v->h->opt.time)
		reading_meta_of_calls(&meta);
	err = err ? fail(-err, "%m") : table_show(table, &meta, v->fd);
	if (!err)
		say_nothing(v, reading);
	table_free(table);
	strv_fini(&files);
	return err;
}

/* --- all ----------------------------------------------------------------------------------------------------- */

int hist_text_flush(struct hist_text *v, size_t much)
{
	int err = str_ok(&v->out);

	if (!err && v->out.len > much) {
		err = io_write(v->fd, str_text(&v->out), v->out.len);
		str_clear(&v->out);
		if (err && err != -EPIPE && err != -ENOMEM)
			return fail(-err, "writing the histogram: %m");
	}
	return err;
}

/* Adds what the counts lack. Folded output has no place for it. */
static void add_losses(struct hist_text *v, bool folded)
{
	const struct hist *h = v->h;
	const struct calls_lost *lost = calls_lost(h->calls);
	struct str text = { 0 };

	lost_text(lost->events, lost->more, &text);
	if (h->chains.cut)
		str_addf(&text, "%sthere were too many different chains: %llu calls have lost their callers", text.len ? "; " : "",
			 (unsigned long long)h->chains.cut);
	if (text.len && folded)
		warn("%s", str_text(&text));
	else if (text.len)
		str_addf(&v->out, "\n%s\n", str_text(&text));
	str_fini(&text);
}

static void view_fini(struct hist_text *v)
{
	for (size_t i = 0; v->names && i < v->h->chains.frames.n; i++)
		free(v->names[i]);
	free(v->names);
	free(v->lengths);
	free(v->roots);
	free(v->ends);
	vec_fini(&v->groups);
	str_fini(&v->out);
}

/* Prints the output for programs. */
static int hist_table(const struct hist *h, struct reading *reading, const struct table_show *show)
{
	struct hist_text v = { .h = h, .fd = reading->out };
	int err = make_groups(&v);

	err = err ? fail(-err, "%m") : print_table(&v, reading, show);
	view_fini(&v);
	return err;
}

int hist_print(const struct hist *h, const struct hist_show *show, const struct reading *reading)
{
	struct hist_text v = { .h = h, .fd = reading->out, .colour = reading->colour };
	const char *weight = h->opt.sum ? h->opt.sum : "NS";
	int err = reading->trace.visible ? make_names(&v) : 0;
	size_t n;

	err = err ? err : measure_names(&v);
	err = err ? err : make_groups(&v);
	n = show->top ? MIN(v.groups.n, (size_t)show->top) : v.groups.n;
	if (!err && show->form == HIST_FOLDED)
		err = hist_text_folded(&v, n);
	else if (!err && show->form == HIST_FLAT && n)
		str_addf(&v.out, "%12s %8s  %s%s\n", h->opt.sum || h->opt.time ? weight : "COUNT", "PERCENT", h->opt.all_tasks ? "" : "TASK                   ",
			 "EVENT OR FUNCTION");
	if (!err && show->form == HIST_TREE)
		err = hist_text_trees(&v, n, reading->pool);
	for (size_t i = 0; !err && show->form == HIST_FLAT && i < n; i++) {
		add_row(&v, &v.groups.at[i]);
		err = hist_text_flush(&v, 1 << 16);
	}
	if (!err)
		add_losses(&v, show->form == HIST_FOLDED);
	if (!err)
		say_nothing(&v, reading);
	err = err ? err : hist_text_flush(&v, 0);
	view_fini(&v);
	return err;
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	const struct hist_view *view = options;
	struct hist_options opt = view->opt;
	struct table *table;
	struct hist *hist;
	int err;

	/* A wrong column name is reported before the work is done. */
	if (view->show.as_table) {
		err = table_new(&table, &spec, &view->show.table);
		if (err)
			return err;
		table_free(table);
	}
	opt.selected = reading->selected;
	err = hist_new(&hist, &reading->inputs, reading_calls(reading), &opt);
	if (!err)
		*out = &hist->handler;
	return err;
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	const struct hist_view *view = options;

	const struct hist *hist = container_of(h, struct hist, handler);

	if (view->show.as_table)
		return hist_table(hist, reading, &view->show.table);
	return hist_print(hist, &view->show, reading);
}

const struct analysis hist_analysis = {
	.name = "hist",
	.needs = ANALYSIS_FUNCTIONS,
	.folds = calls_fold,
	.make = make,
	.show = show,
};

const struct analysis hist_time_analysis = {
	.name = "hist",
	.needs = ANALYSIS_FUNCTIONS | ANALYSIS_MEANWHILE,
	.folds = calls_fold,
	.make = make,
	.show = show,
};
