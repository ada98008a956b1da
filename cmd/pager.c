/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/pager.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *pager_command(void)
{
	const char *command = getenv("RINGSIDE_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less -RFX";
	return command[0] && strcmp(command, "cat") ? command : NULL;
}

pid_t pager_start(void)
{
	const char *command = pager_command();
	int ends[2];
	pid_t pid;

	if (!command || !isatty(STDOUT_FILENO) || pipe(ends))
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
		/* Ctrl-C is for the pager then; that it stops reading tells us to end. */
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
