/* SPDX-License-Identifier: GPL-2.0 */
/* Collects names of tasks during a recording: from the kernel's list, from the tasks that -P chooses, and from the command. */
#include "lib/record/run.h"

#include "lib/base/err.h"

void run_names_look(struct run *run)
{
	if (run->names)
		names_look(run->names, session_dir(run->session), run->spec->pids.at, run->spec->pids.n);
}

int run_names_begin(struct run *run)
{
	__cleanup(free_ptr) char *to = spool_path(&run->spool, SPOOL_NAMES);
	int fd = spool_make_names(&run->spool);
	int err = fd < 0 ? fd : names_new(&run->names, fd);

	/* This also saves the names that were new in the last second. */
	if (!err)
		err = to ? session_save(run->session, "", "saved_cmdlines", 0, MOST_SAVED, to) : fail(ENOMEM, "no memory for a file name");
	if (!err)
		run_names_look(run);
	return err;
}

/* The kernel remembers the names of tasks that traced events came from. It does not remember a task that only wrote a marker. */
static int ask_tasks(struct run *run)
{
	int err = names_ask(run->names, run->spec->pids.at, run->spec->pids.n);
	char name[PROCESS_NAME];

	if (err || !run->workload)
		return err;
	workload_name(run->workload, name);
	return name[0] ? names_add_task(run->names, workload_pid(run->workload), name) : 0;
}

int run_names_end(struct run *run)
{
	if (!run->names)
		return 0;
	/* What the tasks tell is newer than the list. */
	if (names_add(run->names, &run->meta.cmdlines) || ask_tasks(run) || names_join(run->names, &run->meta.cmdlines))
		return fail(ENOMEM, "no memory for names of tasks");
	return 0;
}
