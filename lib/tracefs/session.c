/* SPDX-License-Identifier: GPL-2.0 */
/* Opens and closes sessions, and opens the instances that they work in. set.c has the settings. */
#include "lib/tracefs/busy.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/save.h"
#include "lib/tracefs/setting.h"
#include "lib/tracefs/state.h"
#include "lib/tracefs/stays.h"
#include "lib/tracefs/target.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* PATIENCE_MS: how long undoing waits for busy files. GUARD_MS: how long a new recording waits for the guard of a dead one. */
enum { PATIENCE_MS = 5000, GUARD_MS = 5000 };

/* --- the session -------------------------------------------------------------------------------------------- */

int session_open(struct session **out, const struct session_opts *opts)
{
	const char *stop_at = getenv("RINGSIDE_TEST_STOP_AT");
	struct session *s = calloc(1, sizeof(*s));
	int err;

	*out = NULL;
	if (!s)
		return fail(ENOMEM, "out of memory");
	s->top.fd = -1;
	if (stop_at)
		parse_u64(stop_at, &s->stop_at);
	err = tracedir_open(&s->top, opts->tracing_dir);
	if (err)
		goto out;
	s->state_dir = opts->state_dir ? strdup(opts->state_dir) : journal_dir();
	err = s->state_dir ? 0 : -EACCES;
	if (err)
		goto out;
	err = journal_new(&s->journal, s->state_dir, s->top.path);
	if (!err && !opts->no_guard)
		err = guard_start(&s->guard, s->journal, &s->top);
out:
	if (err)
		session_close(s);
	else
		*out = s;
	return err;
}

void session_warn(const struct session *s)
{
	__cleanup(free_ptr) char *stale = journals_stale(s->state_dir);

	if (stale)
		warn("%s", stale);
}

static void instance_free(struct instance *inst)
{
	tracedir_fini(&inst->dir);
	strv_fini(&inst->filtered);
	free(inst->name);
	free(inst);
}

int session_close(struct session *s)
{
	int err = 0;

	if (!s)
		return 0;
	/* This comes before the undoing: an instance whose directory is open can be removed, but not one with open files. */
	vec_each (&s->instances, inst)
		instance_free(*inst);
	vec_fini(&s->instances);
	if (s->journal && !s->stay)
		err = (s->keep ? journal_undo_own : journal_undo)(s->journal, &s->top, PATIENCE_MS, false);
	/*
	 * What is still busy may be free later, and `ringside reset --stale` then finds the journal. It would also undo what is to be kept, so in this case, as
	 * in all others, the journal is removed.
	 */
	if (s->journal && (err != -EBUSY || s->keep) && !(s->stay && s->changes))
		journal_remove(s->journal);
	guard_end(&s->guard);
	if (s->journal && s->stay && s->changes)
		err = journal_add(s->journal, JOURNAL_STAYS, NULL, NULL);
	journal_free(s->journal);
	strv_fini(&s->events);
	strv_fini(&s->made);
	tracedir_fini(&s->top);
	free(s->state_dir);
	free(s);
	return err;
}

void session_keep(struct session *s)
{
	s->keep = true;
}

void session_own(struct session *s, bool own)
{
	s->own = own;
}

void session_stay(struct session *s)
{
	s->stay = true;
}

const struct tracedir *session_dir(const struct session *s)
{
	return &s->top;
}

pid_t session_guard(const struct session *s)
{
	return s->guard.pid;
}

/* --- who else is there -------------------------------------------------------------------------------------- */

/* Takes the lock, so that nobody else decides where to record until the descriptor is closed. Without a lock (< 0) we record all the same. */
static int lock(const struct session *s)
{
	__cleanup(free_ptr) char *path = str_printf("%s/lock", s->state_dir);
	int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;

	while (fd >= 0 && flock(fd, LOCK_EX) && errno == EINTR)
		;
	return fd;
}

/*
 * Returns true if a living recording uses the instance @name. *@who, new memory, is its pid and command. A guard of a dead recording gets the time to put
 * things back first.
 */
