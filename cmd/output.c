/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "cmd/output.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/visible.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stdout writes through. */
static struct out {
	bool visible; /* to a terminal: control characters are escaped */
	int err;      /* the first write that failed, which stdio forgets when it succeeds in flushing nothing; 0: none */
	char part[8]; /* what begins a character waits for the rest of it */
	size_t n;
} out;

static int put_visible(const char *bytes, size_t n)
{
	__cleanup(free_ptr) char *in = malloc(out.n + n), *text = malloc(VISIBLE_MOST * (out.n + n));
	size_t whole = out.n + n;
	char *end;

	if (!in || !text)
		return -ENOMEM;
	memcpy(in, out.part, out.n);
	memcpy(in + out.n, bytes, n);
	end = visible_put(text, in, whole, true, &out.n);
	memcpy(out.part, in + whole - out.n, out.n);
	return io_write(STDOUT_FILENO, text, (size_t)(end - text));
}

static ssize_t put(void *cookie __unused, const char *bytes, size_t n)
{
	int err = out.visible ? put_visible(bytes, n) : io_write(STDOUT_FILENO, bytes, n);

	if (!err)
		return (ssize_t)n;
	out.err = out.err ? out.err : -err;
	return errno = -err, 0;
}

static void own_stdout(void)
{
	FILE *own = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = put });

	if (!own)
		return;
	out.visible = isatty(STDOUT_FILENO);
	setvbuf(own, NULL, out.visible ? _IOLBF : _IOFBF, BUFSIZ);
	stdout = own;
}

void output_begin(void)
{
	/* The wrong way round: who uses it gets EBADF, as from a closed one. */
	static const int wrong_way[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	/* Without /dev/null they stay closed; for a later one, open() would give the lowest that is closed. */
	for (int fd = 0; fd < (int)ARRAY_LEN(wrong_way); fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", wrong_way[fd]) < 0)
			break;
	own_stdout();
}

int output_write(const void *bytes, size_t n)
{
	if (!out.visible)
		return io_write(STDOUT_FILENO, bytes, n);
	return fwrite(bytes, 1, n, stdout) == n && !fflush(stdout) ? 0 : -errno;
}

int output_flush(void)
{
	bool failed = ferror(stdout);
	int err = fflush(stdout) || failed ? out.err ? out.err : errno : 0;

	if (!err)
		return 0;
	__fpurge(stdout);
	clearerr(stdout);
	out.err = 0;
	return err == EPIPE ? -EPIPE : fail(err, "writing to the standard output: %m");
}

int output_end(int status)
{
	int err = output_flush();

	return !err || status ? status : err == -EPIPE ? STATUS_PIPE : 1;
}

int output_publish_page(struct outfile *file)
{
	int err = outfile_publish(file);
	struct stat st;

	if (!err && isatty(STDERR_FILENO) && fstat(file->fd, &st) == 0 && S_ISREG(st.st_mode))
		note("%s has %.1f MB; a browser shows it", file->path, (double)st.st_size / 1e6);
	return err;
}
