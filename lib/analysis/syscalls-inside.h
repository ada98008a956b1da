/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines what lib/analysis/syscalls.c, syscalls-lives.c and syscalls-files.c share. Only these files use this header. The consumer is the code that gets the
 * system calls through the callbacks of struct syscalls_ops.
 */
#ifndef RINGSIDE_SYSCALLS_INSIDE_H
#define RINGSIDE_SYSCALLS_INSIDE_H

#include "lib/analysis/doubts.h"
#include "lib/analysis/losses.h"
#include "lib/analysis/reuse.h"
#include "lib/analysis/syscall-match.h"
#include "lib/analysis/syscalls-deeds.h"
#include "lib/analysis/syscalls.h"
#include "lib/analysis/tasks.h"
#include "lib/event/values.h"

/*
 * These are the kinds of events. OTHER is for events that are not used here. The kinds after EXEC are for signals and for the births and ends of
 * tasks.
 */
enum kind { OTHER, ENTER, EXIT, NAME, EXEC, SENT, DELIVERED, BIRTH, END };

/* At most this many fields of an event are in kind_of.told. */
enum { TOLD = 5 };

/* This tells what an event means. */
struct kind_of {
	uint8_t kind;
	uint8_t teller;			/* for ENTER and EXIT: enum syscall_teller */
	struct field number;		/* for ENTER and EXIT: the field with the call's number */
	struct field more;		/* for ENTER: the field with the arguments; for EXIT: the field with the result */
	const struct value_field *uptr; /* for NAME: the field with the address of the string in the field .name */
	const struct value_field *name; /* for NAME: the field with the string; for EXEC: the field with the name of the program's file */
	/* For EXEC: the field old_pid. For the kinds after EXEC: the fields in the order of life_events in syscalls-lives.c. */
	struct field told[TOLD];
};

/* This is a task. */
struct task {
	struct syscall_open call;
	struct syscall_told open;  /* the call in which the task is: see syscall_enters() */
	struct syscall_told last;  /* the last call from which the task has returned: see syscall_enters() */
	struct life life;	   /* what is known of the task's signals and of its end */
	uint64_t doubts;	   /* what doubts_mark() (lib/analysis/doubts.h) returned when .call began */
	bool every_entry;	   /* a raw_syscalls:sys_enter of this task was seen; this event happens at each system call */
	bool outside;		   /* the task has returned from its last call, and no event was lost since then */
	struct descriptors *files; /* the table of the task's descriptors; NULL: the task was not seen yet, or descriptors are not wanted */
	struct descriptors *place; /* the table of the task's working directory and root directory; NULL means the same as for .files */
	bool told;		   /* it is known which other tasks share .files and .place */
	bool awaited;		   /* the task was made with CLONE_FILES, so it shares .files with its parent; no record of the task has been seen yet */
};

/* This is an input: a file, or the running kernel. */
struct source {
	const struct input *input;
	struct trace *trace;
	struct kind_of *kinds; /* element i is for the event with the id i */
	struct deeds *deeds;   /* what the calls do to descriptors; NULL: descriptors are not wanted */
	int buffer;	       /* the buffer that had the first record of an event of system calls; -1: there was none yet */
};

struct syscall_reader {
	const struct syscalls_ops *ops;
	void *ctx;
	VEC(struct source) sources;
	struct tasks tasks; /* a struct task for each task */
	struct reuse reuse; /* tells when a pid belongs to another task */
	struct doubts *doubts;
	struct syscalls_facts facts;
	struct syscalls_wanted wanted; /* .from_exec becomes false with the first execve */
	bool births;		       /* a task_newtask has been seen, and no event was lost since then */
	struct losses losses;	       /* the losses of each buffer; .losing is about the buffer of the record that is being taken in */
	/*
	 * The previous record. Only its .file, .buffer and .flags are kept. If .flags has RECORD_GAP, events were lost after the previous record. This loss is
	 * handled when the next record comes.
	 */
	struct record last;
};

/* Returns the event's field of this name. If the event has no such field, field_get() returns false for the result. */
struct field syscalls_field(const struct event *event, const char *name);

/* Ends an open call whose exit is not recorded. Calls the consumer's cut() if the consumer was told of the call. Returns 0 or what cut() returned. */
int syscalls_cut(struct syscall_reader *reader, struct syscall_open *call);

/* Returns true if the CPU of this record is one of syscalls_wanted.cpus. */
static inline bool syscalls_chosen(const struct syscall_reader *reader, const struct record *rec)
{
	return cpuset_wants(reader->wanted.cpus, rec->cpu);
}

/*
 * These functions follow the descriptors of tasks, if the consumer wants to know them. They are called at these times:
 * - files_enter(): when a call begins, before enter() of the consumer is called.
 * - files_leave(): when a call ends, before leave() of the consumer is called.
 * - files_inherit(): at the execve with which ringside starts the command. files_inherit() takes in the descriptors that the command inherits.
 * - files_birth(): when a task has made another task. @flags are the flags of clone().
 * - files_end(): when a task ends.
 * - files_lost(): when events were lost.
 * A function that returns an int returns 0 or -ENOMEM.
 */
int files_enter(struct syscall_reader *reader, const struct record *rec, struct task *task);
int files_leave(struct syscall_reader *reader, const struct record *rec, struct task *task, uint64_t ns, int64_t result);
int files_inherit(struct syscall_reader *reader, struct task *task);
int files_birth(struct syscall_reader *reader, const struct task *parent, struct task *child, uint64_t flags);
void files_end(struct task *task);
void files_lost(struct syscall_reader *reader);

/*
 * Fills in @kind if @event is one of the events that lib/analysis/endings.h uses. If such an event lacks a field, @kind->kind becomes OTHER. For any other
 * event, @kind is not changed.
 */
void lives_fill(const struct event *event, struct kind_of *kind);

/* Returns true if the call is execve or execveat. */
static inline bool syscalls_is_exec(const struct syscall_open *call)
{
	return call->call && call->call->name[0] == 'e' && str_starts(call->call->name, "execve");
}

/*
 * lives_enter() takes in the entry of the task's call. lives_leave() takes in its exit. Both functions ignore all calls except exit, exit_group, execve and
 * execveat. These four calls tell the exit status, or why the other tasks of a process end. Both functions return 0 or -ENOMEM.
 */
int lives_enter(struct syscall_reader *reader, const struct record *rec, struct task *task);
int lives_leave(struct syscall_reader *reader, const struct record *rec, struct task *task);

/*
 * Notes that the process @pid has loaded a program by execve. @task was the thread group leader before execve. @old is the pid of the thread that called
 * execve. This thread is now the leader, and its pid is now @pid. Returns 0, -ENOMEM or what the consumer returned.
 */
int lives_execute(struct syscall_reader *reader, const struct record *rec, struct task *task, int old, int pid);

/* Reports the signals in task->life.held to the consumer. The task has ignored these signals during its call. Returns 0 or what the consumer returned. */
int lives_tell_held(struct syscall_reader *reader, struct task *task, uint64_t ns);

/*
 * Takes in @rec, the record of an event. lives_fill() has filled in @kind for this event. The event happened in @task, whose pid is @pid. Does nothing if the
 * consumer lacks one of the callbacks signal() and ended(). Returns 0, -ENOMEM or what the consumer returned.
 */
int lives_record(struct syscall_reader *reader, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *task, int pid);

#endif
