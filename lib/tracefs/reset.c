/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/reset.h"
#include "lib/tracefs/funcommand.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/setting.h"
#include "lib/tracefs/trigger.h"
#include "lib/base/err.h"

#include <fcntl.h>
#include <unistd.h>

/* Keeps the first error of several steps. */
static void keep(int *first, int err)
{
	*first = *first ? *first : err;
}

/* --- resetting ---------------------------------------------------------------------------------------------- */

/* The values that the files have when nothing is set, in the order in which they are written. A file that is not there is skipped. */
static const struct {
	const char *file;
	const char *value;
} rest[] = {
	{ "tracing_on", "0" },	   { "current_tracer", "nop" },	   { "events/enable", "0" },   { "max_graph_depth", "0" },
	{ "tracing_thresh", "0" }, { "tracing_max_latency", "0" }, { "trace_clock", "local" },
};

static int put(const struct tracedir *dir, const char *file, const char *value)
{
	int err = tracedir_has(dir, file) ? setting_put(dir, file, value) : 0;

	return err ? refused_value(dir, file, value, -err, NULL) : 0;
}

static int drop_commands(const struct tracedir *dir)
{
	int err = tracedir_has(dir, FUNCOMMAND_FILE) ? funcommands_put(dir, FUNCOMMAND_FILE, "") : 0;

	/* If we may not even read this file, nobody has set anything in it. */
	return err && err != -EPERM && err != -EACCES ? refused(dir, FUNCOMMAND_FILE, -err) : 0;
}

/*
 * Removes all triggers. A histogram stays as long as others refer to its variables, and the kernel does not say so. So the events that still have triggers
 * are tried again as long as they become fewer.
 */
static int drop_triggers(const struct tracedir *dir, strv_t *events)
{
	int err = 0;

	for (size_t before = events->n + 1; events->n && events->n < before;) {
		size_t left = 0;

		before = events->n;
		for (size_t i = 0; i < events->n; i++) {
			__cleanup(free_ptr) char *file = str_printf("events/%s/trigger", events->at[i]);
			int ret;

			if (!file)
				return fail(ENOMEM, "out of memory");
			*strchr(file + strlen("events/"), ':') = '/';
			ret = tracedir_has(dir, file) ? trigger_clear(dir, file) : 0;
			keep(&err, ret < 0 ? refused(dir, file, -ret) : 0);
			if (ret > 0) {
				char *name = events->at[left];

				events->at[left++] = events->at[i];
				events->at[i] = name;
			}
		}
		while (events->n > left)
			free(events->at[--events->n]);
	}
	return err;
}

/* Removes all filters and triggers: filters with one write for each system, triggers event by event. */
static int drop_filters(const struct tracedir *top, const struct tracedir *dir)
{
	strv_t systems = { 0 }, events = { 0 };
	int err = tracedir_list(top, TRACEDIR_SYSTEMS, &systems);

	keep(&err, tracedir_list(top, TRACEDIR_EVENTS, &events));
	if (err)
		refused(top, "available_events", -err);
	for (size_t i = 0; i < systems.n; i++) {
		__cleanup(free_ptr) char *file = str_printf("events/%s/filter", systems.at[i]);

		/* A system in which no event can be filtered refuses the write, which does not matter. */
		if (file && tracedir_has(dir, file))
			tracedir_write(dir, file, "0", true);
	}
	keep(&err, drop_triggers(dir, &events));
	strv_fini(&systems);
	strv_fini(&events);
	return err;
}

int reset_instance(const struct tracedir *top, const struct tracedir *dir)
{
	__cleanup(free_ptr) char *mask = setting_all_cpus();
	int err = 0, ret;

	for (size_t i = 0; i < ARRAY_LEN(rest); i++) {
		keep(&err, put(dir, rest[i].file, rest[i].value));
		/* This user may not write the other files, either. */
		if (err == -EACCES)
			return err;
	}
	keep(&err, drop_commands(dir));
	for (size_t i = 0; setting_lists[i]; i++) {
		strv_t lines = { 0 };

		/* If we may not even read a list, nobody has set anything in it. */
		if (!setting_lines(dir, setting_lists[i], &lines) && (lines.n || setting_is_pids(setting_lists[i]))) {
			ret = tracedir_write(dir, setting_lists[i], NULL, true);
			keep(&err, ret && lines.n ? refused(dir, setting_lists[i], -ret) : 0);
		}
		strv_fini(&lines);
	}
	keep(&err, drop_filters(top, dir));
	/* A trigger or a function command may have switched an event on again while it was still there. */
	keep(&err, put(dir, "events/enable", "0"));
	keep(&err, put(dir, "tracing_cpumask", mask ? mask : ""));
	ret = tracedir_write(dir, "trace", NULL, true);
	keep(&err, ret ? refused(dir, "trace", -ret) : 0);
	keep(&err, put(dir, "tracing_on", "1"));
	return err;
}

int reset_size(const struct tracedir *dir, uint64_t kb)
{
	__cleanup(free_ptr) char *value = str_printf("%llu", (unsigned long long)kb);

	return value ? put(dir, "buffer_size_kb", value) : fail(ENOMEM, "out of memory");
}

int reset_remove(const struct tracedir *top, const char *name)
{
	__cleanup(free_ptr) char *path = str_printf("instances/%s", name);

	if (!path)
		return fail(ENOMEM, "out of memory");
	if (unlinkat(top->fd, path, AT_REMOVEDIR) == 0)
		return 0;
	if (errno == EBUSY)
		return fail(EBUSY, "instance '%s' cannot be removed: somebody has one of its files open", name);
	return fail(errno, "instance '%s' cannot be removed: %m", name);
}
