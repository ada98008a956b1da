/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells to which event a stack belongs. The kernel writes an event into the buffer of a CPU, and then the event's stack into the same buffer. Both have the
 * same context (enum call_irq). If an interrupt comes between the two, the interrupt's events and their stacks are between the event and its stack. So a stack
 * belongs to the last event that has the same context. But this holds only if no loss and no record of an outer context has come since that event. A record of
 * an outer context shows that the interrupt is over.
 */
#ifndef RINGSIDE_STACK_OWNER_H
#define RINGSIDE_STACK_OWNER_H

#include "lib/analysis/call-source.h"
#include "lib/event/trace.h"

/*
 * To learn to which event a stack belongs, a caller keeps the last event of each context in an array. The index into the array is an enum call_irq.
 */
enum { STACK_LEVELS = CALL_IN_NMI + 1 };

/* This is kept for each CPU of a buffer. A struct that is all zero has seen no event yet. */
struct stack_owners {
	uint8_t waiting; /* bit i is set: the stack of the last event of the context i may still come */
};

/* Returns the context of a record that has data. */
static inline enum call_irq stack_level(const struct trace *trace, const struct record *rec)
{
	const struct common common = record_common(trace, rec);

	return call_context_of(common_context(&common));
}

/* Notes that a record of an event with this context has come. Its stack may follow. */
static inline void stack_owner_begin(struct stack_owners *owners, enum call_irq level)
{
	owners->waiting = (uint8_t)((owners->waiting & ((1U << level) - 1)) | 1U << level);
}

/* Notes that events were lost. The stacks of all earlier events may be among the lost events. */
static inline void stack_owner_lost(struct stack_owners *owners)
{
	owners->waiting = 0;
}

/*
 * Takes in a record that has data. @level is the record's context, and @event is its event, or NULL if this event is not known. Returns an index into the array
 * that the caller keeps for the last events:
 * - If the record is not a stack, returns the record's own index, which is @level.
 * - If the record is a stack, returns the index of the event to which the stack belongs, or -1 if that event is not known.
 * An event can have several stacks: one of the kernel, and one of the program.
 */
static inline int stack_owner_at(struct stack_owners *owners, enum call_irq level, const struct event *event, const struct record *rec)
{
	if (unlikely(rec->flags & RECORD_LOST))
		stack_owner_lost(owners);
	if (likely(!event || event->kind != EVENT_STACK)) {
		stack_owner_begin(owners, level);
		return (int)level;
	}
	owners->waiting = (uint8_t)(owners->waiting & ((2U << level) - 1));
	return owners->waiting >> level & 1 ? (int)level : -1;
}

/* Does what stack_owner_at() does, for a caller that does not know the context of the record. */
static inline int stack_owner(struct stack_owners *owners, const struct trace *trace, const struct event *event, const struct record *rec)
{
	return stack_owner_at(owners, stack_level(trace, rec), event, rec);
}

#endif
