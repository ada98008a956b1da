/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/save.h"

#include "lib/base/io.h"
#include "lib/tracefs/setting.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* How much is read at once of a file that has no pages. */
enum { PIECE = 1 << 16 };

char *save_encode(const struct save *save)
{
	return str_printf("%u %llu %s", save->page_size, (unsigned long long)save->most, save->to);
}

bool save_decode(struct save *save, const char *value)
{
	unsigned long long most;
	int at = 0;

	if (sscanf(value, "%u %llu %n", &save->page_size, &most, &at) != 2 || !at || value[at] != '/')
		return false;
	save->most = most;
	save->to = value + at;
	return true;
}

void save_stop(const struct tracedir *top, const char *path)
{
	static const char below[] = "instances/";
	const char *end = str_starts(path, below) ? strchr(path + strlen(below), '/') : NULL;
	__cleanup(free_ptr) char *file = str_printf("%.*s%stracing_on", end ? (int)(end - path) : 0, path, end ? "/" : "");

	if (file)
		setting_put(top, file, "0");
}

/* Opens the file to append to. It must be a plain file of our own, because somebody could have put another one there to have root write to it. */
static int open_target(const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC), err;
	struct stat st;

	if (fd < 0)
		return -errno;
	err = fstat(fd, &st) ? errno : 0;
	if (!err && (!S_ISREG(st.st_mode) || st.st_uid != geteuid()))
		err = EPERM;
	if (!err)
		return fd;
	close(fd);
	return -err;
}

/* Reads once. Returns how many bytes came, 0 at the end or when there is nothing now, or -errno. */
static ssize_t read_some(int fd, char *to, size_t n)
{
	ssize_t got;

	do
		got = read(fd, to, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN ? 0 : -errno;
	return got;
}

/* Appends all @n bytes or none, so that the file has only whole pieces. Returns 0 or -errno. */
static int append(int out, const char *bytes, size_t n)
{
	off_t before = lseek(out, 0, SEEK_END);
	int err = before < 0 ? -errno : io_write(out, bytes, n);

	if (err && before >= 0 && ftruncate(out, before))
		return -errno;
	return err;
}

int save_run(const struct tracedir *top, const char *path, const struct save *save)
{
	__cleanup(close_fd) int in = tracedir_fd(top, path, O_RDONLY | O_NONBLOCK);
	__cleanup(close_fd) int out = open_target(save->to);
	size_t size = save->page_size ? save->page_size : PIECE;
	__cleanup(free_ptr) char *piece = malloc(size);
	uint64_t done = 0;
	int err = 0;

	if (in < 0 || out < 0 || !piece)
		return in < 0 ? in : out < 0 ? out : -ENOMEM;
	while (!err && done < save->most) {
		ssize_t got = read_some(in, piece, size);

		if (got <= 0)
			return (int)got;
		if (save->page_size) {
			memset(piece + got, 0, size - (size_t)got);
			got = (ssize_t)size;
		}
		err = append(out, piece, (size_t)got);
		done += (uint64_t)got;
	}
	return err;
}

int save_pipe(int pipe, const char *to)
{
	__cleanup(close_fd) int out = open_target(to);
	__cleanup(free_ptr) char *held = NULL;
	ssize_t got;
	int n;

	if (out < 0)
		return out;
	if (ioctl(pipe, FIONREAD, &n))
		return -errno;
	if (n <= 0)
		return 0;
	held = malloc((size_t)n);
	got = held ? io_read(pipe, held, (size_t)n) : -ENOMEM;
	return got > 0 ? append(out, held, (size_t)got) : (int)got;
}
