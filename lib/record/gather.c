/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/gather.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/record/handover.h"
#include "lib/record/rest.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int gather_buffers(struct gathered *g, const struct datfile *meta)
{
	vec_each (&meta->buffers, buffer)
		if (vec_push(&g->buffers, (struct write_buffer){ .name = buffer->name, .clock = buffer->clock, .page_size = buffer->page_size }))
			return fail(ENOMEM, "no memory for the list of buffers");
	return g->buffers.n ? 0 : fail(ENODATA, "%s names no buffer: the recording had not begun", meta->path);
}

struct write_buffer *gathered_buffer(const struct gathered *g, const char *name)
{
	vec_each (&g->buffers, buffer)
		if (strcmp(buffer->name, name) == 0)
			return buffer;
	return NULL;
}

/* Returns the offset of the first byte that is not in a hole, rounded up to a sub-buffer. */
static uint64_t behind_hole(int fd, uint32_t page_size)
{
	off_t data = lseek(fd, 0, SEEK_DATA);

	return data > 0 ? ((uint64_t)data + page_size - 1) / page_size * page_size : 0;
}

/* Finds the offset at which the CPU's data end. Returns 0 or -errno. */
static int find_end(const struct write_cpu *one, uint64_t *end)
{
	const struct packed_run *last = one->part ? &one->part->runs.at[one->part->runs.n - 1] : NULL;
	struct stat st;

	if (fstat(one->fd, &st))
		return -errno;
	*end = MAX((uint64_t)st.st_size, last ? last->at + last->plain : 0);
	return 0;
}

static int add(struct write_buffer *buffer, struct write_cpu one, struct restored *out)
{
	uint64_t end;
	int err = find_end(&one, &end);

	if (err)
		return err;
	if (!one.part)
		one.offset = behind_hole(one.fd, buffer->page_size);
	one.size = end > one.offset ? end - one.offset : 0;
	out->cut += one.size % buffer->page_size;
	one.size -= one.size % buffer->page_size;
	if (!one.size) {
		close(one.fd);
		return 0;
	}
	out->bytes += one.size;
	out->cpus++;
	return vec_push(&buffer->cpus, one);
}

int gather_file(struct write_buffer *buffer, unsigned int cpu, int fd, struct restored *out)
{
	int err = add(buffer, (struct write_cpu){ .cpu = cpu, .fd = fd }, out);

	if (err)
		close(fd);
	return err;
}

static int put_pages(void *ctx, uint64_t at, const char *pages, size_t size)
{
	return io_pwrite(*(const int *)ctx, pages, size, at);
}

static int put_handed(void *ctx, const struct handed *chunk)
{
	return put_pages(ctx, chunk->at, chunk->bytes, chunk->size);
}

/* Copies what was handed over to the packer into the spool @fd. Returns 0, -ENOENT when there is no such file beside the spool @file, or -errno. */
static int take_handed(const struct spool *spool, const char *file, int fd)
{
	int handed = spool_open_beside(spool, file, SPOOL_HANDED);
	int err = handed < 0 ? handed : handover_salvage(handed, put_handed, &fd);

	close_fd(&handed);
	return err;
}

/* Copies what was in the pipe and in the kernel's buffer into the spool. Returns 0, -ENOENT when there is no such file, or -errno. */
static int take_rest(const struct spool *spool, const char *file, const struct write_cpu *one, uint32_t page_size)
{
	int rest = spool_open_beside(spool, file, SPOOL_REST), err;
	uint64_t end;

	if (rest < 0)
		return rest;
	err = find_end(one, &end);
	if (!err)
		err = rest_take(rest, one->fd, end, page_size);
	close_fd(&rest);
	return err;
}

/* Unpacks into the spool @fd. When that fails, frees the space that the unpacked data took, because others need it. */
static int unpack(const struct packed *p, int fd)
{
	int err = 0;

	vec_each (&p->part.runs, run)
		err = err ? err : packed_pages(p->part.fd, run, p->codec, put_pages, &fd);
	if (err && err != -EBADMSG)
		vec_each (&p->part.runs, run)
			fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)run->at, (off_t)run->plain);
	return err;
}

