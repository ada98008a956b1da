/* SPDX-License-Identifier: GPL-2.0 */
/* A command that consists of sub-commands. */
#include "cmd/opt.h"
#include "lib/base/str.h"

/* Adds the names of the sub-commands: "add, del and list". */
static void list(const struct cmd *cmd, struct str *out)
{
	for (size_t i = 0; cmd->sub[i]; i++)
		str_addf(out, "%s%s", !i ? "" : cmd->sub[i + 1] ? ", " : " and ", cmd_word(cmd->sub[i]));
}

const struct cmd *sub_find(const struct cmd *cmd, const char *word)
{
	for (size_t i = 0; cmd->sub && cmd->sub[i]; i++)
		if (strcmp(cmd_word(cmd->sub[i]), word) == 0)
			return cmd->sub[i];
	return NULL;
}

int sub_unknown(const struct cmd *cmd, const char *word)
{
	struct str names = { 0 };
	int status;

	list(cmd, &names);
	status = usage(cmd, "there is no '%s %s'; there are %s", cmd->name, word, str_text(&names));
	str_fini(&names);
	return status;
}

int sub_main(const struct cmd *cmd, int argc, char **argv)
{
	const struct cmd *found;

	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		opt_help(cmd);
		return argc < 2 ? 2 : 0;
	}
	found = sub_find(cmd, argv[1]);
	return found ? found->run(argc - 1, argv + 1) : sub_unknown(cmd, argv[1]);
}
