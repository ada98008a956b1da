/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why a call was slow: what it took more than the typical call, by name. A call that is itself typical is not compared with any: its largest
 * part is named. Where what was recorded does not tell, the verdict is unknown, and says what would have to be recorded.
 */
#ifndef RINGSIDE_VERDICT_H
#define RINGSIDE_VERDICT_H

#include "lib/analysis/causes.h"

enum cause { CAUSE_BLOCKED, CAUSE_QUEUED, CAUSE_PREEMPTED, CAUSE_IRQ, CAUSE_MORE, CAUSE_CALLEE, CAUSE_OWN, CAUSE_UNKNOWN, CAUSES };

/* What is missing, where the cause is unknown. */
enum cause_need {
	NEED_NOTHING,
	NEED_SWITCH,		/* sched_switch: was it off the CPU? */
	NEED_WAKING,		/* sched_waking: did it sleep, or wait for a CPU? */
	NEED_IRQS,		/* events of interrupts: were there any on top of it? */
	NEED_TASK,		/* nothing helps: it is beside what its task does */
	NEED_LUCK,		/* all is recorded, but not of this call: its wakeup was lost or came before the recording */
};

struct verdict {
	enum cause cause;
	enum cause_need need;		/* of CAUSE_UNKNOWN */
	bool compared;			/* with the typical call; false: it is no slower than that */
	uint64_t typical, excess;	/* of all its calls; what this one took longer than that; 0: not longer */
	uint64_t ns;			/* how much of that the cause explains: more than the typical call has of it */
	const struct cause_fact *fact;	/* of what the call has, that which weighs most; NULL: there is none */
	uint32_t index;			/* of CAUSE_MORE, _CALLEE and _OWN: whose, into the call's nodes */
	uint64_t count, usual;		/* of CAUSE_MORE: how often it was called */
};

/* What @causes, which have seen all, say of one of their calls. 0 or -ENOMEM. */
int verdict_of(const struct causes *causes, const struct cause_call *call, struct verdict *out);

/* The same of all calls that are kept, in their order. 0 and *@out, which the caller frees; or -ENOMEM. */
int verdicts_new(const struct causes *causes, struct verdict **out);

/* "blocked", "more calls" … */
const char *cause_word(enum cause cause);

#endif
