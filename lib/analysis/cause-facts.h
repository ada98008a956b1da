/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collects facts about a call. A fact (struct cause_fact) is something that happened to the call while it was open. Facts of one kind are put together if they
 * also agree in .who_is, .who, .irq, .where and .from. A call has up to MOST_FACTS such facts (cause-facts.c). A further fact that agrees with none of them is
 * added to a common fact of its kind. In this common fact, the five members named above are not set. Each function that returns an int returns 0 or -ENOMEM.
 * Only lib/analysis uses this header.
 */
#ifndef RINGSIDE_CAUSE_FACTS_H
#define RINGSIDE_CAUSE_FACTS_H

#include "lib/analysis/causes.h"

/* Adds @fact to the facts of the call. */
int cause_fact_add(struct cause_call *call, const struct cause_fact *fact);

/* Adds the facts about a time in which the call's task was off its CPU. @episode (lib/analysis/meanwhile.h) is that time, and must have ended. */
int cause_fact_off(struct causes *causes, struct cause_call *call, const struct episode *episode);

/*
 * Adds the fact that the call's task was still running on @cpu when the call began. The task left @cpu after another @ns ns. When the call begins, the task can
 * still be running if another task begins the call. For example, a call may last from the wakeup of a task until the task runs. The waker begins this call, and
 * the woken task may still be on its CPU at the wakeup.
 */
int cause_fact_still(struct cause_call *call, uint16_t cpu, uint64_t ns);

/* Adds the fact that the interrupt @name ran on top of the call for @ns. */
int cause_fact_irq(struct causes *causes, struct cause_call *call, const char *name, uint64_t ns);

/* Adds a page fault. If @user is true, the program has caused the fault. If @user is false, the kernel has caused it. */
int cause_fact_fault(struct causes *causes, struct cause_call *call, bool user);

/* Adds the fact that the call waited @ns for a lock. @lock is what cause_lock_text() has returned. */
int cause_fact_lock(struct cause_call *call, uint32_t lock, uint64_t ns);

/*
 * Must be called when the call has ended. @rec is the record of its exit, and @ns is how long the call took. If the call is a request to a block
 * device, the function adds what is known of the device.
 */
int cause_fact_device(struct causes *causes, struct cause_call *call, const struct record *rec, uint64_t ns);

/*
 * Shortens facts to fit the parts of the call's time (enum cause_part). Afterwards, the times of all facts about a part add up to no more than this part. A
 * fact of FACT_STILL becomes no longer than PART_SELF. The call must have ended, so that its .parts are known.
 */
void cause_facts_fit(struct cause_call *call);

/*
 * Makes a text that names a lock, such as "mutex at 0xffff…". Returns the number under which causes->meanwhile keeps this text, or -ENOMEM. @addr and
 * @flags are the fields lock_addr and flags of a lock:contention_begin event. @flags is 0 if the event has no such field.
 */
int64_t cause_lock_text(struct causes *causes, uint64_t addr, uint64_t flags);

#endif
