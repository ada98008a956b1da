/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a trace clock. */
#ifndef RINGSIDE_TRACE_NOW_H
#define RINGSIDE_TRACE_NOW_H

#include "lib/base/base.h"

/*
 * Reads the clock of an instance from its file per_cpu/cpuN/stats, which is open at @stats. Whenever this file is read, the kernel reads the
 * instance's clock, and writes the time as seconds and microseconds. *@ts becomes this time in ns; it may be up to 999 ns too early. *@ts becomes 0
 * when the file does not have seconds and microseconds, as with clocks that do not count nanoseconds. *@before and *@after become the times of
 * CLOCK_MONOTONIC just before and just after the file was read.
 */
void trace_now(int stats, uint64_t *before, uint64_t *ts, uint64_t *after);

/*
 * Reads any clock in the same way, and sets *@time to a whole number in the clock's unit. Of a clock that counts nanoseconds, the file tells only the
 * microsecond, and *@time becomes the middle of this microsecond, in ns. Returns false when the file does not tell the time.
 */
bool trace_now_raw(int stats, int64_t *time);

#endif
