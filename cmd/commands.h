/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists the commands. Each command is defined as cmd_NAME in a file of cmd/, usually NAME.c. A new command gets a row in the list below. `ringside
 * help` prints the commands in the order of this list. The groups say what people want to do. Hidden commands (`complete`) are not listed.
 */
#ifndef RINGSIDE_COMMANDS_H
#define RINGSIDE_COMMANDS_H

#include "cmd/opt.h"

/* clang-format off */
#define COMMANDS(GROUP, COMMAND) \
	GROUP("Record, and watch") \
		COMMAND(record) \
		COMMAND(stream) \
		COMMAND(profile) \
		COMMAND(top) \
		COMMAND(tool) \
		COMMAND(listen) \
		COMMAND(agent) \
		COMMAND(setup_guest) \
	GROUP("Look at a recording") \
		COMMAND(report) \
		COMMAND(hist) \
		COMMAND(syscalls) \
		COMMAND(dump) \
	GROUP("Ask where the time went, and why") \
		COMMAND(graph) \
		COMMAND(funcs) \
		COMMAND(dist) \
		COMMAND(slow) \
		COMMAND(diff) \
		COMMAND(sched) \
		COMMAND(mem) \
		COMMAND(count) \
		COMMAND(latency) \
		COMMAND(sql) \
	GROUP("Draw it, and take it elsewhere") \
		COMMAND(flame) \
		COMMAND(page) \
		COMMAND(export) \
		COMMAND(fleet) \
	GROUP("Work with files") \
		COMMAND(split) \
		COMMAND(convert) \
		COMMAND(restore) \
		COMMAND(attach) \
	GROUP("Control tracing in the kernel") \
		COMMAND(start) \
		COMMAND(stop) \
		COMMAND(restart) \
		COMMAND(set) \
		COMMAND(stat) \
		COMMAND(show) \
		COMMAND(snapshot) \
		COMMAND(sqlhist) \
		COMMAND(extract) \
		COMMAND(clear) \
		COMMAND(reset) \
		COMMAND(stack) \
	GROUP("Find out what there is") \
		COMMAND(list) \
		COMMAND(options) \
		COMMAND(probe) \
		COMMAND(check_events) \
		COMMAND(doctor) \
		COMMAND(help) \
		COMMAND(complete)
/* clang-format on */

#define COMMANDS_NO_GROUP(what)
#define COMMANDS_DECLARE(name) extern const struct cmd cmd_##name;
COMMANDS(COMMANDS_NO_GROUP, COMMANDS_DECLARE)

#endif
