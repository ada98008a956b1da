/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/base/outdir.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/str.h"

#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Removes a folder that has only plain files. */
static int remove_folder(const char *path)
{
	DIR *dir = opendir(path);

	for (const struct dirent *entry; dir && (entry = readdir(dir));)
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	return rmdir(path) ? -errno : 0;
}

/* Returns true if the process @pid runs and is another one than we. A folder with our own number is of an earlier process, because we have made nothing yet. */
static bool is_at_work(pid_t pid)
{
	return pid != getpid() && (kill(pid, 0) == 0 || errno != ESRCH);
}

/* Removes what killed processes of ours have left: .NAME.PID where no process PID runs. */
static void sweep(const char *folder, const char *name)
{
	__cleanup(free_ptr) char *begin = str_printf(".%s.", name);
	DIR *dir = begin ? opendir(folder) : NULL;

	for (const struct dirent *entry; dir && (entry = readdir(dir));) {
		__cleanup(free_ptr) char *path = NULL;
		char *end;
		long pid;

		if (!str_starts(entry->d_name, begin))
			continue;
		pid = strtol(entry->d_name + strlen(begin), &end, 10);
		if (*end || pid <= 0 || is_at_work((pid_t)pid))
			continue;
		path = str_printf("%s/%s", folder, entry->d_name);
		if (path)
			remove_folder(path);
	}
	if (dir)
		closedir(dir);
}

static bool is_empty(const char *path)
{
	DIR *dir = opendir(path);
	bool empty = dir != NULL;

	for (const struct dirent *entry; dir && (entry = readdir(dir));)
		empty &= strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	if (dir)
		closedir(dir);
	return empty;
}

/* Checks what has the folder's name. Only a folder that is empty or of the same kind is replaced. */
static int check_there(struct outdir *o, const char *mark)
{
	__cleanup(free_ptr) char *file = str_printf("%s/%s", o->path, mark);
	struct stat st;

	if (!file)
		return fail(ENOMEM, "out of memory");
	if (lstat(o->path, &st))
		return errno == ENOENT ? 0 : fail(errno, "%s: %m", o->path);
	if (!S_ISDIR(st.st_mode))
		return fail(ENOTDIR, "%s is there and is no folder: remove it, or name another", o->path);
	o->replaces = access(file, F_OK) == 0;
	return o->replaces || is_empty(o->path) ? 0 : fail(EEXIST, "%s is a folder with other files: name another", o->path);
}

int outdir_open(struct outdir *o, const char *path, const char *mark)
{
	__cleanup(free_ptr) char *copy = strdup(path), *again = strdup(path);
	const char *folder, *name;
	int err;

	*o = (struct outdir){ .fd = -1, .path = strdup(path) };
	if (!copy || !again || !o->path)
		return fail(ENOMEM, "out of memory");
	for (size_t n = strlen(o->path); n > 1 && o->path[n - 1] == '/'; n--)
		o->path[n - 1] = '\0';
	folder = dirname(copy);
	name = basename(again);
	if (!*path || strcmp(name, "/") == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return fail(EINVAL, "'%s' is not the name of a new folder", path);
	err = check_there(o, mark);
	if (err)
		return err;
	sweep(folder, name);
	o->hidden = str_printf("%s/.%s.%d", folder, name, (int)getpid());
	if (!o->hidden)
		return fail(ENOMEM, "out of memory");
	if (mkdir(o->hidden, 0777)) {
		err = errno;
		free(take(o->hidden));
		if (err == ENOENT)
			return fail(ENOENT, "cannot make %s: there is no folder %s; make it first, or name another", o->path, folder);
		return fail(err, "%s: %s", o->path, strerror(err));
	}
	o->fd = open(o->hidden, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return o->fd < 0 ? fail(errno, "%s: %m", o->hidden) : 0;
}

int outdir_publish(struct outdir *o)
{
	if (o->replaces) {
		/* The two folders swap their names in one step. The old one, which then has the hidden name, is removed later. */
		if (renameat2(AT_FDCWD, o->hidden, AT_FDCWD, o->path, RENAME_EXCHANGE))
			return fail(errno, "%s: %m", o->path);
		return 0;
	}
	if (rename(o->hidden, o->path))
		return fail(errno, "%s: %m", o->path);
	free(take(o->hidden));
	return 0;
}

void outdir_close(struct outdir *o)
{
	close_fd(&o->fd);
	if (o->hidden)
		remove_folder(o->hidden);
	free(o->hidden);
	free(o->path);
	*o = (struct outdir)OUTDIR_NONE;
}
