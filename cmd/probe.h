/* SPDX-License-Identifier: GPL-2.0 */
/* Declares the sub-commands of `ringside probe`. Their names are "probe add" and so on. */
#ifndef RINGSIDE_CMD_PROBE_H
#define RINGSIDE_CMD_PROBE_H

#include "cmd/opt.h"

extern const struct cmd probe_cmd_add, probe_cmd_del, probe_cmd_list, probe_cmd_show;	 /* probe-set.c */
extern const struct cmd probe_cmd_vars, probe_cmd_funcs, probe_cmd_usdt, probe_cmd_syms; /* probe-find.c */

#endif
