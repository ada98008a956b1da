/* SPDX-License-Identifier: GPL-2.0 */
/* ringside help [COMMAND] */
#include "cmd/commands.h"

#include <stdio.h>

static int run(int argc, char **argv)
{
	if (argc > 1) {
		const struct cmd *cmd = command_find(argv[1]);

		if (!cmd) {
			fprintf(stderr, "ringside help: there is no command '%s'; `ringside help` lists them\n",
				argv[1]);
			return 2;
		}
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
