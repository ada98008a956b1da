/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of `ringside record` share. */
#ifndef RINGSIDE_CMD_RECORD_H
#define RINGSIDE_CMD_RECORD_H

#include "cmd/opt.h"
#include "lib/record/record.h"

/* What the options of record fill in. */
struct record_opts {
	struct record_spec spec;
	bool exclude;		/* -v has been given for this buffer */
	bool func_stack;
	bool quiet;
	const char *module;	/* --module of the buffer at hand */
	strv_t texts;		/* made ones that the spec borrows */
};

extern const struct opt record_options[];

/*
 * Parses the command line into @opts and checks what the options say together. 0 and the command in spec.argv;
 * else opt_parse()'s result or -EINVAL after a message. record_opts_fini() after it in any case.
 */
int record_parse(const struct cmd *cmd, struct record_opts *opts, int argc, char **argv);
void record_opts_fini(struct record_opts *opts);

/* What is said while and after recording, on stderr. */
struct record_talk {
	const struct record_spec *spec;
	bool quiet;
	bool live;		/* a line that is rewritten each second */
	bool line_open;		/* it stands there */
	uint64_t last_events, last_ns, last_percent;
};

void record_talk_init(struct record_talk *talk, const struct record_opts *opts, struct record_hooks *hooks);

#endif
