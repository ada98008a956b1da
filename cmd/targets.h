/* SPDX-License-Identifier: GPL-2.0 */
/* -B, -a and -t: which instances a command is for. */
#ifndef RINGSIDE_CMD_TARGETS_H
#define RINGSIDE_CMD_TARGETS_H

#include "cmd/opt.h"
#include "lib/tracefs/tracedir.h"

struct targets {
	strv_t names;	/* of -B, in their order */
	bool all;	/* all instances */
	bool top;	/* the top one, which is meant as well when nothing else is */
};

/* The rows, for a context structure that has its struct targets @at so many bytes from its beginning. */
#define TARGET_ROWS(at) \
	{ OPT_STRV, 'B', .name = "instance|buffer", .arg = "NAME", .complete = "instances", \
	  .offset = (at) + offsetof(struct targets, names), .help = "act on this instance, not on the top one; repeatable" }, \
	{ OPT_FLAG, 'a', .name = "all", .offset = (at) + offsetof(struct targets, all), .help = "act on all instances but the top one" }, \
	{ OPT_FLAG, 't', .name = "top", .offset = (at) + offsetof(struct targets, top), \
	  .help = "act on the top instance too, when -B or -a is given" }

/* Rows for OPT_ROWS, whose context structure is, or begins with, struct targets. */
extern const struct opt target_options[];

/* The names of those meant, each once, "" for the top, appended to *@out. 0, or -errno after a message. */
int targets_names(const struct targets *targets, const struct tracedir *top, strv_t *out);

/*
 * Calls @each for all that are meant, opened (with @change as target_open() has it), also behind one that fails. 0, or the first
 * -errno; all messages have been said.
 */
int targets_each(const struct targets *targets, bool change,
		 int (*each)(void *ctx, const struct tracedir *dir, const char *name), void *ctx);

void targets_fini(struct targets *targets);

#endif
