/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/chosen.h"

static unsigned int needs(const struct reading *reading)
{
	unsigned int needs = 0;

	vec_each (&reading->parts, part)
		needs |= part->what->needs | (part->what->folds == calls_fold ? ANALYSIS_CALLS : 0);
	return needs;
}

bool chosen_calls(const struct reading *reading)
{
	return needs(reading) & ANALYSIS_CALLS;
}

/*
 * Returns true if something needs more than single records. Calls are put together by analyses, by --func and --min-duration, by pairs, and by the probes of
 * `record --latency`. The stage of wakeups puts a wakeup and a switch together.
 */
static bool looks_across(const struct reading *reading)
{
	bool stages = false;

	vec_each (&reading->parts, part)
		stages |= part->what->stage != NULL;
	return stages || reading->latency || chosen_calls(reading) || reading->pairs.n || reading->within.funcs.n || reading->within.min_duration;
}

const struct cpuset *chosen_read(const struct reading *reading)
{
	return reading->has_cpus && !(needs(reading) & ANALYSIS_ALL_CPUS) && !looks_across(reading) ? &reading->cpus : NULL;
}

void chosen_begin(struct reading *reading)
{
	if (!reading->has_cpus || needs(reading) & ANALYSIS_ALL_CPUS || !looks_across(reading))
		return;
	reading->pass.cpus = &reading->cpus;
	if (!reading->calls)
		return;
	reading->pass.whole = calls_handler(reading->calls);
	calls_choose(reading->calls, &reading->cpus);
}
