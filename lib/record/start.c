/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/record.h"

#include "lib/record/run.h"

static int start_all(struct run *run, bool wait)
{
	int err = run_find_command(run), left;

	if (!err)
		err = run_open(run);
	if (!err)
		err = run_arm(run);
	if (!err)
		err = run_interrupted(run);
	if (!err && run->hooks->ready)
		err = run->hooks->ready(run->hooks->ctx, run->armed.at[0].inst);
	if (!err)
		err = run_start(run);
	/* From here on, the kernel goes on tracing when we have ended. */
	if (!err)
		session_stay(run->session);
	left = run_leave(run);
	err = err ? err : left;
	return err || !wait ? err : run_conclude(run);
}

int start(struct record_spec *spec, bool wait, const struct record_hooks *hooks, struct record_outcome *out)
{
	struct run run = RUN(spec, hooks, out);
	int err;

	*out = (struct record_outcome){ 0 };
	err = start_all(&run, wait);
	run_fini(&run);
	return err;
}
