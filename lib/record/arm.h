/* SPDX-License-Identifier: GPL-2.0 */
/* Sets up the kernel to trace what was asked for. All settings are made through a session, which can put the old settings back (lib/tracefs/session.h). */
#ifndef RINGSIDE_ARM_H
#define RINGSIDE_ARM_H

#include "lib/record/recorder.h"
#include "lib/record/spec.h"
#include "lib/tracefs/session.h"

/*
 * Checks that this kernel has the tracers, events, functions, options and clocks that @spec names. Also checks that there is memory for the buffers. Stores
 * the names of the matching events in .found of each struct event_spec. Changes nothing in tracefs. Returns 0, or -errno after a message.
 */
int spec_check(struct record_spec *spec, const struct tracedir *top);

/* A buffer that is recorded. */
struct armed {
	const struct buffer_spec *spec;
	struct instance *inst; /* owned by the session */
	int gate;	       /* a descriptor of tracing_on, open for writing */
	uint32_t page_size;    /* the size of a sub-buffer in bytes */
	char *clock;	       /* the name of the buffer's clock */
};
typedef VEC(struct armed) armedvec_t;

/*
 * Chooses existing instances or makes new ones, and makes all settings in them except tracing_on. @command is the pid of the command of -F, or 0 when there
 * is none. *@said becomes a sentence for the user, which the caller frees. This sentence comes from session_top() or session_join() (lib/tracefs/session.h).
 * If there is no such sentence, *@said becomes NULL. Returns 0, or -errno after a message. *@out must be empty before the call. In either case, the caller
 * gives *@out to armed_fini().
 */
int arm(struct session *s, const struct record_spec *spec, pid_t command, armedvec_t *out, char **said);
void armed_fini(armedvec_t *v);

/*
 * Keeps the wake-ups of the thread @tid out of the trace. A wake-up of @tid causes events in other tasks, such as the idle task. arm_without() of
 * lib/record/whom.h does not keep these events out. If @tid reads the trace, each of these events would wake @tid again. The function sets filters for these
 * events, and joins them with the filters that the user asked for. It does nothing when @spec->self is true. Returns 0, or -errno after a message.
 */
int arm_without_waking(const armedvec_t *armed, const struct record_spec *spec, pid_t tid);

/*
 * Must be called after tracing was turned off. Waits until all events whose writing has begun are in the buffers. Without this call, a CPU may still be writing
 * an event, and a reader would not see this event. A task is not preempted while it writes into a ring buffer (ring_buffer_lock_reserve() in
 * kernel/trace/ring_buffer.c). So the function calls membarrier(2) with MEMBARRIER_CMD_GLOBAL, which waits until each CPU has left the non-preemptible section
 * in which it was. This takes some ms. If the kernel or a sandbox refuses membarrier(2), the function does not wait.
 */
void arm_writers_done(void);

#endif
