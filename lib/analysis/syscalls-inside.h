/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by lib/analysis/syscalls.c and syscalls-lives.c only. */
#ifndef RINGSIDE_SYSCALLS_INSIDE_H
#define RINGSIDE_SYSCALLS_INSIDE_H

#include "lib/analysis/syscalls.h"
#include "lib/analysis/tasks.h"
#include "lib/event/values.h"

enum kind { OTHER, RAW_ENTER, RAW_EXIT, NAMED_ENTER, NAMED_EXIT, NAME, EXEC, SENT, DELIVERED, BIRTH, END };

enum { TOLD = 5 };

/* What is needed of an event. */
struct kind_of {
	uint8_t kind;
	struct field number, more;	/* the arguments, or the result */
	const struct value_field *uptr, *name;
	struct field told[TOLD];	/* of signals and tasks: see life_events */
};

/* A task. */
struct task {
	struct syscall_open call;
	struct life life;
};

/* A file, or what happens now. */
struct source {
	const struct input *input;
	struct trace *trace;
	struct syscalls calls;
	struct kind_of *kinds;		/* by event id */
	bool raw;			/* an event of raw_syscalls has been seen */
};

struct syscall_reader {
	const struct syscalls_ops *ops;
	void *ctx;
	VEC(struct source) sources;
	struct tasks tasks;		/* of struct task */
	struct syscalls_facts facts;
	bool from_exec;			/* and no execve has been seen */
};

/* The event's field of that name; none that is found, when it has none. */
struct field syscalls_field(const struct event *event, const char *name);

/* The call ends without an exit that is known. As the consumer's callback. */
int syscalls_cut(struct syscall_reader *reader, struct syscall_open *call);

static inline bool syscalls_is(const struct syscall_open *call, const char *name)
{
	return call->call && strcmp(call->call->name, name) == 0;
}

/* Is it an event of the lives of tasks (endings.h), with all its fields? Else @kind stays as it is. */
void lives_fill(const struct event *event, struct kind_of *kind);

/* A call of exit or exit_group has begun: nothing else tells their status. 0 or -ENOMEM. */
int lives_note_exit(struct syscall_reader *reader, const struct record *rec, struct task *task);

/* Tells of the signals that came in the middle of the call that has ended. 0, or what the consumer returned. */
int lives_tell_held(struct syscall_reader *reader, struct task *task, uint64_t ns);

/* A record of such an event, in the course of @task, whose number is @pid. 0, -ENOMEM or what the consumer returned. */
int lives_record(struct syscall_reader *reader, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *task, int pid);

#endif
