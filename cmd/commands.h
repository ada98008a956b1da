/* SPDX-License-Identifier: GPL-2.0 */
/* The commands: each file in cmd/ named after a command defines one. A new one gets a line here and a row in main.c. */
#ifndef RINGSIDE_COMMANDS_H
#define RINGSIDE_COMMANDS_H

#include "cmd/opt.h"

extern const struct cmd cmd_agent;
extern const struct cmd cmd_attach;
extern const struct cmd cmd_clear;
extern const struct cmd cmd_check_events;
extern const struct cmd cmd_complete;
extern const struct cmd cmd_convert;
extern const struct cmd cmd_count;
extern const struct cmd cmd_diff;
extern const struct cmd cmd_dist;
extern const struct cmd cmd_doctor;
extern const struct cmd cmd_dump;
extern const struct cmd cmd_export;
extern const struct cmd cmd_extract;
extern const struct cmd cmd_flame;
extern const struct cmd cmd_funcs;
extern const struct cmd cmd_graph;
extern const struct cmd cmd_help;
extern const struct cmd cmd_hist;
extern const struct cmd cmd_latency;
extern const struct cmd cmd_list;
extern const struct cmd cmd_listen;
extern const struct cmd cmd_options;
extern const struct cmd cmd_page;
extern const struct cmd cmd_probe;
extern const struct cmd cmd_profile;
extern const struct cmd cmd_record;
extern const struct cmd cmd_report;
extern const struct cmd cmd_reset;
extern const struct cmd cmd_split;
extern const struct cmd cmd_sql;
extern const struct cmd cmd_sqlhist;
extern const struct cmd cmd_stream;
extern const struct cmd cmd_restart;
extern const struct cmd cmd_restore;
extern const struct cmd cmd_sched;
extern const struct cmd cmd_set;
extern const struct cmd cmd_show;
extern const struct cmd cmd_slow;
extern const struct cmd cmd_snapshot;
extern const struct cmd cmd_stack;
extern const struct cmd cmd_start;
extern const struct cmd cmd_stat;
extern const struct cmd cmd_stop;
extern const struct cmd cmd_syscalls;
extern const struct cmd cmd_tool;
extern const struct cmd cmd_top;

#endif
