/* SPDX-License-Identifier: GPL-2.0 */
/* ringside report: prints the records of its files. */
#include "cmd/report.h"
#include "lib/analysis/pass.h"
#include "lib/analysis/window.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/event/tep.h"
#include "lib/output/open-calls.h"
#include "lib/output/profile-text.h"
#include "lib/output/tree.h"
#include "lib/output/wakeups-text.h"

#include <stdio.h>
#include <unistd.h>

/* Every -B must name a buffer of one of the files. */
static int check_buffers(const struct report *report)
{
	vec_each (&report->buffers, glob) {
		strv_t names = { 0 };
		__cleanup(free_ptr) char *list = NULL;
		bool found = false;

		vec_each (&report->inputs, input) {
			vec_each (&input->file->buffers, buffer) {
				const char *name = buffer->name[0] ? buffer->name : "top";

				found |= glob_match(*glob, name);
				if (!strv_has(&names, name))
					strv_add(&names, name);
			}
		}
		list = join_names(&names, "; there is ", "");
		strv_fini(&names);
		if (!found)
			return fail(EINVAL, "-B %s: no buffer of that name in the file%s", *glob, list ? list : "");
	}
	return 0;
}

static size_t name_width(const struct report *report)
{
	size_t width = 0;

	vec_each (&report->inputs, input)
		width = MAX(width, input->name ? strlen(input->name) : 0);
	return width;
}

static bool has_cpu(const struct datfile *file, uint32_t cpu)
{
	vec_each (&file->buffers, buffer)
		vec_each (&buffer->cpus, at)
			if (at->cpu == cpu && at->size)
				return true;
	return false;
}

/* -V */
static void print_verbose(const struct input *input, uint32_t ncpus)
{
	struct str plugins = { 0 };

	printf("version = %u\n", input->file->version);
	tep_plugins(input->trace, "registering plugin: ", &plugins);
	fputs(str_text(&plugins), stdout);
	str_fini(&plugins);
	for (uint32_t cpu = 0; cpu < ncpus; cpu++)
		if (!has_cpu(input->file, cpu))
			printf("CPU %u is empty\n", cpu);
}

/* "cpus=N" of each file; with -V what else trace-cmd says there. */
static void print_heads(struct report *report)
{
	size_t width = name_width(report);

	vec_each (&report->inputs, input) {
		uint32_t n = input->file->meta.ncpus;

		vec_each (&input->file->buffers, buffer)
			vec_each (&buffer->cpus, at)
				n = MAX(n, at->cpu + 1);
		if (report->verbose >= 4)
			print_verbose(input, n);
		if (input->name)
			printf("%*s: ", (int)width, input->name);
		printf("cpus=%u\n", n);
	}
}

/* A latency tracer's text is printed as it is. False: there is none. */
static bool print_latency_texts(const struct report *report)
{
	bool any = false;

	vec_each (&report->inputs, input) {
		vec_each (&input->file->buffers, buffer) {
			if (!buffer->latency)
				continue;
			fwrite(buffer->text.at, 1, buffer->text.size, stdout);
			any = true;
		}
	}
	return any;
}

/* Histograms and profiles are of events. */
static int check_texts(const struct report *report)
{
	vec_each (&report->inputs, input)
		vec_each (&input->file->buffers, buffer)
			if (buffer->latency && (report->hist || report->profile))
				return fail(ENODATA, "%s holds the text of a latency tracer, in which no events can be counted; "
					    "`ringside report` prints it", input->path);
	return 0;
}

