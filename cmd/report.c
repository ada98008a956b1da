/* SPDX-License-Identifier: GPL-2.0 */
/* ringside report: prints what a trace file contains as text. */
#include "cmd/commands.h"
#include "cmd/pager.h"
#include "cmd/report.h"
#include "lib/base/err.h"

#include <stdio.h>
#include <unistd.h>

/* Handles --ts-offset, which is for the file before it, or else for the first file. */
static int set_offset(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct report *report = ctx;
	int64_t offset;

	if (parse_s64(value, &offset))
		return fail(EINVAL, "--ts-offset %s: not a whole number", value);
	if (report->read.reading.inputs.n)
		report->read.reading.inputs.at[report->read.reading.inputs.n - 1].ts_offset = offset;
	else
		report->read.ts_offset = offset;
	return 0;
}

static int set_hz(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct report *report = ctx;
	uint64_t hz;

	if (parse_u64(value, &hz) || !hz)
		return fail(EINVAL, "--ts2secs %s: not a frequency in Hz", value);
	if (report->read.reading.inputs.n)
		report->read.reading.inputs.at[report->read.reading.inputs.n - 1].hz = hz;
	else
		report->read.hz = hz;
	return 0;
}

static int set_verbose(void *ctx, __unused const struct opt *opt, const char *value)
{
	return opt_level(value, &((struct report *)ctx)->verbose);
}

static int set_debug(void *ctx, __unused const struct opt *opt, __unused const char *value)
{
	struct report *report = ctx;

	report->read.lines.boundary = true;
	return 0;
}

#define TO(field) offsetof(struct report, field)
/* clang-format off */
#define HEADING(text) { .type = OPT_HEADING, .help = text }
/* clang-format on */

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	HEADING("How to print"),
	{ OPT_FLAG, 0, .name = "tree", .help = "draw calls as the kernel draws function_graph, one task at a time", .offset = TO(tree) },
	{ OPT_FLAG, 0, .name = "profile", .help = "print where each task spent its time: running, blocked, waiting, in calls", .offset = TO(profile) },
	{ OPT_FLAG, 0, .name = "by-comm", .help = "with --profile: put tasks of the same name together", .offset = TO(prof.opt.by_comm) },
	{ OPT_FLAG, 'G', .help = "with --profile: count interrupts per CPU, not per task", .offset = TO(prof.opt.irq_global) },
	{ OPT_STRV, 'H', .arg = "HOOK", .offset = TO(prof.opt.hooks),
	  .help = "with --profile: show the time from event START to event END; HOOK is START,FIELD[,PID]/END,FIELD[,FLAGS], which ringside-report(1) explains" },
	{ OPT_FLAG, 'w', .name = "wakeups", .offset = TO(wakeups), .help = "print also how long each woken task waited for a CPU" },
	{ OPT_FLAG, 'l', .name = "latency", .help = "print the latency format: shorter lines, with the flags after the CPU", .offset = TO(read.lines.latency) },
	{ OPT_ROWS, .rows = reading_how },
	{ OPT_ROWS, .rows = reading_colour },
	{ OPT_STRV, 'O', .name = "option", .arg = "[PLUGIN:]NAME[=VALUE]", .help = "set an option of a plug-in: fgraph:tailprint, ftrace:parent, …",
	  .offset = TO(read.reading.trace.plugin_options) },
	{ OPT_ROWS, .rows = reading_pager },
	HEADING("Times"),
	{ OPT_ROWS, .rows = reading_times },
	{ OPT_CALL, 0, .name = "ts-offset", .arg = "N",
	  .help = "add N raw units of the trace clock to all times in the file of the preceding -i; without a preceding -i, add them to all times in the first file",
	  .call = set_offset },
	{ OPT_CALL, 0, .name = "ts2secs", .arg = "HZ",
	  .help = "print times in seconds, for a clock with HZ ticks per second; this applies to the file that the preceding -i names; without a preceding -i, it applies to all files",
	  .call = set_hz },
	{ OPT_FLAG, 0, .name = "ts-check", .help = "warn when a record has an earlier time than the previous record of the same CPU",
	  .offset = TO(read.reading.check_order) },
	{ OPT_FLAG, 0, .name = "nodate", .help = "do not add the offset that `record --date` saved", .offset = TO(read.reading.no_date) },
	{ OPT_FLAG, 0, .name = "raw-ts", .help = "print times as they are stored, without any correction", .offset = TO(read.reading.raw_ts) },
	HEADING("Instead of the records"),
	{ OPT_FLAG, 0, .name = "stat", .help = "print the kernel's statistics of each CPU's buffer", .offset = TO(stat) },
	{ OPT_FLAG, 0, .name = "uname", .help = "print the name of the machine and the version of its kernel", .offset = TO(uname) },
	{ OPT_FLAG, 0, .name = "version", .help = "print the version of the program that recorded", .offset = TO(version) },
	{ OPT_FLAG, 0, .name = "cpus", .help = "print the CPUs that have data", .offset = TO(list_cpus) },
	{ OPT_FLAG, 0, .name = "first-event", .help = "print the time of each CPU's first record", .offset = TO(first) },
	{ OPT_FLAG, 0, .name = "last-event", .help = "print the time of each CPU's last record", .offset = TO(last) },
	{ OPT_FLAG, 'E', .name = "list-events", .help = "print the names of the events that the file describes", .offset = TO(list_events) },
	{ OPT_FLAG, 0, .name = "events", .help = "print the formats of all events, or of those that --only-event names", .offset = TO(formats) },
	{ OPT_STRV, 0, .name = "event", .arg = "REGEX", .offset = TO(event_patterns),
	  .help = "print the formats of the events whose name or system matches this regular expression; in SYSTEM:EVENT, both parts are regular expressions" },
	{ OPT_FLAG, 0, .name = "check-events", .help = "check that all print formats can be parsed; the exit status is 22 if one cannot be parsed",
	  .offset = TO(check_events) },
	{ OPT_FLAG, 'T', .name = "test-filters|filter-test", .help = "for each event that a -F filter names, print the expression that is tested",
	  .offset = TO(test_filters) },
	{ OPT_FLAG, 'f', .name = "functions", .help = "print the functions in the file", .offset = TO(functions) },
	{ OPT_FLAG, 'P', .name = "printk", .help = "print the trace_printk() formats in the file", .offset = TO(printk) },
	{ OPT_FLAG, 'e', .name = "endian", .help = "print the byte order", .offset = TO(byte_order) },
	{ OPT_FLAG, 'p', .name = "page-size", .help = "print the size of the sub-buffers of the kernel's buffer", .offset = TO(page_size) },
	{ OPT_ROWS, .rows = table_form_options, .offset = TO(table) },
	HEADING("Messages"),
	{ OPT_FLAG, 'q', .name = "quiet", .help = "print no message when a file has no records", .offset = TO(read.reading.quiet) },
	{ OPT_CALL, 'V', .optional = true, .name = "verbose", .arg = "LEVEL", .complete = "=none crit err warn info debug all",
	  .help = "print more: the version of the file, plug-ins, empty CPUs; LEVEL is info (the default), debug or all, or a number from 4 to 6; a lower LEVEL has no effect",
	  .call = set_verbose },
	{ OPT_CALL_FLAG, 0, .name = "debug", .help = "do what --boundary does", .call = set_debug },
	OPT_END,
};

