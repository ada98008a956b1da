/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the command and calls it; its exit status is the program's. */
#include "cmd/opt.h"
#include "cmd/commands.h"
#include "cmd/output.h"
#include "lib/base/pool.h"

#include <stdio.h>

#define COMMANDS_ADDRESS(name) &cmd_##name,
const struct cmd *const commands[] = { COMMANDS(COMMANDS_NO_GROUP, COMMANDS_ADDRESS) NULL };

const struct cmd *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

int command_unknown(const char *name)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };

	for (size_t i = 0; commands[i]; i++)
		if (!commands[i]->hidden)
			strv_add(&names, commands[i]->name);
	nearest_names(name, &names, 3, &best);
	near = join_names(&best, " (did you mean ", "?)");
	fprintf(stderr, "ringside: there is no command '%s'%s; `ringside help` lists them\n", name, near ? near : "");
	strv_fini(&names);
	strv_fini(&best);
	return 2;
}

/* Prints the version. Scripts ask trace-cmd for its version; under that name, the version is the one whose files and output ringside follows. */
static void print_version(const char *called)
{
	const char *slash = strrchr(called, '/');

	if (strcmp(slash ? slash + 1 : called, "trace-cmd") == 0)
		puts("trace-cmd version 3.3.1 (ringside " RINGSIDE_VERSION ")");
	else
		puts("ringside " RINGSIDE_VERSION);
}

static int run(int argc, char **argv)
{
	const struct cmd *cmd;

	if (argc < 2) {
		cmd_help.run(1, argv);
		return 2;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		print_version(argv[0]);
		return 0;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return cmd_help.run(argc - 1, argv + 1);
	cmd = command_find(argv[1]);
	return cmd ? cmd->run(argc - 1, argv + 1) : command_unknown(argv[1]);
}

int main(int argc, char **argv)
{
	output_begin();
	pool_check_wish();
	return output_end(run(argc, argv));
}
