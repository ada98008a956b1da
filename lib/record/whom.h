/* SPDX-License-Identifier: GPL-2.0 */
/* Which tasks are traced in a buffer: those of -F and -P, and none of ours. */
#ifndef RINGSIDE_WHOM_H
#define RINGSIDE_WHOM_H

#include "lib/record/arm.h"

/* Sets the lists of processes before anything is traced. @command: the pid of -F (0: none). 0 or -errno after a message. */
int arm_pids(const struct armed *armed, const struct record_spec *spec, pid_t command);

/*
 * With -g nobody's functions are traced before arm_release(), to be called when tracing is on, nor after arm_hold(), to be called before it is off; with -F
 * that is no matter. 0 or -errno after a message.
 */
int arm_release(const armedvec_t *armed, const struct record_spec *spec);
int arm_hold(const armedvec_t *armed, const struct record_spec *spec);

/* Keeps these threads and processes out of the trace, where the kernel has the means and it is needed. */
int arm_without(const armedvec_t *armed, const struct record_spec *spec, const pid_t *pids, size_t n);

/* Where only certain tasks are traced, we are not among them. */
bool arm_traces_us(const struct record_spec *spec);

#endif
