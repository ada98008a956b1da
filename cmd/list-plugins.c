/* SPDX-License-Identifier: GPL-2.0 */
/* Lists the plug-ins and their options, for `ringside list` and `ringside options`. */
#include "cmd/commands.h"
#include "cmd/list.h"
#include "lib/base/err.h"
#include "lib/event/plugin.h"

#include <stdio.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

/* Prints what @add writes about the plug-ins, which are loaded for it. */
static int with_plugins(void (*add)(struct trace_seq *s, struct tep_plugin_list *plugins))
{
	struct trace_options none = { 0 };
	struct tep_plugin_list *plugins;
	struct tep_handle *tep = tep_alloc();
	struct trace_seq s;

	if (!tep)
		return fail(ENOMEM, "out of memory");
	plugins = plugins_load(tep, &none);
	trace_seq_init(&s);
	add(&s, plugins);
	trace_seq_terminate(&s);
	trace_seq_do_printf(&s);
	trace_seq_destroy(&s);
	plugins_unload(plugins, tep);
	tep_free(tep);
	return 0;
}

static void add_names(struct trace_seq *s, struct tep_plugin_list *plugins)
{
	tep_print_plugins(s, "", "\n", plugins);
}

static void add_options(struct trace_seq *s, __unused struct tep_plugin_list *plugins)
{
	const char *plugin, *name, *help;

	tep_plugin_print_options(s);
	/* The form is libtraceevent's. */
	for (size_t i = 0; plugin_own_option(i, &plugin, &name, &help); i++)
		trace_seq_printf(s, "%s\n  plugin:\t%s\n  option:\t%s\n    desc:\t%s\n     set:\t0\n", i ? "------------" : "============", plugin, name, help);
}

int list_plugins(void)
{
	return with_plugins(add_names);
}

int list_plugin_options(void)
{
	return with_plugins(add_options);
}

static int run(int argc, char **argv)
{
	char **operands;
	int n = opt_parse(&cmd_options, NULL, argc, argv, &operands);

	if (n < 0)
		return opt_status(n);
	if (n)
		return usage(&cmd_options, "it takes no arguments, and here is '%s'", *operands);
	return list_plugin_options() ? 1 : 0;
}

static const struct opt no_options[] = { OPT_END };

const struct cmd cmd_options = {
	.name = "options",
	.synopsis = "",
	.summary = "list the options of plug-ins that ringside report -O can set",
	.opts = no_options,
	.run = run,
};
