/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/tracefs/tracedir.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

#include <dirent.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

#define TRACEFS "/sys/kernel/tracing"

char *tracedir_mounted(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	char *found = NULL;

	while (mounts && (m = getmntent(mounts))) {
		if (strcmp(m->mnt_type, "tracefs") != 0)
			continue;
		if (!found || strcmp(m->mnt_dir, TRACEFS) == 0) {
			free(found);
			found = strdup(m->mnt_dir);
		}
	}
	if (mounts)
		endmntent(mounts);
	return found;
}

static int mount_it(void)
{
	if (access(TRACEFS, F_OK))
		return fail(ENOENT, "this kernel has no " TRACEFS ": it was built without tracing (CONFIG_TRACING), "
				    "or sysfs is not mounted");
	if (geteuid() != 0)
		return fail(EACCES, "tracefs is not mounted: run this as root, or mount -t tracefs nodev " TRACEFS);
	if (mount("nodev", TRACEFS, "tracefs", 0, NULL) == 0)
		return 0;
	if (errno == EPERM || errno == EACCES)
		return fail(errno, "tracefs is not mounted and may not be mounted here: %m; in a container, start it "
				   "with CAP_SYS_ADMIN or with the host's " TRACEFS);
	return fail(errno, "tracefs is not mounted, and mounting it on " TRACEFS " fails: %m");
}

int tracedir_open(struct tracedir *out, const char *path)
{
	char *at = path ? realpath(path, NULL) : tracedir_mounted();
	int err;

	out->fd = -1;
	out->path = NULL;
	if (!at && path)
		return fail(errno, "tracing directory %s: %m", path);
	if (!at) {
		err = mount_it();
		if (err)
			return err;
		at = strdup(TRACEFS);
	}
	if (!at)
		return fail(ENOMEM, "out of memory");
	out->fd = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (out->fd < 0) {
		err = errno == EACCES ? fail(errno, "tracing needs root: you may not open %s; use sudo", at) : fail(errno, "%s: %m", at);
		free(at);
		return err;
	}
	out->path = at;
	/* A user who may open the directory need not be one who may open the files in it. Then tracefs tells nothing that is true. */
	if (faccessat(out->fd, "current_tracer", R_OK, AT_EACCESS) == 0 || (errno != EACCES && tracedir_has(out, "current_tracer")))
		return 0;
	err = errno == EACCES ? fail(EACCES, "tracing needs root: you may not read the files in %s; use sudo", at)
			      : fail(ENOENT, "%s is no tracing directory: there is no current_tracer in it", at);
	tracedir_fini(out);
	return err;
}

