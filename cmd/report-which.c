/* SPDX-License-Identifier: GPL-2.0 */
/* What `ringside report` and those that read as it does have in common: which files, which records of them. */
#include "cmd/pager.h"
#include "cmd/report.h"
#include "lib/base/err.h"

static int add_input(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct report *report = ctx;
	struct input input = { .path = value, .hz = report->hz };

	if (!report->inputs.n)
		input.ts_offset = report->ts_offset;
	return vec_push(&report->inputs, input) ? fail(ENOMEM, "out of memory") : 0;
}

static int add_filter(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct report *report = ctx;

	return strv_add(report->invert ? &report->view.select.drop : &report->view.select.keep, value) ? fail(ENOMEM, "out of memory") : 0;
}

/* --cpu: trace-cmd also takes colons between the numbers. */
static int set_cpus(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct report *report = ctx;
	__cleanup(free_ptr) char *list = strdup(value);

	if (!list)
		return fail(ENOMEM, "out of memory");
	for (char *at = strchr(list, ':'); at; at = strchr(at, ':'))
		*at = ',';
	cpuset_fini(&report->cpus);
	if (parse_cpus(list, &report->cpus))
		return fail(EINVAL, "--cpu %s: not a list of CPUs as in 0,2-4", value);
	report->has_cpus = true;
	return 0;
}

#define TO(field) offsetof(struct report, field)
#define HEADING(text) { .type = OPT_HEADING, .help = text }

const struct opt report_read_options[] = {
	HEADING("What to read"),
	{ OPT_CALL, 'i', .name = "input", .arg = "FILE", .complete = "files",
	  .help = "read this file, not trace.dat; several are merged by time", .call = add_input },
	{ OPT_STRV, 'B', .name = "buffer", .arg = "NAME",
	  .help = "only this instance's buffer, a glob; \"top\" is the top one", .offset = TO(buffers) },
	{ OPT_STR, 0, .name = "kallsyms", .arg = "FILE", .complete = "files",
	  .help = "take function names from this copy of /proc/kallsyms", .offset = TO(kallsyms) },
	OPT_END,
};

const struct opt report_which_options[] = {
	HEADING("Which records"),
	{ OPT_CALL, 'F', .name = "filter", .arg = "FILTER",
	  .help = "only records that match \"EVENTS : EXPRESSION\"; several are OR-ed", .call = add_filter },
	{ OPT_FLAG, 'v', .name = "invert", .help = "the -F after it drop what matches", .offset = TO(invert) },
	{ OPT_STRV, 0, .name = "event", .arg = "EVENT",
	  .help = "only these events: globs of EVENT or SYSTEM:EVENT", .offset = TO(view.select.events) },
	{ OPT_STRV, 0, .name = "pid", .arg = "PID", .help = "only records of or about these processes",
	  .offset = TO(view.select.pids) },
	{ OPT_CALL, 0, .name = "cpu", .arg = "CPUS", .complete = "cpus", .help = "only these CPUs, as in 0,2-4",
	  .call = set_cpus },
	{ OPT_STR, 0, .name = "since", .arg = "TIME",
	  .help = "from this time on: as shown, +SECONDS after the first record, or N%", .offset = TO(since) },
	{ OPT_STR, 0, .name = "until", .arg = "TIME", .help = "up to this time, as with --since", .offset = TO(until) },
	OPT_END,
};

int report_operands(struct report *report, int n, char **operands)
{
	int err = 0;

	for (int i = 0; !err && i < n; i++)
		err = add_input(report, NULL, operands[i]);
	return err || report->inputs.n ? err : add_input(report, NULL, "trace.dat");
}

int report_paged(struct report *report)
{
	pid_t pager = report->no_pager ? 0 : pager_start();
	int status = report_records(report);

	pager_wait(pager);
	/* Leaving the pager early is no failure. */
	return pager && status == STATUS_PIPE ? 0 : status;
}

void report_fini(struct report *report)
{
	report_close(report);
	vec_fini(&report->inputs);
	view_opts_fini(&report->view);
	strv_fini(&report->buffers);
	strv_fini(&report->prof.hooks);
	cpuset_fini(&report->cpus);
}
