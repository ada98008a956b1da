/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/reading.h"
#include "lib/analysis/asked.h"
#include "lib/analysis/chosen.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/narrowed.h"
#include "lib/analysis/order.h"
#include "lib/analysis/units.h"
#include "lib/base/err.h"
#include "lib/base/visible.h"
#include "lib/base/io.h"

#include <unistd.h>

/* --- the files -------------------------------------------------------------------------------------------- */

int reading_input(struct reading *reading, const char *path)
{
	return vec_push(&reading->inputs, (struct input){ .path = path });
}

int reading_outfile(const struct reading *reading, struct outfile *out, const char *path)
{
	int err = reading->kallsyms ? outfile_check_input(path, reading->kallsyms) : 0;

	*out = (struct outfile)OUTFILE_NONE;
	vec_each (&reading->inputs, input)
		err = err ? err : outfile_check_input(path, input->path);
	return err ? err : outfile_open(out, path);
}

static int replace_kallsyms(struct metadata *meta, const char *path)
{
	struct text text;
	int err = io_slurp(path, &text);

	if (err)
		return fail(-err, "--kallsyms %s: %m", path);
	free(meta->kallsyms.at);
	meta->kallsyms = text;
	return 0;
}

/* Returns the file's name that is printed in front of its lines, as trace-cmd does. Returns NULL if there is only one file, which needs no name. */
static const char *file_name(const struct reading *reading, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (reading->inputs.n < 2)
		return NULL;
	return slash ? slash + 1 : path;
}

static int open_input(struct reading *reading, size_t i)
{
	struct input *input = &reading->inputs.at[i];
	struct clock_options how = { .raw = reading->raw_ts, .no_date = reading->no_date, .ts_offset = input->ts_offset, .hz = input->hz };
	int err;

	input->name = file_name(reading, input->path);
	input->raw_ticks = reading->raw_ts;
	err = datfile_open_ahead(&input->file, input->path, reading->kallsyms ? NULL : reading->pool);
	if (!err)
		input->path = input->file->path;
	if (!err && reading->kallsyms)
		err = replace_kallsyms(&input->file->meta, reading->kallsyms);
	if (!err)
		err = trace_open(&input->trace, &input->file->meta, &reading->trace, (uint8_t)i);
	if (!err)
		clock_init(&input->clock, &input->file->meta, &how);
	return err;
}

static int start_threads(struct reading *reading)
{
	int err = pool_new(&reading->pool, pool_default_threads());

	return err ? fail(-err, "starting threads: %m") : 0;
}

int reading_open(struct reading *reading)
{
	int err;

	if (reading->inputs.n > UINT8_MAX)
		return fail(E2BIG, "at most %d files can be merged", UINT8_MAX);
	err = start_threads(reading);
	for (size_t i = 0; !err && i < reading->inputs.n; i++)
		err = open_input(reading, i);
	if (!err)
		units_warn_of_order(reading);
	return err;
}

