/* SPDX-License-Identifier: GPL-2.0 */
/* ringside start and set: make the settings that record makes, but leave them in place. */
#include "cmd/commands.h"
#include "cmd/record.h"
#include "lib/base/err.h"
#include "lib/tracefs/reset.h"
#include "lib/tracefs/target.h"

struct start {
	struct record_opts trace;
	bool fork;
	const char *unused; /* for options that are accepted without effect */
	bool unused_flag;
};

/* clang-format off */
#define UNUSED(row...) { OPT_STR, row, .offset = OPT_TO(struct start, unused) }
#define UNUSED_FLAG(row...) { OPT_FLAG, row, .offset = OPT_TO(struct start, unused_flag) }
/* clang-format on */

static const struct opt options[] = {
	{ OPT_ROWS, .rows = what_options },
	{ OPT_ROWS, .rows = profile_flag },
	{ OPT_ROWS, .rows = profile_options },

	{ OPT_ROWS, .rows = whom_options },
	{ OPT_HEADING, .help = "Where and how" },
	{ OPT_ROWS, .rows = where_options },
	{ OPT_FLAG, .name = "fork", .offset = OPT_TO(struct start, fork), .help = "do not wait for the end of the command" },
	{ OPT_ROWS, .rows = talk_options },

	{ OPT_HEADING, .help = "Options of `record` that have no effect here, because no file is written and ringside does not read the buffers" },
	UNUSED_FLAG('a', .name = "all-formats", .help = "in `record`: affects only how the file is written"),
	UNUSED_FLAG('k', .name = "keep", .help = "in `record`: keeps the settings at the end; `start` and `set` always keep the settings"),
	UNUSED('m', .name = "max-size", .arg = "KB", .help = "in `record`: affects only how the file is written"),
	UNUSED('r', .name = "priority", .arg = "PRIO", .help = "in `record`: affects only the threads that read the buffers"),
	UNUSED('s', .name = "interval", .arg = "US", .help = "in `record`: affects only the threads that read the buffers"),
	UNUSED_FLAG(.name = "poll", .help = "in `record`: affects only the threads that read the buffers"),
	UNUSED_FLAG(.name = "self|no-filter", .help = "in `record`: records ringside's own threads as well"),
	UNUSED_FLAG(.name = "date", .help = "in `record` and `extract`: affects only how the file is written"),
	UNUSED_FLAG(.name = "tsc2nsec", .help = "in `record`: affects only how the file is written"),
	UNUSED_FLAG(.name = "proc-map", .help = "in `record`: affects only how the file is written"),
	UNUSED(.name = "ts-offset", .arg = "OFFSET", .help = "in `record` and `extract`: affects only how the file is written"),
	UNUSED(.name = "temp", .arg = "DIR", .complete = "dirs", .help = "in `record`: affects only how the file is written"),
	UNUSED(.name = "file-version", .arg = "VERSION", .complete = "=6 7", .help = "in `record` and `extract`: affects only how the file is written"),
	UNUSED(.name = "compression", .arg = "NAME", .complete = "=any none zlib zstd",
	       .help = "in `record` and `extract`: affects only how the file is written"),
	{ OPT_ROWS, .rows = network_options },
	{ OPT_ROWS, .rows = no_listener_options },
	OPT_END,
};

static void said(void *ctx, const char *sentence)
{
	const struct start *opts = ctx;

	if (!opts->trace.quiet)
		note("%s", sentence);
}

/* --- set -v -B --------------------------------------------------------------------------------------------------- */

/*
 * Is an instance removed and then made again? Then it is removed first. Other instances are removed after everything has been set up, because that cannot be
 * undone.
 */
static bool is_made_anew(const struct start *o, const char *name)
{
	vec_each (&o->trace.spec.buffers, buffer)
		if (buffer->name && strcmp(buffer->name, name) == 0)
			return true;
	return false;
}

/* Checks the instances that are to be removed before anything is changed. */
static int check_removed(const struct start *o)
{
	struct tracedir top = TRACEDIR_NONE;
	int err = o->trace.removed.n ? tracedir_open(&top, NULL) : 0;

	vec_each (&o->trace.removed, name) {
		struct tracedir dir = TRACEDIR_NONE;

		err = err ? err : target_open(&dir, &top, *name, true);
		tracedir_fini(&dir);
	}
	tracedir_fini(&top);
	return err;
}

static int remove_instances(const struct start *o, bool made_anew)
{
	struct tracedir top = TRACEDIR_NONE;
	int err = o->trace.removed.n ? tracedir_open(&top, NULL) : 0;

	vec_each (&o->trace.removed, name)
		if (!err && is_made_anew(o, *name) == made_anew)
			err = reset_remove(&top, *name);
	tracedir_fini(&top);
	return err;
}

static int ready(void *ctx, __unused struct instance *inst)
{
	return remove_instances(ctx, false);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int run(const struct cmd *cmd, enum session_join how, int argc, char **argv)
{
	struct start opts = { .trace.spec.join = how };
	struct record_hooks hooks = { .said = said, .ready = ready, .ctx = &opts };
	struct record_outcome out = { 0 };
	int err = trace_parse(cmd, &opts.trace, argc, argv), status;

	err = err ? err : record_profile(&opts.trace);
	if (err) {
		record_opts_fini(&opts.trace);
		return opt_status(err);
	}
	err = check_removed(&opts) ?: remove_instances(&opts, true);
	if (!err)
		err = start(&opts.trace.spec, !opts.fork, &hooks, &out);
	if (!err && !opts.trace.quiet)
		tell_tracers(&opts.trace.spec);
	status = record_status(err, &out);
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
	.summary = "turn tracing on and leave it on; ringside reset puts the former settings back",
	.details = "`ringside show`, `stat`, `snapshot` and `extract` read the buffer. `ringside stop` stops the writing to the buffer, and\n"
		   "`ringside reset` puts back the settings that `start` found.\n\n"
		   "Examples:\n"
		   "  ringside start -p function_graph -g do_sys_openat2\n"
		   "  ringside start -B flight -e sched -e irq -b 20M",
	.opts = options,
	.stop_at_operand = true,
	.operands = "command",
	.run = run_start,
};

const struct cmd cmd_set = {
	.name = "set",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "change tracing settings, without turning tracing on or off",
	.details = "The events of -e are added to those that are enabled already. Settings that no option names stay as they are.\n"
		   "-v -B NAME removes the trace instance NAME. `ringside reset` undoes everything except such a removal.",
	.opts = options,
	.stop_at_operand = true,
	.operands = "command",
	.run = run_set,
};