/*
 * Takes the packed data of the spool @file. If they were packed by @codec, they stay packed, and *@part becomes these data. If not, they are unpacked into
 * the spool @fd. Returns 0, -ENOENT when there are no packed data, or -errno.
 */
static int take_packed(struct gathered *g, const struct spool *spool, const char *file, int fd, const struct codec *codec, const struct packed_part **part)
{
	int beside = spool_open_beside(spool, file, SPOOL_PACKED);
	struct packed *p = beside < 0 ? NULL : calloc(1, sizeof(*p));
	int err = p ? packed_open(p, beside) : beside < 0 ? beside : -ENOMEM;

	if (p && !err && p->part.runs.n && p->codec == codec && !vec_push(&g->packed, p)) {
		*part = &p->part;
		return 0;
	}
	if (p && !err)
		err = unpack(p, fd);
	if (p)
		packed_fini(p);
	else
		close_fd(&beside);
	free(p);
	return err;
}

/* Reports the error @err of a file beside the spool. Damage is no failure, because the damaged part is left out. */
static int explain(const struct spool *spool, const char *file, const char *kind, int err)
{
	if (err == -EBADMSG)
		warn("%s/%s%s is damaged: what is behind that place is left out", spool->path, file, kind);
	else if (err == -ENOSPC)
		return fail(ENOSPC, "%s: no space left to unpack what was recorded: make room there and try again", spool->path);
	else if (err && err != -ENOENT)
		return fail(-err, "cannot take over %s/%s%s: %s", spool->path, file, kind, strerror(-err));
	return 0;
}

static int add_spool(struct gathered *g, const struct spool *spool, const char *file, struct write_buffer *buffer, struct write_cpu one,
		     const struct codec *codec, struct restored *out)
{
	int err = explain(spool, file, SPOOL_PACKED, take_packed(g, spool, file, one.fd, codec, &one.part));

	if (!err)
		err = explain(spool, file, SPOOL_HANDED, take_handed(spool, file, one.fd));
	if (!err)
		err = explain(spool, file, SPOOL_REST, take_rest(spool, file, &one, buffer->page_size));
	if (err)
		return err;
	err = add(buffer, one, out);
	return err ? fail(-err, "cannot read %s/%s: %s", spool->path, file, strerror(-err)) : 0;
}

static int add_file(struct gathered *g, const struct spool *spool, const char *file, const struct codec *codec, struct restored *out)
{
	__cleanup(free_ptr) char *name = NULL;
	struct write_cpu one = { 0 };
	struct write_buffer *buffer;
	int err;

	if (!spool_name(file, &name, &one.cpu))
		return 0;
	buffer = gathered_buffer(g, name);
	if (!buffer) {
		warn("%s/%s belongs to no buffer of this recording: left out", spool->path, file);
		return 0;
	}
	one.fd = openat(spool->fd, file, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (one.fd < 0)
		return fail(errno, "cannot open %s/%s: %m", spool->path, file);
	err = add_spool(g, spool, file, buffer, one, codec, out);
	if (err)
		close(one.fd);
	return err;
}

static int by_cpu(const void *a, const void *b)
{
	const struct write_cpu *x = a, *y = b;

	return ORDER(x->cpu, y->cpu);
}

void gathered_sort(struct gathered *g)
{
	vec_each (&g->buffers, buffer)
		if (buffer->cpus.n)
			qsort(buffer->cpus.at, buffer->cpus.n, sizeof(*buffer->cpus.at), by_cpu);
}

int gather_spools(struct gathered *g, const struct spool *spool, const struct codec *codec, struct restored *out)
{
	int fd = openat(spool->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		close_fd(&fd);
		return fail(errno, "cannot read %s: %m", spool->path);
	}
	while (!err && (entry = readdir(dir)))
		err = add_file(g, spool, entry->d_name, codec, out);
	closedir(dir);
	gathered_sort(g);
	return err;
}

void gathered_fini(struct gathered *g)
{
	vec_each (&g->buffers, buffer) {
		vec_each (&buffer->cpus, cpu)
			close(cpu->fd);
		vec_fini(&buffer->cpus);
	}
	vec_fini(&g->buffers);
	vec_each (&g->packed, p) {
		packed_fini(*p);
		free(*p);
	}
	vec_fini(&g->packed);
}
