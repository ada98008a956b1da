/* SPDX-License-Identifier: GPL-2.0 */
/* Provides the options -B, -a and -t, with which the user chooses instances. */
#ifndef RINGSIDE_CMD_TARGETS_H
#define RINGSIDE_CMD_TARGETS_H

#include "cmd/opt.h"
#include "lib/tracefs/tracedir.h"

struct targets {
	strv_t names; /* the names of -B, in their order */
	bool all;     /* -a: all instances except the top instance */
	bool top;     /* -t: the top instance; it is also chosen when no instance is named */
};

/* These are rows of options (struct opt). They are for a command whose context structure has a struct targets at the offset @at, in bytes. */
#define TARGET_ROWS(at) \
	{ OPT_STRV, \
	  'B', \
	  .name = "instance|buffer", \
	  .arg = "NAME", \
	  .complete = "instances", \
	  .offset = (at) + offsetof(struct targets, names), \
	  .help = "use this trace instance, not the top instance; repeatable" }, \
		{ OPT_FLAG, 'a', .name = "all", .offset = (at) + offsetof(struct targets, all), .help = "use all instances except the top instance" }, \
	{ \
		OPT_FLAG, 't', .name = "top", .offset = (at) + offsetof(struct targets, top), .help = "with -B or -a: use the top instance as well" \
	}

/* These are rows of options for OPT_ROWS (cmd/opt.h). Their context structure is, or begins with, struct targets. */
extern const struct opt target_options[];

/* Appends the names of the chosen instances to *@out, each once, with "" for the top instance. Returns 0, -ENOMEM, or another -errno after a message. */
int targets_names(const struct targets *targets, const struct tracedir *top, strv_t *out);

/*
 * Opens each chosen instance (target_open() explains @change) and calls @each for it. If opening an instance or @each fails, the other instances are still
 * processed. @each returns 0 or -errno after a message. targets_each() returns 0 or the first -errno. A message was printed for each failure.
 */
int targets_each(const struct targets *targets, bool change, int (*each)(void *ctx, const struct tracedir *dir, const char *name), void *ctx);

void targets_fini(struct targets *targets);

#endif
