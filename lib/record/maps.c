/* SPDX-License-Identifier: GPL-2.0 */
/* --proc-map: the address maps of the command, or of the processes of -P. */
#include "lib/record/run.h"

#include "lib/base/err.h"

/* The command has all its libraries when it ends, and few when it begins. */
static void command_exits(void *ctx, pid_t pid)
{
	struct run *run = ctx;

	meta_procmap(&run->meta, pid);
}

/* Takes the map of @pid out of the metadata again: a later one may replace it. */
static int take_map(struct run *run, pid_t pid, char **block)
{
	size_t n = run->meta.procmaps.n;
	int err = meta_procmap(&run->meta, pid);

	*block = NULL;
	if (!err && run->meta.procmaps.n > n)
		*block = run->meta.procmaps.at[--run->meta.procmaps.n];
	return err == -ESRCH ? 0 : err;
}

int run_maps_begin(struct run *run)
{
	int err = run->workload ? workload_seize(run->workload, command_exits, run) : 0;

	vec_each (&run->spec->pids, pid) {
		char *block = NULL;

		if (!err)
			err = take_map(run, *pid, &block);
		if (!err && vec_push(&run->maps, (struct pid_map){ *pid, block }))
			err = fail(ENOMEM, "no memory for the address maps");
	}
	return err;
}

int run_maps_end(struct run *run)
{
	int err = 0;

	if (run->workload && !workload_ended(run->workload))
		meta_procmap(&run->meta, workload_pid(run->workload));
	vec_each (&run->maps, map) {
		char *now = NULL;

		if (!err)
			err = take_map(run, map->pid, &now);
		if (now) {
			free(map->block);
			map->block = now;
		}
		if (!err && map->block)
			err = strv_own(&run->meta.procmaps, take(map->block));
	}
	return err;
}
