/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Puts system calls together from their entries and exits (lib/analysis/syscall-match.h), and passes the calls to a consumer (struct syscalls_ops). Names of
 * files come from a probe (SYSCALLS_PROBE). The probe's record lies between the entry and the exit of a call. If a recording also has the events of signals,
 * and of the births and ends of tasks, the callbacks signal() and ended() tell the consumer which signals tasks take, and how tasks end
 * (lib/analysis/endings.h). Nothing in here prints.
 */
#ifndef RINGSIDE_ANALYSIS_SYSCALLS_H
#define RINGSIDE_ANALYSIS_SYSCALLS_H

#include "lib/analysis/descriptors.h"
#include "lib/analysis/endings.h"
#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/event/syscalls.h"

enum { SYSCALL_ARGS = 6 };

/*
 * This is a system call of a task. If .open is true, the task has entered the call and has not left it yet. If .open is false, this is the call that the task
 * left last. The structure is never moved.
 */
struct syscall_open {
	bool open;
	bool cut;	/* events of the task may have been lost during the call, so the next exit may belong to another call */
	bool has_entry; /* false: only the exit is recorded */
	bool refused;	/* The call failed and had no entry, although no event was lost. For example, a seccomp filter has refused the call. */
	bool shown;	/* only the consumer uses this member */
	bool chosen;	/* the call began on one of syscalls_wanted.cpus; enter(), leave(), cut() and renumbered() are called only for such calls */
	uint16_t cpu;	/* the CPU on which the call began; if its entry is not recorded, the CPU on which it ended */
	uint8_t file;
	uint16_t buffer;
	int pid;
	const struct input *input;
	uint64_t number;
	const struct syscall *call; /* NULL: the number has no name */
	unsigned int nargs;
	uint64_t args[SYSCALL_ARGS];
	char *strings[SYSCALL_ARGS];	 /* for each argument that points to a string, the string; NULL: not known */
	uint64_t ns;			 /* when the task entered the call, as input_time() converts times */
	const struct descriptors *files; /* the descriptors of the task; NULL: not wanted */
	const struct descriptors *place; /* the working and root directories of the task (lib/analysis/descriptors.h); NULL: not wanted */
	/* the time at which the call returned a new descriptor; 0: the call has returned no new descriptor, or descriptors are not wanted */
	uint64_t made_ns;
};

/* Returns true if this is the system call with the name @name. */
static inline bool syscall_is(const struct syscall_open *call, const char *name)
{
	/* Most names differ in the first letter. So strcmp() is rarely called. */
	return call->call && call->call->name[0] == name[0] && strcmp(call->call->name, name) == 0;
}

/*
 * These are the callbacks of a consumer. They are called in the order of time. Each callback returns 0 or -errno. After -errno, no more records are taken in.
 * enter() and leave() must not be NULL. All other callbacks may be NULL.
 *
 * If syscalls_wanted.cpus is not NULL, enter(), leave(), cut() and renumbered() are called only for calls that began on these CPUs. lost() and
 * ended() are called for all CPUs. For signal() there are two cases:
 * - A signal that a task ignores during a call is reported when the call ends (life.held in lib/analysis/endings.h). It is reported only if the call
 *   began on one of these CPUs.
 * - Any other signal is reported only if it was recorded on one of these CPUs.
 */
struct syscalls_ops {
	/* A task has entered the call. */
	int (*enter)(void *ctx, struct syscall_open *call);
	/*
	 * The call ended at @ns. @took is how long it lasted, in the units of @ns. @took is SYSCALL_UNKNOWN in each of these cases:
	 * - the call's entry is not known;
	 * - events of the task may have been lost during the call;
	 * - the exit has an earlier time than the entry.
	 */
	int (*leave)(void *ctx, struct syscall_open *call, uint64_t ns, int64_t result, uint64_t took);
	/* The exit of the call is not recorded: it was lost, or the recording or the task ended during the call. */
	int (*cut)(void *ctx, struct syscall_open *call);
	/* Events were lost on @cpu. @lost is the kernel's count, or LOST_UNKNOWN. */
	int (*lost)(void *ctx, uint16_t cpu, int64_t lost);
	/*
	 * The thread in this open call has called execve, and so becomes its thread group's leader. After this callback, call->pid becomes the pid of the
	 * leader.
	 */
	int (*renumbered)(void *ctx, struct syscall_open *call);
	/*
	 * signal() tells that a task takes a signal. ended() tells that a task has ended. Both are called only if the recording has the events of
	 * lib/analysis/endings.h, and if neither signal() nor ended() is NULL.
	 */
	int (*signal)(void *ctx, const struct input *input, const struct signal_taken *signal, uint64_t ns);
	/* @chosen is true if the end was recorded on one of syscalls_wanted.cpus. */
	int (*ended)(void *ctx, const struct input *input, int pid, struct ending ending, uint64_t ns, bool chosen);
};
#define SYSCALL_UNKNOWN UINT64_MAX

/*
 * The names of the probe's events begin with this. Each of these events has two fields. "path" is a string. "uptr" is the address of this string in
 * the program.
 */
#define SYSCALLS_PROBE "getname"

struct syscalls_facts {
	uint64_t lost;	/* how many lost events the kernel counted */
	bool lost_more; /* for at least one loss, the kernel did not count how many events were lost */
	bool strings;	/* the recording has names of files */
	bool programs;	/* the recording tells which programs were loaded */
	bool any;	/* the recording describes events of system calls */
	bool seen;	/* there were records of events of system calls on the chosen CPUs */
	/*
	 * The path of the first input in which several buffers have records of events of system calls. NULL: there is no such input. Each buffer has calls of
	 * its own.
	 */
	const char *several;
};

struct syscall_reader;

/* This tells what the consumer wants. */
struct syscalls_wanted {
	bool from_exec;		   /* leave out what tasks do before the first execve, with which ringside starts the command */
	bool holes;		   /* some records of tasks are left out, so a missing entry does not show that a call was refused */
	const struct cpuset *cpus; /* the chosen CPUs; NULL: all CPUs. syscall_reader_record() must get the records of all CPUs in any case. */
	bool descriptors;	   /* fill in syscall_open.files and .place */
	/* For live records: this looks up what descriptors refer to. NULL: descriptors are not looked up. */
	const struct descriptor_source *source;
};

/* Borrows @inputs, @ops, wanted.cpus and wanted.source. Returns 0 or -ENOMEM. */
int syscall_reader_new(struct syscall_reader **out, const inputs_t *inputs, const struct syscalls_ops *ops, void *ctx, struct syscalls_wanted wanted);
void syscall_reader_free(struct syscall_reader *reader);

/*
 * syscall_reader_record() takes in the next record in the order of time. syscall_reader_end() must be called after the last record. Both functions return 0
 * or -errno.
 */
int syscall_reader_record(struct syscall_reader *reader, const struct record *rec);
int syscall_reader_end(struct syscall_reader *reader);

/* Returns the call in which the record's task is. Returns NULL when the task is in no call, when its call is not known, or when memory runs out. */
const struct syscall_open *syscall_reader_call(struct syscall_reader *reader, const struct record *rec);

/* Returns the facts that the records have shown so far. The result is valid as long as @reader. */
const struct syscalls_facts *syscall_reader_facts(const struct syscall_reader *reader);

#endif
