/* SPDX-License-Identifier: GPL-2.0 */
/* ringside stop, restart and clear: write to one file of each instance. */
#include "cmd/commands.h"
#include "cmd/targets.h"
#include "lib/base/err.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/setting.h"

struct control {
	struct targets targets;
	const char *file;
	const char *value; /* NULL: the file is emptied */
};

static int write_one(void *ctx, const struct tracedir *dir, __unused const char *name)
{
	const struct control *c = ctx;
	int err = c->value ? setting_put(dir, c->file, c->value) : tracedir_write(dir, c->file, NULL, true);

	return err ? refused(dir, c->file, -err) : 0;
}

static int control(const struct cmd *cmd, struct control *c, int argc, char **argv)
{
	char **operands;
	int n = opt_parse(cmd, c, argc, argv, &operands), status;

	/* trace-cmd clear -a also clears the top instance. */
	c->targets.top |= !c->value && c->targets.all;
	if (n < 0)
		status = opt_status(n);
	else if (n)
		status = usage(cmd, "it takes no arguments, and here is '%s'", *operands);
	else
		status = targets_each(&c->targets, true, write_one, c) ? 1 : 0;
	targets_fini(&c->targets);
	return status;
}

static int run_stop(int argc, char **argv)
{
	return control(&cmd_stop, &(struct control){ .file = "tracing_on", .value = "0" }, argc, argv);
}

static int run_restart(int argc, char **argv)
{
	return control(&cmd_restart, &(struct control){ .file = "tracing_on", .value = "1" }, argc, argv);
}

static int run_clear(int argc, char **argv)
{
	return control(&cmd_clear, &(struct control){ .file = "trace" }, argc, argv);
}

static const struct opt clear_options[] = {
	{ OPT_STRV, 'B', .name = "instance|buffer", .arg = "NAME", .complete = "instances", .offset = OPT_TO(struct targets, names),
	  .help = "use this trace instance, not the top instance; repeatable" },
	{ OPT_FLAG, 'a', .name = "all", .offset = OPT_TO(struct targets, all), .help = "use all instances, including the top instance" },
	OPT_END,
};

const struct cmd cmd_stop = {
	.name = "stop",
	.synopsis = "[OPTION...]",
	.summary = "make the kernel stop writing to its buffer, and keep all settings",
	.details = "The buffer keeps what was recorded: `ringside show` prints the buffer, and `ringside extract` makes a trace file from it.\n"
		   "`ringside restart` lets the kernel write again, and `ringside reset` puts the former settings back.",
	.opts = target_options,
	.run = run_stop,
};

const struct cmd cmd_restart = {
	.name = "restart",
	.synopsis = "[OPTION...]",
	.summary = "let the kernel write to its buffer again, after a stop",
	.opts = target_options,
	.run = run_restart,
};

const struct cmd cmd_clear = {
	.name = "clear",
	.synopsis = "[OPTION...]",
	.summary = "empty the kernel's buffer",
	.opts = clear_options,
	.run = run_clear,
};
