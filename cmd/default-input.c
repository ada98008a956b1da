/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "cmd/default-input.h"
#include "cmd/pipe-writer.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/inlet.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 1000 };

/* Reads the beginning of a pipe without taking it out. */
static ssize_t peek_pipe(char *head, size_t n)
{
	__cleanup(close_fd) int from = -1;
	__cleanup(close_fd) int to = -1;
	int ends[2];
	ssize_t got;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	from = ends[0];
	to = ends[1];
	got = tee(STDIN_FILENO, to, n, SPLICE_F_NONBLOCK);
	return got > 0 ? read(from, head, (size_t)got) : got;
}

/*
 * Waits until something comes through the pipe or all its writers have closed it. Returns false when nothing has come, and nothing shows that the pipe is that
 * of a pipeline. Sets *@is_awaited if the function has waited for longer than PATIENCE_MS.
 */
static bool wait_for_pipe(bool is_socket, bool *is_awaited)
{
	struct pollfd poll_in = { .fd = STDIN_FILENO, .events = POLLIN };
	pid_t writer = 0;

	if (poll(&poll_in, 1, PATIENCE_MS) > 0)
		return true;
	if (!is_socket)
		writer = pipe_writer(STDIN_FILENO);
	if (!writer)
		return false;
	note("waiting for what process %d writes to the pipe that is the standard input; `< /dev/null` reads trace.dat instead", (int)writer);
	*is_awaited = true;
	while (poll(&poll_in, 1, -1) < 0 && errno == EINTR)
		;
	return true;
}

static const char *of_pipe(bool is_socket)
{
	char head[16];
	ssize_t got = 0;
	bool is_awaited = false, came = wait_for_pipe(is_socket, &is_awaited);

	if (came)
		got = is_socket ? recv(STDIN_FILENO, head, sizeof(head), MSG_PEEK | MSG_DONTWAIT) : peek_pipe(head, sizeof(head));
	if (got > 0 && inlet_is_trace(head, (size_t)got))
		return "-";
	/* A recorder that was waited for and wrote nothing has failed. Another file's figures are no answer then. */
	if (is_awaited && got <= 0)
		return "-";
	note("%s; reading trace.dat (-i - reads the standard input, whatever it is)",
	     !came     ? "nothing has come through the pipe that is the standard input"
	     : got > 0 ? "what comes through the pipe that is the standard input is no trace"
		       : "nothing comes through the pipe that is the standard input");
	return "trace.dat";
}

const char *default_input(void)
{
	struct stat st;

	if (fstat(STDIN_FILENO, &st))
		return "trace.dat";
	/* A folder or disk as standard input was meant to be read, so it is returned; reading it fails with a message. */
	if (S_ISDIR(st.st_mode) || S_ISBLK(st.st_mode))
		return "-";
	if (S_ISREG(st.st_mode))
		return lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 ? "-" : "trace.dat";
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		return of_pipe(S_ISSOCK(st.st_mode));
	return "trace.dat";
}
