/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/spool.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/outfile.h"
#include "lib/record/handover.h"
#include "lib/record/links.h"
#include "lib/record/rest.h"
#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define META_DRAFT "meta.draft"
#define NAMES SPOOL_NAMES
#define CPU "cpu"

/* DYING_MS: the longest time until a killed process, and its lock with it, is gone. LOOK_MS: the time between two looks at it. */
enum { DYING_MS = 2000, LOOK_MS = 20 };

#define AMPLE_SPACE (1ull << 30)

/* Returns the folder of @path, in new memory. */
static char *folder_of(const char *path)
{
	__cleanup(free_ptr) char *copy = strdup(path);

	return copy ? strdup(dirname(copy)) : NULL;
}

/* Returns the name of the file system if it is one of the kernel's own, in which there can be no files of ours. Otherwise returns NULL. */
static const char *pseudo_fs(const char *folder)
{
	static const struct {
		unsigned long magic;
		const char *name;
	} rows[] = {
		{ TRACEFS_MAGIC, "tracefs" }, { DEBUGFS_MAGIC, "debugfs" },	 { PROC_SUPER_MAGIC, "proc" },
		{ SYSFS_MAGIC, "sysfs" },     { CGROUP2_SUPER_MAGIC, "cgroup" },
	};
	struct statfs fs;

	if (statfs(folder, &fs))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if ((unsigned long)fs.f_type == rows[i].magic)
			return rows[i].name;
	return NULL;
}

static int check_folder(const char *folder, uint64_t least, const char *cure)
{
	const char *here = strcmp(folder, ".") == 0 ? "the current directory" : folder;
	const char *pseudo = pseudo_fs(folder);
	struct statvfs fs;

	if (pseudo)
		return fail(EINVAL, "%s is inside %s, where no file can be made: go elsewhere, or %s", here, pseudo, cure);
	if (access(folder, W_OK | X_OK))
		return errno == ENOENT ? fail(ENOENT, "cannot write in %s: there is no such folder; make it first, or %s", here, cure)
				       : fail(errno, "cannot write in %s: %m; %s", here, cure);
	if (statvfs(folder, &fs) == 0 && fs.f_blocks && (uint64_t)fs.f_bavail * fs.f_frsize < least)
		return fail(ENOSPC, "no space left in %s: %llu MB are free, and there have to be %llu MB; make room, or %s", here,
			    (unsigned long long)((uint64_t)fs.f_bavail * fs.f_frsize >> 20), (unsigned long long)(least >> 20), cure);
	return 0;
}

int output_check(const char *output)
{
	return output_check_space(output, OUTPUT_LEAST_SPACE, OUTPUT_NAME_FILE);
}

int output_check_space(const char *output, uint64_t least, const char *cure)
{
	__cleanup(free_ptr) char *target = NULL, *folder = NULL;
	int err = outfile_check_plain(output) ?: outfile_target(output, &target);

	folder = err ? NULL : folder_of(target);
	err = err || folder ? err : fail(ENOMEM, "no memory for a file name");
	return err ? err : check_folder(folder, least, cure);
}

int output_check_folder(const char *folder, const char *cure)
{
	return check_folder(folder, OUTPUT_LEAST_SPACE, cure);
}

int spool_folder(const char *output, const char *temp, char **path)
{
	__cleanup(free_ptr) char *copy = strdup(output), *target = NULL;
	int err = temp ? 0 : outfile_target(output, &target);

	*path = NULL;
	if (err)
		return err;
	if (copy)
		*path = temp ? str_printf("%s/%s" SPOOL_SUFFIX, temp, basename(copy)) : str_printf("%s" SPOOL_SUFFIX, target);
	return *path ? 0 : fail(ENOMEM, "no memory for a file name");
}

bool spool_name(const char *file, char **buffer, unsigned int *cpu)
{
	const char *dot = strrchr(file, '.'), *name = dot ? dot + 1 : file;
	char *end;

	if (!str_starts(name, CPU) || name[3] < '0' || name[3] > '9')
		return false;
	*cpu = (unsigned int)strtoul(name + 3, &end, 10);
	if (*end)
		return false;
	*buffer = strndup(file, dot ? (size_t)(dot - file) : 0);
	return *buffer;
}

static bool is_beside(const char *file, const char *kind)
{
	__cleanup(free_ptr) char *buffer = NULL, *name = NULL;
	unsigned int cpu;

	if (!str_ends(file, kind))
		return false;
	name = strndup(file, strlen(file) - strlen(kind));
	return name && spool_name(name, &buffer, &cpu);
}

