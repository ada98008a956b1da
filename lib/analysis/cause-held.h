/* SPDX-License-Identifier: GPL-2.0 */
/* What a call in a guest took because the guest's CPU was off its host's CPU: the guest itself cannot know. Used by causes*.c alone. */
#ifndef RINGSIDE_CAUSE_HELD_H
#define RINGSIDE_CAUSE_HELD_H

#include "lib/analysis/causes.h"

/* When its task, the person, leaves this CPU, or the call ends there, at @now: while it was there last. Before meanwhile_switched() is told. Returns 0 or -ENOMEM. */
int cause_held_running(struct causes *causes, struct cause_call *call, uint16_t cpu, uint64_t now);

/* Of a time that its task was off this CPU of its own machine, and could have come back, or been woken there. */
int cause_held_waiting(struct causes *causes, struct cause_call *call, uint16_t cpu, uint64_t from, uint64_t to);

#endif
