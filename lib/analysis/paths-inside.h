/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines what lib/analysis/paths.c and lib/analysis/paths-owners.c share. Only these files use this header. In the graph of calls (lib/analysis/callgraph.h),
 * an owner is a node above the outermost functions. It stands for all calls, or for the calls of one task, one name of tasks or one CPU (enum paths_by).
 */
#ifndef RINGSIDE_PATHS_INSIDE_H
#define RINGSIDE_PATHS_INSIDE_H

#include "lib/analysis/paths.h"

/* This is the data of paths.c about a task. lib/analysis/calls.h keeps it with the struct call_task of the task. */
struct paths_task {
	uint32_t owner;	     /* the index of the owner of the task's calls; 0: not known yet, or paths_options.by is PATHS_CPU */
	bool looked, wanted; /* .wanted: the task is selected; .wanted has no meaning before .looked is true */
};

/* Returns the index of the owner of calls that began outside of interrupts, in @task on @cpu. Returns -ENOMEM if memory runs out. */
int64_t paths_task_owner(struct paths *paths, struct call_task *task, unsigned int cpu);

/* Returns the index of the owner of calls that began in an interrupt on @cpu. Returns -ENOMEM if memory runs out. */
int64_t paths_irq_owner(struct paths *paths, unsigned int cpu);

#endif
