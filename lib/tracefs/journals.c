/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the journals of other processes, which tell who records and who has died. */
#define _GNU_SOURCE
#include "lib/tracefs/journal.h"
#include "lib/tracefs/entries.h"
#include "lib/tracefs/process.h"
#include "lib/tracefs/save.h"
#include "lib/tracefs/undo.h"
#include "lib/base/err.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The folder that root uses. Other users can use it only if it was given to them. */
#define SHARED_DIR "/run/ringside"

/* Makes the directory if it is not there. Returns true if it is there, it is ours, and only we can write in it. */
static bool usable(const char *dir)
{
	struct stat st;

	if (mkdir(dir, 0700) && errno != EEXIST)
		return false;
	return lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022) && access(dir, W_OK) == 0;
}

char *journal_dir(void)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	char *places[] = {
		strdup(SHARED_DIR),
		runtime && *runtime == '/' ? str_printf("%s/ringside", runtime) : NULL,
		str_printf("/var/tmp/ringside-%u", (unsigned int)geteuid()),
	};
	char *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		if (!found && places[i] && usable(places[i]))
			found = take(places[i]);
		free(places[i]);
	}
	if (!found)
		fail(errno,
		     "no place for the undo journal: " SHARED_DIR ", $XDG_RUNTIME_DIR/ringside and "
		     "/var/tmp/ringside-%u cannot be made, or are not ours alone: %m",
		     (unsigned int)geteuid());
	return found;
}

static void info_fini(struct journal_info *info)
{
	free(info->path);
	free(info->command);
	free(info->tracing_dir);
	strv_fini(&info->uses);
	strv_fini(&info->saves);
	strv_fini(&info->paths);
}

void journals_fini(journals_t *v)
{
	vec_each (v, info)
		info_fini(info);
	vec_fini(v);
}

/*
 * Reads "pid start boot" (e->path) and "dir\ncommand" (e->value) into *@info. Returns 0, -ESTALE when the journal is from before a reboot, -EALREADY when it
 * is our own, or another -errno.
 */
static int read_owner(struct journal_info *info, const struct entry *e)
{
	__cleanup(free_ptr) char *boot = boot_id();
	__cleanup(free_ptr) char *id = strdup(e->path);
	__cleanup(free_ptr) char *own = process_id(getpid());
	char *written = id ? strrchr(id, ' ') : NULL;
	const char *command = strchr(e->value, '\n');

	if (!written || !command || !boot)
		return -ENODATA;
	*written++ = '\0';
	if (strcmp(written, boot) != 0)
		return -ESTALE;
	if (own && strcmp(id, own) == 0)
		return -EALREADY;
	info->pid = (pid_t)atoi(id);
	info->began = strchr(id, ' ') ? strtoull(strchr(id, ' '), NULL, 10) : 0;
	info->alive = process_runs(id);
	info->tracing_dir = strndup(e->value, (size_t)(command - e->value));
	info->command = strdup(command + 1);
	return info->tracing_dir && info->command ? 0 : -ENOMEM;
}

/* Adds what the entry changes to the paths, if it changes anything. */
static int add_path(struct journal_info *info, const struct entry *e)
{
	const char *name = strchr(e->value, ':');

	if (e->kind == JOURNAL_DYNEVENT)
		return strv_own(&info->paths, str_printf("%s%s", e->path, name ? name : ""));
	if (e->kind == JOURNAL_SYSCTL)
		return strv_own(&info->paths, str_printf("sysctl:%s", e->path));
	return undo_find(e->kind) ? strv_add(&info->paths, e->path) : 0;
}

