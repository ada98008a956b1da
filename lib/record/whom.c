/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/whom.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/tracefs/process.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Adds the threads of a process to the list, or only the process itself. */
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

/* Returns true if the kernel has that list and lets us write it. */
static bool writable(const struct tracedir *dir, const char *file)
{
	__cleanup(close_fd) int fd = tracedir_fd(dir, file, O_WRONLY | O_APPEND);

	return fd >= 0;
}

/*
 * Returns true if tasks have to be kept out of the function tracer as long as tracing is off.
 *
 * With -g, the kernel marks a task that enters a function of -g while function_graph is set, even when tracing is off. If tracing is off, nothing is
 * recorded, and the return, which would remove the mark, is not watched. Once tracing is on, all calls of such a task are recorded until it enters a
 * function of -g again. Therefore, as long as tracing is off, only a process is traced that calls nothing: the command, which is held before its exec, or
 * our guard.
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

/* Lists the tasks that are to be traced. If the list is empty, all are. */
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
	/* The new pids are added to those that are in the list. A list that is emptied first would trace all tasks for a moment. */
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

	/* With -P this is not done: the list would be empty for a moment, and only tasks that are traced anyway can have the mark. */
	vec_each (armed, one) {
		session_own(one->inst->session, true);
		if (!err && !spec->pids.n && is_held(one, spec))
			err = hold(one, 0);
		session_own(one->inst->session, false);
	}
	return err;
}

int arm_pids(const struct armed *armed, const struct record_spec *spec, pid_t command)
{
	/* With `set`, the user may choose the tracer and the events before or later. */
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

/* Leaves @pids out with one write. With hundreds of CPUs there are as many threads, and at each write the kernel goes through all its tasks. */
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

	/* In a container, this is not done: a task outside of it may have the number that a task of ours has in it. */
	if (!arm_traces_us(spec) || process_in_container())
		return 0;
	vec_each (armed, one) {
		session_own(one->inst->session, true);
		if (!err && (spec->as_is || buffer_traces_functions(one->spec)))
			err = leave_out(one, "set_ftrace_notrace_pid", pids, n);
		/* This list makes each switch and each wakeup slower, so it is used only where events are recorded. */
		if (!err && (spec->as_is || buffer_records_events(one->spec)))
			err = leave_out(one, "set_event_notrace_pid", pids, n);
		session_own(one->inst->session, false);
	}
	return err;
}
