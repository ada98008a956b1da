/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/diff-run.h"
#include "lib/base/err.h"

int diff_take(struct reading *reading, struct diff_run *run)
{
	int err = reading_input(reading, run->path) ? fail(ENOMEM, "out of memory") : reading_open(reading);
	int status = 1;

	err = err ? err : reading_add(reading, &diff_analysis, run);
	if (!err) {
		err = reading_select(reading);
		status = err == -EINVAL ? 2 : 1;
	}
	err = err ? err : reading_run(reading);
	if (!err && !run->items.n && run->timeless)
		err = fail(ENODATA, "%s: no time of its calls is known: %s", run->path, run->why_timeless);
	if (!err && !run->items.n)
		err = fail(ENODATA, "%s: there are no complete calls in it, or none of those asked for; they come from `record -p function_graph`", run->path);
	if (!err)
		status = reading_damaged(reading);
	reading_again(reading);
	return err ? status : -status;
}
