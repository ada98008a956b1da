/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/sections.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/data/inlet.h"

#include <sys/stat.h>

int datfile_note(struct datfile *file, uint16_t id, uint16_t flags, const char *name, uint64_t offset, uint64_t size, uint64_t plain_size)
{
	struct datsection section = {
		.id = id,
		.flags = flags,
		.name = strdup(name),
		.offset = offset,
		.size = size,
		.plain_size = plain_size,
	};

	if (section.name && !vec_push(&file->sections, section))
		return 0;
	free(section.name);
	return -ENOMEM;
}

int datbuf_add_cpu(struct datfile *file, struct datbuf *buf, uint32_t cpu, uint64_t offset, uint64_t size)
{
	struct datcpu row = { .cpu = cpu, .offset = offset, .size = size };

	file->meta.ncpus = MAX(file->meta.ncpus, cpu + 1);
	row.offset = MIN(offset, file->size);
	row.size = MIN(size, file->size - row.offset);
	if (row.size < size) {
		file->damaged = true;
		fail(EINVAL,
		     "%s: the data of CPU %u%s%s at offset %llu end beyond the end of the file (needs %llu more bytes): the file is truncated; reading what is there",
		     file->path, cpu, buf->name[0] ? " of instance " : "", buf->name, (unsigned long long)offset,
		     (unsigned long long)(size - row.size + (offset - row.offset)));
	}
	return vec_push(&buf->cpus, row);
}

static int by_cpu(const void *a, const void *b)
{
	const struct datcpu *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void datbuf_finish(struct datfile *file, struct datbuf *buf)
{
	size_t kept = 0;

	if (buf->page_size < DAT_MIN_PAGE || buf->page_size > DAT_MAX_PAGE || buf->page_size % 8) {
		file->damaged = true;
		fail(EINVAL, "%s: buffer '%s' has a page size of %u bytes: its data cannot be read", file->path, buf->name, buf->page_size);
		buf->cpus.n = 0;
		return;
	}
	if (buf->cpus.n)
		qsort(buf->cpus.at, buf->cpus.n, sizeof(*buf->cpus.at), by_cpu);
	vec_each (&buf->cpus, row) {
		if (kept && buf->cpus.at[kept - 1].cpu == row->cpu) {
			file->damaged = true;
			fail(EINVAL, "%s: buffer '%s' has CPU %u twice; reading its first data", file->path, buf->name, row->cpu);
			continue;
		}
		buf->cpus.at[kept++] = *row;
	}
	buf->cpus.n = kept;
}

void datbuf_fini(struct datbuf *buf)
{
	free(buf->name);
	free(buf->clock);
	free(buf->text.at);
	vec_fini(&buf->cpus);
}

void datfile_close(struct datfile *file)
{
	if (!file)
		return;
	ahead_end(file);
	metadata_fini(&file->meta);
	vec_each (&file->buffers, buf)
		datbuf_fini(buf);
	vec_fini(&file->buffers);
	vec_each (&file->sections, section)
		free(section->name);
	vec_fini(&file->sections);
	close_fd(&file->fd);
	free(file->codec_version);
	free(file->path);
	free(file);
}

static int no_trace(const struct datfile *file)
{
	char head[DAT_MAGIC_SIZE];
	ssize_t got = io_pread(file->fd, head, sizeof(head), 0);

	return got < 0 ? fail((int)-got, "%s: %m", file->path) : inlet_not_a_trace(file->path, head, (size_t)got);
}

/* Reads the beginning of the file, which is the same in both versions. Returns 0 or a negative errno, with a message. */
static int read_header(struct datfile *file, struct cursor *c)
{
	__cleanup(free_ptr) char *version = NULL;
	char magic[DAT_MAGIC_SIZE] = { 0 };
	uint64_t number = 0;

	if (file->size >= sizeof(magic))
		cursor_bytes(c, magic, sizeof(magic));
	if (memcmp(magic, DAT_MAGIC, sizeof(magic)) != 0)
		return c->err ?: no_trace(file);
	version = cursor_asciiz(c);
	if (!version)
		return c->err;
	if (parse_u64(version, &number) || (number != 6 && number != 7))
		return fail(EINVAL, "%s: trace.dat version %.*s is not known; known are 6 and 7", file->path, 20, version);
	file->version = (unsigned int)number;
	c->big_endian = file->meta.big_endian = cursor_u8(c) == 1;
	file->meta.user_long_size = cursor_u8(c);
	file->meta.page_size = cursor_u32(c);
	if (c->err)
		return c->err;
	if (file->meta.user_long_size != 4 && file->meta.user_long_size != 8)
		return fail(EINVAL, "%s: damaged at offset 13: a long of %u bytes", file->path, file->meta.user_long_size);
	return 0;
}

static int open_file(struct datfile *file, const char *path)
{
	struct stat st;

	file->path = strdup(inlet_name(path));
	if (!file->path)
		return -ENOMEM;
	file->fd = inlet_open(path);
	if (file->fd < 0)
		return file->fd;
	if (fstat(file->fd, &st))
		return fail(errno, "%s: %m", file->path);
	file->size = (uint64_t)st.st_size;
	return 0;
}

int datfile_open(struct datfile **out, const char *path)
{
	return datfile_open_ahead(out, path, NULL);
}

int datfile_open_ahead(struct datfile **out, const char *path, struct pool *pool)
{
	struct datfile *file = calloc(1, sizeof(*file));
	struct cursor c;
	int err;

	if (!file)
		return fail(ENOMEM, "%s: out of memory", path);
	file->fd = -1;
	file->pool = pool;
	err = open_file(file, path);
	if (!err) {
		cursor_file(&c, file->fd, file->path, "header", 0, file->size, false);
		err = read_header(file, &c);
	}
	if (!err)
		err = file->version == 6 ? dat6_read(file, &c) : dat7_read(file, &c);
	if (err) {
		datfile_close(file);
		return err == -ENOMEM ? fail(ENOMEM, "%s: out of memory", path) : err;
	}
	*out = file;
	return 0;
}
