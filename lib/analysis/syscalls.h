/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls put together from their entry and exit (lib/analysis/syscall-match.h). Names of files come from a probe, whose record stands between entry and exit (SYSCALLS_PROBE). Signals
 * that tasks take between their calls, and how they end, are told where their events are recorded as well (lib/analysis/endings.h).
 * No printing.
 */
#ifndef RINGSIDE_ANALYSIS_SYSCALLS_H
#define RINGSIDE_ANALYSIS_SYSCALLS_H

#include "lib/analysis/descriptors.h"
#include "lib/analysis/endings.h"
#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/event/syscalls.h"

enum { SYSCALL_ARGS = 6 };

/* A call of a task, the one that is open or the last one. It does not move. */
struct syscall_open {
	bool open;
	bool cut;		/* events were lost meanwhile: nobody knows whether the exit is this entry's */
	bool has_entry;		/* else only the exit is recorded */
	bool shown;		/* the consumer's own */
	uint8_t file;
	uint16_t buffer;
	int pid;
	const struct input *input;
	uint64_t number;
	const struct syscall *call;	/* NULL: the number has no name */
	unsigned int nargs;
	uint64_t args[SYSCALL_ARGS];
	char *strings[SYSCALL_ARGS];	/* what stands at the addresses; NULL: not known */
	uint64_t ns;		/* when it was entered, as input_time() has it */
	const struct descriptors *files, *place;	/* what its task's descriptors are; NULL: nobody wants to know */
	uint64_t made_ns;	/* its result is a descriptor since then; 0: it is none */
};

/* What a consumer is told, in the order of time. Each returns 0 or a negative errno that ends the pass. */
struct syscalls_ops {
	int (*enter)(void *ctx, struct syscall_open *call);
	/* @took: how long it lasted; SYSCALL_UNKNOWN: its entry is not known, or events were lost meanwhile. */
	int (*leave)(void *ctx, struct syscall_open *call, uint64_t ns, int64_t result, uint64_t took);
	/* An entry whose exit is not recorded. */
	int (*cut)(void *ctx, struct syscall_open *call);
	int (*lost)(void *ctx, uint16_t cpu, int64_t lost);
	/* A task takes a signal; has ended. Where the recording has the events of endings.h. NULL: nobody wants to know. */
	int (*signal)(void *ctx, const struct input *input, const struct signal_taken *signal, uint64_t ns);
	int (*ended)(void *ctx, const struct input *input, int pid, struct ending ending, uint64_t ns);
};
#define SYSCALL_UNKNOWN UINT64_MAX

/* The event of the probe: any whose name begins so, with a string "path" and its address in the program "uptr". */
#define SYSCALLS_PROBE "getname"

struct syscalls_facts {
	uint64_t lost;		/* events that the kernel counted as lost */
	bool lost_more;		/* and others that nobody counted */
	bool strings;		/* the recording has names of files */
	bool programs;		/* it tells which programs were loaded */
	bool any;		/* it describes events of system calls at all */
};

struct syscall_reader;

/* What the consumer wants besides. */
struct syscalls_wanted {
	bool from_exec;		/* what tasks do before the first execve is not told, as it is our own doing */
	bool descriptors;	/* syscall_open.files and .place */
	const struct descriptor_source *source;	/* who knows them while it happens; NULL: nobody */
};

/* Borrows @inputs, @ops and wanted.source. 0 or -ENOMEM. */
int syscall_reader_new(struct syscall_reader **out, const inputs_t *inputs, const struct syscalls_ops *ops, void *ctx, struct syscalls_wanted wanted);
void syscall_reader_free(struct syscall_reader *reader);

/* The next record in the order of time; all have been seen. 0 or a negative errno. */
int syscall_reader_record(struct syscall_reader *reader, const struct record *rec);
int syscall_reader_end(struct syscall_reader *reader);

/* The call in which the record's task is; NULL: it is in none that is known, or there is no memory. */
const struct syscall_open *syscall_reader_call(struct syscall_reader *reader, const struct record *rec);

const struct syscalls_facts *syscall_reader_facts(const struct syscall_reader *reader);

#endif
