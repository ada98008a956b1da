/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells how long tasks wait for a CPU. A wait lasts from the last sched_wakeup or sched_wakeup_new of a task to the sched_switch that lets the task run. In a
 * trace that has neither sched_wakeup nor sched_wakeup_new, a wait begins at the last sched_waking. If any CPU lost events during a part of the wait, the task
 * may have run on this CPU during the loss. So the wait is not counted. If the wakeup and the switch are in the same buffer, this rule looks only at losses of
 * this buffer. Otherwise it looks at losses of all buffers of the file. A sched_switch whose wait is counted gets the flag RECORD_WOKEN. Nothing in here
 * prints.
 */
#ifndef RINGSIDE_WAKEUPS_H
#define RINGSIDE_WAKEUPS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"
#include "lib/analysis/times.h"

struct wakeups_result {
	struct times all, rt; /* .all: all waits; .rt: the waits of tasks with a real-time priority */
};

struct wakeups;

/* Borrows @inputs. *@out becomes NULL if no file describes both an event of a wakeup and sched_switch. Returns 0 or -ENOMEM. */
int wakeups_new(struct wakeups **out, const inputs_t *inputs);
void wakeups_free(struct wakeups *wakeups);

/*
 * Sets RECORD_WOKEN in the records of a batch, as described above. Must be called with all batches in order, before records are removed from the batches.
 * Returns 0 or -ENOMEM.
 */
int wakeups_batch(struct wakeups *wakeups, struct batch *batch);

/*
 * Adds up the waits that end at those records of @batch that have RECORD_WOKEN. Must be called after the stages have removed the records that are not wanted.
 */
void wakeups_count(struct wakeups *wakeups, const struct batch *batch);

/*
 * wakeups_stage() returns a stage (lib/analysis/stage.h) that calls wakeups_batch() for each batch. @wakeups is freed together with this stage.
 * wakeups_handler() returns a handler that calls wakeups_count() for each batch.
 */
struct stage *wakeups_stage(struct wakeups *wakeups);
struct handler *wakeups_handler(struct wakeups *wakeups);

const struct wakeups_result *wakeups_result(const struct wakeups *wakeups);

#endif
