/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/tracefs/journal.h"
#include "lib/tracefs/entries.h"
#include "lib/tracefs/process.h"
#include "lib/tracefs/setting.h"
#include "lib/tracefs/undo.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct journal {
	int fd;
	char *path;
};

/* --- writing ------------------------------------------------------------------------------------------------ */

int journal_fd(const struct journal *j)
{
	return j->fd;
}

int journal_add(struct journal *j, enum journal_kind kind, const char *path, const char *value)
{
	struct str s = { 0 };
	int err = entry_encode(&s, kind, path ? path : "", value ? value : "");

	if (!err)
		err = io_write(j->fd, s.at, s.len);
	str_fini(&s);
	return err ? fail(-err, "cannot write the undo journal %s: %s", j->path, strerror(-err)) : 0;
}

int journal_add_guard(struct journal *j, pid_t guard)
{
	__cleanup(free_ptr) char *id = process_id(guard);

	return id ? journal_add(j, JOURNAL_GUARD, id, NULL) : 0;
}

static int add_owner(struct journal *j, const char *tracing_dir)
{
	__cleanup(free_ptr) char *process = process_id(getpid());
	__cleanup(free_ptr) char *boot = boot_id();
	__cleanup(free_ptr) char *command = command_line();
	__cleanup(free_ptr) char *owner = str_printf("%s %s", process ? process : "0 0", boot ? boot : "?");
	__cleanup(free_ptr) char *value = str_printf("%s\n%s", tracing_dir, command ? command : "?");

	if (!owner || !value)
		return fail(ENOMEM, "out of memory");
	return journal_add(j, JOURNAL_OWNER, owner, value);
}

int journal_new(struct journal **out, const char *state_dir, const char *tracing_dir)
{
	struct journal *j = calloc(1, sizeof(*j));
	int err;

	*out = NULL;
	if (!j)
		return fail(ENOMEM, "out of memory");
	j->fd = -1;
	j->path = str_printf("%s/journal-%d-XXXXXX", state_dir, (int)getpid());
	if (j->path)
		j->fd = mkostemp(j->path, O_APPEND | O_CLOEXEC);
	if (j->fd < 0) {
		err = fail(errno, "cannot begin an undo journal in %s: %m", state_dir);
		journal_free(j);
		return err;
	}
	err = add_owner(j, tracing_dir);
	if (err) {
		journal_remove(j);
		journal_free(j);
		return err;
	}
	*out = j;
	return 0;
}

int journal_open(struct journal **out, const char *path)
{
	struct journal *j = calloc(1, sizeof(*j));
	struct stat st;
	int err = ENOMEM;

	*out = NULL;
	if (j) {
		j->path = strdup(path);
		j->fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		err = j->fd < 0 || fstat(j->fd, &st) ? errno : j->path ? 0 : ENOMEM;
	}
	/* Root does what a journal says: it must be root's own. */
	if (!err && (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022)))
		err = EPERM;
	if (err) {
		journal_free(j);
		return -err;
	}
	*out = j;
	return 0;
}

void journal_free(struct journal *j)
{
	if (!j)
		return;
	close_fd(&j->fd);
	free(j->path);
	free(j);
}

void journal_remove(struct journal *j)
{
	unlink(j->path);
}

/* --- undoing ------------------------------------------------------------------------------------------------ */

/* A journal is ours alone to write, yet it names files for root to write: nothing may lead out of tracefs. */
static bool inside(const char *path)
{
	return path[0] != '/' && strcmp(path, "..") != 0 && !str_starts(path, "../") &&
	       !str_ends(path, "/..") && !strstr(path, "/../");
}

static int undo_entry(const struct entry *e, const struct tracedir *top, unsigned int *patience_ms)
{
	const struct undo *undo = undo_find(e->kind);
	int err;

	if (!undo || !inside(e->path))
		return 0;
	while ((err = undo->run(top, e->path, e->value)) == -EBUSY && *patience_ms) {
		unsigned int nap = MIN(*patience_ms, 20U);

		nanosleep(&(struct timespec){ .tv_nsec = nap * 1000000L }, NULL);
		*patience_ms -= nap;
	}
	return err == -ENOENT || err == -ENODEV ? 0 : err;
}

/* So many probes, and their removal takes longer than a second: see hurry(). */
enum { MANY = 16 };

#define EXPEDITED "rcu_expedited"

/*
 * The kernel waits for RCU four or five times for each probe that it removes, 80 ms together, and that is nearly all
 * of the time. True: it waits less from now on; what the file read is in the journal, should we die meanwhile.
 */
static bool hurry(struct journal *j, const struct entries *all, const struct tracedir *top)
{
	__cleanup(free_ptr) char *old = NULL;
	struct tracedir kernel;
	size_t probes = 0;
	bool can;

	vec_each (&all->v, e)
		probes += e->kind == JOURNAL_DYNEVENT;
	if (probes < MANY || tracedir_open_at(&kernel, top, ".."))
		return false;
	can = !setting_read(&kernel, EXPEDITED, &old) && strcmp(old, "0") == 0 &&
	      faccessat(kernel.fd, EXPEDITED, W_OK, 0) == 0 && !journal_add(j, JOURNAL_KERNEL, EXPEDITED, old) &&
	      !setting_put(&kernel, EXPEDITED, "1");
	tracedir_fini(&kernel);
	return can;
}

int journal_undo(struct journal *j, const struct tracedir *top, unsigned int patience_ms, bool quiet)
{
	const struct entry calm = { .kind = JOURNAL_KERNEL, .path = EXPEDITED, .value = "0" };
	struct entries all;
	struct stat st;
	bool hurried;
	int first = 0, err;

	/* Not two at once; and if another one has been faster the file is gone. */
	while (flock(j->fd, LOCK_EX) && errno == EINTR)
		;
	if (fstat(j->fd, &st) == 0 && st.st_nlink == 0)
		return 0;
	err = entries_load(&all, j->fd);
	hurried = !err && hurry(j, &all, top);
	for (size_t i = all.v.n; !err && i-- > 0;) {
		const struct entry *e = all.v.at + i;
		int ret = undo_entry(e, top, &patience_ms);

		if (ret && !quiet)
			fail(-ret, "cannot put back %s: %s; it read: %.200s", e->path, strerror(-ret), e->value);
		first = first ? first : ret;
	}
	if (hurried)
		undo_entry(&calm, top, &patience_ms);
	entries_fini(&all);
	if (err && !quiet)
		return fail(-err, "cannot read the undo journal %s: %s", j->path, strerror(-err));
	return err ? err : first;
}

int journal_undo_one(struct journal *j, const struct tracedir *top, enum journal_kind kind, const char *path)
{
	unsigned int patience_ms = 0;
	struct entries all;
	int err = entries_load(&all, j->fd);

	/* The entry stays: undoing it once more at the end changes nothing. */
	for (size_t i = all.v.n; !err && i-- > 0;) {
		const struct entry *e = all.v.at + i;

		if (e->kind != kind || strcmp(e->path, path) != 0)
			continue;
		err = undo_entry(e, top, &patience_ms);
		break;
	}
	entries_fini(&all);
	return err;
}
