/* SPDX-License-Identifier: GPL-2.0 */
/* From a probe as typed to what is written into the kernel's dynamic_events. */
#ifndef RINGSIDE_COMMAND_H
#define RINGSIDE_COMMAND_H

#include "lib/probe/fetch.h"
#include <sys/types.h>

/* One kernel probe. */
struct probe_command {
	char *group, *event;	/* its name: "ringside", "do_sys_openat2" */
	char *text;		/* "p:ringside/do_sys_openat2 do_sys_openat2 dfd=$arg1:s32" */
	char *plain;		/* where @text is for a place behind the function's beginning: for the beginning itself, should the
				 * kernel refuse @text; else NULL */
	char *remove;		/* "-:ringside/do_sys_openat2" */
	const struct probe_spec *spec;	/* borrowed */
	fetches_t args;		/* for the report: names and enums */
};

typedef VEC(struct probe_command) probe_commands_t;
void probe_commands_fini(probe_commands_t *v);

/* What is asked about the kernel and kept while probes are compiled; all zero but what the caller gives. */
struct probe_world {
	/* Traceable functions for a glob, as available_filter_functions lists them ("name" or "name [module]"). 0 or -errno
	 * after a message. NULL: globs are refused. */
	int (*functions)(void *ctx, const char *glob, strv_t *out);
	/*
	 * For each of a glob's @functions: how far behind its beginning there is a place where a probe sees the same and is armed
	 * faster; 0: none; -1: it cannot be probed by its name. 0 or -ENOMEM. NULL: not asked.
	 */
	int (*behind)(void *ctx, const strv_t *functions, int *out);
	/* Is there such a kernel function at all? NULL: not asked. Nearest names are its own to tell: -ENOENT after a message. */
	int (*function_check)(void *ctx, const struct probe_spec *spec, const char *name);
	/* Is there an event of that name already? */
	bool (*event_exists)(void *ctx, const char *group, const char *event);
	/* Appends the names of the fields of an event, SYSTEM/EVENT. -errno without a message: it cannot be told. NULL: not asked. */
	int (*event_fields)(void *ctx, const char *event, strv_t *out);
	void *ctx;
	unsigned int most;	/* probes that one glob may become; 0: 512 */
	pid_t pid;		/* files of uprobes are looked for inside this process's root; 0: ours */
	bool force;		/* places in programs are not checked */
	bool entry_args;	/* a probe at a return can fetch what the parameters were at the entry */
	const char *btf_dir;	/* NULL: /sys/kernel/btf */
	struct kbtf *btf;	/* opened when needed */
};

void probe_world_fini(struct probe_world *world);

/*
 * Appends the kernel probes that @spec stands for: one, or one for each function or USDT place that it matches. Names are made
 * unique among the world's and *@out's. 0, or -errno after a message.
 */
int probe_compile(struct probe_world *world, const struct probe_spec *spec, probe_commands_t *out);

/*
 * Moves the probe @n bytes behind the beginning of its function, unless its arguments are not to be had there. 0 or -ENOMEM. For
 * probe_compile().
 */
int probe_move_behind(struct probe_command *c, unsigned int n);

/*
 * The message for a command that the kernel refused with the words @what about column @at of its text: under the argument
 * as it was typed, where it is about one. Returns -@err.
 */
int probe_refused(const struct probe_command *c, int err, const char *what, size_t at);

#endif
