/* SPDX-License-Identifier: GPL-2.0 */
/* ringside export: writes a recording as a file for other programs. */
#include "cmd/commands.h"
#include "cmd/export-store.h"
#include "cmd/output.h"
#include "cmd/progress.h"
#include "cmd/reading.h"
#include "lib/analysis/extent.h"
#include "lib/base/err.h"
#include "lib/base/outdir.h"
#include "lib/base/outfile.h"
#include "lib/export/exporter.h"

#include <stdio.h>
#include <unistd.h>

struct export_opts {
	struct reading_opts read; /* first */
	const char *to, *output;
	strv_t columns;
	bool list;
	const struct exporter *exporter;
	struct export_options opt;
	struct progress progress;
	struct store_opts store;
};

/* The lines of report come from another analysis than the other formats. */
static const struct exporter text_exporter = {
	.name = "text",
	.suffixes = { ".txt" },
	.analysis = &lines_analysis,
	.summary = "the lines of `ringside report`",
};

#define TO(field) offsetof(struct export_opts, field)

static const struct opt opts[] = {
	{ OPT_HEADING, .help = "What to write" },
	{ OPT_STR, .name = "to", .arg = "FORMAT", .complete = "exporters", .offset = TO(to),
	  .help = "write this format, or write into the database clickhouse://HOST:PORT/DATABASE; without --to, the ending of -o's file name chooses the format" },
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = TO(output),
	  .help = "write FILE, which appears when it is complete; - is the standard output (the default)" },
	{ OPT_FLAG, .name = "list", .offset = TO(list), .help = "list the formats, and the endings of file names that choose them" },
	{ OPT_STRV, .name = "events", .arg = "EVENT", .complete = "events", .offset = TO(columns),
	  .help = "in the format csv: write only this event, with a column for each of its fields" },
	{ OPT_ROWS, .rows = store_options, .offset = TO(store) },
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_ROWS, .rows = reading_pairs },
	OPT_END,
};

/* --- formats ---------------------------------------------------------------------------------------------------- */

static void print_format(const struct exporter *e)
{
	char names[64] = "";

	for (unsigned int i = 0; i < EXPORT_SUFFIXES && e->suffixes[i]; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", i ? " " : "", e->suffixes[i]);
	printf("%-11s %-24s %s%s%s\n", e->name, names, e->summary, e->analysis ? "" : "; not in this program: it was built without ",
	       e->analysis ? "" : e->missing);
}

static int list(void)
{
	for (const struct exporter *e = exporters; e->name; e++)
		print_format(e);
	print_format(&text_exporter);
	store_list();
	return output_end(0);
}

static int say_unknown(const char *name)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };

	for (const struct exporter *e = exporters; e->name; e++)
		strv_add(&names, e->name);
	strv_add(&names, text_exporter.name);
	strv_add(&names, "tsv");
	strv_add(&names, "rowbinary");
	nearest_names(name, &names, 1, &best);
	near = join_names(&best, " (did you mean ", "?)");
	usage(&cmd_export, "there is no format '%s'%s; `ringside export --list` lists them", name, near ? near : "");
	strv_fini(&names);
	strv_fini(&best);
	return -EINVAL;
}

static int find_exporter(struct export_opts *o)
{
	if (o->to) {
		o->exporter = strcmp(o->to, text_exporter.name) == 0 ? &text_exporter : exporter_named(o->to);
		return o->exporter ? 0 : say_unknown(o->to);
	}
	if (o->output)
		o->exporter = str_ends(o->output, text_exporter.suffixes[0]) ? &text_exporter : exporter_of_file(o->output);
	if (o->exporter)
		return 0;
	usage(&cmd_export,
	      o->output ? "the name of %s does not tell the format: say --to FORMAT; `ringside export --list` lists them"
			: "which format? Say --to FORMAT, or -o FILE with a name that tells; `ringside export --list` lists them",
	      o->output);
	return -EINVAL;
}

static bool to_stdout(const struct export_opts *o)
{
	return !o->output || strcmp(o->output, "-") == 0;
}

static int check(struct export_opts *o)
{
	const struct exporter *e = o->exporter;

	if (!e->analysis)
		return fail(ENOTSUP, "%s: this program was built without %s; build it again where that is installed", e->name, e->missing);
	if (e->folder && to_stdout(o))
		return usage(&cmd_export, "%s is a folder: name it with -o", e->name), -EINVAL;
	if (e->seeks && to_stdout(o))
		return usage(&cmd_export, "%s cannot be written into a pipe, as its parts are not written in order: name a file with -o", e->name), -EINVAL;
	if (e->seeks && outfile_check_plain(o->output))
		return -EINVAL;
	if (e->binary && to_stdout(o) && isatty(STDOUT_FILENO))
		return usage(&cmd_export, "%s cannot be shown on a terminal: name a file with -o, or use a pipe", e->name), -EINVAL;
	if (o->columns.n && strcmp(e->name, "csv"))
		return usage(&cmd_export, "--events makes columns of csv; --only-event chooses events for all formats"), -EINVAL;
	o->opt.columns = o->columns.n;
	vec_each (&o->columns, name)
		if (strv_add(&o->read.reading.select.events, *name))
			return fail(ENOMEM, "out of memory");
	return 0;
}

/* --- progress --------------------------------------------------------------------------------------------------- */

