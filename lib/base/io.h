/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads and writes files. One call of read(2) or write(2) may do only a part of the work, or fail with EINTR. Then these functions call it again for the
 * rest. They print no message.
 */
#ifndef RINGSIDE_IO_H
#define RINGSIDE_IO_H

#include "lib/base/str.h"
#include <sys/types.h>

/* A destructor for __cleanup. Closes *@fd if it is not negative. */
void close_fd(int *fd);

/* Returns the value of *@fd, a local variable that has __cleanup(close_fd), and sets the variable to -1. So the caller owns the descriptor. */
static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

/* Writes all @n bytes. Returns 0, or -errno (-ENOSPC when the device takes no more bytes). */
int io_write(int fd, const void *bytes, size_t n);
int io_pwrite(int fd, const void *bytes, size_t n, uint64_t offset);

/* Reads until @n bytes are there or the file ends. Returns the number of bytes read, or -errno. */
ssize_t io_read(int fd, void *bytes, size_t n);
ssize_t io_pread(int fd, void *bytes, size_t n, uint64_t offset);

/*
 * Reads a whole file of unknown size (tracefs and procfs say 0) into *@out. A NUL follows the last byte, and out->size does not count it. The caller
 * frees out->at. Returns 0 or -errno. io_slurp_at() resolves a relative @path from the folder @dirfd.
 */
int io_slurp(const char *path, struct text *out);
int io_slurp_at(int dirfd, const char *path, struct text *out);

/*
 * Returns how many bytes users without privileges can still write to the file system of @fd, or UINT64_MAX when the file
 * system does not tell.
 */
uint64_t io_space(int fd);

/*
 * Copies @n bytes from the offset @in_offset of @in to the file position of @out. If the kernel can copy the bytes itself (reflink, copy_file_range),
 * this function lets the kernel copy them. Otherwise it reads and writes them. Returns 0 or -errno (-ENODATA: @in ended early).
 */
int io_copy(int in, uint64_t in_offset, int out, uint64_t n);

#endif
