/* SPDX-License-Identifier: GPL-2.0 */
/* ringside probe: probes that stay, and what can be probed. */
#include "cmd/commands.h"
#include "cmd/probe.h"

#include <stdio.h>

static const struct cmd *const subs[] = {
	&probe_cmd_add,	 &probe_cmd_del,  &probe_cmd_list, &probe_cmd_show, &probe_cmd_vars,
	&probe_cmd_funcs, &probe_cmd_usdt, &probe_cmd_syms, NULL,
};

static void help(void)
{
	printf("ringside probe: %s\n\nusage: ringside probe COMMAND [OPTION...] [ARGUMENT...]\n\n", cmd_probe.summary);
	for (size_t i = 0; subs[i]; i++)
		printf("  %-6s %s\n", cmd_word(subs[i]), subs[i]->summary);
	puts("\n`ringside record --probe PROBE` adds a probe for one recording. ringside-probe(1) says how probes are written.");
}

static int run(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		help();
		return argc < 2 ? 2 : 0;
	}
	for (size_t i = 0; subs[i]; i++)
		if (strcmp(cmd_word(subs[i]), argv[1]) == 0)
			return subs[i]->run(argc - 1, argv + 1);
	return usage(&cmd_probe, "there is no 'probe %s'; there are add, del, list, show, vars, funcs, usdt and syms", argv[1]);
}

const struct cmd cmd_probe = {
	.name = "probe",
	.synopsis = "COMMAND [OPTION...] [ARGUMENT...]",
	.summary = "add probes that stay, and find out what can be probed",
	.sub = subs,
	.run = run,
};
