/* SPDX-License-Identifier: GPL-2.0 */
/* Turns a probe that the user has typed into the text that is written into the kernel's dynamic_events. */
#ifndef RINGSIDE_COMMAND_H
#define RINGSIDE_COMMAND_H

#include "lib/probe/fetch.h"
#include <sys/types.h>

/* One kernel probe. */
struct probe_command {
	char *group, *event;	       /* its name: "ringside", "do_sys_openat2" */
	char *text;		       /* "p:ringside/do_sys_openat2 do_sys_openat2 dfd=$arg1:s32" */
	char *plain;		       /* when .text is for a place behind the function's beginning: the text for the beginning, in case the
				 * kernel refuses .text; else NULL */
	char *remove;		       /* "-:ringside/do_sys_openat2" */
	const struct probe_spec *spec; /* borrowed */
	fetches_t args;		       /* for the report: names and enums */
};

typedef VEC(struct probe_command) probe_commands_t;
void probe_commands_fini(probe_commands_t *v);

/*
 * Has the callbacks and settings that the compiler of probes uses, and what it keeps between probes. The caller sets the members that it has, and
 * leaves the rest zero.
 */
struct probe_world {
	/* Appends the traceable functions that match a glob, as available_filter_functions lists them ("name" or "name [module]"). Returns 0, or -errno
	 * after a message. NULL: globs are refused. */
	int (*functions)(void *ctx, const char *glob, strv_t *out);
	/*
	 * Is called with the @functions that a glob matches. It sets out[i] to the offset, in bytes from the beginning of the function, of a place
	 * where a probe sees the same and is armed faster. It sets out[i] to 0 when there is no such place, and to -1 when the function cannot be
	 * probed by its name. Returns 0 or -ENOMEM. NULL: all probes are at the beginnings of functions.
	 */
	int (*behind)(void *ctx, const strv_t *functions, int *out);
	/*
	 * Checks that there is such a kernel function. Returns 0, or -ENOENT after a message with the nearest names. NULL: it is
	 * not checked.
	 */
	int (*function_check)(void *ctx, const struct probe_spec *spec, const char *name);
	/* Is there an event of that name already? */
	bool (*event_exists)(void *ctx, const char *group, const char *event);
	/*
	 * Appends the names of the fields of an event, SYSTEM/EVENT. Returns 0, or -errno without a message when they cannot be
	 * read. NULL: fields are not checked.
	 */
	int (*event_fields)(void *ctx, const char *event, strv_t *out);
	void *ctx;
	unsigned int most;   /* the most probes that a glob may make; 0: 512 */
	pid_t pid;	     /* files of uprobes are looked for inside this process's root; 0: ours */
	bool force;	     /* places in programs are not checked */
	bool entry_args;     /* a probe at a return can fetch what the parameters were at the entry */
	const char *btf_dir; /* NULL: /sys/kernel/btf */
	struct kbtf *btf;    /* opened when needed */
};

void probe_world_fini(struct probe_world *world);

/*
 * Appends the kernel probes that @spec stands for: one, or one for each function or USDT place that it matches. Names are made
 * unique among the world's and *@out's. Returns 0, or -errno after a message.
 */
int probe_compile(struct probe_world *world, const struct probe_spec *spec, probe_commands_t *out);

/*
 * Moves the probe @n bytes behind the beginning of its function, unless its arguments cannot be fetched there. Returns 0 or
 * -ENOMEM. probe_compile() uses it.
 */
int probe_move_behind(struct probe_command *c, unsigned int n);

/*
 * Prints the message for a command that the kernel has refused with the words @what about column @at of its text. When it is
 * about an argument, the caret stands under the argument as it was typed. Returns -@err.
 */
int probe_refused(const struct probe_command *c, int err, const char *what, size_t at);

#endif
