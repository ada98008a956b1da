/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/net/fifos.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/quote.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "trace-pipe-cpu"
enum { FOLDER_MODE = 0750, LONGEST_NAME = 200 };

bool fifos_name_ok(const char *guest)
{
	size_t n = strlen(guest);

	if (n && n <= LONGEST_NAME && *guest != '.' && *guest != '-' && !strchr(guest, '/'))
		return true;
	fail(EINVAL, "'%s' is no name of a guest: a folder gets this name, so it has no /, begins with neither . nor -, and has at most %d letters", guest,
	     LONGEST_NAME);
	return false;
}

/* Gives the folder to the group and sets its mode, whatever the umask is. Nobody else can enter it. */
static int own_folder(const struct fifos_spec *spec, int fd)
{
	return fd < 0 || (spec->group != (gid_t)-1 && fchown(fd, (uid_t)-1, spec->group)) || fchmod(fd, FOLDER_MODE) ? -errno : 0;
}

static int make_folder(const struct fifos_spec *spec, const char *path)
{
	__cleanup(close_fd) int fd = -1;
	int err;

	if (mkdir(path, 0700))
		return errno == EEXIST ? 0 : fail(errno, "cannot make the folder %s: %m", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	err = own_folder(spec, fd);
	return err ? fail(-err, "%s: %s", path, strerror(-err)) : 0;
}

/* Makes the folder and all folders on the way to it. */
static int make_folders(const struct fifos_spec *spec, const char *path)
{
	int err;

	__cleanup(free_ptr) char *part = strdup(path);

	if (!part)
		return fail(ENOMEM, "no memory for a path");
	for (char *at = part + 1;; at++) {
		const char end = *at;

		if (end && end != '/')
			continue;
		*at = '\0';
		err = make_folder(spec, part);
		if (err || !end)
			return err;
		*at = '/';
	}
}

/* Opens the guest's own folder, and makes it if it is not there. */
static int open_folder(const struct fifos_spec *spec)
{
	__cleanup(free_ptr) char *path = str_printf("%s/%s", spec->folder, spec->guest);
	__cleanup(close_fd) int fd = -1;
	int err = path ? make_folders(spec, path) : fail(ENOMEM, "no memory for a path");

	if (err)
		return err;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	err = own_folder(spec, fd);
	if (err)
		return fail(-err, "%s: %s", path, strerror(-err));
	return take_fd(&fd);
}

static int make_one(const struct fifos_spec *spec, int folder, unsigned int cpu, const char *end)
{
	char name[64], path[64];
	__cleanup(close_fd) int fd = -1;
	struct stat st;

	snprintf(name, sizeof(name), NAME "%u%s", cpu, end);
	if (mkfifoat(folder, name, spec->mode) && errno != EEXIST)
		return fail(errno, "cannot make the FIFO %s/%s/%s: %m", spec->folder, spec->guest, name);
	/* A file opened in this way cannot be replaced by another one before it is changed. */
	fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return fail(errno, "%s/%s/%s: %m", spec->folder, spec->guest, name);
	if (!S_ISFIFO(st.st_mode))
		return fail(EEXIST, "%s/%s/%s is there and is no FIFO: remove it, or give the guest another name", spec->folder, spec->guest, name);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if ((spec->group != (gid_t)-1 && chown(path, (uid_t)-1, spec->group)) || chmod(path, spec->mode))
		return fail(errno, "%s/%s/%s: cannot set its group and mode: %m", spec->folder, spec->guest, name);
	return 0;
}

int fifos_make(const struct fifos_spec *spec)
{
	__cleanup(close_fd) int folder = open_folder(spec);
	int err = MIN(folder, 0);

	for (unsigned int cpu = 0; cpu < spec->cpus && !err; cpu++)
		err = make_one(spec, folder, cpu, ".in") ?: make_one(spec, folder, cpu, ".out");
	return err;
}

void fifos_xml(const struct fifos_spec *spec, unsigned int cpu, struct str *out)
{
	str_add(out, "<channel type='pipe'>\n  <source path='");
	quote_xml(spec->folder, out);
	str_addc(out, '/');
	quote_xml(spec->guest, out);
	str_addf(out, "/" NAME "%u'/>\n  <target type='virtio' name='" NAME "%u'/>\n</channel>\n", cpu, cpu);
}
