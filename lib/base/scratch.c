/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/base/scratch.h"
#include "lib/base/str.h"

#include <fcntl.h>
#include <unistd.h>

/* Makes a file without a name in @folder. Returns its descriptor or -errno. */
static int nameless(const char *folder)
{
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	__cleanup(free_ptr) char *path = NULL;

	if (fd >= 0)
		return fd;
	path = str_printf("%s/ringside-XXXXXX", folder);
	fd = path ? mkostemp(path, O_CLOEXEC) : -1;
	if (fd < 0)
		return path ? -errno : -ENOMEM;
	unlink(path);
	return fd;
}

int scratch_open(const char **folder)
{
	const char *set = getenv("TMPDIR");
	int fd;

	*folder = set && *set ? set : "/var/tmp";
	fd = nameless(*folder);
	if (fd < 0 && !(set && *set))
		fd = nameless(*folder = "/tmp");
	return fd;
}
