/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a trace clock. */
#ifndef RINGSIDE_TRACE_NOW_H
#define RINGSIDE_TRACE_NOW_H

#include "lib/base/base.h"

/*
 * Reads the clock of an instance from the instance's file per_cpu/cpuN/stats. @stats is a descriptor of this file. Whenever this file is read, the kernel reads
 * the instance's clock, and writes the time as seconds and microseconds. *@ts becomes this time in ns. Because the file has only whole microseconds, *@ts may
 * be up to 999 ns too early. For clocks that do not count nanoseconds, the file has no seconds and microseconds, and *@ts becomes 0. *@before and *@after
 * become the times of CLOCK_MONOTONIC just before and just after the file was read.
 */
void trace_now(int stats, uint64_t *before, uint64_t *ts, uint64_t *after);

/*
 * Reads any clock from the file that trace_now() reads, and sets *@time to a whole number in the clock's unit. For a clock that counts nanoseconds, the file
 * has only whole microseconds, so *@time becomes the middle of the microsecond, in ns. Returns false when the file does not tell the time.
 */
bool trace_now_raw(int stats, int64_t *time);

#endif