static bool claimed(const struct session *s, const char *name, char **who)
{
	*who = NULL;
	for (int waited = 0;; waited += 50) {
		const struct journal_info *info;
		journals_t others = { 0 };
		bool wait;

		journals_find(s->state_dir, &others);
		info = busy_recording(&others, s->top.path, name);
		wait = info && info->ending && waited < GUARD_MS;
		if (info && !wait)
			*who = str_printf("ringside of pid %d records there (%.100s)", (int)info->pid, info->command);
		journals_fini(&others);
		if (!wait)
			return info != NULL;
		nanosleep(&(struct timespec){ .tv_nsec = 50 * 1000000L }, NULL);
	}
}

/* --- instances ---------------------------------------------------------------------------------------------- */

static struct instance *known(const struct session *s, const char *name)
{
	vec_each (&s->instances, inst)
		if (strcmp((*inst)->name, name) == 0)
			return *inst;
	return NULL;
}

/* Makes the directory of a new instance. *@created becomes false when somebody else was faster. */
static int make_instance(struct session *s, const char *path, bool *created)
{
	int err = session_remember_path(s, JOURNAL_MKDIR, path, NULL);

	if (err)
		return err;
	*created = mkdirat(s->top.fd, path, 0750) == 0;
	if (*created)
		return 0;
	err = errno;
	journal_add(s->journal, JOURNAL_VOID, NULL, NULL);
	if (err == EEXIST)
		return 0;
	if (err == ENOENT)
		return fail(err, "this kernel has no trace instances");
	return fail(err, "cannot make the trace instance %s: %s", path, strerror(err));
}

static int open_instance(struct session *s, const char *name, struct instance **out)
{
	__cleanup(free_ptr) char *path = *name ? str_printf("instances/%s", name) : strdup(".");
	struct instance *inst = calloc(1, sizeof(*inst));
	int err;

	if (inst)
		*inst = (struct instance){ .session = s, .name = strdup(name), .dir = TRACEDIR_NONE };
	err = path && inst && inst->name ? 0 : fail(ENOMEM, "out of memory");
	err = err ? err : journal_add(s->journal, JOURNAL_USES, name, NULL);
	if (!err && !tracedir_has(&s->top, path))
		err = make_instance(s, path, &inst->created);
	if (err)
		goto out;
	err = tracedir_open_at(&inst->dir, &s->top, path);
	if (err)
		fail(-err, "cannot open the trace instance '%s': %s", name, strerror(-err));
	else if (vec_push(&s->instances, inst))
		err = fail(ENOMEM, "out of memory");
out:
	if (err && inst)
		instance_free(inst);
	else
		*out = inst;
	return err;
}

/* Empties those lists of functions and tasks whose names contain @word. */
static int empty_lists(struct instance *inst, const char *word)
{
	int err = 0;

	for (size_t i = 0; !err && setting_lists[i]; i++) {
		strv_t now = { 0 };

		/* If a list cannot be read, nobody else can have used it either. */
		if (strstr(setting_lists[i], word) && !setting_lines(&inst->dir, setting_lists[i], &now)) {
			if (now.n)
				err = session_set_list(inst, setting_lists[i], NULL);
			else if (setting_is_pids(setting_lists[i]))
				tracedir_write(&inst->dir, setting_lists[i], NULL, true);
		}
		strv_fini(&now);
	}
	return err;
}

/* Resets what would narrow a recording without being asked for. Each of these files may be missing. */
static int widen(struct instance *inst)
{
	__cleanup(free_ptr) char *mask = setting_all_cpus();
	const char *const values[][2] = {
		{ "tracing_cpumask", mask },
		{ "max_graph_depth", "0" },
		{ "tracing_thresh", "0" },
	};
	int err = mask ? 0 : fail(ENOMEM, "out of memory");

	for (size_t i = 0; !err && i < ARRAY_LEN(values); i++)
		if (tracedir_has(&inst->dir, values[i][0]))
			err = session_set(inst, values[i][0], values[i][1]);
	return err ? err : empty_lists(inst, "");
}

int session_keep_on(struct instance *inst)
{
	__cleanup(free_ptr) char *on = NULL;
	int err = setting_read(&inst->dir, "tracing_on", &on);

	if (err)
		return refused(&inst->dir, "tracing_on", -err);
	/* The value is remembered even when it is what we want, since we will turn tracing on. It is undone last of all. */
	return session_remember(inst, JOURNAL_SET, "tracing_on", on);
}

