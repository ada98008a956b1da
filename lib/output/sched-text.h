/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints the output of `ringside sched`. The output is a table of tasks or CPUs, a table of preemptions, a table of wakeups, or a timeline. A timeline has a
 * line for each time that a task leaves a CPU.
 */
#ifndef RINGSIDE_SCHED_TEXT_H
#define RINGSIDE_SCHED_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/sched.h"
#include "lib/output/table.h"

enum sched_tell { SCHED_TELL_SUMS, SCHED_TELL_PREEMPTS, SCHED_TELL_WAKES, SCHED_TELL_TIMELINE };
enum sched_by { SCHED_PER_TASK, SCHED_PER_COMM, SCHED_PER_CPU };

struct sched_options_view {
	enum sched_tell tell;
	enum sched_by by; /* used with SCHED_TELL_SUMS */
	struct table_show table;
};

/* The options of the analysis are a struct sched_options_view. */
extern const struct analysis sched_analysis;

#endif
