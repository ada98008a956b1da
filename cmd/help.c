/* SPDX-License-Identifier: GPL-2.0 */
/* ringside help [COMMAND] */
#include "cmd/commands.h"

#include <stdio.h>

/* What people want, and with which command of the table (cmd/main.c) it begins. */
static const struct {
	const struct cmd *first;
	const char *what;
} groups[] = {
	{ &cmd_record, "Record, and watch" },
	{ &cmd_report, "Look at a recording" },
	{ &cmd_graph, "Ask where the time went, and why" },
	{ &cmd_flame, "Draw it, and take it elsewhere" },
	{ &cmd_split, "Work with files" },
	{ &cmd_start, "Control tracing in the kernel" },
	{ &cmd_list, "Find out what there is" },
};

static void list_commands(void)
{
	for (size_t i = 0; commands[i]; i++) {
		for (size_t g = 0; g < ARRAY_LEN(groups); g++)
			if (commands[i] == groups[g].first)
				printf("%s%s:\n", g ? "\n" : "", groups[g].what);
		if (!commands[i]->hidden)
			printf("  %-13s %s\n", commands[i]->name, commands[i]->summary);
	}
}

static int run(int argc, char **argv)
{
	char **names;
	int n = opt_parse(&cmd_help, NULL, argc, argv, &names);

	if (n < 0)
		return opt_status(n);
	if (n > 1)
		return usage(&cmd_help, "one command at a time");
	if (n) {
		const struct cmd *cmd = command_find(names[0]);

		if (!cmd)
			return command_unknown(names[0]);
		opt_help(cmd);
		return 0;
	}
	puts("ringside: record what the kernel does, and read what was recorded\n\n"
	     "usage: ringside COMMAND [OPTION...] [ARGUMENT...]\n");
	list_commands();
	puts("\n`ringside COMMAND --help` lists a command's options; ringside(1) and ringside-COMMAND(1) say more.\n"
	     "To begin: ringside record -p function_graph -g do_sys_openat2 ls && ringside report");
	return 0;
}

const struct cmd cmd_help = {
	.name = "help",
	.synopsis = "[COMMAND]",
	.summary = "list the commands, or the options of one",
	.operands = "commands",
	.run = run,
};
