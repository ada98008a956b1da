/* SPDX-License-Identifier: GPL-2.0 */
/* ringside help [COMMAND] */
#include "cmd/commands.h"

#include <stdio.h>

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
	for (size_t i = 0; commands[i]; i++)
		if (!commands[i]->hidden)
			printf("  %-13s %s\n", commands[i]->name, commands[i]->summary);
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
