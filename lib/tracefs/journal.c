/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/tracefs/journal.h"
#include "lib/tracefs/entries.h"
#include "lib/tracefs/process.h"
#include "lib/tracefs/save.h"
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

/* How long busy files are waited for when one instance is put back. */
enum { INSTANCE_PATIENCE_MS = 1000 };

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
	/* Root does what a journal says, so the journal must be root's own file. */
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

/* Returns true if the path stays inside of tracefs. Only we can write a journal, but it names files that root writes to, so this is checked. */
static bool inside(const char *path)
{
	return path[0] != '/' && strcmp(path, "..") != 0 && !str_starts(path, "../") && !str_ends(path, "/..") && !strstr(path, "/../");
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

#define EXPEDITED "rcu_expedited"

bool journal_hurry(struct journal *j, const struct tracedir *top)
{
	__cleanup(free_ptr) char *old = NULL;
	struct tracedir kernel;
	bool can;

	if (tracedir_open_at(&kernel, top, ".."))
		return false;
	can = !setting_read(&kernel, EXPEDITED, &old) && strcmp(old, "0") == 0 && faccessat(kernel.fd, EXPEDITED, W_OK, 0) == 0 &&
	      !journal_add(j, JOURNAL_KERNEL, EXPEDITED, old) && !setting_put(&kernel, EXPEDITED, "1");
	tracedir_fini(&kernel);
	return can;
}

static bool hurry(struct journal *j, const struct entries *all, const struct tracedir *top)
{
	size_t probes = 0;

	vec_each (&all->v, e)
		probes += e->kind == JOURNAL_DYNEVENT;
	return probes >= MANY_PROBES && journal_hurry(j, top);
}

/* Which entries are undone: those of one instance, all, or those that a JOURNAL_OWN follows. */
enum scope { SCOPE_INSTANCE, SCOPE_ALL, SCOPE_OWN };

/* Returns true if the entry has to be undone. @name is the instance of SCOPE_INSTANCE ("" is the top). */
static bool concerns(const struct entry *e, const char *name, enum scope scope)
{
	static const char below[] = "instances/";
	size_t n = name ? strlen(name) : 0;
	const char *path = e->path;

	if (e->kind == JOURNAL_OWNER || e->kind == JOURNAL_STAYS || e->kind == JOURNAL_GUARD)
		return false;
	if (scope != SCOPE_INSTANCE)
		return scope == SCOPE_ALL || e->own;
	if (e->kind == JOURNAL_USES)
		return strcmp(path, name) == 0;
	if (e->kind == JOURNAL_DYNEVENT || e->kind == JOURNAL_SYSCTL || e->kind == JOURNAL_KERNEL)
		return false;
	if (!str_starts(path, below))
		return !n;
	path += strlen(below);
	return n && strncmp(path, name, n) == 0 && (!path[n] || path[n] == '/');
}

/*
 * Undoes the entries for which concerns() is true, the newest first. Returns 0, or -EBUSY when a file was busy, since another try can succeed then.
 * Otherwise returns the first -errno.
 */
static int undo_entries(struct journal *j, const struct entries *all, const struct tracedir *top, const char *name, enum scope scope, unsigned int *patience_ms,
			bool quiet)
{
	const struct entry calm = { .kind = JOURNAL_KERNEL, .path = EXPEDITED, .value = "0" };
	bool hurried = scope == SCOPE_ALL && hurry(j, all, top);
	int first = 0;

	for (size_t i = all->v.n; i-- > 0;) {
		const struct entry *e = all->v.at + i;
		int ret = concerns(e, name, scope) ? undo_entry(e, top, patience_ms) : 0;

		if (ret && !quiet)
			fail(-ret, "cannot put back %s: %s; it read: %.200s", e->path, strerror(-ret), e->value);
		if (!first || ret == -EBUSY)
			first = ret;
	}
	if (hurried)
		undo_entry(&calm, top, patience_ms);
	return first;
}

static int undo_scope(struct journal *j, const struct tracedir *top, enum scope scope, unsigned int patience_ms, bool quiet)
{
	struct entries all;
	struct stat st;
	int first = 0, err;

	/* The lock keeps two processes from undoing at once. If another one was faster, the file is gone. */
	while (flock(j->fd, LOCK_EX) && errno == EINTR)
		;
	if (fstat(j->fd, &st) == 0 && st.st_nlink == 0)
		return 0;
	err = entries_load(&all, j->fd);
	if (!err)
		first = undo_entries(j, &all, top, NULL, scope, &patience_ms, quiet);
	entries_fini(&all);
	if (err && !quiet)
		fail(-err, "cannot read the undo journal %s: %s", j->path, strerror(-err));
	return err ? -EBUSY : first;
}

int journal_undo(struct journal *j, const struct tracedir *top, unsigned int patience_ms, bool quiet)
{
	return undo_scope(j, top, SCOPE_ALL, patience_ms, quiet);
}

int journal_undo_own(struct journal *j, const struct tracedir *top, unsigned int patience_ms, bool quiet)
{
	return undo_scope(j, top, SCOPE_OWN, patience_ms, quiet);
}

/* This takes the same lock as undoing. If two processes read the buffers at once, neither would have all data. */
void journal_save(struct journal *j, const struct tracedir *top)
{
	struct entries all;
	struct save save;
	struct stat st;

	while (flock(j->fd, LOCK_EX) && errno == EINTR)
		;
	if (fstat(j->fd, &st) == 0 && st.st_nlink == 0)
		return;
	if (entries_load(&all, j->fd))
		all.v.n = 0;
	vec_each (&all.v, e)
		if (e->kind == JOURNAL_SAVE && inside(e->path) && save_decode(&save, e->value) && save.page_size)
			save_stop(top, e->path);
	vec_each (&all.v, e)
		if (e->kind == JOURNAL_SAVE && inside(e->path) && save_decode(&save, e->value))
			save_run(top, e->path, &save);
	entries_fini(&all);
}

/* --- one instance of a journal ------------------------------------------------------------------------------ */

/* Returns true if @name is the only instance of the journal. */
static bool is_last(const struct entries *all, const char *name)
{
	vec_each (&all->v, e)
		if (e->kind == JOURNAL_USES && strcmp(e->path, name) != 0)
			return false;
	return true;
}

/* Replaces the journal by one that has only the entries that do not concern @name. */
static int rewrite(const struct journal *j, const struct entries *all, const char *name)
{
	__cleanup(free_ptr) char *draft = str_printf("%.*s/.%s", (int)(strrchr(j->path, '/') - j->path), j->path, strrchr(j->path, '/') + 1);
	__cleanup(close_fd) int fd = draft ? open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
	struct str s = { 0 };
	int err = fd < 0 ? -errno : 0;

	vec_each (&all->v, e)
		if (!err && !concerns(e, name, SCOPE_INSTANCE))
			err = entry_encode(&s, e->kind, e->path, e->value);
	if (!err)
		err = io_write(fd, s.at, s.len);
	if (!err && rename(draft, j->path))
		err = -errno;
	if (err && fd >= 0)
		unlink(draft);
	str_fini(&s);
	return err ? fail(-err, "cannot write the undo journal %s: %s", j->path, strerror(-err)) : 0;
}

int journal_undo_instance(const char *path, const struct tracedir *top, const char *name)
{
	unsigned int patience_ms = INSTANCE_PATIENCE_MS;
	struct entries all = { 0 };
	struct journal *j;
	int err = journal_open(&j, path), first = 0;
	bool last;

	if (err)
		return err == -ENOENT ? 0 : fail(-err, "cannot open the undo journal %s: %s", path, strerror(-err));
	while (flock(j->fd, LOCK_EX) && errno == EINTR)
		;
	err = entries_load(&all, j->fd);
	if (err)
		fail(-err, "cannot read the undo journal %s: %s", path, strerror(-err));
	last = is_last(&all, name);
	if (!err)
		first = undo_entries(j, &all, top, name, last ? SCOPE_ALL : SCOPE_INSTANCE, &patience_ms, false);
	if (!err && first != -EBUSY) {
		if (last)
			journal_remove(j);
		else
			err = rewrite(j, &all, name);
	}
	entries_fini(&all);
	journal_free(j);
	return first ? first : err;
}

int journal_undo_one(struct journal *j, const struct tracedir *top, enum journal_kind kind, const char *path)
{
	unsigned int patience_ms = 0;
	struct entries all;
	int err = entries_load(&all, j->fd);

	/* The entry stays in the journal. To undo it once more at the end changes nothing. */
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
