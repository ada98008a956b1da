/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the time that calls in a guest lost while the guest's virtual CPU was not running on a CPU of the host. Only a recording of the host shows this time.
 * Both functions add this time to the facts of the call (FACT_HELD, FACT_HELD_WAIT and FACT_HALTED of lib/analysis/causes.h). Both return 0 or -ENOMEM. Only
 * lib/analysis uses this header.
 */
#ifndef RINGSIDE_CAUSE_HELD_H
#define RINGSIDE_CAUSE_HELD_H

#include "lib/analysis/causes.h"

/*
 * The call's task is running on @cpu of the guest. Looks for lost time up to @now. The search begins at the time when the task came to @cpu. If the call began
 * later, the search begins when the call began. Must be called when the task leaves @cpu, before meanwhile_switched() (lib/analysis/meanwhile.h) is called for
 * that switch. Must also be called when the call ends while its task is on @cpu.
 */
int cause_held_running(struct causes *causes, struct cause_call *call, uint16_t cpu, uint64_t now);

/* Looks for lost time from @from to @to. From @from to @to, the call's task waited for @cpu of the guest, or for a wakeup by a task or interrupt on @cpu. */
int cause_held_waiting(struct causes *causes, struct cause_call *call, uint16_t cpu, uint64_t from, uint64_t to);

#endif
