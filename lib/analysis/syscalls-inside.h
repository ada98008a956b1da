/* SPDX-License-Identifier: GPL-2.0 */
/* Defines what lib/analysis/syscalls.c, syscalls-lives.c and syscalls-files.c share. Only these use it. */
#ifndef RINGSIDE_SYSCALLS_INSIDE_H
#define RINGSIDE_SYSCALLS_INSIDE_H

#include "lib/analysis/syscall-match.h"
#include "lib/analysis/syscalls.h"
#include "lib/analysis/tasks.h"
#include "lib/event/values.h"

enum kind { OTHER, ENTER, EXIT, NAME, EXEC, SENT, DELIVERED, BIRTH, END };

enum { TOLD = 5 };

/* This tells what is known of an event. */
struct kind_of {
	uint8_t kind;
	uint8_t teller;		   /* of ENTER and EXIT: enum syscall_teller */
	struct field number, more; /* of ENTER and EXIT: .number is the call's number; .more has the arguments or the result */
	const struct value_field *uptr, *name;
	struct field told[TOLD]; /* of the events of signals and of lives of tasks: their fields, in the order of life_events; of EXEC: old_pid */
};

/* This is a task. */
struct task {
	struct syscall_open call;
	struct syscall_told open, last; /* the call in which it is, and the call that it left last: see syscall_enters() */
	struct life life;
	bool every_entry;		   /* an entry of its calls came from events that record the entries of all calls */
	bool outside;			   /* it has left its last call, and no event was lost since */
	struct descriptors *files, *place; /* its descriptors and its directory; NULL: not seen yet, or nobody wants to know */
	bool told;			   /* it is known with which tasks it shares them */
	bool awaited;			   /* it shares them, and has not been seen itself */
};

/* This is an input: a file, or what happens now. */
struct source {
	const struct input *input;
	struct trace *trace;
	struct syscalls calls;
	struct kind_of *kinds; /* by event id */
};

struct syscall_reader {
	const struct syscalls_ops *ops;
	void *ctx;
	VEC(struct source) sources;
	struct tasks tasks; /* of struct task */
	struct syscalls_facts facts;
	struct syscalls_wanted wanted; /* .from_exec becomes false with the first execve */
	bool births;		       /* a task_newtask has been seen, and no event was lost since */
};

/* Returns the event's field of this name. When there is none, field_get() of the result returns false. */
struct field syscalls_field(const struct event *event, const char *name);

/* Notes that the call has ended and that its exit is not known. Returns what the consumer's callback returns. */
int syscalls_cut(struct syscall_reader *reader, struct syscall_open *call);

/* Was the CPU of this record chosen? */
static inline bool syscalls_chosen(const struct syscall_reader *reader, const struct record *rec)
{
	return !reader->wanted.cpus || cpuset_has(reader->wanted.cpus, rec->cpu);
}

/*
 * These follow the descriptors of files, when the consumer wants to know them. files_enter() is called when a call begins and files_leave() when it
 * ends, each before the consumer is told. files_inherit() is called when a command begins with its first execve. files_birth() is called when a task
 * has made another one; @flags are those of clone(). files_end() is called when a task ends, and files_lost() when events were lost. Those that
 * return an int return 0 or -ENOMEM.
 */
int files_enter(struct syscall_reader *reader, const struct record *rec, struct task *task);
int files_leave(struct syscall_reader *reader, const struct record *rec, struct task *task, uint64_t ns, int64_t result);
int files_inherit(struct syscall_reader *reader, struct task *task);
int files_birth(struct syscall_reader *reader, const struct task *parent, struct task *child, uint64_t flags);
void files_end(struct task *task);
void files_lost(struct syscall_reader *reader);

/* Fills in @kind when @event is one of the events that lib/analysis/endings.h uses, and has all fields. Otherwise leaves @kind as it is. */
void lives_fill(const struct event *event, struct kind_of *kind);

static inline bool syscalls_is_exec(const struct syscall_open *call)
{
	return call->call && str_starts(call->call->name, "execve");
}

/*
 * lives_enter() takes in the beginning of the task's call, and lives_leave() its end. Only exit, exit_group and execve matter: only these calls tell the
 * exit status, or why the other tasks of a process end. They return 0 or -ENOMEM.
 */
int lives_enter(struct syscall_reader *reader, const struct record *rec, struct task *task);
int lives_leave(struct syscall_reader *reader, const struct record *rec, struct task *task);

/*
 * Notes that the process @pid has loaded a program. @task is its first task; the task @old has called execve, and is the first task from now on. Returns 0, -ENOMEM or what
 * the consumer returned.
 */
int lives_execute(struct syscall_reader *reader, const struct record *rec, struct task *task, int old, int pid);

/* Tells the consumer of the signals that came in the middle of the call that has ended. Returns 0 or what the consumer returned. */
int lives_tell_held(struct syscall_reader *reader, struct task *task, uint64_t ns);

/* Takes in a record of an event of lives_fill(), which happened in @task, whose number is @pid. Returns 0, -ENOMEM or what the consumer returned. */
int lives_record(struct syscall_reader *reader, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *task, int pid);

#endif
