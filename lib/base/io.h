/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads and writes files. If a call of read(2) or write(2) handles only a part of the bytes, or fails with EINTR, these functions repeat the call for the
 * remaining bytes. The functions print no message.
 */
#ifndef RINGSIDE_IO_H
#define RINGSIDE_IO_H

#include "lib/base/str.h"
#include <sys/types.h>

/* A destructor for __cleanup. Closes *@fd if it is not negative. */
void close_fd(int *fd);

/* *@fd is a variable with __cleanup(close_fd). Returns its value, and sets the variable to -1. After the call, the caller owns the descriptor. */
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
 * Reads a whole file into *@out. The file may be in tracefs or procfs, where stat(2) gives the size 0. A NUL follows the last byte. out->size does not count
 * this NUL. The caller frees out->at. Returns 0 or -errno. io_slurp_at() resolves a relative @path from the folder @dirfd.
 */
int io_slurp(const char *path, struct text *out);
int io_slurp_at(int dirfd, const char *path, struct text *out);

/* Returns how many bytes are free on the file system of @fd for users without privileges. Returns UINT64_MAX when the file system does not tell this. */
uint64_t io_space(int fd);

/*
 * Copies @n bytes from the offset @in_offset of @in to the file position of @out. The kernel copies the bytes if it can (reflink, copy_file_range). Returns 0
 * or -errno. -ENODATA means that @in has fewer bytes.
 */
int io_copy(int in, uint64_t in_offset, int out, uint64_t n);

#endif
