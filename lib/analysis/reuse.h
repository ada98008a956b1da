/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells when a pid comes to belong to another task: the kernel gives the pids of ended tasks to new ones. An entry and an exit with the same pid are the
 * two ends of one call only if both are of one task. A pid counts as that of a new task from any of these records on:
 *	- the birth of a task with this pid: task_newtask, sched_process_fork or sched_wakeup_new
 *	- a sched_switch or a system call with this pid, if the last recorded sched_switch from this pid had a state that means death
 *	- a system call, a sched_process_exec or a second sched_process_exit with this pid after its sched_process_exit
 *	- a system call or a sched_switch with this pid after its sched_process_free
 *	- sched_process_exec, if the task that calls execve takes the pid of the first task of its process
 * Nothing is guessed: if none of these was recorded, the pid counts as that of the same task. The records of a task after its sched_process_exit and up to
 * its last sched_switch are its own. A pid is known in all buffers of a file.
 *	struct reuse reuse = { 0 };
 *	struct reuse_end ends[REUSE_MOST];
 *
 *	err = reuse_init(&reuse, inputs);
 *	n = reuse_take(&reuse, rec, &common, ends);
 */
#ifndef RINGSIDE_REUSE_H
#define RINGSIDE_REUSE_H

#include "lib/analysis/scheduling.h"
#include "lib/base/map.h"

/* A record shows at most this many new tasks. */
enum { REUSE_MOST = 2 };

/* The record at hand shows that @pid now belongs to another task. This tells when the earlier task ended. */
struct reuse_end {
	int pid;
	int old;     /* the new task has got @pid by execve, and had this pid before; 0: it has not */
	uint64_t ts; /* the time of the record that told of the end, in raw units; 0: no record did */
	uint64_t ns; /* .ts as input_time() converts it */
};

/* These are the lives of the tasks that have had a pid. Only lib/analysis/reuse.c uses this. */
struct reuse_life {
	uint32_t number; /* grows with each new task */
	uint8_t state;
	uint8_t births;	 /* which kinds of events have told of the birth of the present task, as bits */
	bool freed;	 /* sched_process_free has told that the present task is gone */
	bool unfreed;	 /* the sched_process_free of an earlier task may still come */
	uint64_t ts, ns; /* when the present task ended; 0: it has not, as far as is known */
};

/* This is what an event tells. Only lib/analysis/reuse.c and the inline functions below use this. */
struct reuse_kind {
	uint8_t kind;		/* 0: the event tells nothing of the lives of tasks */
	bool syscall;		/* it is the entry or the exit of system calls, which matters only for tasks that have ended */
	struct field pid, more; /* the field with the pid of the task; for sched_process_exec, .more has the pid that it had before */
};

/* This is for an input. Only lib/analysis/reuse.c and the inline functions below use this. */
struct reuse_input {
	const struct input *input;
	struct sched_events events;
	struct reuse_kind *kinds; /* element i is for the event with the id i */
	size_t nkinds;
	uint16_t *tellers; /* for each kind of event: 1 + the buffer of its first record; its records in other buffers do not count; 0: none yet */
};

struct reuse {
	VEC(struct reuse_input) inputs;
	MAP(uint64_t, struct reuse_life) lives; /* a key is a file and a pid */
	size_t ended;				/* how many pids belong to tasks that have ended */
};

/* *@reuse must be all zero. Borrows @inputs. The caller must call reuse_fini() even if this fails. Returns 0 or -ENOMEM. */
int reuse_init(struct reuse *reuse, const inputs_t *inputs);
void reuse_fini(struct reuse *reuse);

/* Does what reuse_take() does, for an event that tells of the lives of tasks. Only reuse_take() calls this. */
int reuse_add(struct reuse *reuse, const struct record *rec, const struct common *common, struct reuse_end ends[REUSE_MOST]);

/*
 * Must be called for each record that has data, in the order of time, before anything else of the record is used. Fills in @ends for the pids that belong to
 * another task from this record on. Returns how many they are, or -ENOMEM.
 */
static inline int reuse_take(struct reuse *reuse, const struct record *rec, const struct common *common, struct reuse_end ends[REUSE_MOST])
{
	const struct reuse_input *in = &reuse->inputs.at[rec->file];

	return likely(common->id >= in->nkinds || !in->kinds[common->id].kind) ? 0 : reuse_add(reuse, rec, common, ends);
}

/* Is this the entry or the exit of system calls? Such a record changes nothing here while .ended is 0. */
static inline bool reuse_is_syscall(const struct reuse *reuse, uint8_t file, uint16_t id)
{
	const struct reuse_input *in = &reuse->inputs.at[file];

	return id < in->nkinds && in->kinds[id].syscall;
}

/* Returns a number of the task that has @pid in the file now. It is the same for two records of a pid only if both are of one task, as far as is known. */
uint32_t reuse_life(const struct reuse *reuse, uint8_t file, int pid);

#endif
