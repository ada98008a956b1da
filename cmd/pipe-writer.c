/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "cmd/pipe-writer.h"
#include "lib/tracefs/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct pipe_end {
	struct stat st;
	char name[256]; /* what its link in /proc/PID/fd says */
};

static bool is_ancestor(pid_t pid)
{
	pid_t parent, session;

	for (pid_t at = getpid(); at > 0; at = parent) {
		if (at == pid)
			return true;
		if (!process_relation(at, &parent, &session))
			break;
	}
	return false;
}

/* Is this process a shell? A wrapper such as timeout(1) starts us once, and reads nothing itself. */
static bool is_shell(pid_t pid)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox" };
	char name[PROCESS_NAME];

	if (!process_own_name(pid, name))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(shells); i++)
		if (strcmp(name, shells[i]) == 0)
			return true;
	return false;
}

/*
 * Is the pipe the standard input of a shell that started us, directly or not? Then it was inherited, for example from a loop that reads lines from the pipe and
 * starts us for each line.
 */
static bool is_inherited(const struct pipe_end *end)
{
	char path[64], link[sizeof(end->name)];
	pid_t parent, session;

	for (pid_t at = getpid(); process_relation(at, &parent, &session) && parent > 0; at = parent) {
		ssize_t n;

		snprintf(path, sizeof(path), "/proc/%d/fd/0", (int)parent);
		n = readlink(path, link, sizeof(link) - 1);
		link[MAX(n, (ssize_t)0)] = '\0';
		if (strcmp(link, end->name) == 0 && is_shell(parent))
			return true;
	}
	return false;
}

static bool is_in_our_session(pid_t pid)
{
	pid_t parent, session;

	return process_relation(pid, &parent, &session) && session == getsid(0);
}

/* Is the descriptor @name, in the folder @fds of a process, open for writing to this pipe? */
static bool is_writing(int fds, const char *name, const struct pipe_end *end)
{
	char link[sizeof(end->name)];
	const ssize_t n = readlinkat(fds, name, link, sizeof(link) - 1);
	struct stat st;

	/* The names are compared first because stat() of a file on a network may take long. */
	if (n <= 0)
		return false;
	link[n] = '\0';
	if (strcmp(link, end->name) || fstatat(fds, name, &st, AT_SYMLINK_NOFOLLOW) || !(st.st_mode & S_IWUSR))
		return false;
	return fstatat(fds, name, &st, 0) == 0 && st.st_dev == end->st.st_dev && st.st_ino == end->st.st_ino;
}

static bool writes(pid_t pid, const struct pipe_end *end)
{
	char path[64];
	bool found = false;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	fds = opendir(path);
	if (!fds)
		return errno == EACCES && is_in_our_session(pid);
	for (struct dirent *entry = readdir(fds); entry && !found; entry = readdir(fds))
		found = is_writing(dirfd(fds), entry->d_name, end);
	closedir(fds);
	return found;
}

pid_t pipe_writer(int fd)
{
	struct pipe_end end;
	pid_t writer = 0;
	char path[64];
	ssize_t n;
	DIR *all;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, end.name, sizeof(end.name) - 1);
	if (n <= 0 || fstat(fd, &end.st))
		return 0;
	end.name[n] = '\0';
	all = is_inherited(&end) ? NULL : opendir("/proc");
	if (!all)
		return 0;
	for (struct dirent *entry = readdir(all); entry && !writer; entry = readdir(all)) {
		const pid_t pid = (pid_t)atoi(entry->d_name);

		if (pid > 0 && writes(pid, &end) && !is_ancestor(pid))
			writer = pid;
	}
	closedir(all);
	return writer;
}
