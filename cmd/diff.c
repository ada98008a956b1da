/* SPDX-License-Identifier: GPL-2.0 */
/* ringside diff: shows what has changed between recordings, by function or by path. */
#include "cmd/commands.h"
#include "cmd/diff-run.h"
#include "cmd/output.h"
#include "cmd/pager.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/output/diff-text.h"
#include "lib/output/reading-meta.h"

#include <unistd.h>

struct diff_opts {
	struct reading_opts read; /* first */
	struct diff_show show;
	int by_path;
	strv_t conditions;
	struct table_opts table;
	struct table_show how;
	VEC(struct diff_rule) rules;
	diff_runs_t runs[2];
};

#define TO(field) offsetof(struct diff_opts, field)

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_ROWS, .rows = reading_pairs },
	{ OPT_STRV, 'B', .name = "buffer", .arg = "NAME", .offset = TO(read.reading.buffers),
	  .help = "read only buffers whose name matches this glob; \"top\" is the top buffer" },
	{ OPT_HEADING, .help = "What to print" },
	{ OPT_CHOSEN, .name = "funcs", .one_of = "rows", .choice = 0, .offset = TO(by_path), .help = "print a row for each function (the default)" },
	{ OPT_CHOSEN, .name = "graph", .one_of = "rows", .choice = 1, .offset = TO(by_path),
	  .help = "print a row for each call path: a function with all its callers" },
	{ OPT_STRV, .name = "match", .arg = "GLOB", .complete = "functions", .offset = TO(show.globs),
	  .help = "print only the functions or call paths that match this glob" },
	{ OPT_FLAG, 'a', .name = "all", .offset = TO(show.all), .help = "print also rows for which no change was found, and rows that are not compared" },
	{ OPT_FLAG, .name = "explain", .offset = TO(show.explain), .help = "print also the figures on which the verdict of each row is based" },
	{ OPT_STRV, .name = "fail-if", .arg = "CONDITION", .offset = TO(conditions),
	  .help = "end with exit status 1 if a row meets this condition, such as \"slower > 10%\", \"vfs_*: more often\", or \"any\" (any change); repeatable" },
	{ OPT_ROWS, .rows = table_options, .offset = TO(table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

/* --- what was typed ---------------------------------------------------------------------------------------------------------- */

static int add_runs(struct diff_opts *o, unsigned int side, char **files, int n)
{
	int err = 0;

	for (int i = 0; !err && i < n; i++)
		err = vec_push(&o->runs[side], (struct diff_run){ .path = files[i], .by_path = o->by_path }) ? fail(ENOMEM, "out of memory") : 0;
	return err;
}

/* Parses the arguments. A lone "--" separates the two sides, and options can stand on either side. */
static int parse(struct diff_opts *o, int argc, char **argv)
{
	char **left, **right = NULL;
	int at = 1, n, m = 0, err;

	while (at < argc && strcmp(argv[at], "--") != 0)
		at++;
	n = opt_parse(&cmd_diff, o, at, argv, &left);
	if (n >= 0 && at < argc) {
		argv[at] = argv[0];
		m = opt_parse(&cmd_diff, o, argc - at, argv + at, &right);
	}
	if (n < 0 || m < 0)
		return n < 0 ? n : m;
	if (at == argc && n != 2)
		return usage(&cmd_diff, "%d recording%s; it takes two, OLD and NEW, or several a side with -- between them", n, n == 1 ? "" : "s"), -EINVAL;
	if (at < argc && (!n || !m))
		return usage(&cmd_diff, "there is no recording %s --", n ? "after" : "before"), -EINVAL;
	if (at == argc) {
		right = left + 1;
		n = m = 1;
	}
	err = add_runs(o, OLD, left, n);
	return err ? err : add_runs(o, NEW, right, m);
}

static int settle(struct diff_opts *o)
{
	int err = 0;

	vec_each (&o->conditions, text) {
		struct diff_rule rule;

		err = err ? err : diff_rule_parse(&rule, *text);
		err = err ? err : vec_push(&o->rules, rule);
	}
	err = err ? err : table_settle(&cmd_diff, &o->table, STDOUT_FILENO, &o->how);
	err = err ? err : reading_settle(&cmd_diff, &o->read, STDOUT_FILENO);
	/* Output for programs has all rows. */
	o->show.all |= o->how.form != TABLE_FOR_PEOPLE;
	return err;
}

/* --- what is told ------------------------------------------------------------------------------------------------------------ */

/* Refuses a condition on a function that was never called, because a wrong name would stay unnoticed. */
static int refuse_name(const struct diff_rule *rule, const struct diff *diff)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 };
	int err = 0;

	vec_each (&diff->rows, row)
		err = err ? err : strv_add(&names, row->key);
	near = err ? NULL : did_you_mean(rule->glob, &names, "; `ringside funcs` lists what was called");
	strv_fini(&names);
	return fail(ENOENT, "--fail-if '%s': neither side has a call of that name%s", rule->text, near ? near : "");
}

/*
 * Returns the exit status for the conditions: 1 if one of them holds, 2 if one names a function that neither side called, unless it asks whether the function
 * is new. The status is also 2 if no row that a condition is about is compared.
 */
