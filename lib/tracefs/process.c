/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/process.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

#include <stdio.h>
#include <unistd.h>

char *process_id(pid_t pid)
{
	__cleanup(free_ptr) char *path = str_printf("/proc/%d/stat", (int)pid);
	struct text stat = { 0 };
	char state = 'Z', *name_end, *id = NULL;
	unsigned long long start = 0;

	if (!path || io_slurp(path, &stat))
		return NULL;
	name_end = strrchr(stat.at, ')');
	/* After the name: state, then 18 numbers, then the time of its start in ticks since boot. */
	if (name_end && sscanf(name_end + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &state, &start) == 2 &&
	    !strchr("ZX", state))
		id = str_printf("%d %llu", (int)pid, start);
	free(stat.at);
	return id;
}

bool process_in_container(void)
{
	char name[64] = "";

	return readlink("/proc/self/ns/pid", name, sizeof(name) - 1) > 0 && strcmp(name, "pid:[4026531836]") != 0;
}

int process_numbers_shared(void)
{
	if (!process_in_container())
		return 0;
	return fail(
		EOPNOTSUPP,
		"a process cannot be chosen from inside of a PID namespace, as in a container: tracing knows tasks by other numbers than those seen "
		"here; run ringside in the first namespace (docker run --pid=host), or choose all tasks (record without -F and -P, count and latency with -a)");
}

char *boot_id(void)
{
	struct text text = { 0 };

	if (io_slurp("/proc/sys/kernel/random/boot_id", &text))
		return strdup("?");
	text.at[strcspn(text.at, "\n")] = '\0';
	return text.at;
}

bool process_runs(const char *id)
{
	__cleanup(free_ptr) char *now = process_id((pid_t)atoi(id));

	return now && strcmp(now, id) == 0;
}

char *command_line(void)
{
	struct text text = { 0 };

	if (io_slurp("/proc/self/cmdline", &text))
		return strdup("?");
	for (size_t i = 0; i + 1 < text.size; i++)
		if (!text.at[i])
			text.at[i] = ' ';
	return text.at;
}
