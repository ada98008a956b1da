/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/data/assemble.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/str.h"
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file without a name as long as it is incomplete, or where there is no such thing, a hidden one. */
struct draft {
	int fd;
	char *folder, *hidden;
	bool named;
};

static int draft_open(struct draft *d, const char *output)
{
	__cleanup(free_ptr) char *copy = strdup(output), *again = strdup(output);

	*d = (struct draft){ .fd = -1 };
	if (!copy || !again)
		return -ENOMEM;
	d->folder = strdup(dirname(copy));
	d->hidden = d->folder ? str_printf("%s/.%s.%d", d->folder, basename(again), getpid()) : NULL;
	if (!d->hidden)
		return -ENOMEM;
	d->fd = open(d->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	if (d->fd >= 0)
		return 0;
	d->fd = open(d->hidden, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	d->named = d->fd >= 0;
	return d->named ? 0 : -errno;
}

/* Gives it its name, in the place of what had that name. */
static int draft_publish(struct draft *d, const char *output)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", d->fd);
	if (!d->named && linkat(AT_FDCWD, self, AT_FDCWD, output, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (!d->named) {
		unlink(d->hidden);
		if (linkat(AT_FDCWD, self, AT_FDCWD, d->hidden, AT_SYMLINK_FOLLOW))
			return -errno;
		d->named = true;
	}
	if (rename(d->hidden, output))
		return -errno;
	d->named = false;
	return 0;
}

static void draft_close(struct draft *d)
{
	if (d->named)
		unlink(d->hidden);
	close_fd(&d->fd);
	free(d->folder);
	free(d->hidden);
}

int assemble(const char *output, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers,
	     const struct write_options *how, uint64_t *size)
{
	struct draft d;
	struct stat st;
	int err = draft_open(&d, output);

	if (err)
		fail(-err, "cannot make %s: %s", output, strerror(-err));
	if (!err)
		err = datfile_write(d.fd, output, meta, buffers, nbuffers, how);
	if (!err) {
		err = draft_publish(&d, output);
		if (err)
			fail(-err, "cannot make %s: %s", output, strerror(-err));
	}
	*size = !err && fstat(d.fd, &st) == 0 ? (uint64_t)st.st_size : 0;
	draft_close(&d);
	return err;
}
