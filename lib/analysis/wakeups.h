/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long tasks wait for a CPU: from the last sched_wakeup (or sched_wakeup_new) of a task, or of traces without these from
 * sched_waking, to the sched_switch that lets it run. A wait during which events of its file were lost is not told.
 * No printing: a switch whose wakeup is known becomes RECORD_WOKEN.
 */
#ifndef RINGSIDE_WAKEUPS_H
#define RINGSIDE_WAKEUPS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"
#include "lib/analysis/times.h"

struct wakeups_result {
	struct times all, rt;		/* of tasks with a real-time priority */
};

struct wakeups;

/*
 * Borrows @inputs. *@out is NULL when no file describes both a wakeup and a switch. 0 or -ENOMEM.
 */
int wakeups_new(struct wakeups **out, const inputs_t *inputs);
void wakeups_free(struct wakeups *wakeups);

/* Marks the switches in a batch. Batches must come in order, whole. 0 or -ENOMEM. */
int wakeups_batch(struct wakeups *wakeups, struct batch *batch);

/* Adds up those that are left in it. */
void wakeups_count(struct wakeups *wakeups, const struct batch *batch);

/* The same as a stage of a pass, which frees the wakeups, and as a handler of it. */
struct stage *wakeups_stage(struct wakeups *wakeups);
struct handler *wakeups_handler(struct wakeups *wakeups);

const struct wakeups_result *wakeups_result(const struct wakeups *wakeups);

#endif
