/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/complete.h"

#include <stdio.h>
#include <unistd.h>

static int cpus(strv_t *names)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	for (long cpu = 0; cpu < n; cpu++)
		if (strv_own(names, str_printf("%ld", cpu)))
			return -ENOMEM;
	return 0;
}

int complete_tracefs(struct tracedir *dir)
{
	static const char *const mounts[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

	for (size_t i = 0; i < ARRAY_LEN(mounts); i++) {
		__cleanup(free_ptr) char *probe = str_printf("%s/trace_clock", mounts[i]);

		if (probe && access(probe, R_OK) == 0)
			return tracedir_open(dir, mounts[i]);
	}
	return -ENOENT;
}

int complete_read(const char *folder, const char *name, char **text)
{
	__cleanup(free_ptr) char *path = str_printf("%s/%s", folder, name);
	struct tracedir dir = TRACEDIR_NONE;
	int err = path ? complete_tracefs(&dir) : -ENOMEM;

	err = err ? err : tracedir_read(&dir, path, text);
	tracedir_fini(&dir);
	return err;
}

/* Adds "group/event" of each line "p:group/event ..." of dynamic_events. */
static int dynevents(const struct tracedir *dir, strv_t *names)
{
	__cleanup(free_ptr) char *all = NULL;
	char *rest;
	int err = tracedir_read(dir, "dynamic_events", &all);

	rest = all;
	for (char *line; !err && (line = strsep(&rest, "\n"));) {
		const char *colon = strchr(line, ':');

		if (colon)
			err = strv_own(names, strndup(colon + 1, strcspn(colon + 1, " ")));
	}
	return err;
}

int complete_kernel(const char *kind, const char *prefix, strv_t *names)
{
	static const struct {
		const char *kind;
		enum tracedir_list list;
	} rows[] = {
		{ "tracers", TRACEDIR_TRACERS }, { "clocks", TRACEDIR_CLOCKS },	      { "events", TRACEDIR_EVENTS },   { "events", TRACEDIR_SYSTEMS },
		{ "systems", TRACEDIR_SYSTEMS }, { "functions", TRACEDIR_FUNCTIONS }, { "options", TRACEDIR_OPTIONS }, { "instances", TRACEDIR_INSTANCES },
	};
	struct tracedir dir = TRACEDIR_NONE;
	bool functions = strcmp(kind, "functions") == 0;
	int err;

	if (strcmp(kind, "cpus") == 0)
		return cpus(names);
	/* All of fifty thousand functions would be no help, so a beginning must be typed. */
	if (functions && !prefix[0])
		return -ENOENT;
	err = complete_tracefs(&dir);
	if (err)
		return err;
	err = strcmp(kind, "dynevents") == 0 ? dynevents(&dir, names) : -ENOENT;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].kind, kind) == 0)
			err = tracedir_list(&dir, rows[i].list, names);
	/* A module's function is listed as "e1000_open [e1000]". */
	vec_each (names, name)
		if (functions)
			(*name)[strcspn(*name, " ")] = '\0';
	tracedir_fini(&dir);
	return err;
}
