/* SPDX-License-Identifier: GPL-2.0 */
/* ringside start and set: what record sets up, for good. */
#include "cmd/commands.h"
#include "cmd/record.h"
#include "lib/base/err.h"
#include "lib/tracefs/reset.h"
#include "lib/tracefs/target.h"

struct start {
	struct record_opts trace;
	bool fork;
};

static const struct opt options[] = {
	{ OPT_ROWS, .rows = what_options },
	{ OPT_ROWS, .rows = whom_options },
	{ OPT_HEADING, .help = "Where and how" },
	{ OPT_ROWS, .rows = where_options },
	{ OPT_KB, 'm', .arg = "KB", .offset = OPT_TO(struct start, trace.spec.max_kb),
	  .help = "taken and without effect: it is about a file, and none is written" },
	{ OPT_FLAG, .name = "no-filter", .offset = OPT_TO(struct start, trace.spec.self),
	  .help = "taken and without effect: nothing of ours runs on, so nothing is left out" },
	{ OPT_FLAG, .name = "fork", .offset = OPT_TO(struct start, fork), .help = "do not wait for the command's end" },
	{ OPT_ROWS, .rows = talk_options },
	OPT_END,
};

static void said(void *ctx, const char *sentence)
{
	const struct start *opts = ctx;

	if (!opts->trace.quiet)
		note("%s", sentence);
}

/* set -v -B */
static int remove_instances(const strv_t *names)
{
	struct tracedir top = TRACEDIR_NONE;
	int err = names->n ? tracedir_open(&top, NULL) : 0;

	vec_each (names, name) {
		struct tracedir dir = TRACEDIR_NONE;

		err = err ? err : target_open(&dir, &top, *name, true);
		err = err ? err : reset_remove(&top, *name);
		tracedir_fini(&dir);
	}
	tracedir_fini(&top);
	return err;
}

static int run(const struct cmd *cmd, enum session_join how, int argc, char **argv)
{
	struct start opts = { .trace.spec.join = how };
	struct record_hooks hooks = { .said = said, .ctx = &opts };
	struct record_outcome out = { 0 };
	int err = trace_parse(cmd, &opts.trace, argc, argv), status;

	if (err) {
		record_opts_fini(&opts.trace);
		return opt_status(err);
	}
	tell_of_the_dead();
	err = remove_instances(&opts.trace.removed);
	if (!err)
		err = start(&opts.trace.spec, !opts.fork, &hooks, &out);
	status = out.status;
	if (err && (out.ran || !status))
		status = 1;
	record_outcome_fini(&out);
	record_opts_fini(&opts.trace);
	return status;
}

static int run_start(int argc, char **argv)
{
	return run(&cmd_start, JOIN_START, argc, argv);
}

static int run_set(int argc, char **argv)
{
	return run(&cmd_set, JOIN_ADD, argc, argv);
}

const struct cmd cmd_start = {
	.name = "start",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "turn tracing on and leave it on; reset puts back what it found",
	.details = "Then: show, stat, snapshot, stop, extract, and at last reset, which puts back what start found.\n\n"
		   "Examples:\n"
		   "  ringside start -p function_graph -g do_sys_openat2\n"
		   "  ringside start -B flight -e sched -e irq -b 20M",
	.opts = options,
	.stop_at_operand = true,
	.operands = "commands",
	.run = run_start,
};

const struct cmd cmd_set = {
	.name = "set",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "change tracing settings, and leave on or off what is on or off",
	.details = "Adds to what is set; reset puts back what it found.",
	.opts = options,
	.stop_at_operand = true,
	.operands = "commands",
	.run = run_set,
};
