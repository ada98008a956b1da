/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/background.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int background_log(const char *path)
{
	__cleanup(close_fd) int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0644);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return fail(errno, "-l %s: %m", path);
	if (dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		return fail(errno, "-l %s: %m", path);
	return 0;
}

int background_go(const char *doing, bool has_log)
{
	__cleanup(close_fd) int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t child = null < 0 ? -1 : fork();

	if (child < 0)
		return fail(errno, "cannot go to the background: %m");
	if (child) {
		note("%s in the background: `kill %d` ends it", doing, (int)child);
		return 1;
	}
	setsid();
	dup2(null, STDIN_FILENO);
	if (!has_log) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	return 0;
}