static int open_merge(struct report *report, bool fold, struct merge **merge)
{
	VEC(struct merge_input) inputs = { 0 };
	int err = 0;

	vec_each (&report->inputs, input) {
		struct merge_input one = {
			.file = input->file,
			.graph = input->trace->graph,
			.clock = &input->clock,
			.cpus = report->has_cpus ? &report->cpus : NULL,
			.fold = fold && lines_fold(input->trace),
			.buffer_wanted = report->buffers.n ? merge_buffer_globs : NULL,
			.ctx = &report->buffers,
		};

		err = err ? err : vec_push(&inputs, one);
	}
	err = err ? err : merge_open(merge, inputs.at, inputs.n, report->pool);
	vec_fini(&inputs);
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

static int set_window(const struct report *report, struct merge *merge)
{
	struct window_options window = { .since = report->since, .until = report->until,
					 .exact = report->view.lines.exact, .ns = input_in_ns(&report->inputs.at[0], 0) };

	return window_set(merge, &report->inputs, &window);
}

static int print_profile(struct profile *profile, void *ctx)
{
	const struct report *report = ctx;
	const struct profile_show show = { &report->view.select.comms, &report->view.select.pids, &report->view.select.tids,
					   report->view.lines.exact };
	struct str text = { 0 };
	int err = profile_text(profile, &show, &text);

	err = err ? err : io_write(STDOUT_FILENO, str_text(&text), text.len);
	str_fini(&text);
	return err && err != -EPIPE && err != -ENOMEM ? fail(-err, "writing the profile: %m") : err;
}

/* The hooks that were recorded are taken along. */
static int make_profile(struct report *report, struct handler **out)
{
	int err = 0;

	vec_each (&report->inputs, input)
		vec_each (&input->file->meta.hooks, hook)
			if (!err && !strv_has(&report->prof.hooks, *hook))
				err = strv_add(&report->prof.hooks, *hook);
	return err ? err : profile_new(out, &report->inputs, &report->prof, print_profile, report);
}

static int print_hist(struct hist *hist, void *ctx)
{
	const struct report *report = ctx;

	return hist_print(hist, &report->hist_show, STDOUT_FILENO);
}

static int make_handler(struct report *report, struct handler **out)
{
	struct tree_options tree = { .times = report->view.lines.exact, .colour = report->view.lines.colour };
	int err;

	if (report->hist)
		err = hist_new(out, &report->inputs, &report->chains, print_hist, report);
	else if (report->profile)
		err = make_profile(report, out);
	else if (report->tree)
		err = tree_new(out, &report->inputs, &tree, STDOUT_FILENO);
	else
		err = lines_new(out, &report->inputs, &report->view.lines, report->pool, STDOUT_FILENO);
	return err == -ENOMEM ? fail(ENOMEM, "%m") : err;
}

/* -w */
static int make_wakeups(const struct report *report, struct pass *pass)
{
	int err = wakeups_new(&pass->wakeups, &report->inputs);

	if (!err && !pass->wakeups && !report->quiet)
		warn("-w: %s describes no wakeups and switches; record them with -e sched_switch -e 'sched_wakeup*'",
		     report->inputs.at[0].path);
	return err;
}

/* What pairs calls with returns, and what selects records; pass->within stays NULL when no calls were asked for. */
static int make_analysis(struct report *report, struct pass *pass)
{
	struct select_options wanted = report->view.select;
	int err;

	/* What a task waits for is told by other tasks' records. */
	if (report->profile)
		wanted.comms = wanted.pids = wanted.tids = (strv_t){ 0 };
	err = select_new(&pass->select, &report->inputs, &wanted);
	if (!err && (report->view.within.funcs.n || report->view.within.min_duration))
		err = report_ready(report) ?: within_new(&pass->within, &report->inputs, &report->view.within);
	if (!err)
		err = latency_new(&pass->latency, &report->inputs);
	if (!err && report->wakeups)
		err = make_wakeups(report, pass);
	return err == -ENOMEM ? fail(ENOMEM, "%m") : err;
}

/* What did not return stands at the end. */
static int print_open_calls(const struct report *report, const struct pass *pass)
{
	struct str text = { 0 };
	int err = open_calls_text(pass->latency, pass->select, &report->inputs, report->view.lines.exact, &text);

	err = err ? err : io_write(STDOUT_FILENO, str_text(&text), text.len);
	str_fini(&text);
	return err && err != -EPIPE ? fail(-err, "writing the report: %m") : err;
}

/* How long tasks waited stands behind all. */
static int print_wakeups(const struct report *report, const struct pass *pass)
{
	struct str text = { 0 };
	int err = wakeups_text(wakeups_result(pass->wakeups), input_in_ns(&report->inputs.at[0], 0), report->view.lines.exact, &text);

	err = err ? err : io_write(STDOUT_FILENO, str_text(&text), text.len);
	str_fini(&text);
	return err && err != -EPIPE ? fail(-err, "writing the report: %m") : err;
}

/* Why nothing was printed, when nothing was. */
static void say_why_nothing(const struct report *report, const struct pass *pass)
{
	const char *path = report->inputs.at[0].path;

	if (pass->passed || report->quiet)
		return;
	if (pass->seen)
		note("none of the %llu records matches the options", (unsigned long long)pass->seen);
	else if (report->has_cpus || report->buffers.n || report->since || report->until)
		note("%s holds no events of the CPUs, buffers or times asked for", path);
	else
		note("%s holds no events: nothing that was traced happened while it was recorded; "
		     "`ringside dump --summary %s` says what was traced", path, path);
}

static bool any_damaged(const struct report *report)
{
	vec_each (&report->inputs, input)
		if (input->file->damaged)
			return true;
	return false;
}

/* "cpus=N" and what belongs there. 1: that was all there is to print, 0, or a negative errno. */
static int print_front(struct report *report)
{
	bool latency;

	if (!report->tree && !report->hist)
		print_heads(report);
	latency = print_latency_texts(report);
	return output_flush() ?: latency;
}

static int run_pass(struct report *report, struct pass *pass)
{
	int err = pass_run(pass);

	if (!err && pass->latency && !report->profile && !report->hist)
		err = print_open_calls(report, pass);
	if (!err && pass->wakeups)
		err = print_wakeups(report, pass);
	if (!err && !merge_damaged(pass->merge) && !any_damaged(report))
		say_why_nothing(report, pass);
	return err;
}

/* The exit status for how it ended. */
static int status_of(const struct report *report, const struct pass *pass, int err)
{
	if (err == -EPIPE)
		return STATUS_PIPE;
	return err || any_damaged(report) || (pass->merge && merge_damaged(pass->merge));
}

static int open_window(struct report *report, bool fold, struct merge **merge)
{
	int err = open_merge(report, fold, merge);

	return err == -EINVAL ? -EIO : err ? err : set_window(report, *merge);
}

/* The pass that --min-duration needs before. */
static int scan(struct report *report, struct within *within)
{
	struct pass pass = { .handler = within ? within_scan(within) : NULL };
	int err;

	if (!pass.handler)
		return 0;
	err = open_window(report, false, &pass.merge);
	if (!err) {
		merge_hush(pass.merge);
		err = pass_run(&pass);
	}
	merge_close(pass.merge);
	return err;
}

/* Does nothing but the lines look at the records? */
static bool only_lines(const struct report *report, const struct pass *pass)
{
	return !report->tree && !report->profile && !report->hist && !pass->check_order && !pass->latency && !pass->wakeups &&
	       !pass->within && select_is_empty(pass->select);
}

/* All that the options can be wrong about comes before the first line. */
static int prepare(struct report *report, struct pass *pass)
{
	int err = check_buffers(report);

	err = err ? err : check_texts(report);
	if (!err)
		err = make_analysis(report, pass);
	err = err ? err : scan(report, pass->within);
	err = err ? err : open_window(report, only_lines(report, pass), &pass->merge);
	/* While the last symbols are read, there is something to decode. */
	err = err ? err : merge_begin(pass->merge);
	err = err ? err : report_ready(report);
	return err ? err : make_handler(report, &pass->handler);
}

int report_records(struct report *report)
{
	struct pass pass = { .check_order = report->ts_check, .align = report->view.align ? &report->inputs : NULL };
	struct select *select;
	int status, err = prepare(report, &pass);

	select = pass.select;
	if (err) {
		status = err == -EINVAL ? 2 : 1;
		goto out;
	}
	if (select_is_empty(select))
		pass.select = NULL;
	err = print_front(report);
	if (!err)
		err = run_pass(report, &pass);
	status = status_of(report, &pass, err < 0 ? err : 0);
out:
	if (pass.handler)
		pass.handler->free(pass.handler);
	merge_close(pass.merge);
	latency_free(pass.latency);
	wakeups_free(pass.wakeups);
	within_free(pass.within);
	select_free(select);
	return status;
}
