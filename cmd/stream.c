/* SPDX-License-Identifier: GPL-2.0 */
/* ringside stream [OPTION…] [COMMAND [ARG…]] */
#include "cmd/commands.h"
#include "cmd/stream.h"

#include "lib/output/open-calls.h"

static int add(void *ctx, struct reading *reading)
{
	struct stream_opts *o = ctx;
	int err;

	if (o->fields.columns)
		return reading_add(reading, &fields_analysis, &o->fields);
	err = o->tree ? reading_add(reading, &tree_analysis, &o->tree_opts) : reading_add(reading, &lines_analysis, &o->read.lines);

	return err ? err : reading_add(reading, &open_calls_analysis, NULL);
}

static int run_parsed(struct stream_opts *opts)
{
	struct live_opts live = { .record = &opts->record, .reading = &opts->read.reading, .window_ns = opts->window_ns, .add = add, .ctx = opts };
	int status = live_main(&live);

	opts->hangs = live.hangs;
	return status;
}

static int run(int argc, char **argv)
{
	struct stream_opts opts;
	int status, err;

	watch_expect();
	err = stream_parse(&cmd_stream, &opts, argc, argv);
	status = err ? opt_status(err) : run_parsed(&opts);
	stream_opts_fini(&opts);
	return status;
}

const struct cmd cmd_stream = {
	.name = "stream",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "print what the kernel does while it happens",
	.details = "The options of `ringside record` choose what is traced. The lines look like those of `ringside report`.\n"
		   "The exit status is that of COMMAND.\n\n"
		   "Examples:\n"
		   "  ringside stream -e sched_switch\n"
		   "  ringside stream -p function_graph -g do_sys_openat2 --tree ls\n"
		   "  ringside stream --probe 'kprobe:do_sys_openat2 filename:string' | grep /etc",
	.opts = stream_options,
	.stop_at_operand = true,
	.operands = "command",
	.run = run,
};
