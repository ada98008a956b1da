/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records on many machines at once. ringside is started on each machine through a shell (ssh, or another command that gives one). All machines begin
 * and end together. Each sends its recording while it records (lib/record/wire.h is the other end). Each host has a spool folder here, from which a
 * file is made at the end. While the hosts record, they are asked for their time again and again. The answers tell how far each clock is from the
 * clock of this machine (lib/net/clocks.h), and the option TIME_SHIFT of each file shifts its times to that clock.
 */
#ifndef RINGSIDE_HOSTS_H
#define RINGSIDE_HOSTS_H

#include "lib/base/vec.h"
#include "lib/net/clocks.h"

struct hosts_spec {
	strv_t names;	    /* checked by hosts_check() */
	strv_t rsh;	    /* the words of the command that is given the host and a command line, such as "ssh" */
	const char *there;  /* the command that runs ringside on a host; NULL: "ringside" */
	bool push;	    /* this program is copied to hosts that have no ringside */
	char *const *words; /* the arguments of `ringside record` as they were given here, NULL behind them */
	const char *output; /* a folder for the files; or a file's name, in which the host's is inserted */
	bool commands;	    /* a command is among the words; when it has ended on all hosts, the recording ends */
	bool all_or_none;
	uint64_t patience_ns;	 /* how long a host may take until it is armed, and how long it may be silent */
	unsigned int version;	 /* the version of the files */
	const char *compression; /* the name of their codec */
	const char *program;
	void (*begun)(void *ctx, size_t hosts); /* @hosts hosts record now */
	void *ctx;
};

struct host_outcome {
	const char *name;      /* borrowed from the spec */
	char *output;	       /* the file */
	uint64_t size;	       /* its size; 0: there is none */
	uint64_t events, lost; /* as the host counted them, when .complete */
	uint64_t bytes;	       /* of sub-buffers that came */
	bool complete;	       /* its whole recording came */
	int status;	       /* the exit status there */
	bool started;
	int64_t start_ns;  /* with .started: when it began, by our clock, give or take .line.error */
	uint64_t round_ns; /* the shortest round trip */
	struct clocks_line line;
};
typedef VEC(struct host_outcome) hostoutcomes_t;

/* Splits the list @text into @names and checks them. @FILE in the list stands for the lines of that file. Returns 0 or -errno after a message. */
int hosts_list(const char *text, strv_t *names);

/* Does this name of a host mean this machine? */
bool host_is_here(const char *name);

/* Splits a command line at blanks that are not in quotation marks. Returns 0 or -errno after a message. */
int hosts_words(const char *text, strv_t *words);

/*
 * Records. Returns 0 when the recording of every host is complete, else -errno after a message for each host. In either case @out tells for which
 * hosts there are files. The caller calls hosts_outcome_fini() in any case. A process may call it once, and may have no other threads then.
 */
int hosts_record(const struct hosts_spec *spec, hostoutcomes_t *out);
void hosts_outcome_fini(hostoutcomes_t *out);

#endif
