/* SPDX-License-Identifier: GPL-2.0 */
/* Carries out a command that reads records: from its options to its exit status. */
#include "cmd/reading.h"
#include "cmd/output.h"
#include "cmd/pager.h"
#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/data/leftover.h"

#include <unistd.h>

void note_none_matches(uint64_t seen)
{
	if (seen == 1)
		note("the only record does not match the options");
	else
		note("none of the %llu records matches the options", (unsigned long long)seen);
}

void reading_say_why_nothing(const struct reading *r)
{
	const bool several = r->inputs.n > 1;
	const char *path = several ? "the files" : r->inputs.at[0].path, *hold = several ? "hold" : "holds";
	__cleanup(free_ptr) char *leftover = several ? NULL : leftover_of(path);

	if (r->pass.passed && r->asked && !r->found && !r->quiet)
		note("no record of %s is of a task that was asked for; `ringside count --by pid,comm` lists the tasks that are there", path);
	if (r->pass.passed || r->quiet || reading_damaged(r))
		return;
	if (r->pass.seen)
		note_none_matches(r->pass.seen);
	else if (r->has_cpus || r->buffers.n || r->since || r->until)
		note("%s %s no events of the CPUs, buffers or times asked for", path, hold);
	else if (leftover)
		note("%s holds no events; %s holds a recording that was cut short or still runs: `ringside restore %s` makes a file of it", path, leftover,
		     leftover);
	else
		note("%s %s no events: nothing that was traced happened while %s recorded; "
		     "`ringside dump --summary %s` says what was traced",
		     path, hold, several ? "they were" : "it was", r->inputs.at[0].path);
}

/* Shows the analyses, and returns the exit status. */
static int show(struct reading *reading, int (*front)(void *ctx), void *ctx)
{
	int err = reading_select(reading);

	if (err)
		return err == -EINVAL ? 2 : 1;
	err = front ? front(ctx) : 0;
	if (!err) {
		err = reading_run(reading);
		if (!err)
			reading_say_why_nothing(reading);
	}
	if (err == -EPIPE)
		return STATUS_PIPE;
	return err < 0 || reading_damaged(reading);
}

int reading_show_all(struct reading_opts *o, int (*front)(void *ctx), void *ctx)
{
	pid_t pager = o->no_pager ? 0 : pager_start();
	int status = show(&o->reading, front, ctx);

	pager_wait(pager);
	/* A user who leaves the pager early has seen enough, so that is no failure. */
	return pager && status == STATUS_PIPE ? 0 : status;
}

int reading_main(const struct cmd *cmd, struct reading_opts *o, int err, const struct analysis *what, void *options)
{
	int status = err ? opt_status(err) : 1;

	if (!err && reading_settle(cmd, o, STDOUT_FILENO))
		status = 2;
	else if (!err && !reading_open(&o->reading) && !reading_add(&o->reading, what, options))
		status = reading_show_all(o, NULL, NULL);
	reading_close(&o->reading);
	return status;
}
