/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/complete.h"
#include "lib/tracefs/tracedir.h"

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

int complete_kernel(const char *kind, const char *prefix, strv_t *names)
{
	static const struct {
		const char *kind;
		enum tracedir_list list;
	} rows[] = {
		{ "tracers", TRACEDIR_TRACERS },     { "clocks", TRACEDIR_CLOCKS },
		{ "events", TRACEDIR_EVENTS },	     { "events", TRACEDIR_SYSTEMS },
		{ "systems", TRACEDIR_SYSTEMS },     { "functions", TRACEDIR_FUNCTIONS },
		{ "options", TRACEDIR_OPTIONS },     { "instances", TRACEDIR_INSTANCES },
	};
	static const char *const mounts[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	struct tracedir dir = TRACEDIR_NONE;
	int err = -ENOENT;

	if (strcmp(kind, "cpus") == 0)
		return cpus(names);
	/* Fifty thousand functions are no help before their first letters are there. */
	if (strcmp(kind, "functions") == 0 && !prefix[0])
		return -ENOENT;
	/* Without tracedir_open(NULL): pressing Tab must not mount anything. */
	for (size_t i = 0; i < ARRAY_LEN(mounts) && dir.fd < 0; i++) {
		__cleanup(free_ptr) char *probe = str_printf("%s/trace_clock", mounts[i]);

		if (probe && access(probe, R_OK) == 0)
			tracedir_open(&dir, mounts[i]);
	}
	if (dir.fd < 0)
		return -ENOENT;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].kind, kind) == 0)
			err = tracedir_list(&dir, rows[i].list, names);
	tracedir_fini(&dir);
	return err;
}
