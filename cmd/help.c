/* SPDX-License-Identifier: GPL-2.0 */
/* ringside help [COMMAND [SUB-COMMAND]] */
#include "cmd/commands.h"

#include <stdio.h>

/* clang-format off */
#define HELP_GROUP(what) { what, NULL },
#define HELP_COMMAND(name) { NULL, &cmd_##name },
/* clang-format on */

static void list_commands(void)
{
	static const struct {
		const char *group;
		const struct cmd *cmd;
	} rows[] = { COMMANDS(HELP_GROUP, HELP_COMMAND) };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].group)
			printf("%s%s:\n", i ? "\n" : "", rows[i].group);
		else if (!rows[i].cmd->hidden)
			printf("  %-13s %s\n", rows[i].cmd->name, rows[i].cmd->summary);
	}
}

static int run(int argc, char **argv)
{
	char **names;
	int n = opt_parse(&cmd_help, NULL, argc, argv, &names);

	if (n < 0)
		return opt_status(n);
	if (n) {
		const struct cmd *cmd = command_find(names[0]), *sub = cmd && n == 2 ? sub_find(cmd, names[1]) : NULL;

		if (!cmd)
			return command_unknown(names[0]);
		if (n > 2 || (n == 2 && !cmd->sub))
			return usage(&cmd_help, "give one command at a time");
		if (n == 2 && !sub)
			return sub_unknown(cmd, names[1]);
		opt_help(sub ? sub : cmd);
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
	.synopsis = "[COMMAND [SUB-COMMAND]]",
	.summary = "list the commands, or the options of one command",
	.operands = "commands",
	.run = run,
};
