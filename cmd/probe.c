/* SPDX-License-Identifier: GPL-2.0 */
/* ringside probe: probes that stay, and lists of what can be probed. */
#include "cmd/commands.h"
#include "cmd/probe.h"

static const struct cmd *const subs[] = {
	&probe_cmd_add, &probe_cmd_del, &probe_cmd_list, &probe_cmd_show, &probe_cmd_vars, &probe_cmd_funcs, &probe_cmd_usdt, &probe_cmd_syms, NULL,
};

static int run(int argc, char **argv)
{
	return sub_main(&cmd_probe, argc, argv);
}

const struct cmd cmd_probe = {
	.name = "probe",
	.synopsis = "COMMAND [OPTION...] [ARGUMENT...]",
	.summary = "add probes that stay until they are deleted, and find out what can be probed",
	.details = "`ringside record --probe PROBE` adds a probe for one recording. ringside-probe(1) says how probes are written.",
	.sub = subs,
	.run = run,
};
