/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/base/io.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

enum { AT_POSITION = -1 }; /* this instead of an offset means the position of the file */

static int write_all(int fd, const char *at, size_t n, off_t offset)
{
	while (n) {
		ssize_t done = offset == AT_POSITION ? write(fd, at, n) : pwrite(fd, at, n, offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		if (done == 0)
			return -ENOSPC;
		at += done;
		n -= (size_t)done;
		offset += offset == AT_POSITION ? 0 : done;
	}
	return 0;
}

int io_write(int fd, const void *bytes, size_t n)
{
	return write_all(fd, bytes, n, AT_POSITION);
}

int io_pwrite(int fd, const void *bytes, size_t n, uint64_t offset)
{
	return write_all(fd, bytes, n, (off_t)offset);
}

static ssize_t read_all(int fd, char *bytes, size_t n, off_t offset)
{
	size_t got = 0;

	while (got < n) {
		ssize_t done = offset == AT_POSITION ? read(fd, bytes + got, n - got) : pread(fd, bytes + got, n - got, offset + (off_t)got);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		if (done == 0)
			break;
		got += (size_t)done;
	}
	return (ssize_t)got;
}

ssize_t io_read(int fd, void *bytes, size_t n)
{
	return read_all(fd, bytes, n, AT_POSITION);
}

ssize_t io_pread(int fd, void *bytes, size_t n, uint64_t offset)
{
	return read_all(fd, bytes, n, (off_t)offset);
}

static int slurp_fd(int fd, struct text *out)
{
	struct str s = { 0 };

	for (;;) {
		size_t want = MAX(s.len, (size_t)16384);
		ssize_t got;

		if (!str_room(&s, want)) {
			str_fini(&s);
			return -ENOMEM;
		}
		got = io_read(fd, s.at + s.len, want);
		if (got < 0) {
			str_fini(&s);
			return (int)got;
		}
		s.len += (size_t)got;
		s.at[s.len] = '\0';
		if ((size_t)got < want)
			break;
	}
	*out = (struct text){ s.at, s.len };
	return 0;
}

int io_slurp_at(int dirfd, const char *path, struct text *out)
{
	__cleanup(close_fd) int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return slurp_fd(fd, out);
}

int io_slurp(const char *path, struct text *out)
{
	return io_slurp_at(AT_FDCWD, path, out);
}

static int copy_by_hand(int in, uint64_t offset, int out, uint64_t n)
{
	const size_t most = 1 << 20;
	__cleanup(free_ptr) char *buf = malloc(most);

	if (!buf)
		return -ENOMEM;
	while (n) {
		size_t want = (size_t)MIN(n, (uint64_t)most);
		ssize_t got = io_pread(in, buf, want, offset);
		int err;

		if (got < 0)
			return (int)got;
		if (got == 0)
			return -ENODATA;
		err = io_write(out, buf, (size_t)got);
		if (err)
			return err;
		offset += (uint64_t)got;
		n -= (uint64_t)got;
	}
	return 0;
}

int io_copy(int in, uint64_t in_offset, int out, uint64_t n)
{
	while (n) {
		off64_t from = (off64_t)in_offset;
		ssize_t done = copy_file_range(in, &from, out, NULL, (size_t)MIN(n, 1ULL << 30), 0);

		if (done < 0 && errno == EINTR)
			continue;
		/* copy_file_range() does not copy between these two files (pipe, other file system, O_APPEND). */
		if (done <= 0)
			return copy_by_hand(in, in_offset, out, n);
		in_offset += (uint64_t)done;
		n -= (uint64_t)done;
	}
	return 0;
}

uint64_t io_space(int fd)
{
	struct statvfs fs;

	return fstatvfs(fd, &fs) || !fs.f_blocks ? UINT64_MAX : (uint64_t)fs.f_bavail * fs.f_frsize;
}