/* Refuses options that do not go together. Returns 0, or the exit status after a message. */
static int check(const struct report *report)
{
	const struct select_options *select = &report->read.reading.select;

	if ((report->prof.opt.hooks.n || report->prof.opt.irq_global || report->prof.opt.by_comm) && !report->profile)
		return usage(&cmd_report, "-G, -H and --by-comm are for --profile");
	if (report->prof.opt.by_comm && (select->pids.n || select->tids.n))
		return usage(&cmd_report, "--by-comm puts tasks together, and --pid and --tid choose single ones; choose with --comm");
	if (table_asked(&report->table) && !report->profile)
		return usage(&cmd_report, "--json, --csv and --columns are for --profile; `ringside export` writes events as JSON (--to jsonl) and CSV");
	if (report->profile && report->tree)
		return usage(&cmd_report, "--profile and --tree do not go together");
	if (report->wakeups && (report->profile || report->tree))
		return usage(&cmd_report, "-w is about the records' lines, not for --tree or --profile");
	return 0;
}

static int run_parsed(struct report *report)
{
	int status = check(report);

	if (status)
		return status;
	if (reading_settle(&cmd_report, &report->read, STDOUT_FILENO) || table_settle(&cmd_report, &report->table, STDOUT_FILENO, &report->prof.table))
		return 2;
	report->prof.as_table = table_asked(&report->table);
	if (reading_open(&report->read.reading))
		return 1;
	return report_info(report, &status) ? status : report_records(report);
}

static int run(int argc, char **argv)
{
	struct report report = { 0 };
	int err = reading_parse(&cmd_report, &report, argc, argv);
	int status = err ? opt_status(err) : run_parsed(&report);

	reading_close(&report.read.reading);
	strv_fini(&report.prof.opt.hooks);
	strv_fini(&report.event_patterns);
	return status;
}

const struct cmd cmd_report = {
	.name = "report",
	.synopsis = "[OPTION...] [FILE...]",
	.summary = "print what a trace file holds",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "--json, --csv and --columns are for --profile. The options of `trace-cmd report` are understood as well.\n"
		   "  ringside report --tree                  the call graph as the kernel draws it\n"
		   "  ringside report -F 'sched_switch : next_comm == \"ls\"'\n"
		   "  ringside report --only-event 'sched:*' --comm bash",
	.opts = opts,
	.operands = "files",
	.run = run,
};
