/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/whom.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/tracefs/process.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* The threads of a process, or itself alone. */
static int add_pid(strv_t *list, pid_t pid, bool threads)
{
	char path[64];
	DIR *dir = NULL;
	struct dirent *entry;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	if (threads)
		dir = opendir(path);
	if (!dir)
		return strv_own(list, str_printf("%d", pid));
	while ((entry = readdir(dir)) && !err)
		if (entry->d_name[0] != '.')
			err = strv_add(list, entry->d_name);
	closedir(dir);
	return err;
}

/* Does the kernel have that list, and does it let us write it? */
static bool writable(const struct tracedir *dir, const char *file)
{
	__cleanup(close_fd) int fd = tracedir_fd(dir, file, O_WRONLY | O_APPEND);

	return fd >= 0;
}

/*
 * A task that comes by a function of -g while function_graph is set and tracing is off keeps, in the kernel, the mark that it is inside that function: the
 * mark is set before it turns out that nothing can be recorded, and is to go at a return that is then not watched. Once tracing is on all its calls are
 * recorded, until it has come by such a function again. So nobody is traced as long as tracing is off but a process that calls nothing: the command, which
 * is held and is to be traced from its exec on, or our guard.
 */
static bool is_held(const struct armed *armed, const struct record_spec *spec)
{
	return armed->spec->graph.n && buffer_traces_functions(armed->spec) && !spec->only_command && !spec->as_is && spec->join != JOIN_ADD &&
	       writable(&armed->inst->dir, "set_ftrace_pid");
}

static int hold(const struct armed *armed, pid_t command)
{
	pid_t quiet = command ?: session_guard(armed->inst->session) ?: getpid();
	strv_t pids = { 0 };
	int err = add_pid(&pids, quiet, false);

	if (!err)
		err = session_set_list(armed->inst, "set_ftrace_pid", &pids);
	strv_fini(&pids);
	return err;
}

/* Those that are to be traced; none: all. */
static int list_pids(const struct record_spec *spec, pid_t command, strv_t *pids)
{
	int err = 0;

	if (spec->only_command && command)
		err = add_pid(pids, command, false);
	vec_each (&spec->pids, pid)
		if (!err)
			err = add_pid(pids, *pid, spec->children);
	return err;
}

static int release(const struct armed *armed, const struct record_spec *spec)
{
	struct str text = { 0 };
	strv_t pids = { 0 };
	int err = list_pids(spec, 0, &pids);

	vec_each (&pids, pid)
		str_addf(&text, "%s%s", text.len ? " " : "", *pid);
	if (!err && str_ok(&text))
		err = fail(ENOMEM, "no memory for the list of processes");
	/* Beside who was there: a list that is emptied first would let in all for a moment. */
	if (!err)
		err = pids.n ? session_add_list(armed->inst, "set_ftrace_pid", text.at) : session_set_list(armed->inst, "set_ftrace_pid", NULL);
	str_fini(&text);
	strv_fini(&pids);
	return err;
}

int arm_release(const armedvec_t *armed, const struct record_spec *spec)
{
	int err = 0;

	vec_each (armed, one)
		if (!err && is_held(one, spec))
			err = release(one, spec);
	return err;
}

int arm_hold(const armedvec_t *armed, const struct record_spec *spec)
{
	int err = 0;

	/* With -P the list would be empty for a moment, and the marks are on tasks that were traced anyway. */
	vec_each (armed, one)
		if (!err && !spec->pids.n && is_held(one, spec))
			err = hold(one, 0);
	return err;
}

int arm_pids(const struct armed *armed, const struct record_spec *spec, pid_t command)
{
	/* `set` may be told of the tracer and of the events before or later. */
	bool set = spec->join == JOIN_ADD;
	bool functions = buffer_traces_functions(armed->spec) || (set && writable(&armed->inst->dir, "set_ftrace_pid"));
	bool events = (buffer_enables_events(armed->spec) || set) && !spec->events_of_all;
	strv_t pids = { 0 };
	int err = list_pids(spec, command, &pids);

	if (!err && pids.n)
		err = process_numbers_shared();
	if (!err && is_held(armed, spec))
		err = hold(armed, spec->pids.n ? 0 : command);
	else if (!err && pids.n && functions)
		err = session_set_list(armed->inst, "set_ftrace_pid", &pids);
	if (!err && pids.n && events)
		err = session_set_list(armed->inst, "set_event_pid", &pids);
	if (!err && pids.n && spec->children && functions)
		err = session_option(armed->inst, "function-fork");
	if (!err && pids.n && spec->children && events)
		err = session_option(armed->inst, "event-fork");
	strv_fini(&pids);
	return err;
}

/* All with one write: with hundreds of CPUs there are as many threads, and each write makes the kernel go through its tasks. */
static int leave_out(struct armed *armed, const char *file, const pid_t *pids, size_t n)
{
	struct str text = { 0 };
	int err = 0;

	for (size_t i = 0; i < n; i++)
		if (pids[i] > 0)
			str_addf(&text, "%s%d", text.len ? " " : "", pids[i]);
	if (str_ok(&text))
		err = fail(ENOMEM, "no memory for the list of threads");
	else if (text.len && writable(&armed->inst->dir, file))
		err = session_add_list(armed->inst, file, text.at);
	str_fini(&text);
	return err;
}

bool arm_traces_us(const struct record_spec *spec)
{
	return !spec->self && (spec->events_of_all || (!spec->only_command && !spec->pids.n));
}

int arm_without(const armedvec_t *armed, const struct record_spec *spec, const pid_t *pids, size_t n)
{
	int err = 0;

	/* Tasks outside of a container may have the numbers that ours have in it. */
	if (!arm_traces_us(spec) || process_in_container())
		return 0;
	vec_each (armed, one) {
		if (!err && (spec->as_is || buffer_traces_functions(one->spec)))
			err = leave_out(one, "set_ftrace_notrace_pid", pids, n);
		/* With this list each switch and each wakeup costs more, so nothing is left out where nothing is recorded. */
		if (!err && (spec->as_is || buffer_records_events(one->spec)))
			err = leave_out(one, "set_event_notrace_pid", pids, n);
	}
	return err;
}
