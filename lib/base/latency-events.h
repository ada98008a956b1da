/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of `record --latency`, and how a report knows which return belongs to which call: all are in this group,
 * the return is named as the call with "_return" behind, and both have the stack pointer; at the return, on x86, without
 * the return address, which is off the stack by then.
 */
#ifndef RINGSIDE_LATENCY_EVENTS_H
#define RINGSIDE_LATENCY_EVENTS_H

#define LATENCY_GROUP "ringside_latency"
#define LATENCY_RETURN "_return"
#define LATENCY_SP "__sp"
#define LATENCY_SP_POPPED "__sp_popped"

#endif