/* Brings an instance that others have used to rest: switches off tracing, the tracer and the events, and empties the buffer. */
static int settle(struct instance *inst)
{
	int err = session_keep_on(inst);

	if (!err)
		err = instance_on(inst, false);
	if (err || inst->created)
		return err;
	err = session_set(inst, "current_tracer", "nop");
	if (!err)
		err = session_events(inst, NULL, false);
	if (!err)
		err = session_remember(inst, JOURNAL_CLEAR, "trace", NULL);
	if (!err && (err = tracedir_write(&inst->dir, "trace", NULL, true)))
		err = refused(&inst->dir, "trace", -err);
	return err;
}

/* Brings the instance to rest and removes what would narrow our recording. */
static int take_over(struct instance *inst)
{
	int err = settle(inst);

	return err || inst->created ? err : widen(inst);
}

int session_instance(struct session *s, const char *name, bool force, struct instance **out)
{
	__cleanup(close_fd) int locked = -1;
	__cleanup(free_ptr) char *path = str_printf("instances/%s", name);
	__cleanup(free_ptr) char *who = NULL;
	struct tracedir dir = TRACEDIR_NONE;
	int err;

	*out = known(s, name);
	if (*out)
		return 0;
	if (!*name || strchr(name, '/') || name[0] == '.')
		return fail(EINVAL, "'%s' is no name for a trace instance", name);
	if (!path)
		return fail(ENOMEM, "out of memory");
	locked = lock(s);
	if (claimed(s, name, &who))
		return fail(EBUSY, "instance '%s' is in use: %s", name, who);
	if (!tracedir_open_at(&dir, &s->top, path))
		who = busy_traced(s->state_dir, &s->top, &dir, name);
	tracedir_fini(&dir);
	if (who && !force)
		return fail(EBUSY,
			    "instance '%s' is in use: %s; --force takes it over and puts its settings back "
			    "afterwards, but what is in its buffer is lost",
			    name, who);
	err = open_instance(s, name, out);
	return err ? err : take_over(*out);
}

/* Returns what the instance lacks for the job, in new memory, or NULL when it lacks nothing. */
static char *lacks(const struct tracedir *dir, const struct session_want *want)
{
	strv_t tracers = { 0 };
	bool found;

	for (size_t i = 0; want->files && want->files[i]; i++)
		if (!tracedir_has(dir, want->files[i]))
			return str_printf("%s is in the top instance only", want->files[i]);
	if (!want->tracer || tracedir_list(dir, TRACEDIR_TRACERS, &tracers))
		return NULL;
	found = strv_has(&tracers, want->tracer);
	strv_fini(&tracers);
	return found ? NULL : str_printf("this kernel's instances have no tracer %s", want->tracer);
}

/* Records in an instance of our own instead of the top buffer, which is used as @why says. @why is NULL if the user has asked for such an instance. */
static int go_private(struct session *s, const struct session_want *want, const char *why, bool ours, struct instance **out, char **said)
{
	__cleanup(free_ptr) char *name = str_printf("ringside-%d", (int)getpid());
	__cleanup(free_ptr) char *lack = NULL;
	int err = name ? open_instance(s, name, out) : fail(ENOMEM, "out of memory");

	if (err)
		return err;
	lack = lacks(&(*out)->dir, want);
	if (lack && !why)
		return fail(EBUSY, "--private: this cannot be recorded in an instance of its own: %s", lack);
	if (lack && ours)
		return fail(EBUSY,
			    "the top trace buffer is in use: %s; and this cannot be recorded in an instance of "
			    "its own: %s; end that recording first",
			    why, lack);
	if (lack)
		return fail(EBUSY,
			    "the top trace buffer is in use: %s; and this cannot be recorded in an instance of "
			    "its own: %s; --force takes the top over and puts its settings back afterwards, but "
			    "what is in its buffer is lost",
			    why, lack);
	err = take_over(*out);
	/* What programs write to trace_marker goes to the top buffer only, unless this option is on. */
	session_own(s, true);
	if (!err && tracedir_has(&(*out)->dir, "options/copy_trace_marker"))
		err = session_set(*out, "options/copy_trace_marker", "1");
	session_own(s, false);
	if (!err && said)
		*said = why ? str_printf("the top trace buffer is in use: %s: recording in instance %s", why, name)
			    : str_printf("recording in instance %s", name);
	return err;
}