/* Returns true for files that describe the recording and hold none of its data. */
static bool is_about(const char *file)
{
	static const char *const names[] = { SPOOL_META, META_DRAFT, NAMES, SPOOL_LINKS, SPOOL_SENT, SPOOL_CLOCKS, SPOOL_CLOCKS ".tmp" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(file, names[i]) == 0)
			return true;
	return false;
}

static bool is_recordings(const char *file)
{
	__cleanup(free_ptr) char *buffer = NULL;
	unsigned int cpu;

	return is_about(file) || spool_name(file, &buffer, &cpu) || is_beside(file, SPOOL_PACKED) || is_beside(file, SPOOL_HANDED) ||
	       is_beside(file, SPOOL_REST);
}

/*
 * Calls @each for each file of a recording in the folder. Stops when @each does not return 0, and returns that value. Returns -errno after a message when
 * the folder cannot be read.
 */
static int for_files(const struct spool *spool, int (*each)(const struct spool *spool, const char *file))
{
	int fd = openat(spool->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		err = fail(errno, "%s: %m", spool->path);
		close_fd(&fd);
		return err;
	}
	while (!err && (entry = readdir(dir)))
		if (is_recordings(entry->d_name))
			err = each(spool, entry->d_name);
	closedir(dir);
	return err;
}

static int remove_one(const struct spool *spool, const char *file)
{
	unlinkat(spool->fd, file, 0);
	return 0;
}

static int holds_data(const struct spool *spool, const char *file)
{
	__cleanup(close_fd) int fd = -1;
	struct stat st;

	if (is_about(file))
		return false;
	if (is_beside(file, SPOOL_REST))
		return fstatat(spool->fd, file, &st, 0) == 0 && (uint64_t)st.st_size > REST_HEAD;
	if (!is_beside(file, SPOOL_HANDED))
		return fstatat(spool->fd, file, &st, 0) == 0 && st.st_size > 0;
	fd = openat(spool->fd, file, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && handover_holds(fd);
}

/* Opens and locks the folder. After a failure the folder is not open, since we must not empty a folder that is not ours. */
static int lock(struct spool *spool, unsigned int patience_ms)
{
	int err;

	spool->fd = open(spool->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (spool->fd < 0 && (errno == ELOOP || errno == ENOTDIR))
		return fail(errno, "%s is a link or a file, not the folder of a recording: remove it, or name another file", spool->path);
	if (spool->fd < 0)
		return fail(errno, "%s: %m", spool->path);
	spool->full = realpath(spool->path, NULL);
	if (!spool->full)
		return fail(errno, "%s: %m", spool->path);
	while ((err = flock(spool->fd, LOCK_EX | LOCK_NB)) && patience_ms) {
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_MS * (long)NSEC_PER_MSEC }, NULL);
		patience_ms -= LOOK_MS;
	}
	if (!err)
		return 0;
	close_fd(&spool->fd);
	return fail(EBUSY, "%s is in use: another recording is being written there", spool->path);
}

