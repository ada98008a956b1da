/* SPDX-License-Identifier: GPL-2.0 */
/* Changes settings of a session: reads the old value, remembers it and writes the new one. */
#include "lib/tracefs/funcommand.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/select.h"
#include "lib/tracefs/setting.h"
#include "lib/tracefs/state.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* --- what is remembered ------------------------------------------------------------------------------------- */

int session_remember_path(struct session *s, enum journal_kind kind, const char *path, const char *before)
{
	int err = journal_add(s->journal, kind, path, before);

	if (!err && s->own)
		err = journal_add(s->journal, JOURNAL_OWN, NULL, NULL);
	if (!err && ++s->changes == s->stop_at)
		raise(SIGSTOP);
	return err;
}

/*
 * Returns true if a change in an instance has to be undone even though the instance will be removed. Changes of the session's own (session_own()) are undone
 * in any case, because the instance may be kept. Otherwise this is so for two kinds of changes:
 * - An option of a tracer, such as func_stack_trace. The kernel has its value once for all instances (struct tracer_flags in kernel/trace/trace.h). Which
 *   options are those of tracers is not to be seen in tracefs, so all options are undone.
 * - A histogram. Otherwise it holds its event for good. With variables it even holds the instance.
 */
static bool outlives_instance(enum journal_kind kind, const char *file, const char *before)
{
	return (kind == JOURNAL_SET && str_starts(file, "options/")) || (kind == JOURNAL_TRIGGER && str_starts(before, "hist:"));
}

int session_remember(struct instance *inst, enum journal_kind kind, const char *file, const char *before)
{
	__cleanup(free_ptr) char *path = NULL;

	if (inst->created && !inst->session->own && !outlives_instance(kind, file, before)) {
		if (++inst->session->changes == inst->session->stop_at)
			raise(SIGSTOP);
		return 0;
	}
	path = *inst->name ? str_printf("instances/%s/%s", inst->name, file) : strdup(file);
	if (!path)
		return fail(ENOMEM, "out of memory");
	return session_remember_path(inst->session, kind, path, before);
}

/* --- values ------------------------------------------------------------------------------------------------- */

/* Checks a name before it is written, because our message is better than the kernel's. */
static int check_value(const struct tracedir *dir, const char *file, const char *value)
{
	if (strcmp(file, "current_tracer") == 0)
		return tracer_check(dir, value);
	if (strcmp(file, "trace_clock") == 0)
		return clock_check(dir, value);
	if (str_starts(file, "options/") && !tracedir_has(dir, file))
		return option_check(dir, file + strlen("options/"));
	return 0;
}

/* Remembers @old, which is what the file reads now, and writes the new value. */
static int change(struct instance *inst, const char *file, const char *old, const char *value)
{
	int err = session_remember(inst, JOURNAL_SET, file, old);

	if (err)
		return err;
	err = tracedir_write(&inst->dir, file, value, true);
	return err ? refused_value(&inst->dir, file, value, -err, NULL) : 0;
}

/*
 * Remembers the sizes of the buffers, one by one if the CPUs' sizes differ. This is also done before a change that alters the sizes on the side. @old is
 * what buffer_size_kb reads.
 */
static int remember_sizes(struct instance *inst, const char *old)
{
	strv_t cpus = { 0 };
	int err;

	if (strcmp(old, "X") != 0)
		return session_remember(inst, JOURNAL_SET, "buffer_size_kb", old);
	err = tracedir_list(&inst->dir, TRACEDIR_CPUS, &cpus);
	if (err)
		err = fail(-err, "cannot list the CPUs in %s/per_cpu: %m", inst->dir.path);
	for (size_t i = 0; !err && i < cpus.n; i++) {
		__cleanup(free_ptr) char *file = str_printf("per_cpu/%s/buffer_size_kb", cpus.at[i]);
		__cleanup(free_ptr) char *size = NULL;

		err = file ? setting_read(&inst->dir, file, &size) : fail(ENOMEM, "out of memory");
		if (err && file)
			err = refused(&inst->dir, file, -err);
		if (!err)
			err = session_remember(inst, JOURNAL_SET, file, size);
	}
	strv_fini(&cpus);
	return err;
}

static int set_size(struct instance *inst, const char *old, const char *value)
{
	static const char file[] = "buffer_size_kb";
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t now = 0, kb;
	int err;

	if (parse_u64(value, &kb))
		return fail(EINVAL, "%s: '%s' is no size in kB", file, value);
	parse_u64(old, &now);
	err = buffer_check(kb, now, (unsigned int)MAX(cpus, 1L));
	if (!err)
		err = remember_sizes(inst, old);
	if (!err && (err = tracedir_write(&inst->dir, file, value, true)))
		err = refused_value(&inst->dir, file, value, -err, NULL);
	return err;
}

/* Switches ftrace on for a function tracer. Without it, these tracers trace nothing. */
static int enable_ftrace(struct session *s, const char *tracer)
{
	if (!str_starts(tracer, "function") || access("/proc/sys/kernel/ftrace_enabled", F_OK))
		return 0;
	return session_sysctl(s, "ftrace_enabled", "1");
}

