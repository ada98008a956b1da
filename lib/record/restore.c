/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/restore.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/reader.h"
#include "lib/data/assemble.h"
#include "lib/record/names.h"
#include "lib/record/spool.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef VEC(struct write_buffer) writebuffers_t;

/* The buffers that meta names, still without CPUs. */
static int known_buffers(const struct datfile *meta, writebuffers_t *out)
{
	vec_each (&meta->buffers, buffer)
		if (vec_push(out, (struct write_buffer){ .name = buffer->name, .clock = buffer->clock,
							 .page_size = buffer->page_size }))
			return fail(ENOMEM, "no memory for the list of buffers");
	return out->n ? 0 : fail(ENODATA, "%s names no buffer: the recording had not begun", meta->path);
}

static struct write_buffer *find_buffer(writebuffers_t *buffers, const char *name)
{
	vec_each (buffers, buffer)
		if (strcmp(buffer->name, name) == 0)
			return buffer;
	return NULL;
}

/* The whole sub-buffers of @fd; where -m had the oldest given back, they begin behind the hole. */
static int add_spool(struct write_buffer *buffer, unsigned int cpu, int fd, struct restored *out)
{
	struct write_cpu one = { .cpu = cpu, .fd = fd };
	off_t data = lseek(fd, 0, SEEK_DATA);
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (data > 0)
		one.offset = ((uint64_t)data + buffer->page_size - 1) / buffer->page_size * buffer->page_size;
	if ((uint64_t)st.st_size > one.offset)
		one.size = (uint64_t)st.st_size - one.offset;
	out->cut += one.size % buffer->page_size;
	one.size -= one.size % buffer->page_size;
	if (!one.size) {
		close(fd);
		return 0;
	}
	out->bytes += one.size;
	out->cpus++;
	return vec_push(&buffer->cpus, one);
}

static int add_file(const struct spool *spool, writebuffers_t *buffers, const char *file, struct restored *out)
{
	__cleanup(free_ptr) char *name = NULL;
	struct write_buffer *buffer;
	unsigned int cpu;
	int fd, err;

	if (!spool_name(file, &name, &cpu))
		return 0;
	buffer = find_buffer(buffers, name);
	if (!buffer) {
		warn("%s/%s belongs to no buffer of this recording: left out", spool->path, file);
		return 0;
	}
	fd = openat(spool->fd, file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(errno, "cannot read %s/%s: %m", spool->path, file);
	err = add_spool(buffer, cpu, fd, out);
	if (err)
		close(fd);
	return err ? fail(-err, "cannot read %s/%s: %s", spool->path, file, strerror(-err)) : 0;
}

static int by_cpu(const void *a, const void *b)
{
	const struct write_cpu *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static int add_spools(const struct spool *spool, writebuffers_t *buffers, struct restored *out)
{
	int fd = openat(spool->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		close_fd(&fd);
		return fail(errno, "cannot read %s: %m", spool->path);
	}
	while (!err && (entry = readdir(dir)))
		err = add_file(spool, buffers, entry->d_name, out);
	closedir(dir);
	vec_each (buffers, buffer)
		if (buffer->cpus.n)
			qsort(buffer->cpus.at, buffer->cpus.n, sizeof(*buffer->cpus.at), by_cpu);
	return err;
}

static void buffers_fini(writebuffers_t *buffers)
{
	vec_each (buffers, buffer) {
		vec_each (&buffer->cpus, cpu)
			close(cpu->fd);
		vec_fini(&buffer->cpus);
	}
	vec_fini(buffers);
}

static int write_file(const char *output, const struct datfile *meta, const writebuffers_t *buffers,
		      unsigned int version, const char *compression, uint64_t *size)
{
	struct write_options how = { .version = version, .codec = codec_find(compression) };
	int err = pool_new(&how.pool, pool_default_threads());

	if (err)
		return fail(-err, "cannot start threads for compressing: %s", strerror(-err));
	err = assemble(output, &meta->meta, buffers->at, buffers->n, &how, size);
	pool_free(how.pool);
	return err;
}

/* What was gathered before the end. */
static int add_names(const struct spool *spool, struct metadata *meta)
{
	struct text lines = { 0 };
	struct names *names = NULL;
	int err = spool_read_names(spool, &lines);

	if (!err && lines.size)
		err = names_new(&names, -1);
	if (names && (names_add(names, &lines) || names_join(names, &meta->cmdlines)))
		err = fail(ENOMEM, "no memory for names of tasks");
	names_free(names);
	free(lines.at);
	return err;
}

/* "trace.dat.spool/" was to become "trace.dat". */
static char *name_of(const char *folder)
{
	size_t n = strlen(folder);

	while (n > 1 && folder[n - 1] == '/')
		n--;
	if (n > strlen(SPOOL_SUFFIX) && strncmp(folder + n - strlen(SPOOL_SUFFIX), SPOOL_SUFFIX,
						strlen(SPOOL_SUFFIX)) == 0)
		n -= strlen(SPOOL_SUFFIX);
	return strndup(folder, n);
}

static int restore_from(const struct spool *spool, const char *output, unsigned int version, const char *compression,
			struct restored *out)
{
	__cleanup(free_ptr) char *path = str_printf("%s/meta", spool->path);
	writebuffers_t buffers = { 0 };
	struct datfile *meta = NULL;
	int err = path ? datfile_open(&meta, path) : -ENOMEM;

	if (err)
		return err;
	err = known_buffers(meta, &buffers);
	if (!err)
		err = add_names(spool, &meta->meta);
	if (!err)
		err = add_spools(spool, &buffers, out);
	if (!err && !out->bytes)
		err = fail(ENODATA, "%s holds no events: the recording was killed before the first were spooled",
			   spool->path);
	if (!err)
		err = write_file(output, meta, &buffers, version, compression, &out->size);
	buffers_fini(&buffers);
	datfile_close(meta);
	return err;
}

int restore(const char *folder, const char *output, unsigned int version, const char *compression, char **name,
	    struct restored *out)
{
	struct spool spool = SPOOL_NONE;
	int err;

	*out = (struct restored){ 0 };
	*name = output ? strdup(output) : name_of(folder);
	if (!*name)
		return fail(ENOMEM, "out of memory");
	if (!output && strcmp(*name, folder) == 0)
		return fail(EINVAL, "what is the file to be called that is made of %s? Say so with -o", folder);
	err = spool_open(&spool, folder);
	if (!err)
		err = output_check(*name);
	if (!err)
		err = restore_from(&spool, *name, version, compression, out);
	if (!err)
		spool_remove(&spool);
	spool_fini(&spool);
	return err;
}
