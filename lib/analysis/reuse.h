/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells when a pid comes to belong to another task. The kernel gives the pids of ended tasks to new tasks. So an entry and an exit with the same pid can be of
 * different tasks, and then do not belong to one call.
 *
 * A task counts as ended after its sched_process_exit. More records of an ended task may follow. A task counts as ended and as gone after any of these records:
 *	- a sched_switch from the task in a state that means death
 *	- the task's sched_process_free
 *	- the task's sched_process_exec, if the task has taken the pid of its thread group's leader (the task's earlier pid then belongs to no task)
 * From each of the following records on, a pid counts as the pid of a new task:
 *	- the birth of a task with this pid: task_newtask, sched_process_fork or sched_wakeup_new
 *	- a system call, a sched_process_exec or a sched_process_exit with this pid, if the earlier task has ended
 *	- a sched_switch to this pid, if the earlier task is gone
 *	- a sched_switch from this pid in a state that does not mean death, if the earlier task is gone
 *	- the sched_process_exec of another task of the same thread group, if this pid is the pid of the group's leader (the other task has taken this pid)
 * As long as there is none of these records, the pid counts as the pid of the earlier task. At any time, a pid belongs to the same task in all buffers of a
 * file.
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

/* With one record, at most this many pids come to belong to other tasks. */
enum { REUSE_MOST = 2 };

/* This tells that .pid belongs to a new task from a record on. */
struct reuse_end {
	int pid;
	int old;     /* If the new task has got .pid by execve, this is the pid that the new task had before. Otherwise this is 0. */
	uint64_t ts; /* the record.ts of the record that told of the earlier task's end; 0: there was no such record */
	uint64_t ns; /* .ts as input_time() converts it */
};

/* This is what is known of a pid, and of the task that has the pid now (the present task). Only lib/analysis/reuse.c uses this. */
struct reuse_life {
	uint32_t number; /* grows with each new task that has the pid */
	uint8_t state;
	uint8_t births;	 /* bits for the kinds of events that have told of the birth of the present task */
	bool freed;	 /* sched_process_free has told that the present task is gone */
	bool unfreed;	 /* the sched_process_free of an earlier task with this pid may still come */
	uint64_t ts, ns; /* when the present task ended; 0: no record has told of its end */
};

/* This is what an event tells. Only lib/analysis/reuse.c and the inline functions below use this. */
struct reuse_kind {
	uint8_t kind; /* 0: the event tells nothing of the lives of tasks */
	bool syscall; /* the event is the entry or the exit of system calls; such an event changes nothing for a task that has not ended */
	/* .pid: the field with the pid of the task; .more: for sched_process_exec, the field with the pid that the task had before */
	struct field pid, more;
};

/* This is what is known of an input. Only lib/analysis/reuse.c and the inline functions below use this. */
struct reuse_input {
	const struct input *input;
	struct sched_events events;
	struct reuse_kind *kinds; /* element i is for the event with the id i */
	size_t nkinds;
	/*
	 * For each kind of event, 1 + the buffer of its first record, or 0 if there was no record yet. Records of this kind in other buffers are ignored.
	 * Switches and system calls have no number here, because their records are used in all buffers.
	 */
	uint16_t *tellers;
};

struct reuse {
	VEC(struct reuse_input) inputs;
	MAP(uint64_t, struct reuse_life) lives; /* a key is a file and a pid */
	size_t ended;				/* how many pids belong to tasks that have ended */
};

/* *@reuse must be all zero. Borrows @inputs. Returns 0 or -ENOMEM. The caller must call reuse_fini() even if reuse_init() fails. */
int reuse_init(struct reuse *reuse, const inputs_t *inputs);
void reuse_fini(struct reuse *reuse);

/* Does the work of reuse_take() for a record of an event that tells of the lives of tasks. Only reuse_take() calls this. */
int reuse_add(struct reuse *reuse, const struct record *rec, const struct common *common, struct reuse_end ends[REUSE_MOST]);

/*
 * Must be called for each record that has data, in the order of time. The call must come before the record is used for anything else. Fills in one element of
 * @ends for each pid that belongs to another task from this record on. Returns the number of these pids, or -ENOMEM.
 */
static inline int reuse_take(struct reuse *reuse, const struct record *rec, const struct common *common, struct reuse_end ends[REUSE_MOST])
{
	const struct reuse_input *in = &reuse->inputs.at[rec->file];

	return likely(common->id >= in->nkinds || !in->kinds[common->id].kind) ? 0 : reuse_add(reuse, rec, common, ends);
}

/* Returns true if this event is the entry or the exit of system calls. While reuse->ended is 0, the records of such events change nothing in @reuse. */
static inline bool reuse_is_syscall(const struct reuse *reuse, uint8_t file, uint16_t id)
{
	const struct reuse_input *in = &reuse->inputs.at[file];

	return id < in->nkinds && in->kinds[id].syscall;
}

/*
 * Returns a number for the task that has @pid in the file now. If the number is not the same at two records with this pid, the records are of different tasks.
 */
uint32_t reuse_life(const struct reuse *reuse, uint8_t file, int pid);

/* If the task that has @pid in the file has ended, fills in *@out and returns true. If it has not ended, or if nothing is known of it, returns false. */
bool reuse_is_over(const struct reuse *reuse, uint8_t file, int pid, struct reuse_end *out);

#endif
