/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a trace file and writes all of it again: what a reader says of both must be the same.
 *	rewrite IN OUT VERSION CODEC
 */
#define _GNU_SOURCE
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/bytes.h"
#include "lib/data/reader.h"
#include "lib/data/writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Appends the plain bytes of one chunk at @*at to @out and moves behind it. */
static int unpack_chunk(const struct datfile *file, uint64_t *at, int out, uint64_t *plain_size)
{
	unsigned char head[8];
	__cleanup(free_ptr) unsigned char *packed = NULL;
	__cleanup(free_ptr) unsigned char *plain = NULL;
	uint32_t size, n;

	if (io_pread(file->fd, head, sizeof(head), *at) != sizeof(head))
		return -ENODATA;
	n = get32(head, file->meta.big_endian);
	size = get32(head + 4, file->meta.big_endian);
	packed = malloc(n);
	plain = malloc(size);
	if (!packed || !plain)
		return -ENOMEM;
	if (io_pread(file->fd, packed, n, *at + 8) != (ssize_t)n)
		return -ENODATA;
	if (file->codec->unpack(packed, n, plain, size))
		return -EINVAL;
	*at += 8 + n;
	*plain_size += size;
	return io_write(out, plain, size);
}

static int unpack_cpu(const struct datfile *file, const struct datcpu *cpu, int out,
		      struct write_cpu *row)
{
	unsigned char head[4];
	uint64_t at = cpu->offset + 4;
	int err = 0;

	row->fd = out;
	row->offset = (uint64_t)lseek(out, 0, SEEK_CUR);
	row->size = 0;
	if (!cpu->size)
		return 0;
	if (io_pread(file->fd, head, sizeof(head), cpu->offset) != sizeof(head))
		return -ENODATA;
	for (uint32_t n = get32(head, file->meta.big_endian); !err && n; n--)
		err = unpack_chunk(file, &at, out, &row->size);
	return err;
}

static int fill(const struct datfile *file, const struct datbuf *from, int spool,
		struct write_buffer *to)
{
	*to = (struct write_buffer){
		.name = from->name,
		.clock = from->clock,
		.page_size = from->page_size,
		.latency = from->latency ? &from->text : NULL,
	};
	vec_each (&from->cpus, cpu) {
		struct write_cpu row = { cpu->cpu, file->fd, cpu->offset, cpu->size };
		int err = from->compressed ? unpack_cpu(file, cpu, spool, &row) : 0;

		if (!err)
			err = vec_push(&to->cpus, row);
		if (err)
			return fail(-err, "%s: CPU %u: %m", file->path, cpu->cpu);
	}
	return 0;
}

static int rewrite(const struct datfile *file, const char *path, const struct write_options *how)
{
	__cleanup(close_fd) int out = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	__cleanup(close_fd) int spool = open(".", O_TMPFILE | O_RDWR, 0600);
	struct write_buffer *buffers = calloc(file->buffers.n + 1, sizeof(*buffers));
	int err = 0;

	if (out < 0 || spool < 0 || !buffers)
		return fail(errno, "%s: %m", path);
	for (size_t i = 0; !err && i < file->buffers.n; i++)
		err = fill(file, &file->buffers.at[i], spool, &buffers[i]);
	if (!err)
		err = datfile_write(out, path, &file->meta, buffers, file->buffers.n, how);
	for (size_t i = 0; i < file->buffers.n; i++)
		vec_fini(&buffers[i].cpus);
	free(buffers);
	return err;
}

int main(int argc, char **argv)
{
	struct write_options how = { 0 };
	struct datfile *file;
	int err;

	if (argc != 5) {
		fputs("usage: rewrite IN OUT VERSION CODEC\n", stderr);
		return 2;
	}
	how.version = (unsigned int)atoi(argv[3]);
	how.codec = codec_find(argv[4]);
	if (datfile_open(&file, argv[1]))
		return 1;
	err = pool_new(&how.pool, pool_default_threads());
	if (!err)
		err = rewrite(file, argv[2], &how);
	pool_free(how.pool);
	datfile_close(file);
	return err ? 1 : 0;
}