int session_top(struct session *s, const struct session_want *want, struct instance **out, char **said)
{
	__cleanup(close_fd) int locked = -1;
	__cleanup(free_ptr) char *why = NULL;
	bool ours;
	int err;

	if (said)
		*said = NULL;
	*out = known(s, "");
	if (*out)
		return 0;
	locked = lock(s);
	if (want->private_)
		return go_private(s, want, NULL, false, out, said);
	ours = claimed(s, "", &why);
	if (!ours)
		why = busy_traced(s->state_dir, &s->top, &s->top, "");
	if (why && (ours || !want->force))
		return go_private(s, want, why, ours, out, said);
	err = open_instance(s, "", out);
	return err ? err : take_over(*out);
}

/* Returns what is going on at @dir, in new memory, if somebody traces there. Returns NULL when nobody does or when it was set up with `start`. */
static char *strangers(const struct session *s, const struct tracedir *dir, const char *name)
{
	journals_t all = { 0 };
	bool ours = false;

	journals_find(s->state_dir, &all);
	vec_each (&all, info)
		ours |= info->stays && strcmp(info->tracing_dir, s->top.path) == 0 && strv_has(&info->uses, name);
	journals_fini(&all);
	return ours ? NULL : busy_traced(s->state_dir, &s->top, dir, name);
}

int session_join(struct session *s, const char *name, enum session_join how, struct instance **out, char **said)
{
	__cleanup(close_fd) int locked = -1;
	__cleanup(free_ptr) char *path = *name ? str_printf("instances/%s", name) : strdup(".");
	__cleanup(free_ptr) char *why = NULL;
	struct tracedir dir = TRACEDIR_NONE;
	size_t n;
	int err = path ? 0 : fail(ENOMEM, "out of memory");

	*out = known(s, name);
	if (*out || err)
		return err;
	if (strchr(name, '/') || name[0] == '.')
		return fail(EINVAL, "'%s' is no name for a trace instance", name);
	locked = lock(s);
	if (claimed(s, name, &why))
		return fail(EBUSY, "%s%s%s is in use: %s; end that first", *name ? "instance '" : "the top trace buffer", name, *name ? "'" : "", why);
	if (how == JOIN_READ)
		err = target_open(&dir, &s->top, name, false);
	else if (how == JOIN_START && tracedir_has(&s->top, path) && !tracedir_open_at(&dir, &s->top, path))
		why = strangers(s, &dir, name);
	tracedir_fini(&dir);
	/* If somebody has removed the instance, the journal entries of its changes are void. */
	if (!err && !tracedir_has(&s->top, path))
		err = stays_put_back(s->state_dir, &s->top, name, &n);
	if (!err)
		err = open_instance(s, name, out);
	if (err)
		return err;
	(*out)->adds = how != JOIN_START;
	if (why && said)
		*said = str_printf("%s%s was in use: %s; `ringside reset%s%s` puts its settings back, what it held is gone",
				   *name ? "instance " : "the top trace buffer", name, why, *name ? " -B " : "", name);
	err = how == JOIN_START ? settle(*out) : 0;
	return err || how != JOIN_START || (*out)->created ? err : empty_lists(*out, "_pid");
}

/* --- an instance's files ------------------------------------------------------------------------------------ */

int instance_fd(struct instance *inst, const char *file, int flags)
{
	int fd = tracedir_fd(&inst->dir, file, flags);

	return fd < 0 ? refused(&inst->dir, file, -fd) : fd;
}

int session_save(struct session *s, const char *instance, const char *file, uint32_t page_size, uint64_t most, const char *to)
{
	__cleanup(free_ptr) char *path = *instance ? str_printf("instances/%s/%s", instance, file) : strdup(file);
	__cleanup(free_ptr) char *value = save_encode(&(struct save){ page_size, most, to });

	if (!path || !value)
		return fail(ENOMEM, "out of memory");
	return journal_add(s->journal, JOURNAL_SAVE, path, value);
}

int session_save_pipe(struct session *s, int pipe, const char *to)
{
	return guard_keep(&s->guard, pipe, to);
}

/* settle() has remembered the old value. */
int instance_on(struct instance *inst, bool on)
{
	int err = setting_put(&inst->dir, "tracing_on", on ? "1" : "0");

	return err ? refused_value(&inst->dir, "tracing_on", on ? "1" : "0", -err, NULL) : 0;
}