/* Reads the entries of a journal into *@info. Returns 0, -ENODATA when no owner is in it (yet), or another -errno. */
static int read_info(struct journal_info *info, const struct entries *all)
{
	struct save save;
	int err;

	if (!all->v.n || all->v.at[0].kind != JOURNAL_OWNER)
		return -ENODATA;
	err = read_owner(info, all->v.at);
	for (size_t i = 1; !err && i < all->v.n; i++) {
		const struct entry *e = all->v.at + i;

		if (e->kind == JOURNAL_GUARD)
			info->guard = process_runs(e->path) ? (pid_t)atoi(e->path) : 0;
		else if (e->kind == JOURNAL_USES)
			err = strv_add(&info->uses, e->path);
		else if (e->kind == JOURNAL_STAYS)
			info->stays = true;
		else if (e->kind == JOURNAL_SAVE)
			err = save_decode(&save, e->value) ? strv_add(&info->saves, save.to) : 0;
		else
			err = add_path(info, e);
	}
	/* A recording that goes on without its process (JOURNAL_STAYS) does not count as alive, even when the process still waits for a command. */
	info->ending = !info->stays && (info->alive ? process_is_ending(info->pid) : info->guard != 0);
	info->alive = !info->stays && (info->alive || info->guard);
	return err;
}

/*
 * Returns true if the process of the journal has died and has changed nothing, for example because it was killed before its guard was there. Then there is
 * nothing to put back and nothing to save.
 */
static bool is_void(const struct journal_info *info)
{
	return !info->alive && !info->stays && !info->paths.n && !info->saves.n;
}

/* Returns true if the journal was made by a process that died before it wrote anything. Nothing was changed, and nobody will use the file. */
static bool is_stillborn(const char *path)
{
	enum { A_MINUTE = 60 };
	const char *pid = strrchr(path, '/');
	struct stat st;

	return pid && stat(path, &st) == 0 && st.st_size == 0 && st.st_mtime + A_MINUTE < time(NULL) && kill((pid_t)atoi(pid + strlen("/journal-")), 0) &&
	       errno == ESRCH;
}

static int load_info(struct journal_info *info, const char *path)
{
	struct entries all = { 0 };
	struct journal *j;
	int err = journal_open(&j, path);

	if (err)
		return err;
	err = entries_load(&all, journal_fd(j));
	if (!err)
		err = read_info(info, &all);
	if (!err && is_void(info))
		err = -ESTALE;
	if (err == -ESTALE || (err == -ENODATA && is_stillborn(path)))
		unlink(path);
	entries_fini(&all);
	journal_free(j);
	info->path = strdup(path);
	return err ? err : info->path ? 0 : -ENOMEM;
}

static int is_journal(const struct dirent *e)
{
	return str_starts(e->d_name, "journal-");
}

static int by_age(const void *a, const void *b)
{
	const struct journal_info *x = a, *y = b;

	return x->began == y->began ? strverscmp(x->path, y->path) : x->began < y->began ? -1 : 1;
}

int journals_find(const char *state_dir, journals_t *out)
{
	__cleanup(free_ptr) char *dir = state_dir ? strdup(state_dir) : journal_dir();
	struct dirent **names = NULL;
	int n;

	if (!dir)
		return -ENOENT;
	n = scandir(dir, &names, is_journal, NULL);
	for (int i = 0; i < n; i++) {
		__cleanup(free_ptr) char *path = str_printf("%s/%s", dir, names[i]->d_name);
		struct journal_info info = { 0 };

		free(names[i]);
		if (!path || load_info(&info, path) || vec_push(out, info))
			info_fini(&info);
	}
	free(names);
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), by_age);
	return 0;
}

int journals_readable(const char *state_dir)
{
	const char *dir = state_dir ? state_dir : SHARED_DIR;
	struct dirent **names = NULL;
	int n = scandir(dir, &names, is_journal, NULL), err = 0;

	if (n < 0 && errno != ENOENT)
		return fail(errno, "the undo journals of recordings in %s cannot be read: %m: use sudo", dir);
	for (int i = 0; i < n; i++) {
		__cleanup(free_ptr) char *path = str_printf("%s/%s", dir, names[i]->d_name);

		free(names[i]);
		if (!err && path && eaccess(path, R_OK) && errno != ENOENT)
			err = fail(errno, "the undo journal %s cannot be read, so that nobody knows whether its recording has died: %m: use sudo", path);
	}
	free(names);
	return err;
}

