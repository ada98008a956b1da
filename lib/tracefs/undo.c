/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/undo.h"
#include "lib/tracefs/funcommand.h"
#include "lib/tracefs/setting.h"

#include <fcntl.h>
#include <unistd.h>

static int put_list(const struct tracedir *top, const char *path, const char *value)
{
	return setting_put_lines(top, path, value);
}

/* Removes a trigger. @value is the trigger, and below it what the file read before. */
static int remove_trigger(const struct tracedir *top, const char *path, const char *value)
{
	__cleanup(free_ptr) char *now = NULL;
	__cleanup(free_ptr) char *off = NULL;
	const char *before = strchr(value, '\n');
	int err = tracedir_read(top, path, &now);

	if (err || !before || strcmp(now, before + 1) == 0)
		return err;
	off = str_printf("!%.*s", (int)(before - value), value);
	if (!off)
		return -ENOMEM;
	err = tracedir_write(top, path, off, false);
	/* The file differs because of somebody else's trigger, and ours is not there. */
	return err == -EINVAL ? 0 : err;
}

static int remove_instance(const struct tracedir *top, const char *path, __unused const char *value)
{
	return unlinkat(top->fd, path, AT_REMOVEDIR) ? -errno : 0;
}

static int empty_buffer(const struct tracedir *top, const char *path, __unused const char *value)
{
	return tracedir_write(top, path, NULL, true);
}

static int put_sysctl(__unused const struct tracedir *top, const char *path, const char *value)
{
	struct tracedir kernel;
	int err = sysctl_open(&kernel);

	if (!err)
		err = setting_put(&kernel, path, value);
	tracedir_fini(&kernel);
	return err;
}

static int remove_dynevent(const struct tracedir *top, const char *path, const char *value)
{
	int err = tracedir_write(top, path, value, false);

	return err == -EINVAL ? 0 : err;
}

/* Puts back a file in /sys/kernel, which is above /sys/kernel/tracing. If tracefs is mounted elsewhere, there is no such file. */
static int put_kernel(const struct tracedir *top, const char *path, const char *value)
{
	struct tracedir kernel;
	int err = tracedir_open_at(&kernel, top, "..");

	err = err ? err : setting_put(&kernel, path, value);
	tracedir_fini(&kernel);
	return err;
}

static const struct undo undos[] = {
	[JOURNAL_SET] = { "restore ", setting_put },
	[JOURNAL_LIST] = { "restore ", put_list },
	[JOURNAL_TRIGGER] = { "remove trigger ", remove_trigger },
	[JOURNAL_MKDIR] = { "remove ", remove_instance },
	[JOURNAL_CLEAR] = { "empty ", empty_buffer },
	[JOURNAL_SYSCTL] = { "restore /proc/sys/kernel/", put_sysctl },
	[JOURNAL_DYNEVENT] = { "remove ", remove_dynevent },
	[JOURNAL_COMMANDS] = { "restore function commands of ", funcommands_put },
	[JOURNAL_KERNEL] = { "restore /sys/kernel/", put_kernel },
};

const struct undo *undo_find(enum journal_kind kind)
{
	if ((size_t)kind >= ARRAY_LEN(undos) || !undos[kind].run)
		return NULL;
	return &undos[kind];
}
