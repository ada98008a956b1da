/* SPDX-License-Identifier: GPL-2.0 */
/* ringside report: opens the files. */
#include "cmd/report.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

#include <unistd.h>

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

/* trace-cmd's name in front of lines: of the file when there are several, else none. */
static const char *file_name(const struct report *report, const struct input *input)
{
	const char *slash = strrchr(input->path, '/');

	if (report->inputs.n < 2)
		return NULL;
	return slash ? slash + 1 : input->path;
}

static int open_input(struct report *report, size_t i)
{
	struct input *input = &report->inputs.at[i];
	struct clock_options how = { .raw = report->raw_ts, .no_date = report->no_date,
				     .ts_offset = input->ts_offset, .hz = input->hz };
	int err;

	input->name = file_name(report, input);
	input->raw_ticks = report->raw_ts;
	if (access(input->path, F_OK))
		return fail(errno, "%s: %m; `ringside record` makes one", input->path);
	err = datfile_open_ahead(&input->file, input->path, report->kallsyms ? NULL : report->pool);
	if (!err && report->kallsyms)
		err = replace_kallsyms(&input->file->meta, report->kallsyms);
	if (!err)
		err = trace_open(&input->trace, &input->file->meta, &report->view.trace, (uint8_t)i);
	if (!err)
		clock_init(&input->clock, &input->file->meta, &how);
	return err;
}

/* Times of different clocks can only be compared when something relates them. */
static void check_clocks(const struct report *report)
{
	const struct input *first = report->inputs.at;
	__cleanup(free_ptr) char *clock = clock_name(&first->file->meta.trace_clock);

	vec_each (&report->inputs, input) {
		__cleanup(free_ptr) char *other = clock_name(&input->file->meta.trace_clock);

		if (!clock || !other || strcmp(clock, other) == 0 || first->clock.offset || input->clock.offset ||
		    first->clock.shift || input->clock.shift)
			continue;
		warn("%s has times of the clock %s and %s of %s: their order says nothing; record both with --date or the same -C, or give --ts-offset",
		     first->path, clock, input->path, other);
		return;
	}
}

int report_open(struct report *report)
{
	int err;

	if (report->inputs.n > UINT8_MAX)
		return fail(E2BIG, "at most %d files can be merged", UINT8_MAX);
	err = pool_new(&report->pool, pool_default_threads());
	if (err)
		return fail(-err, "starting threads: %m");
	for (size_t i = 0; !err && i < report->inputs.n; i++)
		err = open_input(report, i);
	if (!err)
		check_clocks(report);
	return err;
}

int report_ready(struct report *report)
{
	int err = 0;

	vec_each (&report->inputs, input)
		err = err ? err : datfile_ready(input->file);
	return err;
}

void report_close(struct report *report)
{
	vec_each (&report->inputs, input) {
		trace_close(input->trace);
		datfile_close(input->file);
		input->trace = NULL;
		input->file = NULL;
	}
	pool_free(take(report->pool));
}
