/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by lib/analysis/syscalls.c, syscalls-lives.c and syscalls-files.c only. */
#ifndef RINGSIDE_SYSCALLS_INSIDE_H
#define RINGSIDE_SYSCALLS_INSIDE_H

#include "lib/analysis/syscall-match.h"
#include "lib/analysis/syscalls.h"
#include "lib/analysis/tasks.h"
#include "lib/event/values.h"

enum kind { OTHER, ENTER, EXIT, NAME, EXEC, SENT, DELIVERED, BIRTH, END };

enum { TOLD = 5 };

/* What is needed of an event. */
struct kind_of {
	uint8_t kind;
	uint8_t teller;		/* of ENTER and EXIT: enum syscall_teller */
	struct field number, more;	/* the arguments, or the result */
	const struct value_field *uptr, *name;
	struct field told[TOLD];	/* of signals and tasks: see life_events */
};

/* A task. */
struct task {
	struct syscall_open call;
	struct syscall_told open, last;	/* it, as long as it is open; the one before */
	struct life life;
	struct descriptors *files, *place;	/* NULL: not seen yet, or nobody wants to know */
	bool told;		/* whom it shares them with is known */
	bool awaited;		/* it shares them, and has not been seen */
};

/* A file, or what happens now. */
struct source {
	const struct input *input;
	struct trace *trace;
	struct syscalls calls;
	struct kind_of *kinds;		/* by event id */
};

struct syscall_reader {
	const struct syscalls_ops *ops;
	void *ctx;
	VEC(struct source) sources;
	struct tasks tasks;		/* of struct task */
	struct syscalls_facts facts;
	struct syscalls_wanted wanted;	/* .from_exec: and no execve has been seen */
	bool births;			/* the birth of a task has been seen, and nothing was lost since */
};

/* The event's field of that name; none that is found, when it has none. */
struct field syscalls_field(const struct event *event, const char *name);

/* The call ends without an exit that is known. As the consumer's callback. */
int syscalls_cut(struct syscall_reader *reader, struct syscall_open *call);

static inline bool syscalls_is(const struct syscall_open *call, const char *name)
{
	return call->call && strcmp(call->call->name, name) == 0;
}

/*
 * Descriptors of files, where the consumer wants to know them. A call begins, before the consumer is told; it ends, likewise, and has changed
 * something; a command begins with its first execve; a task has made another one, with these flags; a task ends; events were lost. 0 or -ENOMEM.
 */
int files_enter(struct syscall_reader *reader, const struct record *rec, struct task *task);
int files_leave(struct syscall_reader *reader, const struct record *rec, struct task *task, uint64_t ns, int64_t result);
int files_inherit(struct syscall_reader *reader, struct task *task);
int files_birth(struct syscall_reader *reader, const struct task *parent, struct task *child, uint64_t flags);
void files_end(struct task *task);
void files_lost(struct syscall_reader *reader);

/* Is it an event of the lives of tasks (endings.h), with all its fields? Else @kind stays as it is. */
void lives_fill(const struct event *event, struct kind_of *kind);

/* A call of exit or exit_group has begun: nothing else tells their status. 0 or -ENOMEM. */
int lives_note_exit(struct syscall_reader *reader, const struct record *rec, struct task *task);

/* Tells of the signals that came in the middle of the call that has ended. 0, or what the consumer returned. */
int lives_tell_held(struct syscall_reader *reader, struct task *task, uint64_t ns);

/* A record of such an event, in the course of @task, whose number is @pid. 0, -ENOMEM or what the consumer returned. */
int lives_record(struct syscall_reader *reader, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *task, int pid);

#endif
