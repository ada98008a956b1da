/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording all the way from the file to the text: the commands themselves, with what makes them look at everything. Their output goes
 * nowhere.
 */
#define _GNU_SOURCE
#include "cmd/commands.h"
#include "lib/base/io.h"
#include "lib/event/plugin.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <traceevent/event-parse.h>
#include <unistd.h>

FUZZ_FORGETFUL_TEP;

/* What cmd/main.c has; no command that is run here asks for another. */
const struct cmd *const commands[] = { &cmd_report,   &cmd_hist, &cmd_graph, &cmd_funcs, &cmd_sched, &cmd_dist, &cmd_flame, &cmd_export,
				       &cmd_syscalls, &cmd_slow, &cmd_page,  &cmd_count, &cmd_diff,  &cmd_sql,	NULL };

const struct cmd *command_find(const char *name __unused)
{
	return NULL;
}

int command_unknown(const char *name __unused)
{
	return 2;
}

/* Every event passes these filters; each needs the fields of all. */
#define ALL ".*: common_pid >= 0 || COMM != \"x\""

/* Stands for the file among the arguments of a command that has no -i. */
#define THE_FILE "@"

/* Stands for the name of what a command makes, a file or a folder: it lies in a folder that is removed afterwards. */
#define AN_OUTPUT "@@"

static const struct run {
	const struct cmd *cmd;
	const char *args[12];
} runs[] = {
	{ &cmd_report, { "report", "-l", "-t", "--ts-diff" } },
	{ &cmd_report, { "report", "-N", "-R", "-w", "-F", ALL } },
	{ &cmd_report, { "report", "-N", "--tree", "--func", "*", "--min-duration", "1us", "--comm", "*s*" } },
	{ &cmd_report, { "report", "--profile" } },
	{ &cmd_hist, { "hist" } },
	{ &cmd_hist, { "hist", "--folded", "--time" } },
	{ &cmd_graph, { "graph", "--min-percent", "0", "--by", "task", "--memory", "1M" } },
	{ &cmd_graph, { "graph", "--callers", "*", "--json" } },
	{ &cmd_funcs, { "funcs", "--by", "cpu", "--csv" } },
	{ &cmd_funcs, { "funcs", "--callers-of", "*", "--sort", "p99" } },
	{ &cmd_funcs, { "funcs", "--pair", "wakeup", "--by", "task" } },
	{ &cmd_sched, { "sched", "--by", "cpu", "--cpu", "0" } },
	{ &cmd_sched, { "sched", "--timeline", "--json" } },
	{ &cmd_sched, { "sched", "--wakes", "--csv" } },
	{ &cmd_mem, { "mem", "--json" } },
	{ &cmd_dist, { "dist", "sched_switch.next_pid", "--by", "comm" } },
	{ &cmd_flame, { "flame", "--folded", "--weight", "events" } },
	{ &cmd_flame, { "flame", "--folded", "--by", "task" } },
	{ &cmd_export, { "export", "--to", "csv" } },
	{ &cmd_export, { "export", "--to", "jsonl" } },
	{ &cmd_export, { "export", "--to", "chrome" } },
	{ &cmd_syscalls, { "syscalls", "-T", "-f" } },
	{ &cmd_syscalls, { "syscalls", "-c", "--json" } },
	{ &cmd_export, { "export", "--to", "perfetto" } },
	{ &cmd_export, { "export", "--to", "speedscope" } },
	{ &cmd_export, { "export", "--to", "folded" } },
	{ &cmd_export, { "export", "--to", "ctf", "-o", AN_OUTPUT } },
	{ &cmd_export, { "export", "--to", "sqlite", "-o", AN_OUTPUT } },
	{ &cmd_slow, { "slow", "*" } },
	{ &cmd_slow, { "slow", "*", "--call", "1" } },
	{ &cmd_page, { "page", "-o", "-" } },
	{ &cmd_count, { "count", "*:*", "--by", "event,comm" } },
	{ &cmd_count, { "count", "--by", "comm,stack", "--every", "10ms" } },
	{ &cmd_latency, { "latency", "--from", "sched_switch", "--to", "sched_switch", "--on", "next_pid=prev_pid", "--by", "comm", "-n", "3" } },
	{ &cmd_diff, { "diff", THE_FILE, "--", THE_FILE } },
	{ &cmd_diff, { "diff", "--graph", "--json", THE_FILE, THE_FILE, "--", THE_FILE } },
	{ &cmd_sql,
	  { "sql", "--json",
	    "SELECT * FROM events; SELECT * FROM calls; SELECT * FROM sched; SELECT * FROM syscalls; SELECT * FROM wakeups; "
	    "SELECT * FROM irqs; SELECT * FROM losses; SELECT * FROM meta; SELECT count(DISTINCT function) FROM functions" } },
	{ &cmd_sql,
	  { "sql", "--csv",
	    "SELECT e.name, max(f.text) FROM events e JOIN events f ON f.ts = e.ts AND f.pid = e.pid GROUP BY 1 ORDER BY 2 DESC LIMIT 3; "
	    "SELECT function, quantile(total, 0.5), hist(self) FROM calls GROUP BY function, cpu; "
	    "SELECT * FROM events WHERE ts > 1e9 AND cpu IN (0, 1) ORDER BY ts LIMIT 9" } },
};

