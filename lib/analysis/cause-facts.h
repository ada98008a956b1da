/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collects what happened to a call while it was open. Facts of the same kind, place and culprit become one. Only lib/analysis
 * uses this. All functions return 0 or -ENOMEM, unless they say more.
 */
#ifndef RINGSIDE_CAUSE_FACTS_H
#define RINGSIDE_CAUSE_FACTS_H

#include "lib/analysis/causes.h"

/* Adds the fact to those of the call. */
int cause_fact_add(struct cause_call *call, const struct cause_fact *fact);

/* The task of the call was off its CPU and has come back. */
int cause_fact_off(struct causes *causes, struct cause_call *call, const struct episode *episode);

/* Another task began the call for the call's own task. The latter then ran on for @ns until it left @cpu. */
int cause_fact_still(struct cause_call *call, uint16_t cpu, uint64_t ns);

/* An interrupt ran on top of the call for @ns. */
int cause_fact_irq(struct causes *causes, struct cause_call *call, const char *name, uint64_t ns);

/* The call had a page fault, of the program (@user) or of the kernel. */
int cause_fact_fault(struct causes *causes, struct cause_call *call, bool user);

/* The call waited @ns for a lock; @lock is what cause_lock_text() has returned. */
int cause_fact_lock(struct cause_call *call, uint32_t lock, uint64_t ns);

/* The call has ended with this record after @ns. If it is a request of a block device, adds what is known of the device. */
int cause_fact_device(struct causes *causes, struct cause_call *call, const struct record *rec, uint64_t ns);

/*
 * Shortens the facts of each part until their sum is at most the part. The call must have ended, so that its parts are known. The facts can be longer
 * than the part, because a function runs on a little after the wakeup or before the switch from which its facts are made.
 */
void cause_facts_fit(struct cause_call *call);

/* Returns the number of the text "mutex at 0xffff…" in causes->meanwhile, or -ENOMEM. */
int64_t cause_lock_text(struct causes *causes, uint64_t addr, uint64_t flags);

#endif
