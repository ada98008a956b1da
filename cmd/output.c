/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "cmd/output.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/visible.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

/* Of what is printed to a terminal: what begins a character waits for the rest of it. */
struct terminal {
	char part[8];
	size_t n;
};

static ssize_t write_visible(void *cookie, const char *bytes, size_t n)
{
	struct terminal *t = cookie;
	__cleanup(free_ptr) char *in = malloc(t->n + n), *out = malloc(VISIBLE_MOST * (t->n + n));
	size_t whole = t->n + n;
	char *end;
	int err;

	if (!in || !out)
		return errno = ENOMEM, 0;
	memcpy(in, t->part, t->n);
	memcpy(in + t->n, bytes, n);
	end = visible_put(out, in, whole, true, &t->n);
	memcpy(t->part, in + whole - t->n, t->n);
	err = io_write(STDOUT_FILENO, out, (size_t)(end - out));
	if (err)
		return errno = -err, 0;
	return (ssize_t)n;
}

static void show_visibly(void)
{
	struct terminal *t = calloc(1, sizeof(*t));
	FILE *shown = t ? fopencookie(t, "w", (cookie_io_functions_t){ .write = write_visible }) : NULL;

	if (!shown) {
		free(t);
		return;
	}
	setvbuf(shown, NULL, _IOLBF, 0);
	stdout = shown;
}

void output_begin(void)
{
	/* The wrong way round: who uses it gets EBADF, as from a closed one. */
	static const int wrong_way[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd < (int)ARRAY_LEN(wrong_way); fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", wrong_way[fd]) < 0)
			return;
	if (isatty(STDOUT_FILENO))
		show_visibly();
}

int output_write(const void *bytes, size_t n)
{
	/* A stream of ours has no descriptor. */
	if (fileno(stdout) >= 0)
		return io_write(STDOUT_FILENO, bytes, n);
	return fwrite(bytes, 1, n, stdout) == n && !fflush(stdout) ? 0 : -errno;
}

int output_flush(void)
{
	bool failed = ferror(stdout);
	int err = fflush(stdout) ? errno : failed ? EIO : 0;

	if (!err)
		return 0;
	__fpurge(stdout);
	clearerr(stdout);
	return err == EPIPE ? -EPIPE : fail(err, "writing to the standard output: %m");
}

int output_end(int status)
{
	int err = output_flush();

	return !err || status ? status : err == -EPIPE ? STATUS_PIPE : 1;
}
