/* SPDX-License-Identifier: GPL-2.0 */
/* Writes folded stacks of calls: the CPU time that each function used itself, below its callers and the name of its task. */
#include "lib/analysis/units.h"
#include "lib/base/err.h"
#include "lib/export/exporter.h"

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct export_options *opt = options;

	opt->flame = (struct flame_view){ .form = FLAME_FOLDED, .weight = FLAME_CPU, .paths.by = PATHS_COMM };
	return flame_calls_analysis.make(out, reading, &opt->flame);
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	struct export_options *opt = options;
	int err = flame_calls_analysis.show(h, reading, &opt->flame);

	if (!err && opt->flame.empty && opt->flame.timeless)
		note("the times of the calls in %s are not known: %s; `ringside flame --folded --weight calls` counts the calls", reading->inputs.at[0].path,
		     units_why_timeless(&reading->inputs));
	else if (!err && opt->flame.empty && reading->pass.passed)
		note("there are no calls in %s; `ringside hist --folded` counts events by their stacks", reading->inputs.at[0].path);
	return err;
}

const struct analysis folded_analysis = { .name = "folded", .needs = ANALYSIS_ALL_TASKS, .folds = calls_fold, .make = make, .show = show };
