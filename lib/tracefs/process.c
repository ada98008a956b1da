/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/process.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Reads the line of /proc/@pid/stat. Returns what stands behind the name, from the state of the process on, or NULL. The caller frees @stat->at. The name may
 * have blanks and brackets.
 */
static const char *behind_name(pid_t pid, struct text *stat)
{
	const char *name_end;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	*stat = (struct text){ 0 };
	if (io_slurp(path, stat))
		return NULL;
	name_end = strrchr(stat->at, ')');
	return name_end ? name_end + 1 : NULL;
}

static bool began(pid_t pid, char *state, unsigned long long *start)
{
	struct text stat;
	const char *words = behind_name(pid, &stat);
	/* Behind the state are 18 numbers, and the time at which the process began, in ticks since boot. */
	bool read = words && sscanf(words, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", state, start) == 2;

	free(stat.at);
	return read;
}

bool process_relation(pid_t pid, pid_t *parent, pid_t *session)
{
	struct text stat;
	const char *words = behind_name(pid, &stat);
	char state = 'Z';
	bool read = words && sscanf(words, " %c %d %*d %d", &state, parent, session) == 3;

	free(stat.at);
	return read && !strchr("ZX", state);
}

char *process_id(pid_t pid)
{
	unsigned long long start;
	char state;

	return began(pid, &state, &start) && !strchr("ZX", state) ? str_printf("%d %llu", (int)pid, start) : NULL;
}

bool process_start(pid_t pid, uint64_t *ticks)
{
	unsigned long long start;
	char state;

	if (!began(pid, &state, &start))
		return false;
	*ticks = start;
	return true;
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

pid_t process_of_thread(pid_t tid)
{
	__cleanup(free_ptr) char *path = str_printf("/proc/%d/status", (int)tid);
	struct text lines = { 0 }, line, rest;
	pid_t found = 0;

	if (!path || io_slurp(path, &lines))
		return 0;
	for (rest = lines; !found && text_line(&rest, &line);)
		if (str_starts(line.at, "Tgid:"))
			found = (pid_t)strtol(line.at + strlen("Tgid:"), NULL, 10);
	free(lines.at);
	return found;
}

bool process_name(pid_t pid, char name[static PROCESS_NAME])
{
	return !process_in_container() && process_own_name(pid, name);
}

bool process_own_name(pid_t pid, char name[static PROCESS_NAME])
{
	struct text text = { 0 };
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	if (io_slurp(path, &text))
		return false;
	memset(name, 0, PROCESS_NAME);
	memcpy(name, text.at, MIN(strcspn(text.at, "\n"), PROCESS_NAME - 1u));
	free(text.at);
	return true;
}

bool process_is_ending(pid_t pid)
{
	enum { EXITING = 4 }; /* the kernel's PF_EXITING */
	__cleanup(free_ptr) char *status = str_printf("/proc/%d/status", (int)pid);
	const unsigned long long killed = 1ULL << (SIGKILL - 1);
	struct text stat, lines = { 0 }, line, rest;
	const char *words = behind_name(pid, &stat);
	unsigned int flags = 0;
	bool ending = words && sscanf(words, " %*c %*s %*s %*s %*s %*s %u", &flags) == 1 && (flags & EXITING);

	if (status && !io_slurp(status, &lines))
		for (rest = lines; !ending && text_line(&rest, &line);)
			ending = (str_starts(line.at, "SigPnd:") || str_starts(line.at, "ShdPnd:")) &&
				 (strtoull(line.at + strlen("SigPnd:"), NULL, 16) & killed);
	free(stat.at);
	free(lines.at);
	return ending;
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
