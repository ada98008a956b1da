/* SPDX-License-Identifier: GPL-2.0 */
/* Writes what came from another machine into its spool folder, and then makes the file. */
#define _GNU_SOURCE
#include "lib/record/host.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/reader.h"
#include "lib/record/kept-clocks.h"
#include "lib/record/restore.h"
#include "lib/record/shift.h"
#include <fcntl.h>
#include <unistd.h>

/* Limits. No machine has more symbols and formats, and none has more CPUs. */
#define MOST_META (512ull << 20)
enum { MOST_CPUS = 8192, MOST_NAME = 200 };
/* The space that is left on the disk, beside the room for the file that is made of the received data. */
#define RESERVE (64ull << 20)
enum { LOOK_EVERY = 16 << 20 };

static int no_recording(const char **wrong, const char *what)
{
	*wrong = what;
	return -EPROTO;
}

static int make_folder(struct host *h)
{
	int err = output_check(h->output);

	return err ? err : spool_make(&h->spool, h->output, NULL);
}

int host_meta(struct host *h, const char *bytes, size_t n, const char **wrong)
{
	int err = h->spool.fd < 0 ? make_folder(h) : 0;

	if (err)
		return err;
	if (h->raw < 0) {
		h->raw = openat(h->spool.fd, SPOOL_SENT, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
		h->meta_bytes = 0;
	}
	if (h->raw < 0)
		return fail(errno, "cannot make %s/" SPOOL_SENT ": %m", h->spool.path);
	h->meta_bytes += n;
	if (h->meta_bytes > MOST_META)
		return no_recording(wrong, "it sent more metadata than any machine has");
	err = io_write(h->raw, bytes, n);
	return err ? fail(-err, "%s: cannot save its metadata: %s", h->spool.path, strerror(-err)) : 0;
}

/* Checks the names of the buffers, because they become names of files. */
static int check_buffers(struct host *h, const struct datfile *file, const char **wrong)
{
	vec_each (&file->buffers, buffer)
		if (strchr(buffer->name, '/') || buffer->name[0] == '.' || strlen(buffer->name) > MOST_NAME)
			return no_recording(wrong, "it sent a buffer with an impossible name");
	if (file->meta.ncpus > MOST_CPUS)
		return no_recording(wrong, "it said that it has more CPUs than any machine");
	if (h->described)
		return file->buffers.n == h->buffers.n ? 0 : no_recording(wrong, "it sent other buffers at the end than at the beginning");
	vec_each (&file->buffers, buffer)
		if (strv_has(&h->buffers, buffer->name) || strv_add(&h->buffers, buffer->name))
			return no_recording(wrong, "it sent two buffers of one name");
	return 0;
}

/* Saves the metadata of @file as the metadata of the spool folder. */
static int save_meta(const struct host *h, const struct datfile *file)
{
	VEC(struct write_buffer) buffers = { 0 };
	uint64_t size;
	int err = 0;

	vec_each (&file->buffers, buffer)
		err = err ?: vec_push(&buffers, (struct write_buffer){ .name = buffer->name, .clock = buffer->clock, .page_size = buffer->page_size });
	err = err ? fail(ENOMEM, "no memory for the list of buffers") : spool_save_meta(&h->spool, &file->meta, buffers.at, buffers.n, &size);
	vec_fini(&buffers);
	return err;
}

int host_meta_end(struct host *h, const char **wrong)
{
	__cleanup(free_ptr) char *path = h->raw < 0 ? NULL : spool_path(&h->spool, SPOOL_SENT);
	struct datfile *file = NULL;
	int err;

	if (!path)
		return no_recording(wrong, "it sent no metadata");
	close_fd(&h->raw);
	err = datfile_open(&file, path);
	if (err)
		return no_recording(wrong, "what it sent first is no recording");
	/*
	 * If there is only one buffer, it becomes the main one, whatever its name is there. So its lines look alike when the files of several hosts are read
	 * together.
	 */
	if (file->buffers.n == 1)
		file->buffers.at[0].name[0] = '\0';
	err = check_buffers(h, file, wrong);
	if (!err)
		err = save_meta(h, file);
	datfile_close(file);
	h->described |= !err;
	return err;
}

/* Returns the descriptor of a CPU's spool, or -errno after a message. */
static int file_of(struct host *h, uint64_t buffer, uint64_t cpu)
{
	__cleanup(free_ptr) char *path = NULL;
	int fd;

	vec_each (&h->files, file)
		if (file->buffer == buffer && file->cpu == cpu)
			return file->fd;
	fd = spool_file(&h->spool, h->buffers.at[buffer], (unsigned int)cpu, &path);
	if (fd < 0)
		return fd;
	if (vec_push(&h->files, (struct host_file){ buffer, cpu, fd })) {
		close(fd);
		return fail(ENOMEM, "no memory for the CPUs of %s", h->name);
	}
	return fd;
}

static int check_room(const struct host *h, size_t n)
{
	if (h->bytes / LOOK_EVERY == (h->bytes + n) / LOOK_EVERY || io_space(h->spool.fd) > RESERVE + h->bytes / 2)
		return 0;
	return fail(ENOSPC, "%s: the disk here is nearly full: make room in %s, or name a folder on another disk with -o", h->name, h->spool.path);
}

int host_data(struct host *h, const struct frame *frame, const char **wrong)
{
	int fd, err;

	if (!h->described || h->state != HOST_RUNS)
		return no_recording(wrong, "it sent data before it was told to begin");
	if (frame->numbers[0] >= h->buffers.n || frame->numbers[1] >= MOST_CPUS)
		return no_recording(wrong, "it sent data of a buffer or CPU that it does not have");
	fd = file_of(h, frame->numbers[0], frame->numbers[1]);
	if (fd < 0)
		return fd;
	err = check_room(h, frame->n);
	if (err)
		return err;
	err = io_write(fd, frame->rest, frame->n);
	if (err)
		return fail(-err, "%s: cannot save what it sent: %s", h->name, strerror(-err));
	h->bytes += frame->n;
	return 0;
}

/* --- the file --------------------------------------------------------------------------------------------------- */

/* Returns true if the times of the host's trace clock can be compared with ours. */
static bool has_times(const struct host *h)
{
	return h->clock_ns && h->clocks.n;
}

int host_keep_times(const struct host *h, int64_t until)
{
	struct kept_clocks kept = { .peer_id = h->trace_id, .date_us = shift_date_us(CLOCK_MONOTONIC), .until = until, .host = (char *)h->name };
	int err;

	if (!has_times(h) || h->spool.fd < 0)
		return 0;
	err = vec_push(&kept.cpus, h->clocks) ? -ENOMEM : kept_clocks_save(&kept, &h->spool);
	vec_fini(&kept.cpus);
	return err;
}

static int make_file(struct host *h, struct host_outcome *out)
{
	char *const paths[] = { h->spool.path };
	const struct restore_spec spec = {
		.paths = paths,
		.npaths = 1,
		.output = h->output,
		.version = h->spec->version,
		.compression = h->spec->compression,
		.program = h->spec->program,
		.empty = true,
	};
	__cleanup(free_ptr) char *name = NULL;
	struct restored made = { 0 };
	int err;

	vec_each (&h->files, file)
		close_fd(&file->fd);
	/* restore() could not lock the folder as long as we have it open. */
	close_fd(&h->spool.fd);
	err = restore(&spec, &name, &made);
	if (err)
		note("what %s has sent is kept: `ringside restore %s` makes a file of it", h->name, h->spool.path);
	else
		out->size = made.size;
	return err;
}

/*
 * Returns about what the host's clock read when its last data came. That is the time of the host's last answer plus the time that has passed here since
 * then.
 */
static int64_t last_time(const struct host *h)
{
	return h->clocks.n ? h->clocks.at[h->clocks.n - 1].time + (int64_t)(MAX(h->ended_ns, h->answered_ns) - h->answered_ns) : 0;
}

int host_finish(struct host *h, struct host_outcome *out)
{
	int err;

	*out = (struct host_outcome){
		.name = h->name,
		.output = h->output,
		.events = h->events,
		.lost = h->lost,
		.bytes = h->bytes,
		.complete = h->state == HOST_DONE,
		.status = h->status,
		.started = h->began != 0,
		.round_ns = h->clocks.round_ns,
	};
	h->output = NULL;
	clocks_fit(&h->clocks, last_time(h), &out->line);
	out->start_ns = clocks_here(&out->line, (int64_t)h->began);
	close_fd(&h->raw);
	if (h->spool.fd < 0)
		return 0;
	h->output = out->output;
	if (!h->described || !h->began) {
		spool_remove(&h->spool);
		err = 0;
	} else {
		if (!has_times(h))
			warn("%s: %s, so its times are not those of the others", h->name,
			     h->clock_ns ? "it did not say what time it is there" : "its trace clock does not count nanoseconds (choose another one with -C)");
		err = host_keep_times(h, last_time(h));
		err = err ? fail(-err, "%s: cannot save what is known of the clock of %s: %s", h->spool.path, h->name, strerror(-err)) : make_file(h, out);
	}
	h->output = NULL;
	return err;
}