int tracedir_open_at(struct tracedir *out, const struct tracedir *dir, const char *sub)
{
	out->path = NULL;
	out->fd = openat(dir->fd, sub, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (out->fd < 0)
		return -errno;
	out->path = str_printf("%s/%s", dir->path, sub);
	if (out->path)
		return 0;
	tracedir_fini(out);
	return -ENOMEM;
}

void tracedir_fini(struct tracedir *dir)
{
	if (dir->fd >= 0)
		close(dir->fd);
	dir->fd = -1;
	free(dir->path);
	dir->path = NULL;
}

bool tracedir_has(const struct tracedir *dir, const char *file)
{
	return faccessat(dir->fd, file, F_OK, 0) == 0;
}

int tracedir_fd(const struct tracedir *dir, const char *file, int flags)
{
	int fd = openat(dir->fd, file, flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int tracedir_read(const struct tracedir *dir, const char *file, char **out)
{
	struct text text = { 0 };
	int err = io_slurp_at(dir->fd, file, &text);

	*out = NULL;
	if (err)
		return err;
	while (text.size && strchr(" \t\n", text.at[text.size - 1]))
		text.at[--text.size] = '\0';
	*out = text.at;
	return 0;
}

int tracedir_write(const struct tracedir *dir, const char *file, const char *text, bool truncate)
{
	int fd = tracedir_fd(dir, file, O_WRONLY | (truncate ? O_TRUNC : O_APPEND));
	__cleanup(free_ptr) char *line = NULL;
	int err = 0, ret;

	if (fd < 0)
		return fd;
	if (text && *text) {
		line = str_printf("%s\n", text);
		err = line ? io_write(fd, line, strlen(line)) : -ENOMEM;
	}
	/* Some files take effect only when they are closed, for example set_ftrace_filter. */
	ret = close(fd) ? -errno : 0;
	return err ? err : ret;
}

static int by_lines(const struct tracedir *dir, const char *file, const char *ends, strv_t *out)
{
	struct text all = { 0 }, rest, line;
	int err = io_slurp_at(dir->fd, file, &all);

	rest = all;
	while (!err && text_line(&rest, &line)) {
		while (line.size) {
			size_t n = strcspn(line.at, ends);

			n = MIN(n, line.size);
			if (n)
				err = strv_own(out, strndup(line.at, n));
			if (err)
				break;
			line.at += n;
			line.size -= n;
			while (line.size && strchr(ends, *line.at)) {
				line.at++;
				line.size--;
			}
		}
	}
	free(all.at);
	return err;
}

static int by_entries(const struct tracedir *dir, const char *sub, strv_t *out)
{
	int fd = tracedir_fd(dir, sub, O_RDONLY | O_DIRECTORY), err = 0;
	size_t first = out->n;
	struct dirent *e;
	DIR *d;

	if (fd < 0)
		return fd;
	d = fdopendir(fd);
	if (!d) {
		err = -errno;
		close(fd);
		return err;
	}
	while (!err && (e = readdir(d)))
		if (e->d_name[0] != '.')
			err = strv_add(out, e->d_name);
	closedir(d);
	if (!err && first == 0)
		strv_sort(out);
	return err;
}

/* Lists each system once, from lines such as "sched:sched_switch". The kernel mostly lists the events of a system together. */
static int systems(const struct tracedir *dir, strv_t *out)
{
	strv_t events = { 0 };
	int err = by_lines(dir, "available_events", "\n", &events);

	for (size_t i = 0; !err && i < events.n; i++) {
		char *colon = strchr(events.at[i], ':');

		if (!colon)
			continue;
		*colon = '\0';
		if (!strv_has(out, events.at[i]))
			err = strv_add(out, events.at[i]);
	}
	strv_fini(&events);
	return err;
}

static int clocks(const struct tracedir *dir, strv_t *out)
{
	size_t first = out->n;
	int err = by_lines(dir, "trace_clock", " ", out);

	for (size_t i = first; i < out->n; i++) {
		char *name = out->at[i];
		size_t n = strlen(name);

		if (name[0] == '[' && name[n - 1] == ']') {
			name[n - 1] = '\0';
			memmove(name, name + 1, n - 1);
		}
	}
	return err;
}

int tracedir_list(const struct tracedir *dir, enum tracedir_list what, strv_t *out)
{
	switch (what) {
	case TRACEDIR_TRACERS:
		return by_lines(dir, "available_tracers", " ", out);
	case TRACEDIR_CLOCKS:
		return clocks(dir, out);
	case TRACEDIR_EVENTS:
		return by_lines(dir, "available_events", "\n", out);
	case TRACEDIR_ENABLED:
		return by_lines(dir, "set_event", "\n", out);
	case TRACEDIR_SYSTEMS:
		return systems(dir, out);
	case TRACEDIR_FUNCTIONS:
		return by_lines(dir, "available_filter_functions", "\n", out);
	case TRACEDIR_OPTIONS:
		return by_entries(dir, "options", out);
	case TRACEDIR_INSTANCES:
		return by_entries(dir, "instances", out);
	case TRACEDIR_CPUS:
		return by_entries(dir, "per_cpu", out);
	case TRACEDIR_FILES:
		return by_entries(dir, ".", out);
	}
	return -EINVAL;
}

char *tracedir_current(const struct tracedir *dir, const char *file)
{
	__cleanup(free_ptr) char *text = NULL;
	const char *open, *end;

	if (tracedir_read(dir, file, &text))
		return NULL;
	open = strchr(text, '[');
	end = open ? strchr(open, ']') : NULL;
	return end ? strndup(open + 1, (size_t)(end - open - 1)) : NULL;
}

/*
 * Reads the last entry of error_log:
 *	[   42.123] event filter parse error: error: Field not found
 *	  Command: prev_pd==0
 *	           ^
 */
bool tracedir_error(const struct tracedir *dir, const char *command, char **what, size_t *at)
{
	static const char error[] = ": error: ", cmd[] = "\n  Command: ";
	__cleanup(free_ptr) char *log = NULL;
	char *entry, *message, *logged, *caret, *end;
	const char *ours;

	if (tracedir_read(dir, "error_log", &log))
		return false;
	for (entry = log; (end = strstr(entry, "\n[")); entry = end + 1)
		;
	message = strstr(entry, error);
	logged = message ? strstr(message, cmd) : NULL;
	if (!logged)
		return false;
	*logged = '\0';
	logged += sizeof(cmd) - 1;
	caret = strchr(logged, '\n');
	if (!caret)
		return false;
	*caret++ = '\0';
	/* Everybody's errors are in the log. The entry is taken only if it is about our command or a part of it. */
	ours = strstr(command, str_trim(logged));
	if (!*logged || (!ours && !strstr(logged, command)))
		return false;
	end = strchr(caret, '^');
	*at = end && end - caret >= 11 ? (size_t)(end - caret) - 11 : 0;
	*at += ours ? (size_t)(ours - command) : 0;
	*at = MIN(*at, strlen(command));
	*what = strdup(message + sizeof(error) - 1);
	return *what != NULL;
}
