/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the names of the probe events that `record --latency` makes, by which a report knows which return belongs to which call. All
 * these events are in the group LATENCY_GROUP. The event of a return has the name of the call's event followed by LATENCY_RETURN. Both
 * events record the stack pointer in a field. At the call this field is LATENCY_SP. At the return it is LATENCY_SP_POPPED on x86, where the
 * return address has been taken off the stack by then, and LATENCY_SP elsewhere.
 */
#ifndef RINGSIDE_LATENCY_EVENTS_H
#define RINGSIDE_LATENCY_EVENTS_H

#define LATENCY_GROUP "ringside_latency"
#define LATENCY_RETURN "_return"
#define LATENCY_SP "__sp"
#define LATENCY_SP_POPPED "__sp_popped"

#endif