int journals_find_ended(const char *state_dir, unsigned int patience_ms, journals_t *out)
{
	enum { LOOK_MS = 50 };

	for (unsigned int waited = 0;; waited += LOOK_MS) {
		int err = journals_find(state_dir, out);
		bool ending = false;

		vec_each (out, info)
			ending |= info->ending;
		if (err || !ending || waited >= patience_ms)
			return err;
		journals_fini(out);
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_MS * (long)NSEC_PER_MSEC }, NULL);
	}
}

const struct journal_info *journals_owner(const journals_t *all, const char *tracing_dir, const char *path)
{
	for (size_t i = all->n; i-- > 0;) {
		const struct journal_info *info = &all->at[i];

		if (strcmp(info->tracing_dir, tracing_dir) != 0)
			continue;
		vec_each (&info->paths, p) {
			size_t n = strlen(*p);

			/* Everything in a folder that a recording has changed belongs to that recording. */
			if (strncmp(path, *p, n) == 0 && (!path[n] || path[n] == '/'))
				return info;
		}
	}
	return NULL;
}

int journal_rescue(const struct journal_info *info)
{
	struct tracedir top = TRACEDIR_NONE;
	struct journal *j;
	int err = journal_open(&j, info->path);

	if (err)
		return err;
	err = tracedir_open(&top, info->tracing_dir);
	if (!err)
		journal_save(j, &top);
	tracedir_fini(&top);
	journal_free(j);
	return err;
}

int journal_replay(const struct journal_info *info)
{
	struct tracedir top = TRACEDIR_NONE;
	struct journal *j;
	int err = journal_open(&j, info->path);

	if (err == -ENOENT)
		return 0;
	if (err)
		return fail(-err, "cannot open the undo journal %s: %s", info->path, strerror(-err));
	err = tracedir_open(&top, info->tracing_dir);
	if (!err)
		journal_save(j, &top);
	if (!err)
		err = journal_undo(j, &top, 1000, false);
	/*
	 * If something cannot be put back now for another reason (a file is gone, a value is refused), it cannot be put back later either. So the journal is
	 * removed.
	 */
	if (err != -EBUSY && top.fd >= 0)
		journal_remove(j);
	tracedir_fini(&top);
	journal_free(j);
	return err;
}

int journal_explain(const struct journal_info *info, strv_t *out)
{
	struct entries all = { 0 };
	struct journal *j;
	int err = journal_open(&j, info->path);

	if (err)
		return fail(-err, "cannot open the undo journal %s: %s", info->path, strerror(-err));
	err = entries_load(&all, journal_fd(j));
	for (size_t i = all.v.n; !err && i-- > 0;) {
		const struct entry *e = all.v.at + i;
		const struct undo *undo = undo_find(e->kind);

		if (undo)
			err = strv_own(out, str_printf("%s%s%s%.*s", undo->what, e->path, *e->value ? ": " : "", (int)MIN(strcspn(e->value, "\n"), (size_t)100),
						       e->value));
	}
	entries_fini(&all);
	journal_free(j);
	return err;
}

char *journals_stale(const char *state_dir)
{
	journals_t all = { 0 };
	size_t dead = 0;
	pid_t pid = 0;

	journals_find(state_dir, &all);
	vec_each (&all, info) {
		if (!journal_is_stale(info))
			continue;
		pid = info->pid;
		dead++;
	}
	journals_fini(&all);
	if (!dead)
		return NULL;
	if (dead == 1)
		return str_printf("a recording of pid %d died and left settings behind: "
				  "`ringside reset --stale` puts them back",
				  (int)pid);
	return str_printf("%zu recordings died and left settings behind (the last was pid %d): "
			  "`ringside reset --stale` puts them back",
			  dead, (int)pid);
}
