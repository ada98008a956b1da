/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/links.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the absolute path of the folder of @path, in new memory. */
static char *full_folder(const char *path)
{
	__cleanup(free_ptr) char *copy = strdup(path);

	return copy ? realpath(dirname(copy), NULL) : NULL;
}

/* Returns what the link contains: "trace.dat.spool/cpu0", or the full path when the spool is in another folder than the link. */
static char *target_of(const struct spool *spool, const char *folder, const char *file)
{
	const char *name = strrchr(spool->full, '/');
	size_t n = (size_t)(name - spool->full);

	if (strlen(folder) == n && strncmp(folder, spool->full, n) == 0)
		return str_printf("%s/%s", name + 1, file);
	return str_printf("%s/%s", spool->full, file);
}

/* Returns true if @link can be replaced: it was left by a killed recording of ours, or is an empty file of ours. */
static bool is_left_over(const char *link, const char *file)
{
	__cleanup(free_ptr) char *end = str_printf(SPOOL_SUFFIX "/%s", file);
	char to[PATH_MAX] = { 0 };
	struct stat st;

	if (!end || lstat(link, &st) || st.st_uid != geteuid())
		return false;
	if (S_ISREG(st.st_mode))
		return st.st_size == 0;
	return S_ISLNK(st.st_mode) && readlink(link, to, sizeof(to) - 1) > 0 && str_ends(to, end);
}

static int add_to_list(const struct spool *spool, const char *link)
{
	__cleanup(close_fd) int fd = openat(spool->fd, SPOOL_LINKS, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);

	return fd < 0 ? -errno : io_write(fd, link, strlen(link) + 1);
}

int links_make(const struct spool *spool, const char *output, const char *file)
{
	__cleanup(free_ptr) char *folder = full_folder(output), *copy = strdup(output), *link = NULL, *target = NULL;
	int err;

	if (folder && copy) {
		link = str_printf("%s/%s.%s", strcmp(folder, "/") ? folder : "", basename(copy), file);
		target = target_of(spool, folder, file);
	}
	if (!link || !target)
		return fail(ENOMEM, "no memory for a file name");
	err = add_to_list(spool, link);
	if (!err && symlink(target, link))
		err = -errno;
	if (err == -EEXIST && is_left_over(link, file) && !unlink(link))
		err = symlink(target, link) ? -errno : 0;
	if (err == -EEXIST)
		return fail(EEXIST,
			    "%s is there, maybe of a trace-cmd that was killed: `ringside restore %s.cpu*` makes a file of that; remove it, or name another "
			    "file with -o",
			    link, output);
	return err ? fail(-err, "cannot make %s: %s", link, strerror(-err)) : 0;
}

char *links_folder(const char *path, char **output)
{
	__cleanup(free_ptr) char *full = NULL, *buffer = NULL;
	struct stat st;
	unsigned int cpu;
	char *slash;
	size_t n;

	if (lstat(path, &st) || !S_ISLNK(st.st_mode) || !(full = realpath(path, NULL)))
		return NULL;
	slash = strrchr(full, '/');
	if (!spool_name(slash + 1, &buffer, &cpu))
		return NULL;
	n = strlen(path) - MIN(strlen(slash), strlen(path));
	*slash = '\0';
	if (!str_ends(full, SPOOL_SUFFIX))
		return NULL;
	if (output)
		*output = strndup(path, n);
	return take(full);
}

void links_remove(const struct spool *spool)
{
	struct text all = { 0 };
	size_t at = 0;

	if (io_slurp_at(spool->fd, SPOOL_LINKS, &all))
		return;
	while (at < all.size) {
		__cleanup(free_ptr) char *link = strndup(all.at + at, all.size - at);
		__cleanup(free_ptr) char *folder = link && *link == '/' ? links_folder(link, NULL) : NULL;

		at += strnlen(all.at + at, all.size - at) + 1;
		if (folder && strcmp(folder, spool->full) == 0)
			unlink(link);
	}
	free(all.at);
}