static int judge(const struct diff_opts *o, const struct diff *diff)
{
	int status = 0;

	vec_each (&o->rules, rule) {
		const struct diff_row *first = NULL;
		bool named = !rule->glob || rule->verdict == DIFF_NEW, compared = false, unknown = false;
		size_t more = 0;

		vec_each (&diff->rows, row) {
			if (diff_rule_names(rule, row)) {
				compared |= row->verdict != DIFF_UNKNOWN;
				unknown |= row->verdict == DIFF_UNKNOWN;
			}
			if (!diff_chosen(row, &o->show) || !diff_rule_holds(rule, row))
				continue;
			more += first != NULL;
			first = first ? first : row;
		}
		if (first && more)
			note("--fail-if '%s': it holds for %s and %zu more", rule->text, first->key, more);
		else if (first)
			note("--fail-if '%s': it holds for %s", rule->text, first->key);
		else if (unknown && !compared)
			note("--fail-if '%s': nothing of it is compared, because not every recording has such calls", rule->text);
		else if (!named && !compared)
			refuse_name(rule, diff);
		status = MAX(status, first ? 1 : compared || (named && !unknown) ? 0 : 2);
	}
	return status;
}

/* Adds a note if no row matches the name, because an empty table alone would not say why. */
static void note_unmatched(const struct diff_opts *o, const struct diff *diff)
{
	vec_each (&diff->rows, row)
		if (diff_chosen(row, &o->show))
			return;
	if (diff->rows.n && o->show.globs.n)
		note("--match '%s': neither side has a call of that name; `ringside funcs` lists what was called", o->show.globs.at[0]);
}

static int show(struct diff_opts *o, struct table *table, const struct diff *diff)
{
	struct table_meta meta = { .file = o->runs[NEW].at[0].path,
				   .span = (uint64_t)diff->span[NEW],
				   .lost_told = true,
				   .selection = reading_selection(&o->read.reading) };
	pid_t pager = o->read.no_pager ? 0 : pager_start();
	strv_t files = { 0 };
	int status, err = 0;

	for (unsigned int side = OLD; side <= NEW; side++) {
		vec_each (&o->runs[side], run) {
			err = err ? err : strv_add(&files, run->path);
			meta.ts_ticks |= run->ticks;
			meta.lost += run->lost.events;
			meta.lost_more |= run->lost.more;
			meta.deep += run->deep;
		}
	}
	reading_meta_of_calls(&meta);
	meta.files = &files;
	diff_notes(table, diff, diff_table(table, diff, &o->show));
	status = err ? 1 : table_print(table, &meta);
	pager_wait(pager);
	strv_fini(&files);
	return pager && status == STATUS_PIPE ? 0 : status;
}

static int compare(struct diff_opts *o)
{
	struct table *table = NULL;
	struct diff *diff = NULL;
	bool damaged = false;
	int err = table_new(&table, diff_spec(o->by_path), &o->how), status = err == -EINVAL ? 2 : err ? 1 : 0;

	for (unsigned int side = OLD; side <= NEW; side++) {
		vec_each (&o->runs[side], run) {
			int ended = status ? status : diff_take(&o->read.reading, run);

			/* Of a damaged file, the readable part is compared. */
			damaged |= ended < 0;
			status = MAX(ended, 0);
		}
	}
	if (!status && diff_new(&diff, &o->runs[OLD], &o->runs[NEW]))
		status = fail(ENOMEM, "out of memory") != 0;
	status = status ? status : show(o, table, diff);
	if (!status) {
		note_unmatched(o, diff);
		status = judge(o, diff);
		status = MAX(status, (int)damaged);
	}
	diff_free(diff);
	table_free(table);
	return status;
}

static int run(int argc, char **argv)
{
	struct diff_opts o = { 0 };
	int err = parse(&o, argc, argv), status;

	err = err ? err : settle(&o);
	status = err ? opt_status(err) : compare(&o);
	for (unsigned int side = OLD; side <= NEW; side++) {
		vec_each (&o.runs[side], one)
			diff_run_fini(one);
		vec_fini(&o.runs[side]);
	}
	vec_each (&o.rules, rule)
		free(rule->glob);
	vec_fini(&o.rules);
	strv_fini(&o.conditions);
	strv_fini(&o.show.globs);
	reading_close(&o.read.reading);
	return status;
}

const struct cmd cmd_diff = {
	.name = "diff",
	.synopsis = "[OPTION...] OLD NEW | OLD... -- NEW...",
	.summary = "show what has changed between recordings, by function or by call path",
	.details = "Only differences that chance does not explain are reported. You can give several recordings of the same work for OLD, and\n"
		   "several for NEW. The command then learns from the recordings of each side how much they differ by chance.\n"
		   "  ringside diff before.dat after.dat\n"
		   "  ringside diff a1.dat a2.dat a3.dat -- b1.dat b2.dat b3.dat\n"
		   "  ringside diff --graph --explain before.dat after.dat\n"
		   "  ringside diff --fail-if 'slower > 10%' good.dat new.dat      the exit status is 1 if a function is slower by more than 10 %",
	.opts = opts,
	.operands = "files",
	.run = run,
};
