/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/pager.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Is there a program whose name is the first @n bytes of @word? */
static bool is_program(const char *word, size_t n)
{
	const char *folders = memchr(word, '/', n) ? "" : getenv("PATH") ?: "/usr/bin:/bin";
	struct stat st;

	for (;; folders++) {
		size_t len = strcspn(folders, ":");
		__cleanup(free_ptr) char *path = str_printf("%.*s%s%.*s", prec(len), folders, len ? "/" : "", prec(n), word);

		/* A folder may have the same permission, so only a file counts. */
		if (path && stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0)
			return true;
		folders += len;
		if (!*folders)
			return false;
	}
}

/* Does the program exist with which @command begins? A command with special characters is left to the shell. */
static bool is_there(const char *command)
{
	size_t n;

	command += strspn(command, " ");
	n = strcspn(command, " ");
	return strcspn(command, "\"'`$;&|<>(){}[]*?~=\\") < n || is_program(command, n);
}

static const char *pager_command(void)
{
	const char *command = getenv("RINGSIDE_PAGER"), *term = getenv("TERM");
	bool wanted = true;

	if (!command)
		command = getenv("PAGER");
	if (!command) {
		command = "less -RFX";
		wanted = false;
	}
	if (!command[strspn(command, " ")] || strcmp(command, "cat") == 0 || !term || !*term || strcmp(term, "dumb") == 0)
		return NULL;
	if (is_there(command))
		return command;
	if (wanted)
		warn("there is no pager '%s'; the output goes to the terminal without one", command);
	return NULL;
}

pid_t pager_start(void)
{
	const char *command = isatty(STDOUT_FILENO) ? pager_command() : NULL;
	int ends[2];
	pid_t pid;

	if (!command || pipe(ends))
		return 0;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pid > 0) {
		/* Ctrl-C is for the pager now. When the pager stops reading, ringside ends. */
		signal(SIGINT, SIG_IGN);
		signal(SIGPIPE, SIG_IGN);
		dup2(ends[1], STDOUT_FILENO);
	}
	close(ends[0]);
	close(ends[1]);
	return pid > 0 ? pid : 0;
}

void pager_wait(pid_t pager)
{
	if (!pager)
		return;
	fflush(stdout);
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}

int colour_wanted(const char *when, int fd)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	if (!when || strcmp(when, "auto") == 0)
		return isatty(fd) && !(none && none[0]) && !(term && strcmp(term, "dumb") == 0);
	if (strcmp(when, "always") == 0)
		return 1;
	return strcmp(when, "never") == 0 ? 0 : -EINVAL;
}