/* Shows the progress by the times of records, from the first to the last of all files. */
struct watcher {
	struct handler handler;
	struct progress *progress;
	const inputs_t *inputs;
	struct extent extent;
};

static int on_records(struct handler *h, const struct batch *batch)
{
	struct watcher *watcher = (struct watcher *)h;

	if (batch->n)
		progress_bytes(watcher->progress, extent_done(&watcher->extent, watcher->inputs, &batch->records[batch->n - 1]), watcher->extent.size);
	return 0;
}

static void free_watcher(struct handler *h)
{
	free(h);
}

static int make_watcher(struct handler **out, struct reading *reading, void *options)
{
	struct export_opts *o = options;
	struct watcher *watcher = calloc(1, sizeof(*watcher));
	int err;

	if (!watcher)
		return -ENOMEM;
	*watcher = (struct watcher){ .handler = { .records = on_records, .free = free_watcher }, .progress = &o->progress, .inputs = &reading->inputs };
	err = extent_find(&watcher->extent, watcher->inputs);
	if (err)
		free(watcher);
	else
		*out = &watcher->handler;
	return err;
}

static bool folds(__unused const struct trace *trace)
{
	return true;
}

static const struct analysis progress_analysis = { .name = "progress", .needs = ANALYSIS_TEXTS, .folds = folds, .make = make_watcher };

/* --- the work --------------------------------------------------------------------------------------------------- */

/* The file or folder that is written. */
struct target {
	struct outfile file;  /* .fd is -1 if there is none */
	struct outdir folder; /* .fd is -1 if there is none */
};

static int publish(struct target *target)
{
	if (target->folder.fd >= 0)
		return outdir_publish(&target->folder);
	return target->file.fd >= 0 ? outfile_publish(&target->file) : 0;
}

static int export_records(struct export_opts *o, struct target *target)
{
	struct reading *reading = &o->read.reading;
	int err = reading_select(reading);

	if (err)
		return err == -EINVAL ? 2 : 1;
	err = reading_run(reading);
	progress_end(&o->progress);
	if (!err)
		reading_say_why_nothing(reading);
	if (!err)
		err = publish(target);
	if (err == -EPIPE)
		return STATUS_PIPE;
	return err < 0 || reading_damaged(reading);
}

static int export_to(struct export_opts *o, int fd, struct target *target)
{
	struct reading *reading = &o->read.reading;
	void *options = o->exporter == &text_exporter ? (void *)&o->read.lines : &o->opt;

	if (reading_settle(&cmd_export, &o->read, fd))
		return 2;
	reading->out_name = to_stdout(o) ? "the standard output" : o->output;
	progress_init(&o->progress, "exporting", !isatty(fd));
	if (reading_open(reading) || reading_add(reading, o->exporter->analysis, options) || (o->progress.live && reading_add(reading, &progress_analysis, o)))
		return 1;
	return export_records(o, target);
}

static int export(struct export_opts *o)
{
	struct target target = { .file = OUTFILE_NONE, .folder = OUTDIR_NONE };
	const char *folder = o->exporter->folder;
	int status = 1;

	if (to_stdout(o))
		status = export_to(o, STDOUT_FILENO, &target);
	else if (folder && !outdir_open(&target.folder, o->output, folder))
		status = export_to(o, target.folder.fd, &target);
	else if (!folder && !reading_outfile(&o->read.reading, &target.file, o->output))
		status = export_to(o, target.file.fd, &target);
	/* After an error a thread may still be writing to the file. */
	reading_again(&o->read.reading);
	outfile_close(&target.file);
	outdir_close(&target.folder);
	return status;
}

static int export_file(struct export_opts *o)
{
	int err = 0;

	if (store_opts_given(&o->store))
		err = (usage(&cmd_export, "--%s is for --to clickhouse://HOST:PORT/DATABASE%s", store_opts_given(&o->store),
			     o->store.table ? ", tsv and rowbinary" : ""),
		       -EINVAL);
	err = err ? err : find_exporter(o);
	err = err ? err : check(o);
	return err ? opt_status(err) : export(o);
}

static int run(int argc, char **argv)
{
	struct export_opts o = { 0 };
	/* Parsing takes the operands out of @argv. */
	__cleanup(free_ptr) char **words = calloc((size_t)argc + 1, sizeof(*words));
	int err, status;

	if (!words)
		return fail(ENOMEM, "out of memory"), 1;
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	err = reading_parse(&cmd_export, &o, argc, argv);

	if (!err && o.list) {
		status = list();
	} else {
		status = err				   ? opt_status(err)
			 : store_is_target(o.to, o.output) ? store_export(&o.read, &o.store, o.to, o.output, argc, words)
							   : export_file(&o);
	}
	reading_close(&o.read.reading);
	strv_fini(&o.columns);
	return status;
}

const struct cmd cmd_export = {
	.name = "export",
	.synopsis = "[OPTION...] [--to FORMAT] [-o FILE] [FILE...]",
	.summary = "write a recording as a file that other programs open: spreadsheets, viewers, databases",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "  ringside export -o trace.csv                     every event, for a spreadsheet\n"
		   "  ringside export --to csv --events sched_switch   a column for each field of this event\n"
		   "  ringside export --to jsonl | jq .comm            for a program\n"
		   "  ringside export --to clickhouse://localhost/fleet --create   into a ClickHouse database, next to other recordings",
	.opts = opts,
	.operands = "files",
	.run = run,
};
