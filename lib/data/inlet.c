/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/data/inlet.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/scratch.h"
#include "lib/data/format.h"
#include "lib/data/leftover.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_BYTES = 1 << 20 };

/* These are kinds of files that users give by mistake. */
static const struct {
	const char *magic, *what;
} kinds[] = {
	{ "\x1f\x8b", "gzip has compressed it: zcat FILE | ringside report -" },
	{ "\x28\xb5\x2f\xfd", "zstd has compressed it: zstdcat FILE | ringside report -" },
	{ "\xfd"
	  "7zXZ",
	  "xz has compressed it: xzcat FILE | ringside report -" },
	{ "BZh", "bzip2 has compressed it: bzcat FILE | ringside report -" },
	{ "PERFILE2", "it is of perf: perf script -i FILE" },
	{ "\x7f"
	  "ELF",
	  "it is a program" },
	{ "# tracer:", "it is the kernel's own text of a trace, which needs no report" },
	{ "cpus=", "it is a report already" },
};

const char *inlet_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool inlet_is_trace(const void *head, size_t n)
{
	return n && memcmp(head, DAT_MAGIC, MIN(n, (size_t)DAT_MAGIC_SIZE)) == 0;
}

int inlet_not_a_trace(const char *path, const void *head, size_t n)
{
	const char *name = inlet_name(path);

	if (!n)
		return fail(EINVAL, "%s: not a trace.dat file (it is empty); `ringside record` makes one", name);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (n >= strlen(kinds[i].magic) && memcmp(head, kinds[i].magic, strlen(kinds[i].magic)) == 0)
			return fail(EINVAL, "%s: not a trace.dat file (%s)", name, kinds[i].what);
	return fail(EINVAL, "%s: not a trace.dat file (it does not begin like one); `ringside record` makes one", name);
}

static int copy_failed(const char *name, const char *folder, uint64_t done, int err)
{
	if (err == ENOSPC || err == EDQUOT || err == EFBIG)
		return fail(err, "%s: there is no room in %s for more than the %llu MB of it that have come; name a folder with more room in TMPDIR", name,
			    folder, (unsigned long long)(done >> 20));
	return fail(err, "%s: cannot copy it to a file in %s: %m; TMPDIR names another folder", name, folder);
}

/* Copies everything from @in, which is called @path, into a scratch file. Returns its descriptor, or -errno after a message. */
static int copy(int in, const char *path)
{
	const char *name = inlet_name(path), *folder;
	__cleanup(free_ptr) char *bytes = malloc(COPY_BYTES);
	__cleanup(close_fd) int out = -1;
	ssize_t got = bytes ? io_read(in, bytes, DAT_MAGIC_SIZE) : -ENOMEM;
	uint64_t done = 0;
	int err = 0;

	if (got < 0)
		return fail((int)-got, "%s: %m", name);
	if (got < DAT_MAGIC_SIZE || !inlet_is_trace(bytes, (size_t)got))
		return inlet_not_a_trace(path, bytes, (size_t)got);
	out = scratch_open(&folder);
	if (out < 0)
		return copy_failed(name, folder, 0, -out);
	while (!err && got > 0) {
		err = io_write(out, bytes, (size_t)got);
		done += err ? 0 : (uint64_t)got;
		if (!err)
			do
				got = read(in, bytes, COPY_BYTES);
			while (got < 0 && errno == EINTR);
		if (!err && got < 0)
			return fail(errno, "%s: after %llu bytes: %m", name, (unsigned long long)done);
	}
	return err ? copy_failed(name, folder, done, -err) : take_fd(&out);
}

/* Refuses @path, which is missing or a folder, if the data of a recording that has not come to its end are there. Returns 0 if there are none. */
static int refuse_leftover(const char *path, int err)
{
	__cleanup(free_ptr) char *folder = leftover_of(path);

	return folder ? fail(err, "%s: %m; %s holds a recording that was cut short or still runs: `ringside restore %s` makes a file of it", path, folder,
			     folder)
		      : 0;
}

int inlet_open(const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	__cleanup(close_fd) int fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	const char *name = inlet_name(path);
	struct stat st;

	if (!*path)
		return fail(ENOENT, "the name of the file to read is empty");
	if (fd < 0 && errno == ENOENT)
		return refuse_leftover(path, ENOENT) ?: fail(ENOENT, "%s: %m; `ringside record` makes one", name);
	if (fd < 0 && errno == EACCES)
		return fail(errno, "%s: %m; use sudo, or let its owner make it readable for you", name);
	if (fd < 0 || fstat(fd, &st))
		return fail(errno, "%s: %m", name);
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return refuse_leftover(path, EISDIR) ?: fail(EISDIR, "%s: %m; name a file in it", name);
	}
	if (isatty(fd))
		return fail(EINVAL, "%s is a terminal: a trace comes from a file or through a pipe, as in `ssh HOST ringside record -o - | ringside report -`",
			    name);
	if (S_ISREG(st.st_mode) && (!is_stdin || lseek(fd, 0, SEEK_CUR) == 0))
		return take_fd(&fd);
	return copy(fd, path);
}

bool inlet_stays(const char *path)
{
	const bool is_stdin = strcmp(path, "-") == 0;
	struct stat st;

	return (is_stdin ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0 && S_ISREG(st.st_mode) && (!is_stdin || lseek(STDIN_FILENO, 0, SEEK_CUR) == 0);
}