int session_set(struct instance *inst, const char *file, const char *value)
{
	__cleanup(free_ptr) char *old = NULL;
	__cleanup(free_ptr) char *size = NULL;
	int err = check_value(&inst->dir, file, value);

	if (err)
		return err;
	err = setting_read(&inst->dir, file, &old);
	if (err)
		return refused(&inst->dir, file, -err);
	if (strcmp(file, "current_tracer") == 0)
		err = enable_ftrace(inst->session, value);
	if (err || setting_same(file, old, value))
		return err;
	if (strcmp(file, "buffer_size_kb") == 0)
		return set_size(inst, old, value);
	/* A new size of the sub-buffers rounds the size of the whole buffer in another way. */
	if (strcmp(file, "buffer_subbuf_size_kb") == 0 && !setting_read(&inst->dir, "buffer_size_kb", &size))
		err = remember_sizes(inst, size);
	return err ? err : change(inst, file, old, value);
}

int session_setf(struct instance *inst, const char *file, const char *fmt, ...)
{
	__cleanup(free_ptr) char *value = NULL;
	struct str s = { 0 };
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	value = str_take(&s);
	return value ? session_set(inst, file, value) : fail(ENOMEM, "out of memory");
}

int session_option(struct instance *inst, const char *name)
{
	__cleanup(free_ptr) char *file = str_printf("options/%s", name);
	__cleanup(free_ptr) char *off = str_starts(name, "no") ? str_printf("options/%s", name + 2) : NULL;

	if (!file)
		return fail(ENOMEM, "out of memory");
	/* The option itself is looked for first, because there may be options whose names begin with "no". */
	if (off && !tracedir_has(&inst->dir, file) && tracedir_has(&inst->dir, off))
		return session_set(inst, off, "0");
	return session_set(inst, file, "1");
}

/* --- lists -------------------------------------------------------------------------------------------------- */

int session_set_list(struct instance *inst, const char *file, const strv_t *values)
{
	__cleanup(free_ptr) char *before = NULL;
	__cleanup(free_ptr) char *after = values ? join_lines(values) : strdup("");
	strv_t now = { 0 };
	int err = setting_lines(&inst->dir, file, &now);

	before = join_lines(&now);
	strv_fini(&now);
	if (err)
		return refused(&inst->dir, file, -err);
	if (!before || !after)
		return fail(ENOMEM, "out of memory");
	if (strcmp(before, after) == 0)
		return 0;
	err = session_remember(inst, JOURNAL_LIST, file, before);
	if (!err && (err = tracedir_write(&inst->dir, file, after, true)))
		err = refused_value(&inst->dir, file, after, -err, NULL);
	return err;
}

int session_add_list(struct instance *inst, const char *file, const char *value)
{
	__cleanup(free_ptr) char *before = NULL;
	strv_t now = { 0 };
	int err = setting_lines(&inst->dir, file, &now);
	bool has = strv_has(&now, value);

	before = join_lines(&now);
	strv_fini(&now);
	if (err)
		return refused(&inst->dir, file, -err);
	if (has)
		return 0;
	if (!before)
		return fail(ENOMEM, "out of memory");
	err = session_remember(inst, JOURNAL_LIST, file, before);
	if (!err && (err = tracedir_write(&inst->dir, file, value, false)))
		err = refused_value(&inst->dir, file, value, -err, NULL);
	return err;
}

int session_funcommands(struct instance *inst, const strv_t *commands)
{
	__cleanup(free_ptr) char *before = NULL;
	strv_t now = { 0 };
	int err = commands->n ? funcommands_read(&inst->dir, &now) : 0;

	if (err)
		refused(&inst->dir, FUNCOMMAND_FILE, -err);
	else if (commands->n && !(before = join_lines(&now)))
		err = fail(ENOMEM, "out of memory");
	strv_fini(&now);
	vec_each (commands, command)
		err = err ? err : session_remember_switched(inst, funcommand_action(*command));
	if (!err && commands->n)
		err = session_remember(inst, JOURNAL_COMMANDS, FUNCOMMAND_FILE, before);
	vec_each (commands, command)
		if (!err && (err = tracedir_write(&inst->dir, FUNCOMMAND_FILE, *command, false)))
			err = refused_value(&inst->dir, FUNCOMMAND_FILE, *command, -err, NULL);
	return err;
}

/* --- sysctls ------------------------------------------------------------------------------------------------ */

int session_sysctl(struct session *s, const char *name, const char *value)
{
	struct tracedir kernel;
	__cleanup(free_ptr) char *old = NULL;
	int err = sysctl_open(&kernel);

	err = err ? err : setting_read(&kernel, name, &old);
	if (err) {
		fail(-err, "/proc/sys/kernel/%s: %s", name, strerror(-err));
	} else if (!setting_same(name, old, value)) {
		err = session_remember_path(s, JOURNAL_SYSCTL, name, old);
		if (!err && (err = tracedir_write(&kernel, name, value, true)))
			fail(-err, "cannot write %s to /proc/sys/kernel/%s, which is %s: %s", value, name, old, strerror(-err));
	}
	tracedir_fini(&kernel);
	return err;
}

int session_unset_sysctl(struct session *s, const char *name)
{
	int err = journal_undo_one(s->journal, &s->top, JOURNAL_SYSCTL, name);

	return err ? fail(-err, "cannot put back /proc/sys/kernel/%s: %s", name, strerror(-err)) : 0;
}
