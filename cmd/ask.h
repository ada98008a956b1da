/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands that can be asked of a recording, of a command that they run, of processes, or of the whole machine while it runs: syscalls
 * and count. One structure takes the options for all of them; which it is follows from the command line.
 */
#ifndef RINGSIDE_CMD_ASK_H
#define RINGSIDE_CMD_ASK_H

#include "cmd/cost.h"
#include "cmd/live.h"
#include "cmd/reading.h"
#include "lib/base/outfile.h"

/* What the kernel counts itself, see struct record_hooks and struct live_opts. Each may be NULL. */
struct ask_kernel {
	int (*prepare)(void *ctx, struct session *session);
	int (*ready)(void *ctx, struct instance *inst);
	void (*ended)(void *ctx);
	/* After each round of reading, as in struct live_opts. */
	int (*round)(void *ctx, struct reading *reading, bool last);
	uint64_t (*events)(void *ctx); /* so many events, or pairs, it has seen: asked at the end */
	enum cost_of cost;	       /* what is done with one of them */
	size_t nkeys;		       /* of the histogram */
	void *ctx;
};

struct ask_opts {
	struct reading_opts read; /* first */
	struct record_opts record;
	bool follow;			 /* children too */
	bool everybody;			 /* -a */
	const char *path;		 /* -o */
	bool live;			 /* set by ask_parse(): not of a file */
	int64_t ts_offset;		 /* as in struct live_opts */
	struct outfile output;		 /* of -o, opened by ask_output() */
	int out;			 /* where the answer goes */
	const struct ask_kernel *kernel; /* borrowed; NULL: the answer comes from records */
	bool cost_asked;		 /* --cost */
	struct cost cost;
	uint64_t seen;		       /* records */
	uint64_t used_ns;	       /* CPU time of our own, from the beginning to the end of tracing */
	uint64_t begun_ns, elapsed_ns; /* tracing began (CLOCK_MONOTONIC), and took so long; 0: that is not over */
};

/* clang-format off */
#define ASK_NONE { .output = OUTFILE_NONE, .record.spec.live = true, .record.spec.private_ = true }
/* clang-format on */

/* Rows for OPT_ROWS, whose context structure begins with struct ask_opts: whom to trace; where the answer goes and how long it takes. */
extern const struct opt ask_whom[], ask_where[];

/* Likewise --cost: ask_main() measures it, and tells it behind the answer. */
extern const struct opt ask_cost[];

/*
 * opt_parse() into @opts, which begins with struct ask_opts = ASK_NONE. An operand that is a trace file is read, and options may follow
 * it; any other begins a command. 0; opt_parse()'s negative result; -errno after a message. ask_fini() after it in any case.
 */
int ask_parse(const struct cmd *cmd, void *opts, int argc, char **argv);

/*
 * The same for a command whose operands are something else: ask_begin(), opt_parse(), then the files go to reading_input() and a command
 * to record.spec.argv, and ask_check() says whether that fits together, and finds the default file. Returns 0 or -errno after a message.
 */
int ask_begin(struct ask_opts *opts);
int ask_check(const struct cmd *cmd, struct ask_opts *opts);

/* Is this operand a file to read: a trace by its first bytes, or by its name? */
bool ask_is_file(const char *word);

/* The events to trace while it runs: as record's -e; a probe as --probe. Both are borrowed. Returns 0, or -errno after a message. */
int ask_event(struct ask_opts *opts, const char *pattern);
int ask_probe(struct ask_opts *opts, const char *probe);

/*
 * What ask_main() does about --cost, for a command that calls live_main() itself: as struct live_opts' prepare(), ready() and ended() with the struct
 * ask_opts as their context, and behind the answer. The command keeps .seen. Without --cost they only measure the time.
 */
int ask_cost_prepare(void *ask, struct session *session);
int ask_cost_ready(void *ask, struct instance *inst);
void ask_cost_ended(void *ask);
void ask_cost_tell(const struct ask_opts *ask);

/* Opens -o. While it runs the answer goes to the standard error else, so that it does not mix with what a command prints. Returns 0, or -errno after a message. */
int ask_output(struct ask_opts *opts);

/* Reads, or traces and reads, for one analysis. The exit status. */
int ask_main(const struct cmd *cmd, struct ask_opts *opts, const struct analysis *what, void *options);

void ask_fini(struct ask_opts *opts);

#endif
