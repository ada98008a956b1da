/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/base/draft.h"

#include "lib/base/io.h"
#include "lib/base/str.h"
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <unistd.h>

int draft_open(struct draft *d, const char *output)
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
	/* A process that had our number and was killed may have left this file. Anything else that has this name must not be written to. */
	unlink(d->hidden);
	d->fd = open(d->hidden, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	d->named = d->fd >= 0;
	return d->named ? 0 : -errno;
}

int draft_publish(struct draft *d, const char *output)
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

void draft_close(struct draft *d)
{
	if (d->named)
		unlink(d->hidden);
	close_fd(&d->fd);
	free(d->folder);
	free(d->hidden);
}
