/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells why a call was slow. For this, the functions here compare the call with the typical call. The times of the typical call are the medians over all calls
 * of the function. From each part of the call's time, the same part of the typical call is subtracted. The verdict names the part with the largest difference.
 * If the call is not clearly slower than the typical call, verdict.compared is false. The verdict then names the largest part of the call's time. If the
 * recording does not tell why the call was slow, the cause is CAUSE_UNKNOWN. In this case, verdict.need says what would have to be recorded.
 */
#ifndef RINGSIDE_VERDICT_H
#define RINGSIDE_VERDICT_H

#include "lib/analysis/causes.h"

/*
 * CAUSE_MORE: a function was called more often than in the typical call. CAUSE_CALLEE: a direct or indirect callee took longer than in the typical call.
 * CAUSE_OWN: a function's own code took the time. CAUSE_HELD: during the call, the thread of a virtual CPU waited for a CPU of the host (FACT_HELD and
 * FACT_HELD_WAIT in lib/analysis/causes.h).
 */
enum cause { CAUSE_BLOCKED, CAUSE_QUEUED, CAUSE_PREEMPTED, CAUSE_IRQ, CAUSE_MORE, CAUSE_CALLEE, CAUSE_OWN, CAUSE_HELD, CAUSE_UNKNOWN, CAUSES };

/* This tells what is missing in the recording. It is used if the cause is unknown, or if it is not known which task had the CPU (NEED_OTHERS). */
enum cause_need {
	NEED_NOTHING,
	NEED_SWITCH, /* sched_switch, which tells whether the call was off the CPU */
	NEED_CLOCK,  /* a clock whose ticks have a known length */
	NEED_FILTER, /* the records of sched_switch that a filter, --func or --min-duration leaves out */
	NEED_WHOLE,  /* all switches of the call's task, some of which are not recorded (lib/analysis/whole.h) */
	NEED_WAKING, /* sched_waking, which tells whether the call slept or waited for a CPU */
	NEED_HIDDEN, /* the records of interrupts that -I or -S leaves out */
	NEED_IRQS,   /* events of interrupts, which tell whether the call was interrupted */
	NEED_OTHERS, /* sched_switch of all tasks, which tells which task had the CPU while this task waited for the CPU */
	/* No recording would help. The task does other things during the call (CALL_BESIDE and CALL_ASYNC), so the task's events do not explain the call. */
	NEED_TASK,
	NEED_LUCK, /* the event of the wakeup, which was lost or came before the recording began; no option of the recording would help */
};

struct verdict {
	enum cause cause;
	enum cause_need need; /* used with CAUSE_UNKNOWN; NEED_OTHERS is also used with CAUSE_QUEUED and CAUSE_PREEMPTED */
	/* true: .excess is at least a fifth of the call's time, and the verdict compares the call with the typical call */
	bool compared;
	uint64_t typical; /* the median of the times of all calls, ns */
	uint64_t excess;  /* how much longer than .typical this call took, ns; 0: the call did not take longer */
	/* In ns. If .compared is true: how much of .excess the cause explains. If .compared is false: how long the cause took in this call. */
	uint64_t ns;
	/* The most important fact for this cause. NULL: there is no fact. */
	const struct cause_fact *fact;
	uint32_t index; /* for CAUSE_MORE, CAUSE_CALLEE and CAUSE_OWN: the function, as an index into cause_call.nodes */
	uint64_t count; /* for CAUSE_MORE: how often the function .index was called in this call */
	uint64_t usual; /* for CAUSE_MORE: how often the function .index is called in the typical call */
};

/* Sets *@out to the verdict on @call, a call of @causes. Must be called after the last record. Returns 0 or -ENOMEM. */
int verdict_of(const struct causes *causes, const struct cause_call *call, struct verdict *out);

/*
 * Returns true if the call was faster than the typical call by more than 1 %. A smaller difference may be an error of the median
 * (lib/analysis/quantiles.h). The verdict on a faster call only names the largest part of the call's time.
 */
static inline bool verdict_is_faster(const struct verdict *verdict, const struct cause_call *call)
{
	return call->total < verdict->typical && verdict->typical - call->total > verdict->typical / 100;
}

/*
 * Makes the verdicts on all calls of causes->kept. *@out becomes an array of the verdicts, in the order of the calls. The caller frees the array.
 * Returns 0 or -ENOMEM.
 */
int verdicts_new(const struct causes *causes, struct verdict **out);

/* Returns the word for a cause: "blocked", "more calls" and so on. */
const char *cause_word(enum cause cause);

#endif
