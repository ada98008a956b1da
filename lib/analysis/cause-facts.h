/* SPDX-License-Identifier: GPL-2.0 */
/* What happened to a call while it was open: facts of the same kind, place and culprit become one. Inside lib/analysis only; all return 0 or -ENOMEM. */
#ifndef RINGSIDE_CAUSE_FACTS_H
#define RINGSIDE_CAUSE_FACTS_H

#include "lib/analysis/causes.h"

/* The task of the call was off its CPU, and is back. */
int cause_fact_off(struct causes *causes, struct cause_call *call, const struct episode *episode);

/* An interrupt ran on top of it for so long. */
int cause_fact_irq(struct causes *causes, struct cause_call *call, const char *name, uint64_t ns);

/* A page fault of the program, or of the kernel. */
int cause_fact_fault(struct causes *causes, struct cause_call *call, bool user);

/* It waited so long for a lock, told by cause_lock_text(). */
int cause_fact_lock(struct cause_call *call, uint32_t lock, uint64_t ns);

/* It has ended with this record: if that is what a device had to do, so long. */
int cause_fact_device(struct causes *causes, struct cause_call *call, const struct record *rec, uint64_t ns);

/* The call has ended and its parts are known: facts of a part are not more than the part, where the function that was switched out ran on a little. */
void cause_facts_fit(struct cause_call *call);

/* "mutex at 0xffff…": a text of causes->meanwhile. -ENOMEM. */
int64_t cause_lock_text(struct causes *causes, uint64_t addr, uint64_t flags);

#endif
