/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/base/outfile.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* A path leads through as many links at most, as in the kernel. */
#define MOST_LINKS 40

/* Returns true if the link can be trusted. This is stricter than fs.protected_symlinks, which not all systems set. */
static bool trusted(const struct stat *link, const char *path)
{
	__cleanup(free_ptr) char *copy = strdup(path);
	struct stat folder;

	if (!copy || stat(dirname(copy), &folder))
		return false;
	return !(folder.st_mode & S_IWOTH) || (folder.st_mode & S_ISVTX && link->st_uid == geteuid());
}

static int check_link(const struct stat *link, const char *path)
{
	if (trusted(link, path))
		return 0;
	return fail(ELOOP, "%s is a link in a folder where anybody can write, and not followed: remove it, or name another file", path);
}

static int refuse_folder(const char *path)
{
	return fail(EISDIR, "%s is a folder: name a file", path);
}

int outfile_check_name(const char *path)
{
	return *path && !str_ends(path, "/") ? 0 : fail(EINVAL, "'%s' is not the name of a file", path);
}

/*
 * Returns the standard descriptor to which a link of /dev leads, as /dev/stdout does. Returns -1 when it leads elsewhere or the descriptor cannot be written
 * to. A file that is opened anew would be written from its beginning, even if the shell has opened it to append.
 */
static int standard_descriptor(const char *path)
{
	static const char *const targets[] = { "/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2" };
	char target[32] = "";

	if (readlink(path, target, sizeof(target) - 1) < 0)
		return -1;
	for (int fd = 0; fd < (int)ARRAY_LEN(targets); fd++)
		if (strcmp(target, targets[fd]) == 0)
			return (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY ? -1 : fd;
	return -1;
}

static int open_there(struct outfile *o, const struct stat *st)
{
	bool link = S_ISLNK(st->st_mode);
	int standard = link ? standard_descriptor(o->path) : -1;
	int err = link ? check_link(st, o->path) : 0;

	if (err)
		return err;
	if (S_ISDIR(st->st_mode))
		return refuse_folder(o->path);
	if (standard >= 0)
		o->fd = fcntl(standard, F_DUPFD_CLOEXEC, 3);
	else
		o->fd = open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (link ? 0 : O_NOFOLLOW));
	return o->fd < 0 ? fail(errno, "%s: %m", o->path) : 0;
}

int outfile_draft(struct draft *d, const char *path)
{
	int err = draft_open(d, path);

	if (err == -ENOENT)
		return fail(ENOENT, "cannot make %s: there is no folder %s; make it first, or name another", path, d->folder);
	return err ? fail(-err, "cannot make %s: %s", path, strerror(-err)) : 0;
}

/* Returns the path to which the link @path leads, in new memory. Returns NULL, and sets errno, when it cannot be read. */
static char *read_link(const char *path)
{
	__cleanup(free_ptr) char *copy = strdup(path);
	char to[PATH_MAX];
	ssize_t n = copy ? readlink(path, to, sizeof(to)) : -1;

	if (n < 0)
		return NULL;
	if (n == sizeof(to))
		return errno = ENAMETOOLONG, NULL;
	return *to == '/' ? strndup(to, (size_t)n) : str_printf("%s/%.*s", dirname(copy), (int)n, to);
}

int outfile_target(const char *path, char **target)
{
	__cleanup(free_ptr) char *at = strdup(path);
	struct stat st;

	for (int i = 0; at && i < MOST_LINKS; i++) {
		char *next;
		int err;

		if (lstat(at, &st) || !S_ISLNK(st.st_mode)) {
			*target = take(at);
			return 0;
		}
		err = check_link(&st, at);
		if (err)
			return err;
		next = read_link(at);
		if (!next)
			return fail(errno, "%s: %m", at);
		free(at);
		at = next;
	}
	return at ? fail(ELOOP, "%s: %s", path, strerror(ELOOP)) : fail(ENOMEM, "no memory for a file name");
}

/* Returns true if the link leads into /proc, as the links of /dev do (/dev/stdout). */
static bool leads_to_proc(const char *path)
{
	char target[sizeof("/proc/")];

	return readlink(path, target, sizeof(target) - 1) == sizeof(target) - 1 && strncmp(target, "/proc/", sizeof(target) - 1) == 0;
}

int outfile_check_plain(const char *path)
{
	struct stat st;
	int err = outfile_check_name(path);

	if (err)
		return err;
	if (stat(path, &st))
		return errno == ENOENT ? 0 : fail(errno, "%s: %m", path);
	if (S_ISDIR(st.st_mode))
		return refuse_folder(path);
	if (!S_ISREG(st.st_mode) || leads_to_proc(path))
		return fail(EINVAL, "%s exists and is not a plain file: name another", path);
	return 0;
}

/* Does what stat(2) does. "-" stands for the standard descriptor @standard. */
static int stat_named(const char *path, int standard, struct stat *st)
{
	return strcmp(path, "-") == 0 ? fstat(standard, st) : stat(path, st);
}

int outfile_check_input(const char *path, const char *input)
{
	struct stat in, out;

	if (stat_named(input, STDIN_FILENO, &in) || stat_named(path, STDOUT_FILENO, &out))
		return 0;
	if (!S_ISREG(in.st_mode) || in.st_dev != out.st_dev || in.st_ino != out.st_ino)
		return 0;
	return fail(EEXIST, "%s is the file that is read, and the output would replace it: name another file for the output", path);
}

/* Does the link lead to a plain file, or to a name that does not exist yet? */
static bool leads_to_plain(const char *path)
{
	struct stat st;

	if (leads_to_proc(path))
		return false;
	return stat(path, &st) ? errno == ENOENT : S_ISREG(st.st_mode);
}

int outfile_open(struct outfile *o, const char *path)
{
	struct stat st;
	bool is_plain;
	int err;

	*o = (struct outfile){ .fd = -1, .draft = DRAFT_NONE, .path = path };
	if (strcmp(path, "-") == 0) {
		o->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		return o->fd < 0 ? fail(errno, "standard output: %m") : 0;
	}
	is_plain = lstat(path, &st) || S_ISREG(st.st_mode);
	if (!is_plain && !(S_ISLNK(st.st_mode) && leads_to_plain(path)))
		return open_there(o, &st);
	err = outfile_check_name(path);
	if (!err && !is_plain)
		err = outfile_target(path, &o->target);
	err = err ? err : outfile_draft(&o->draft, o->target ?: path);
	if (err)
		return err;
	o->fd = o->draft.fd;
	return 0;
}

int outfile_publish(struct outfile *o)
{
	struct stat st;
	int err = 0;

	if (o->draft.fd >= 0)
		err = draft_publish(&o->draft, o->target ?: o->path);
	else if (fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode) && !(fcntl(o->fd, F_GETFL) & O_APPEND) && ftruncate(o->fd, lseek(o->fd, 0, SEEK_CUR)))
		err = -errno;
	return err ? fail(-err, "%s: %s", o->path, strerror(-err)) : 0;
}

void outfile_close(struct outfile *o)
{
	if (o->fd != o->draft.fd)
		close_fd(&o->fd);
	draft_close(&o->draft);
	free(take(o->target));
	o->fd = -1;
}
