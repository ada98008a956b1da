/* SPDX-License-Identifier: GPL-2.0 */
/* Sets which tasks are traced in a buffer. With -F or -P only the chosen tasks are traced. Our own tasks are kept out of the trace. */
#ifndef RINGSIDE_WHOM_H
#define RINGSIDE_WHOM_H

#include "lib/record/arm.h"

/*
 * Sets the lists of processes (set_ftrace_pid, set_event_pid) of the buffer @armed, before anything is traced. @command is the pid of the process that will
 * execute the traced command, or 0 when there is no command. Returns 0 or -errno after a message.
 */
int arm_pids(const struct armed *armed, const struct record_spec *spec, pid_t command);

/*
 * These functions are for buffers with -g and a tracer. The kernel marks a task that enters a function of -g, even while tracing is off. Once tracing is on,
 * the kernel would record all calls of a marked task. So while tracing is off, set_ftrace_pid has only a process that calls no function. arm_pids() puts this
 * process there at the beginning. arm_release() is called after tracing was turned on, and lets the chosen tasks be traced. arm_hold() is called before
 * tracing is turned off, and puts a process that calls no function into set_ftrace_pid again. Both functions do nothing in these cases:
 *  - -F or -K was given.
 *  - The command is `ringside set`.
 *  - set_ftrace_pid cannot be written.
 * In addition, arm_hold() does nothing when -P was given. Both functions return 0, or -errno after a message.
 */
int arm_release(const armedvec_t *armed, const struct record_spec *spec);
int arm_hold(const armedvec_t *armed, const struct record_spec *spec);

/*
 * Keeps the @n threads and processes @pids out of the trace. Does nothing in these cases:
 * - arm_traces_us() is false.
 * - process_in_container() (lib/tracefs/process.h) is true.
 * - The kernel has no lists of tasks to leave out (set_ftrace_notrace_pid, set_event_notrace_pid).
 * Returns 0, or -errno after a message.
 */
int arm_without(const armedvec_t *armed, const struct record_spec *spec, const pid_t *pids, size_t n);

/*
 * Returns true if our own tasks must be kept out of the trace. Returns false when only certain
 * tasks are traced, and with --self.
 */
bool arm_traces_us(const struct record_spec *spec);

#endif