static int remove_one(const char *path, const struct stat *st __unused, int type __unused, struct FTW *at __unused)
{
	return remove(path);
}

static void run(const struct run *run, const char *path)
{
	char folder[] = "fuzz-output-XXXXXX", output[sizeof(folder) + 8];
	bool named = false, makes = false;
	char *argv[16];
	int argc = 0;

	for (; run->args[argc]; argc++) {
		bool file = !strcmp(run->args[argc], THE_FILE), made = !strcmp(run->args[argc], AN_OUTPUT);

		argv[argc] = (char *)(file ? path : made ? output : run->args[argc]);
		named |= file;
		makes |= made;
	}
	if (makes && !mkdtemp(folder))
		return;
	snprintf(output, sizeof(output), "%s/made", folder);
	if (!named) {
		argv[argc++] = (char *)"-i";
		argv[argc++] = (char *)path;
	}
	argv[argc] = NULL;
	run->cmd->run(argc, argv);
	if (makes)
		nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Who writes to the descriptors of the target's own output? Until the next call, nobody. */
static void swap_outputs(int saved[2])
{
	for (int fd = 1; fd <= 2; fd++) {
		int was = dup(fd);

		fflush(fd == 1 ? stdout : stderr);
		dup2(saved[fd - 1], fd);
		close(saved[fd - 1]);
		saved[fd - 1] = was;
	}
}

/* Each file goes one of the ways; which, is told by its bytes. */
static size_t which(const uint8_t *data, size_t size)
{
	uint32_t hash = 5381;

	for (size_t i = 0; i < size; i++)
		hash = hash * 33 + data[i];
	return (hash >> 8) % ARRAY_LEN(runs);
}

/* A handle of its own that has the plug-ins loaded, so that to load them takes no time from then on. */
static void keep_plugins(void)
{
	static struct tep_handle *tep;
	struct trace_options none = { 0 };

	if (tep)
		return;
	tep = tep_alloc();
	plugins_load(tep, &none);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	__cleanup(close_fd) int fd = memfd_create("fuzz", MFD_CLOEXEC);
	int outputs[2] = { open("/dev/null", O_WRONLY), open("/dev/null", O_WRONLY) };
	char path[32];

	if (fd < 0 || io_write(fd, data, size))
		return 0;
	setenv("RINGSIDE_THREADS", "1", 1);
	keep_plugins();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	swap_outputs(outputs);
	run(&runs[which(data, size)], path);
	swap_outputs(outputs);
	close(outputs[0]);
	close(outputs[1]);
	return 0;
}
