/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes address maps. For --proc-map, these are the maps of the command or of the processes of -P. For --ustack, they are those of all traced processes,
 * with times.
 */
#include "lib/record/run.h"

#include "lib/base/err.h"

/* Takes the command's map when it ends, because it then has all its libraries. At its beginning it has few. */
static void command_exits(void *ctx, pid_t pid)
{
	struct run *run = ctx;

	meta_procmap(&run->meta, pid);
}

/* Reads the map of @pid into *@block and not into the metadata, because a later map may replace it. */
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

/* Returns true if the buffer may hold user stacks. When others have recorded, the only hint is that the option is on now. */
static bool holds_user_stacks(const struct armed *one)
{
	__cleanup(free_ptr) char *on = NULL;

	return !tracedir_read(&one->inst->dir, "options/userstacktrace", &on) && strcmp(on, "1") == 0;
}

/* Returns the first buffer that takes user stacks, or NULL. */
static const struct armed *with_user_stacks(const struct run *run)
{
	vec_each (&run->armed, one)
		if (run->spec->join == JOIN_READ ? holds_user_stacks(one) : strv_has(&one->spec->options, "userstacktrace"))
			return one;
	return NULL;
}

int run_spaces_begin(struct run *run)
{
	const struct armed *armed = with_user_stacks(run);
	const struct record_spec *spec = run->spec;
	/*
	 * Only the command or the processes of -P can appear in the trace. The maps of the command are recorded from its exec on, so they need not be read
	 * here.
	 */
	bool few = (spec->only_command || spec->pids.n) && !(spec->children && spec->pids.n);
	int err = armed ? spaces_open(&run->spaces, run->session, armed->clock) : 0;

	if (err || !run->spaces)
		return err;
	if (!few)
		err = spaces_seed(run->spaces, 0);
	for (size_t i = 0; few && !err && i < spec->pids.n; i++)
		err = spaces_seed(run->spaces, spec->pids.at[i]);
	return err ? fail(-err, "no memory for the address maps") : 0;
}

/* Calls @way for the traced processes. It appends their blocks to @blocks. */
static int tell_spaces(struct run *run, int (*way)(struct spaces *s, const pids_t *pids, strv_t *blocks), strv_t *blocks)
{
	const struct record_spec *spec = run->spec;
	pids_t only = { 0 };
	int err = 0;

	if (!spec->children && spec->only_command)
		err = vec_push(&only, workload_pid(run->workload));
	for (size_t i = 0; !err && !spec->children && i < spec->pids.n; i++)
		err = vec_push(&only, spec->pids.at[i]);
	err = err ? err : way(run->spaces, &only, blocks);
	vec_fini(&only);
	return err ? fail(-err, "no memory for the address maps") : 0;
}

int run_spaces_end(struct run *run)
{
	return run->spaces ? tell_spaces(run, spaces_end, &run->meta.procmaps) : 0;
}

int run_spaces_news(void *run_, strv_t *blocks)
{
	struct run *run = run_;

	return tell_spaces(run, spaces_news, blocks);
}
