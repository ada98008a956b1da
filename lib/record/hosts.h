/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many machines at once: ringside is started on each through a shell (ssh, or what else gives one), all begin and end together, and what they record comes
 * here while they do (lib/record/wire.h is the other end). Each host has a spool folder here, of which a file is made at the end. Each file's times are
 * shifted to the clock of this machine (option TIME_SHIFT), as questions and answers during the recording bound the clocks' differences.
 */
#ifndef RINGSIDE_HOSTS_H
#define RINGSIDE_HOSTS_H

#include "lib/base/vec.h"
#include "lib/net/clocks.h"

struct hosts_spec {
	strv_t names;	    /* checked by hosts_check() */
	strv_t rsh;	    /* the words of the command that is given the host and a command line: "ssh" */
	const char *there;  /* what runs ringside on a host; NULL: "ringside" */
	bool push;	    /* where there is none, this program is copied */
	char *const *words; /* the arguments of `ringside record` as they were given here, NULL behind them */
	const char *output; /* a folder for the files; or a file's name, in which the host's is inserted */
	bool commands;	    /* a command is among the words, whose end on all hosts is the end */
	bool all_or_none;
	uint64_t patience_ns; /* how long a host may take until it is armed, and how long it may be silent */
	unsigned int version; /* of the files, and their codec's name */
	const char *compression;
	const char *program;
	void (*begun)(void *ctx, size_t hosts); /* so many record now */
	void *ctx;
};

struct host_outcome {
	const char *name;      /* of the spec */
	char *output;	       /* the file */
	uint64_t size;	       /* its size; 0: there is none */
	uint64_t events, lost; /* as the host counted them, when .complete */
	uint64_t bytes;	       /* of sub-buffers that came */
	bool complete;	       /* all of it came */
	int status;	       /* the exit status there */
	bool started;
	int64_t start_ns;  /* then, when it began, by our clock; as exact as .line.error */
	uint64_t round_ns; /* the shortest way there and back */
	struct clocks_line line;
};
typedef VEC(struct host_outcome) hostoutcomes_t;

/* Splits the list @text, in which @FILE stands for the lines of a file, into @names and checks them. Returns 0 or -errno after a message. */
int hosts_list(const char *text, strv_t *names);

/* Does this name of a host mean the machine that we are on? */
bool host_is_here(const char *name);

/* Splits a command line at blanks that are not in quotation marks. Returns 0 or -errno after a message. */
int hosts_words(const char *text, strv_t *words);

/*
 * Records. 0 when every host's recording is complete; else -errno after messages, one for each host: @out tells of which hosts there are
 * files all the same. hosts_outcome_fini() in any case. To be called once a process, without other threads.
 */
int hosts_record(const struct hosts_spec *spec, hostoutcomes_t *out);
void hosts_outcome_fini(hostoutcomes_t *out);

#endif
