/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the names of the probe events that `record --latency` makes. By these names, a report finds the return that belongs to a call. All probe events of
 * --latency are in the group LATENCY_GROUP. The event at the return of a function has the name of the event at its entry, followed by LATENCY_RETURN. Both
 * events record the stack pointer in a field. The name of this field is:
 *  - LATENCY_SP at the entry;
 *  - LATENCY_SP_POPPED at the return on x86, where the return instruction has already popped the return address;
 *  - LATENCY_SP at the return on other machines.
 */
#ifndef RINGSIDE_LATENCY_EVENTS_H
#define RINGSIDE_LATENCY_EVENTS_H

#define LATENCY_GROUP "ringside_latency"
#define LATENCY_RETURN "_return"
#define LATENCY_SP "__sp"
#define LATENCY_SP_POPPED "__sp_popped"

#endif
