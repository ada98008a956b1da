/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Asks agents on other machines for recordings, for `record -A`. An agent is a program that records when another machine asks for it (`ringside agent`,
 * `trace-cmd agent`). For each agent there is a process that receives the agent's recording (lib/record/receive.h). So when an agent goes away, only the
 * recording of this agent is cut short.
 */
#ifndef RINGSIDE_GUESTS_H
#define RINGSIDE_GUESTS_H

#include "lib/base/vec.h"
#include "lib/record/spec.h"
#include "lib/record/watch.h"
#include <time.h>

struct guest_spec {
	const char *where;    /* "HOST:PORT", or "CID:PORT" of a virtual machine */
	const char *output;   /* the name of the trace file of the agent's recording */
	bool proxy;	      /* this machine is a virtual machine, and the agent runs on its host */
	strv_t words;	      /* the options of `record` that the agent is to use */
	bool sync;	      /* true: the agent's clock is compared with a clock of this machine; the next two members are used only if .sync is true */
	clockid_t clock;      /* this machine's clock */
	uint64_t interval_ns; /* the time between two comparisons; 0: the clocks are compared only at the beginning and at the end */
};

struct guests;

/*
 * Asks the @n agents to record, and waits until all of them have begun. When an agent cannot record, the function calls guests_drop() and fails. @said is
 * called with sentences for the user, in the processes that receive the recordings. The calling process must have no other threads yet. Returns 0 or -errno
 * after a message. The caller calls guests_free() in any case.
 */
int guests_begin(struct guests **out, const struct guest_spec *specs, size_t n, void (*said)(void *ctx, const char *sentence), void *ctx);

/*
 * guests_end() tells all agents to end. guests_drop() tells all agents to end, and throws their recordings away. After guests_drop(), no files are made, and
 * existing files stay. Only the first call of guests_end() or guests_drop() has an effect. guests_join() does what guests_end() does, and waits until all
 * agents have ended. It returns 0, or -EIO if an agent has failed (after a message) or if the recordings were thrown away.
 */
void guests_end(struct guests *g);
void guests_drop(struct guests *g);
int guests_join(struct guests *g);
void guests_free(struct guests *g);

/*
 * guests_attend() is called when nothing is recorded on this machine itself. Runs the command of @spec, if there is one. Waits until the command has ended, a
 * signal has come, or the duration of @spec is over. When there is no command, the wait also ends when all agents have ended (END_PIDS). *@end says why the
 * wait has ended. If a signal has ended the wait, the command gets SIGTERM. If there is a command, *@status becomes one of these:
 *  - If the command has ended: the exit status that a shell would give for it.
 *  - If the command has not ended, and a signal has ended the wait: 128 + SIGTERM.
 *  - Otherwise: 0.
 * Returns 0, or -errno after a message. When the command cannot be started, guests_drop() is called.
 */
int guests_attend(struct guests *g, const struct record_spec *spec, int *status, enum watch_end *end);

#endif
