/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Learns the names of tasks from all records that are read, including records that are not selected. The names are in records of the scheduler's events and of
 * task_rename. If the name of a task is not known yet, the task gets its name from the first record that names the task. An analysis that needs learned names
 * has the flag ANALYSIS_LEARN (lib/analysis/analysis.h). Before the analysis looks up names, it calls learn_until() with the record at hand.
 */
#ifndef RINGSIDE_LEARN_H
#define RINGSIDE_LEARN_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

/* In memory, further data of learn.c follow this structure. */
struct learn {
	struct stage stage;
	bool waits; /* there may be names that were noted, but not given to their tasks yet */
};

/* Makes a struct learn, which borrows @inputs. *@out becomes NULL if no input describes an event that tells names. Returns 0 or -ENOMEM. */
int learn_new(struct learn **out, const inputs_t *inputs);

/*
 * Returns the stage that notes the names in each batch of records. A stage is a step that all records pass before an analysis gets them (lib/analysis/stage.h).
 * This stage must come before all stages that remove records. The stage owns @learn.
 */
struct stage *learn_stage(struct learn *learn);

/* Does the work of learn_until() if learn->waits is true. Only learn_until() calls this. */
void learn_waiting(struct learn *learn, const struct record *rec);

/* Gives tasks the names that were noted from @rec and from earlier records. If @learn is NULL, nothing happens. */
static inline void learn_until(struct learn *learn, const struct record *rec)
{
	if (unlikely(learn && learn->waits))
		learn_waiting(learn, rec);
}

/* Gives tasks all names that were noted. If @learn is NULL, nothing happens. */
void learn_all(struct learn *learn);

#endif
