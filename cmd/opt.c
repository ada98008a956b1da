/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/opt.h"
#include "lib/base/str.h"

#include <stdio.h>

int opt_parse(const struct cmd *cmd, void *ctx, int argc, char **argv, char ***operands)
{
	(void)cmd; (void)ctx; (void)argc; (void)argv; (void)operands;
	return -EINVAL;
}

int opt_status(int ret)
{
	return ret == OPT_HELPED ? 0 : 2;
}

void opt_help(const struct cmd *cmd)
{
	printf("usage: ringside %s %s\n", cmd->name, cmd->synopsis);
}

int usage(const struct cmd *cmd, const char *fmt, ...)
{
	(void)cmd; (void)fmt;
	return 2;
}
