/* SPDX-License-Identifier: GPL-2.0 */
/* Reads kallsyms while other parts of the file are read. They are by far the largest part, and are not needed before the first line is printed. */
#include "lib/data/sections.h"
#include "lib/base/err.h"

struct ahead {
	struct job job;
	struct datfile file; /* the job's own; only the members that reading needs are set */
	uint64_t offset;
	int (*read)(struct datfile *file, uint64_t offset);
};

static void read_ahead(struct job *job)
{
	struct ahead *ahead = (struct ahead *)job;

	if (ahead->read(&ahead->file, ahead->offset))
		ahead->file.damaged = true;
}

bool ahead_begin(struct datfile *file, uint64_t offset, int (*read)(struct datfile *file, uint64_t offset))
{
	struct ahead *ahead = file->pool && !file->ahead ? calloc(1, sizeof(*ahead)) : NULL;

	if (!ahead)
		return false;
	ahead->job.run = read_ahead;
	ahead->file = (struct datfile){
		.path = file->path,
		.fd = file->fd,
		.size = file->size,
		.version = file->version,
		.codec = file->codec,
		.meta.big_endian = file->meta.big_endian,
		.quiet = true,
	};
	ahead->offset = offset;
	ahead->read = read;
	file->ahead = ahead;
	pool_submit(file->pool, &ahead->job);
	return true;
}

static void ahead_free(struct ahead *ahead)
{
	metadata_fini(&ahead->file.meta);
	free(ahead);
}

void ahead_end(struct datfile *file)
{
	struct ahead *ahead = take(file->ahead);

	if (!ahead)
		return;
	pool_wait(file->pool, &ahead->job);
	ahead_free(ahead);
}

int datfile_ready(struct datfile *file)
{
	struct ahead *ahead = take(file->ahead);
	int err = 0;

	if (!ahead)
		return 0;
	pool_wait(file->pool, &ahead->job);
	if (ahead->file.damaged) {
		err = ahead->read(file, ahead->offset);
	} else {
		free(file->meta.kallsyms.at);
		file->meta.kallsyms = ahead->file.meta.kallsyms;
		ahead->file.meta.kallsyms = (struct text){ 0 };
	}
	ahead_free(ahead);
	return err == -ENOMEM ? fail(ENOMEM, "%s: out of memory", file->path) : err;
}