int reading_open_live(struct reading *reading, uint64_t window_ns)
{
	struct merge_input input = { .file = reading->inputs.at[0].file, .graph = reading->inputs.at[0].trace->graph };
	int err = start_threads(reading);

	reading->live = true;
	reading->inputs.at[0].clock = (struct clock){ .plain = true };
	clock_init(&reading->inputs.at[0].clock, &input.file->meta, &(struct clock_options){ 0 });
	err = err ? err : merge_open_live(&reading->pass.merge, &input, window_ns);
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

int reading_share(struct reading *reading, struct reading *whole)
{
	int err = 0;

	*reading = *whole;
	reading->shares = whole;
	reading->inputs = (inputs_t){ 0 };
	reading->pass = (struct pass){ 0 };
	reading->selected = NULL;
	reading->latency = NULL;
	reading->learn = NULL;
	reading->counted = 0;
	reading->calls = NULL;
	memset(&reading->parts, 0, sizeof(reading->parts));
	vec_each (&whole->inputs, input) {
		err = err ? err : vec_push(&reading->inputs, *input);
		if (err)
			break;
		reading->inputs.at[reading->inputs.n - 1].trace = NULL;
	}
	if (err)
		return fail(ENOMEM, "out of memory");
	vec_each (&reading->inputs, input)
		err = err ? err : trace_open(&input->trace, &input->file->meta, &whole->trace, (uint8_t)(input - reading->inputs.at));
	return err;
}

int reading_ready(struct reading *reading)
{
	int err = 0;

	vec_each (&reading->inputs, input)
		err = err ? err : datfile_ready(input->file);
	return err;
}

/* --- what is wanted of them ------------------------------------------------------------------------------- */

/* Every -B must name a buffer of one of the files. */
static int check_buffers(const struct reading *reading)
{
	vec_each (&reading->buffers, glob) {
		strv_t names = { 0 };
		__cleanup(free_ptr) char *list = NULL;
		bool found = false;

		vec_each (&reading->inputs, input) {
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

/* Refuses a buffer that has the text of a latency tracer if some analysis needs events. Returns 0 or a negative errno, with a message. */
static int check_texts(const struct reading *reading)
{
	bool texts = true;

	vec_each (&reading->parts, part)
		texts &= (part->what->needs & ANALYSIS_TEXTS) != 0;
	vec_each (&reading->inputs, input)
		vec_each (&input->file->buffers, buffer)
			if (buffer->latency && !texts)
				return fail(ENODATA,
					    "%s holds the text of a latency tracer, in which no events can be counted; "
					    "`ringside report` prints it",
					    input->path);
	return 0;
}

static int open_merge(struct reading *reading, bool fold, struct merge **merge)
{
	const struct window_options window = { .since = reading->since,
					       .until = reading->until,
					       .exact = reading->exact,
					       .cpus = reading_cpus(reading),
					       .ns = input_in_seconds(&reading->inputs.at[0], 0) };
	VEC(struct merge_input) inputs = { 0 };
	int err = 0;

	vec_each (&reading->inputs, input) {
		struct merge_input one = {
			.file = input->file,
			.graph = input->trace->graph,
			.clock = &input->clock,
			.cpus = chosen_read(reading),
			.fold = fold,
			.buffer_wanted = reading->buffers.n ? merge_buffer_globs : NULL,
			.ctx = &reading->buffers,
		};

		vec_each (&reading->parts, part)
			one.fold &= !part->what->make ||
				    (part->what->folds && part->what->folds(input->trace) &&
				     ((part->what->needs & (ANALYSIS_FUNCTIONS | ANALYSIS_MEANWHILE)) == ANALYSIS_FUNCTIONS || input->file->buffers.n < 2));
		err = err ? err : vec_push(&inputs, one);
	}
	err = err ? err : merge_open(merge, inputs.at, inputs.n, reading->pool);
	vec_fini(&inputs);
	/* -EINVAL from merge_open() means that a file is wrong, and not that an option is wrong. */
	err = err == -EINVAL ? -EIO : err ? err : window_set(*merge, &reading->inputs, &window);
	return err || !reading->to ? err : merge_narrow(*merge, reading->from, reading->to, false);
}

static int add_stage(struct reading *reading, int err, struct stage *stage)
{
	if (err)
		return err;
	return stage ? pass_add_stage(&reading->pass, stage) : 0;
}

/* --min-duration needs a pass before the main one, to find the calls that took long enough. This runs it. Returns 0 or a negative errno. */
static int scan(struct reading *reading, struct within *within)
{
	struct handler *handler = within_scan(within);
	struct pass pass = { 0 };
	int err;

	if (!handler)
		return 0;
	err = open_merge(reading, false, &pass.merge);
	err = err ? err : pass_add_handler(&pass, handler);
	/* The main pass will report damage. */
	if (!err)
		merge_hush(pass.merge);
	err = err ? err : pass_run(&pass);
	reading->pass.said |= pass.said;
	pass_fini(&pass);
	merge_close(pass.merge);
	return err;
}

static int add_within(struct reading *reading)
{
	struct within *within = NULL;
	int err;

	if (!within_selects(&reading->within))
		return 0;
	reading->within.scheduling = true;
	vec_each (&reading->parts, part)
		reading->within.scheduling &= !part->what->make || part->what->needs & ANALYSIS_TIMES;
	err = reading_ready(reading) ?: within_new(&within, &reading->inputs, &reading->within);
	err = add_stage(reading, err, within ? within_stage(within) : NULL);
	return err ? err : scan(reading, within);
}

static int add_select(struct reading *reading)
{
	struct select_options wanted = reading->select;
	struct stage *asked = NULL;
	const bool all_tasks = reading_needs(reading) & ANALYSIS_ALL_TASKS;
	int err;

	wanted.switches |= (reading_needs(reading) & ANALYSIS_SWITCHES) != 0;
	wanted.calls = chosen_calls(reading);
	err = select_new(&reading->selected, &reading->inputs, &wanted);
	/* The analysis takes all tasks, so the tasks that the user typed are not selected. select_new() above has still checked what was typed. */
	if (!err && all_tasks) {
		select_free(take(reading->selected));
		wanted.comms = wanted.pids = wanted.tids = (strv_t){ 0 };
		err = select_new(&reading->selected, &reading->inputs, &wanted);
		err = err ? err : asked_new(&asked, &reading->inputs, &reading->select, &reading->found);
		reading->asked = asked != NULL;
		err = add_stage(reading, err, asked);
	}
	if (!err)
		narrowed_set(reading);
	return add_stage(reading, err, err || select_is_empty(reading->selected) ? NULL : select_stage(reading->selected));
}

static int add_learn(struct reading *reading)
{
	int err = reading_needs(reading) & ANALYSIS_LEARN ? learn_new(&reading->learn, &reading->inputs) : 0;

	return add_stage(reading, err, reading->learn ? learn_stage(reading->learn) : NULL);
}

/*
 * Adds the stages in the right order. A stage that marks records comes before a stage that selects records, because a record that is not selected may be the
 * other end of a call. Returns 0 or a negative errno.
 */
static int add_stages(struct reading *reading)
{
	struct stage *stage = NULL;
	int err = reading->check_order ? order_stage_new(&stage, reading_cpus(reading)) : 0;

	err = add_stage(reading, err, stage);
	err = err ? err : add_learn(reading);
	err = err ? err : latency_new(&reading->latency, &reading->inputs);
	err = add_stage(reading, err, reading->latency ? latency_stage(reading->latency) : NULL);
	vec_each (&reading->parts, part) {
		stage = NULL;
		if (!err && part->what->stage)
			err = part->what->stage(&stage, reading, part->options);
		err = add_stage(reading, err, stage);
	}
	err = err ? err : add_within(reading);
	return err ? err : add_select(reading);
}

static int make_parts(struct reading *reading)
{
	int err = 0;

	vec_each (&reading->pairs, pair)
		err = err ? err : lacking_find_for(reading, pair);
	if (!err && reading->pairs.n)
		err = reading_calls(reading) ? calls_pairs(reading->calls, &reading->pairs) : -ENOMEM;
	vec_each (&reading->parts, part) {
		if (err || !part->what->make)
			continue;
		err = part->what->make(&part->handler, reading, part->options);
		if (!err && part->handler)
			err = pass_add_handler(&reading->pass, part->handler);
	}
	return err;
}

int reading_add(struct reading *reading, const struct analysis *what, void *options)
{
	return vec_push(&reading->parts, (struct reading_part){ .what = what, .options = options }) ? fail(ENOMEM, "out of memory") : 0;
}

static int select_records(struct reading *reading)
{
	struct stage *align = NULL;
	bool live = reading->pass.merge;
	int err = check_buffers(reading);

	err = err ? err : check_texts(reading);
	err = err ? err : units_check(reading);
	err = err ? err : add_stages(reading);
	err = err || live ? err : open_merge(reading, !reading->pass.stages.n, &reading->pass.merge);
	if (!err && reading->hush)
		merge_hush(reading->pass.merge);
	if (!err && reading->align)
		err = align_stage_new(&align, &reading->inputs, reading_cpus(reading));
	err = add_stage(reading, err, align);
	/* The merge begins to decode now, while other threads still read the last symbols. */
	err = err || live ? err : merge_begin(reading->pass.merge);
	err = err || live ? err : reading_ready(reading);
	err = err ? err : make_parts(reading);
	if (!live)
		chosen_begin(reading);
	/* One thread puts the calls together and has enough to do. So another thread merges the records. */
	if (reading->calls && !live && pool_threads(reading->pool) > 1)
		reading->pass.pool = reading->pool;
	return err;
}

int reading_select(struct reading *reading)
{
	int err = select_records(reading);

	return err == -ENOMEM && !reading->pass.said ? fail(ENOMEM, "out of memory") : err;
}

struct calls *reading_calls(struct reading *reading)
{
	const unsigned int needs = reading_needs(reading);

	if (reading->calls || calls_new(&reading->calls, &reading->inputs))
		return reading->calls;
	if (reading->within.funcs.n && !(needs & ANALYSIS_DEPTHS))
		calls_without_callers(reading->calls);
	if (needs & ANALYSIS_FUNCTIONS)
		calls_functions_only(reading->calls, needs & ANALYSIS_MEANWHILE);
	if (pass_add_handler(&reading->pass, calls_handler(reading->calls)))
		reading->calls = NULL;
	return reading->calls;
}

/* --- the pass --------------------------------------------------------------------------------------------- */

int reading_write(struct reading *reading, struct str *text)
{
	if (reading->trace.visible)
		visible_str(text, 0, true);
	return reading_write_shown(reading, text);
}

int reading_write_shown(struct reading *reading, struct str *text)
{
	int err = str_ok(text);

	if (!err && !reading->failed)
		err = io_write(reading->out, str_text(text), text->len);
	reading->failed |= err != 0;
	return err && err != -EPIPE && err != -ENOMEM ? fail(-err, "writing %s: %m", reading->out_name ? reading->out_name : "the report") : err;
}

int reading_show(struct reading *reading)
{
	int err = 0;

	learn_all(reading->learn);
	vec_each (&reading->parts, part)
		if (!err && part->what->show)
			err = part->what->show(part->handler, reading, part->options);
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

int reading_run(struct reading *reading)
{
	int err = pass_run(&reading->pass);

	if (!err)
		reading_warn(reading);
	err = err ? err : reading_show(reading);
	reading->complete = !err;
	return err;
}

int reading_go(struct reading *reading)
{
	int err = pass_go(&reading->pass);

	return err ? err : pass_flush(&reading->pass);
}

int reading_end(struct reading *reading)
{
	int err = pass_end(&reading->pass);

	if (!err)
		reading_warn_of_deep(reading);
	err = err ? err : reading_show(reading);
	reading->complete = !err;
	return err;
}

void reading_again(struct reading *reading)
{
	pass_fini(&reading->pass);
	select_free(take(reading->selected));
	reading->calls = NULL;
	reading->latency = NULL;
	reading->counted = 0;
	reading->learn = NULL;
	merge_close(take(reading->pass.merge));
	vec_each (&reading->inputs, input) {
		trace_close(input->trace);
		if (!reading->shares)
			datfile_close(input->file);
	}
	if (!reading->shares) {
		pool_free(reading->pool);
		lacking_free(reading->lacking);
	}
	reading->lacking = NULL;
	reading->pool = NULL;
	vec_fini(&reading->inputs);
	vec_fini(&reading->parts);
	reading->pass = (struct pass){ .stop = reading->pass.stop };
}

void reading_close(struct reading *reading)
{
	strv_t *const lists[] = {
		&reading->buffers,	&reading->select.events, &reading->select.pids, &reading->select.tids,
		&reading->select.comms, &reading->select.keep,	 &reading->select.drop, &reading->within.funcs,
	};

	reading_again(reading);
	str_fini(&reading->selection);
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		strv_fini(lists[i]);
	pairs_fini(&reading->pairs);
	trace_options_fini(&reading->trace);
	cpuset_fini(&reading->cpus);
}

void reading_choose_all(struct reading *reading)
{
	reading->pairs = (pairs_t){ 0 };
	reading->within = (struct within_options){ 0 };
	reading->select = (struct select_options){ 0 };
}

int reading_take(struct reading *reading, const struct analysis *analysis, void *options)
{
	return reading_add(reading, analysis, options) ?: reading_select(reading) ?: reading_run(reading);
}
