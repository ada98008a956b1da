/* SPDX-License-Identifier: GPL-2.0 */
/* ringside stack: prints the deepest stack that the kernel has seen. */
#include "cmd/commands.h"
#include "lib/base/err.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/setting.h"

#include <stdio.h>

#define SWITCH "stack_tracer_enabled"

struct stack {
	bool start, stop, reset;
	int level;
};

/* Handles --verbose, which has no effect because there is nothing more to print. */
static int set_level(void *ctx, __unused const struct opt *opt, const char *value)
{
	return opt_level(value, &((struct stack *)ctx)->level);
}

static const struct opt options[] = {
	{ OPT_FLAG, .name = "start", .offset = OPT_TO(struct stack, start), .help = "turn the stack tracer on" },
	{ OPT_FLAG, .name = "stop", .offset = OPT_TO(struct stack, stop), .help = "turn the stack tracer off" },
	{ OPT_FLAG, .name = "reset", .offset = OPT_TO(struct stack, reset), .help = "make the stack tracer forget the deepest stack so far" },
	{ OPT_CALL, .name = "verbose", .arg = "LEVEL", .optional = true, .complete = "=none crit err warn info debug all", .call = set_level,
	  .help = "accepted for compatibility with trace-cmd, without effect" },
	OPT_END,
};

/* Reports a kernel without a stack tracer, or another error with /proc/sys/kernel. */
static int no_switch(const struct tracedir *kernel, int err)
{
	if (err == -ENOENT)
		return fail(ENOENT, "this kernel has no stack tracer: it would have to be built with CONFIG_STACK_TRACER");
	return refused(kernel, SWITCH, -err);
}

static int print(const struct tracedir *kernel, const struct tracedir *top)
{
	__cleanup(free_ptr) char *on = NULL;
	__cleanup(free_ptr) char *trace = NULL;
	int err = setting_read(kernel, SWITCH, &on);

	if (err)
		return no_switch(kernel, err);
	err = tracedir_read(top, "stack_trace", &trace);
	if (err)
		return refused(top, "stack_trace", -err);
	printf("(stack tracer %srunning)\n%s\n", strcmp(on, "0") ? "" : "not ", trace);
	return 0;
}

static int act(const struct stack *stack)
{
	struct tracedir kernel, top;
	int err = tracedir_open(&top, NULL);

	if (err)
		return err;
	err = sysctl_open(&kernel);
	if (err)
		fail(-err, "/proc/sys/kernel: %s", strerror(-err));
	if (!err && (stack->start || stack->stop)) {
		err = setting_put(&kernel, SWITCH, stack->start ? "1" : "0");
		err = err ? no_switch(&kernel, err) : 0;
	}
	if (!err && stack->reset) {
		err = tracedir_write(&top, "stack_max_size", "0", true);
		err = err == -ENOENT ? no_switch(&kernel, err) : err ? refused(&top, "stack_max_size", -err) : 0;
	}
	if (!err && !stack->start && !stack->stop && !stack->reset)
		err = print(&kernel, &top);
	tracedir_fini(&kernel);
	tracedir_fini(&top);
	return err;
}

static int run(int argc, char **argv)
{
	struct stack stack = { 0 };
	char **operands;
	int n = opt_parse(&cmd_stack, &stack, argc, argv, &operands);

	if (n < 0)
		return opt_status(n);
	if (n)
		return usage(&cmd_stack, "it takes no arguments, and here is '%s'", *operands);
	if (stack.start && stack.stop)
		return usage(&cmd_stack, "--start and --stop together");
	return act(&stack) ? 1 : 0;
}

const struct cmd cmd_stack = {
	.name = "stack",
	.synopsis = "[OPTION...]",
	.summary = "show the deepest kernel stack so far, or turn the stack tracer on or off",
	.details = "The stack tracer of the kernel checks the depth of the stack at each call of a kernel function, and keeps the deepest stack.\n"
		   "The stack tracer slows the kernel down, and stays on until --stop.",
	.opts = options,
	.run = run,
};