/* Refuses a folder that others own or can write to, because root may write into it. */
static int check_ours(struct spool *spool)
{
	struct stat st;

	if (fstat(spool->fd, &st))
		return fail(errno, "%s: %m", spool->path);
	if (st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return 0;
	close_fd(&spool->fd);
	return fail(EPERM, "%s is there already and is %s: remove it, or name another file", spool->path,
		    st.st_uid != geteuid() ? "somebody else's folder" : "a folder in which others can write");
}

/*
 * Returns true if others could have replaced the folder that we have just made. Only then is its owner checked, because some file systems set owners of
 * their own.
 */
static bool is_shared(const char *path)
{
	__cleanup(free_ptr) char *folder = folder_of(path);
	struct stat st;

	return !folder || stat(folder, &st) || st.st_mode & S_IWOTH;
}

int spool_make(struct spool *out, const char *output, const char *temp)
{
	bool there;
	int err, held = 0;

	*out = (struct spool){ .fd = -1 };
	err = spool_folder(output, temp, &out->path);
	if (err)
		return err;
	if (temp) {
		err = check_folder(temp, OUTPUT_LEAST_SPACE, OUTPUT_NAME_TEMP);
		if (err)
			return err;
	}
	err = mkdir(out->path, 0755) ? errno : 0;
	if (err && err != EEXIST)
		return fail(err, "cannot make %s: %s", out->path, strerror(err));
	there = err;
	err = lock(out, 0);
	if (!err && (there || is_shared(out->path)))
		err = check_ours(out);
	if (err)
		return err;
	/* If the file SPOOL_META is missing, the recording had not begun, or its file is complete. Either way, the data are not needed. */
	if (faccessat(out->fd, SPOOL_META, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		held = for_files(out, holds_data);
	if (held) {
		close_fd(&out->fd);
		return held < 0 ? held
				: fail(EEXIST,
				       "%s holds a recording that was cut short: `ringside restore %s` makes a file of it, "
				       "`rm -r` gives it up",
				       out->path, out->path);
	}
	return for_files(out, remove_one);
}

/* Checks that the owner of the folder owns the file and that it is no link. A link could make us write to somebody else's file. */
static int check_file(const struct spool *spool, const char *file)
{
	struct stat folder, st;

	if (fstat(spool->fd, &folder) || fstatat(spool->fd, file, &st, AT_SYMLINK_NOFOLLOW))
		return fail(errno, "%s/%s: %m", spool->path, file);
	if (S_ISREG(st.st_mode) && st.st_uid == folder.st_uid)
		return 0;
	return fail(EPERM, "%s/%s is no file of a recording, but a link or somebody else's: nothing is restored", spool->path, file);
}

int spool_open(struct spool *out, const char *path)
{
	*out = (struct spool){ .path = strdup(path), .fd = -1 };
	if (!out->path)
		return fail(ENOMEM, "no memory for a file name");
	return lock(out, DYING_MS) ?: for_files(out, check_file);
}

int spool_file(const struct spool *spool, const char *buffer, unsigned int cpu, char **path)
{
	__cleanup(free_ptr) char *name = str_printf("%s%s" CPU "%u", buffer, *buffer ? "." : "", cpu);
	int fd;

	*path = name ? str_printf("%s/%s", spool->path, name) : NULL;
	if (!*path)
		return fail(ENOMEM, "no memory for a file name");
	fd = openat(spool->fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	return fd < 0 ? fail(errno, "cannot make %s: %m", *path) : fd;
}

char *spool_path(const struct spool *spool, const char *name)
{
	return str_printf("%s/%s", spool->full, name);
}

static int beside(const struct spool *spool, const char *file, const char *kind, int flags)
{
	const char *slash = strrchr(file, '/');
	__cleanup(free_ptr) char *name = str_printf("%s%s", slash ? slash + 1 : file, kind);
	int fd = name ? openat(spool->fd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0644) : -1;

	return fd < 0 ? -errno : fd;
}

int spool_make_beside(const struct spool *spool, const char *file, const char *kind)
{
	return beside(spool, file, kind, O_CREAT | O_EXCL);
}

int spool_open_beside(const struct spool *spool, const char *file, const char *kind)
{
	return beside(spool, file, kind, 0);
}

int spool_make_names(const struct spool *spool)
{
	int fd = openat(spool->fd, NAMES, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);

	return fd < 0 ? fail(errno, "cannot make %s/" NAMES ": %m", spool->path) : fd;
}

int spool_read_names(const struct spool *spool, struct text *out)
{
	int err = io_slurp_at(spool->fd, NAMES, out);

	return err && err != -ENOENT ? fail(-err, "cannot read %s/" NAMES ": %s", spool->path, strerror(-err)) : 0;
}

int spool_save_meta(const struct spool *spool, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers, uint64_t *size)
{
	__cleanup(free_ptr) char *path = str_printf("%s/" SPOOL_META, spool->path);
	__cleanup(close_fd) int fd = openat(spool->fd, META_DRAFT, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	struct write_options how = { .version = 7 };
	struct stat st;
	int err;

	if (!path || fd < 0)
		return fail(errno, "cannot make %s/" SPOOL_META ": %m", spool->path);
	if (io_space(fd) < AMPLE_SPACE) {
		how.codec = codec_find("zstd");
		how.level = 1;
	}
	err = datfile_write(fd, path, meta, buffers, nbuffers, &how);
	*size = fstat(fd, &st) ? 0 : (uint64_t)st.st_size;
	if (!err && renameat(spool->fd, META_DRAFT, spool->fd, SPOOL_META))
		err = fail(errno, "cannot make %s: %m", path);
	return err;
}

void spool_remove(const struct spool *spool)
{
	if (spool->fd < 0)
		return;
	/* SPOOL_META is removed first. If we die after that, nobody takes the rest for a recording to be restored. */
	unlinkat(spool->fd, SPOOL_META, 0);
	links_remove(spool);
	for_files(spool, remove_one);
	/* If others have put something into the folder, it stays. */
	rmdir(spool->path);
}

void spool_fini(struct spool *spool)
{
	close_fd(&spool->fd);
	free(spool->path);
	free(spool->full);
	spool->path = spool->full = NULL;
}
