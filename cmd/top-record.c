/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/top-record.h"
#include "lib/base/str.h"
#include "lib/event/syscalls.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

/* Returns the number of a row's system call. A call without a name is shown by its number (lib/analysis/calls-syscalls.c). */
static int64_t number_of(const struct metadata *meta, const char *name)
{
	const struct syscalls all = syscalls_of(meta);
	int64_t number = syscall_number(&all, name);

	if (number < 0)
		sscanf(name, "syscall_%" SCNd64, &number);
	return number;
}

static int add_words(strv_t *words, const char *list)
{
	return strv_split(words, list, " ");
}

/*
 * Adds the processes that still run, because `ringside record` refuses those that have ended. If all have ended, one of them is added: without any, all tasks
 * would be recorded.
 */
static int add_pids(const struct record_spec *spec, strv_t *words)
{
	struct str list = { 0 };
	int err;

	vec_each (&spec->pids, pid)
		if (kill(*pid, 0) == 0 || errno != ESRCH)
			str_addf(&list, "%s%d", list.len ? "," : "", (int)*pid);
	if (spec->pids.n && !list.len)
		str_addf(&list, "%d", (int)spec->pids.at[0]);
	err = str_ok(&list);
	if (!err && list.len)
		err = strv_add(words, "-P") ?: strv_add(words, str_text(&list));
	str_fini(&list);
	return err;
}

static int add_latency(const struct pair *pair, strv_t *words)
{
	int err = strv_add(words, "-e") ?: strv_add(words, pair->from.event);

	return err ?: strv_add(words, "-e") ?: strv_add(words, pair->to.event);
}

int top_record_words(const struct top_record *what, const struct top_row *row, strv_t *words)
{
	char text[128];
	int err = add_words(words, "ringside record -q --private --duration") ?: strv_add(words, what->seconds);

	err = err ?: strv_add(words, "-o") ?: strv_add(words, what->file);
	if (err)
		return err;
	switch (what->top->kind) {
	case TOP_FUNCS:
		return add_words(words, "-p function_graph -g") ?: strv_add(words, row->name) ?: add_pids(what->spec, words);
	case TOP_EVENTS:
		return strv_add(words, "-e") ?: strv_add(words, row->name) ?: add_pids(what->spec, words);
	case TOP_SYSCALLS:
		snprintf(text, sizeof(text), "id == %" PRId64, number_of(what->meta, row->name));
		return add_words(words, "-e raw_syscalls -f") ?: strv_add(words, text) ?: add_pids(what->spec, words);
	case TOP_TASKS:
		snprintf(text, sizeof(text), "-e sched -e raw_syscalls -P %d", (int)row->id);
		return add_words(words, text);
	case TOP_LATENCY:
		return add_latency(what->top->pair, words);
	}
	return 0;
}

void top_record_name(const struct top_row *row, char file[TOP_RECORD_NAME])
{
	const char *name = row->name;
	int n = snprintf(file, TOP_RECORD_NAME, "top-");

	for (; *name && n < 200; name++)
		file[n++] = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9') || *name == '_' ? *name : '-';
	snprintf(file + n, TOP_RECORD_NAME - (size_t)n, ".dat");
}
