/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/outlet.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/str.h"
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int outlet_open(struct outlet *o, struct record_spec *spec)
{
	const char *folder = spec->temp ? spec->temp : getenv("TMPDIR");

	if (strcmp(spec->output, "-"))
		return 0;
	if (isatty(STDOUT_FILENO))
		return fail(EINVAL, "-o - writes the file to standard output, which is a terminal: redirect it (> trace.dat), or give -o a name");
	o->path = str_printf("%s/ringside-%d.dat", folder && *folder ? folder : "/var/tmp", (int)getpid());
	if (!o->path)
		return fail(ENOMEM, "no memory for a file name");
	o->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (o->fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return fail(errno, "standard output: %m");
	spec->output = o->path;
	return 0;
}

/* Waits until the reader takes something. Returns 0, -EINTR when a signal came, or another -errno. */
static int wait_for_room(const struct outlet *o, const struct watch *w)
{
	struct pollfd fds[] = { { .fd = w->signals, .events = POLLIN }, { .fd = o->fd, .events = POLLOUT } };

	if (poll(fds, ARRAY_LEN(fds), -1) < 0 && errno != EINTR)
		return -errno;
	return fds[0].revents && watch_interrupted(w) ? -EINTR : 0;
}

/* Sends all to the outlet. Pages go into a pipe without being copied. Anything else is written to: it takes all at once or is a plain file. */
static int send_all(struct outlet *o, const struct watch *w, int in, uint64_t size)
{
	off64_t at = 0;
	int err = 0;

	while (!err && (uint64_t)at < size) {
		ssize_t n = splice(in, &at, o->fd, NULL, MIN(size - (uint64_t)at, (uint64_t)1 << 20), SPLICE_F_NONBLOCK);

		if (n < 0 && errno == EINVAL)
			return io_copy(in, (uint64_t)at, o->fd, size - (uint64_t)at);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		if (n == 0)
			return -EIO;
		if (n < 0)
			err = wait_for_room(o, w);
	}
	return err;
}

int outlet_send(struct outlet *o, const struct watch *w)
{
	__cleanup(close_fd) int in = -1;
	struct stat st;
	int err;

	if (o->fd < 0)
		return 0;
	in = open(o->path, O_RDONLY | O_CLOEXEC);
	if (in < 0 || fstat(in, &st))
		return fail(errno, "%s: %m", o->path);
	err = send_all(o, w, in, (uint64_t)st.st_size);
	if (err == -EPIPE) {
		/* SIGPIPE came with this error. It is taken here, so that it does not kill us later. */
		watch_interrupted(w);
		return fail(EPIPE, "the reader of standard output has gone: the recording is in %s", o->path);
	}
	if (err)
		return fail(-err, "standard output: %s: the recording is in %s", strerror(-err), o->path);
	unlink(o->path);
	close_fd(&o->fd);
	return 0;
}

void outlet_close(struct outlet *o)
{
	close_fd(&o->fd);
	free(o->path);
	o->path = NULL;
}
