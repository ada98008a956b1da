/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs commands such as `ringside syscalls` and `ringside count`. The answer of these commands comes either from a recording or from tracing. The command line
 * decides between the two. A program, chosen processes or the whole machine can be traced. struct ask_opts holds the options for reading and for tracing.
 */
#ifndef RINGSIDE_CMD_ASK_H
#define RINGSIDE_CMD_ASK_H

#include "cmd/cost.h"
#include "cmd/live.h"
#include "cmd/reading.h"
#include "lib/base/outfile.h"

/*
 * A command of ringside fills this in when it lets the kernel count. struct record_hooks (lib/record/record.h) and struct live_opts (cmd/live.h) say when
 * prepare(), ready() and ended() are called. prepare(), round() and events() may be NULL. ready() and ended() must not be NULL. A pair is two events between
 * which the kernel measures the time.
 */
struct ask_kernel {
	int (*prepare)(void *ctx, struct session *session);
	int (*ready)(void *ctx, struct instance *inst);
	void (*ended)(void *ctx);
	/* Called after each round of reading, as in struct live_opts. */
	int (*round)(void *ctx, struct reading *reading, bool last);
	uint64_t (*events)(void *ctx); /* called at the end; returns the number of events or pairs that the kernel has seen */
	enum cost_of cost;	       /* what the kernel does with an event or a pair */
	size_t nkeys;		       /* how many keys the kernel's histogram has; used only if .cost is COST_COUNTED */
	void *ctx;
};

/*
 * Empties the instance's list of traced processes (set_event_pid), for commands that count or measure by BPF programs. BPF programs do not use this list. As
 * long as the list has entries, the kernel searches the list at each task switch and at each wakeup. Returns 0 or -errno after a message.
 */
int ask_kernel_alone(struct instance *inst);

struct ask_opts {
	struct reading_opts read; /* must be the first member */
	struct record_opts record;
	bool follow;	   /* syscalls -f: the threads and children of the traced command or processes are traced as well */
	bool everybody;	   /* -a: all tasks are traced */
	const char *path;  /* -o */
	const char *cure;  /* what the user can do when events are lost (struct live_opts); NULL: the message advises to trace fewer events or fewer tasks */
	bool live;	   /* set by ask_parse() or ask_check(): events are traced, and no file is read */
	int64_t ts_offset; /* when events are traced, this is added to all times, in ns */
	struct outfile output;		 /* the file of -o, opened by ask_output() */
	int out;			 /* the descriptor to which the answer is written */
	const struct ask_kernel *kernel; /* borrowed; NULL: the answer comes from records */
	bool cost_asked;		 /* --cost */
	struct cost cost;		 /* what was measured for --cost */
	uint64_t seen;			 /* how many records were seen */
	uint64_t used_ns;		 /* the CPU time that ringside itself used between the beginning and the end of tracing */
	uint64_t begun_ns;		 /* when tracing began (CLOCK_MONOTONIC) */
	uint64_t elapsed_ns;		 /* how long tracing took; 0 until it is over */
};

/* clang-format off */
#define ASK_NONE { .output = OUTFILE_NONE, .record.spec.live = true, .record.spec.private_ = true }
/* clang-format on */

/*
 * These are rows of options for OPT_ROWS (cmd/opt.h). The context structure of these rows begins with struct ask_opts. The options in ask_whom say which tasks
 * are traced. The options in ask_where say where the answer goes, and for how long events are traced.
 */
extern const struct opt ask_whom[], ask_where[];

/* This is the text for ask_opts.cure in commands that have the option --in. It advises the user to count or measure with BPF programs. */
extern const char ask_in_bpf[];

/*
 * This is the row of --cost for OPT_ROWS. The context structure begins with struct ask_opts. With --cost, ask_main() measures what the tracing costs, and
 * prints the result after the answer.
 */
extern const struct opt ask_cost[];

/*
 * Calls opt_parse() for @opts, which begins with a struct ask_opts that the caller has set to ASK_NONE. What the operands mean depends on -p and -a:
 * - Without -p and -a, operands that are trace files are read. Options may follow a trace file. If no trace file was named, an operand can begin the command
 *   that is run and traced.
 * - After -a, an operand begins the command that is run, even if the operand is a trace file.
 * - After -p, every operand is refused.
 * A trace file in front of -p or -a is refused. Returns 0, opt_parse()'s negative result, or -errno after a message. The caller calls ask_fini() in any case.
 */
int ask_parse(const struct cmd *cmd, void *opts, int argc, char **argv);

/*
 * These functions replace ask_parse() in a command that also has operands of another kind, such as the EVENT of `ringside count`. The command first calls
 * ask_begin(), and then opt_parse(). Then it passes the files to reading_input(), and sets record.spec.argv to the traced command. At last it calls
 * ask_check(). ask_check() refuses options that exclude each other. If neither a file nor something to trace was named, ask_check() finds the default file
 * (cmd/default-input.h). ask_begin() and ask_check() return 0 or -errno after a message.
 */
int ask_begin(struct ask_opts *opts);
int ask_check(const struct cmd *cmd, struct ask_opts *opts);

/* Returns true when the operand @word is a trace to read. A trace to read is "-", a name that ends in ".dat", or a regular file that begins like a trace. */
bool ask_is_file(const char *word);

/*
 * ask_event() adds an event that will be traced, as record's -e does, and ask_probe() adds a probe, as --probe does. Both texts are borrowed. Both
 * functions return 0, or -errno after a message.
 */
int ask_event(struct ask_opts *opts, const char *pattern);
int ask_probe(struct ask_opts *opts, const char *probe);

/*
 * These functions carry out --cost for a command that calls live_main() instead of ask_main(). The first three can serve as prepare(), ready() and ended() of
 * struct live_opts. Their context is the struct ask_opts. Without --cost, these three only measure .used_ns and .elapsed_ns. ask_cost_tell() prints the cost
 * after the answer. The command counts .seen itself.
 */
int ask_cost_prepare(void *ask, struct session *session);
int ask_cost_ready(void *ask, struct instance *inst);
void ask_cost_ended(void *ask);
void ask_cost_tell(const struct ask_opts *ask);

/*
 * Opens the file of -o, and sets opts->out. Without -o, opts->out is standard output when a recording is read. When events are traced, opts->out is standard
 * error, so that the answer does not mix with what the traced command prints. Returns 0, or -errno after a message.
 */
int ask_output(struct ask_opts *opts);

/*
 * @complete says whether the answer in the file of -o is complete (reading->complete). If @complete is true, the function publishes the file
 * (lib/base/outfile.h). If @complete is false, an older file of this name stays as it is. The exit status does not tell whether the answer is complete, because
 * it can be the status of the traced command. Returns 0, or -errno after a message.
 */
int ask_publish(struct ask_opts *opts, bool complete);

/*
 * Returns the value for .output of struct live_opts (cmd/live.h). If -o names a plain file, the value is the name of this file. The value is NULL without -o.
 * It is also NULL if -o names something other than a plain file, such as a device. ask_output() must have been called.
 */
const char *ask_plain_output(const struct ask_opts *opts);

/*
 * Runs the analysis @what with the options @options. The analysis gets the records of the files, or the events that are traced now. Then the function shows the
 * answer, and publishes the file of -o. Returns the exit status.
 */
int ask_main(const struct cmd *cmd, struct ask_opts *opts, const struct analysis *what, void *options);

/* Closes the file of -o and frees what @opts owns. */
void ask_fini(struct ask_opts *opts);

#endif
