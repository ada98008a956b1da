/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records on many machines (hosts) at once. ssh, or another command, starts ringside on each host. All hosts begin and end together. Each host sends its
 * recording to this machine while it records (lib/record/wire.h). This machine keeps the data of each host in a spool folder (lib/record/spool.h). At the end,
 * this machine makes a trace file from each folder. While the hosts record, they are asked for their time again and again. The answers tell by how much the
 * clock of each host differs from the clock of this machine (lib/net/clocks.h). The option TIME_SHIFT in each file says how the times of the file are converted
 * to the clock of this machine.
 */
#ifndef RINGSIDE_HOSTS_H
#define RINGSIDE_HOSTS_H

#include "lib/base/vec.h"
#include "lib/net/clocks.h"

struct hosts_spec {
	strv_t names; /* checked by hosts_list() */
	/* The words of the command that runs a command line on a host, such as "ssh". The host and the command line are appended to these words. */
	strv_t rsh;
	const char *there;			/* the command that runs ringside on a host; NULL: "ringside" */
	bool push;				/* this program is copied to hosts that have no ringside */
	char *const *words;			/* the arguments of `ringside record` as they were given here; the last element is NULL */
	const char *output;			/* a folder for the files, or the name of a file into which the name of each host is inserted */
	bool commands;				/* .words have a command; when the command has ended on all hosts, the recording ends */
	bool all_or_none;			/* if one host cannot record, no host records */
	uint64_t patience_ns;			/* how long a host may take until it has set up tracing, and how long it may be silent */
	unsigned int version;			/* the version of the files */
	const char *compression;		/* the name of the codec of the files */
	const char *program;			/* the text of the option VERSION in the files */
	void (*begun)(void *ctx, size_t hosts); /* called when recording has begun on @hosts hosts */
	void *ctx;
};

struct host_outcome {
	const char *name;      /* borrowed from the spec */
	char *output;	       /* the path of the trace file */
	uint64_t size;	       /* the size of the file; 0: there is no file */
	uint64_t events, lost; /* as the host counted them; valid when .complete is true */
	uint64_t bytes;	       /* how many bytes of sub-buffers have arrived */
	bool complete;	       /* the host's whole recording has arrived */
	int status;	       /* the exit status of the host's shell (lib/record/host.h); 128 + N: signal N killed the shell */
	bool started;	       /* the host's recording began */
	int64_t start_ns;      /* used if .started is true: when the host's recording began, by our clock, with an error of at most .line.error */
	uint64_t round_ns;     /* how long it took to ask the host for its time and to get the answer, in the fastest case */
	/* How the host's clock differs from ours (lib/net/clocks.h). */
	struct clocks_line line;
};
typedef VEC(struct host_outcome) hostoutcomes_t;

/*
 * Splits the list @text at its commas into @names and checks the names. An element "@FILE" of the list stands for the names in the lines of the file FILE.
 * Returns 0 or -errno after a message.
 */
int hosts_list(const char *text, strv_t *names);

/* Tells whether the name of a host means this machine. */
bool host_is_here(const char *name);

/* Splits a command line at blanks that are not in quotation marks. Returns 0 or -errno after a message. */
int hosts_words(const char *text, strv_t *words);

/*
 * Records on all hosts. Returns 0 when the recording of every host is complete. Otherwise returns -errno after messages that say why. In either case @out
 * tells for which hosts there are files. The caller calls hosts_outcome_fini() in any case. A process may call this function only once, and must have no
 * other threads at that time.
 */
int hosts_record(const struct hosts_spec *spec, hostoutcomes_t *out);
void hosts_outcome_fini(hostoutcomes_t *out);

#endif
