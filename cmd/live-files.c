/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/live-files.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/parse.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

/* Reads a link in /proc/PID; PID 0 means this process. Returns its length, or 0 if there is none or if it is too long to be complete. */
static size_t read_link(int pid, const char *what, char *text, size_t size)
{
	__cleanup(free_ptr) char *path = pid ? str_printf("/proc/%d/%s", pid, what) : str_printf("/proc/self/%s", what);
	ssize_t n = path ? readlink(path, text, size) : -1;

	if (n <= 0 || (size_t)n >= size)
		return 0;
	text[n] = '\0';
	return (size_t)n;
}

/* Reads a file in /proc/PID. The caller frees it. NULL means that it cannot be read. */
static char *read_file(int pid, const char *what)
{
	__cleanup(free_ptr) char *path = str_printf("/proc/%d/%s", pid, what);
	struct text text = { 0 };

	return path && !io_slurp(path, &text) ? (char *)text.at : NULL;
}

static bool is_kept(int pid, int fd)
{
	__cleanup(free_ptr) char *text = NULL;
	const char *flags;
	char what[32];

	if (!pid)
		return !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	snprintf(what, sizeof(what), "fdinfo/%d", fd);
	text = read_file(pid, what);
	flags = text ? strstr(text, "flags:") : NULL;
	return flags && !(strtoul(flags + strlen("flags:"), NULL, 8) & O_CLOEXEC);
}

static int look_at(int pid, int fd, descriptor_take *give, void *to)
{
	char what[32], name[PATH_MAX];

	snprintf(what, sizeof(what), "fd/%d", fd);
	if (!read_link(pid, what, name, sizeof(name)))
		return 0;
	return give(to, fd, name, is_kept(pid, fd));
}

static int look_at_all(int pid, descriptor_take *give, void *to)
{
	__cleanup(free_ptr) char *path = pid ? str_printf("/proc/%d/fd", pid) : strdup("/proc/self/fd");
	DIR *dir = path ? opendir(path) : NULL;
	const struct dirent *entry;
	char name[PATH_MAX];
	uint64_t fd;
	int err = 0;

	while (!err && dir && (entry = readdir(dir))) {
		if (parse_u64(entry->d_name, &fd) || fd > INT32_MAX)
			continue;
		/* Of this process's descriptors, only those that a command inherits count. */
		if (pid || is_kept(0, (int)fd))
			err = look_at(pid, (int)fd, give, to);
	}
	if (dir)
		closedir(dir);
	if (!err && read_link(pid, "cwd", name, sizeof(name)))
		err = give(to, DESCRIPTOR_CWD, name, true);
	if (!err && read_link(pid, "root", name, sizeof(name)) && strcmp(name, "/") != 0)
		err = give(to, DESCRIPTOR_ROOT, name, true);
	return err;
}

static int look(__unused void *ctx, int pid, int fd, descriptor_take *give, void *to)
{
	return fd == DESCRIPTOR_ALL ? look_at_all(pid, give, to) : look_at(pid, fd, give, to);
}

static int process(void *ctx, int pid, bool *whole)
{
	const struct live_files *files = ctx;
	__cleanup(free_ptr) char *text = read_file(pid, "status");
	const char *tgid = text ? strstr(text, "\nTgid:") : NULL, *threads = tgid ? strstr(tgid, "\nThreads:") : NULL;

	if (!threads)
		return 0;
	*whole = files->ask->follow || files->ask->everybody || strtol(threads + strlen("\nThreads:"), NULL, 10) == 1;
	return (int)strtol(tgid + strlen("\nTgid:"), NULL, 10);
}

static uint64_t now(void *ctx)
{
	return now_ns() + (uint64_t)((const struct live_files *)ctx)->ask->ts_offset;
}

const struct descriptor_source *live_files_source(struct live_files *files, const struct ask_opts *ask)
{
	*files = (struct live_files){ .source = { .look = look, .process = process, .now = now, .ctx = files }, .ask = ask };
	return &files->source;
}
