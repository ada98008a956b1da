/* SPDX-License-Identifier: GPL-2.0 */
/* Takes a probe as the user has typed it, and makes the commands that are written to tracefs's file dynamic_events. */
#ifndef RINGSIDE_COMMAND_H
#define RINGSIDE_COMMAND_H

#include "lib/probe/fetch.h"
#include <sys/types.h>

/* This is one probe of the kernel, which is one line of dynamic_events. */
struct probe_command {
	char *group, *event; /* the name of its event, such as "ringside" and "do_sys_openat2" */
	char *text;	     /* "p:ringside/do_sys_openat2 do_sys_openat2 dfd=$arg1:s32" */
	/*
	 * If the kernel refuses .text, this command is written instead. This command puts the probe at the beginning of the function. The command .text puts
	 * the probe some bytes behind the beginning (probe_move_behind()). NULL: .text is the only command.
	 */
	char *plain;
	char *remove;		       /* "-:ringside/do_sys_openat2" */
	const struct probe_spec *spec; /* borrowed */
	fetches_t args;		       /* the arguments, whose names and enums a report needs */
};

typedef VEC(struct probe_command) probe_commands_t;
void probe_commands_fini(probe_commands_t *v);

/*
 * These are the callbacks and settings that probe_compile() uses. The struct also has the data that
 * probe_compile() keeps from one probe to the next. The caller may leave any member zero.
 */
struct probe_world {
	/*
	 * Appends the traceable functions that match a glob, as available_filter_functions lists them ("name" or "name [module]"). Returns 0, or -errno
	 * after a message. NULL: globs are refused.
	 */
	int (*functions)(void *ctx, const char *glob, strv_t *out);
	/*
	 * Finds faster places for probes. @functions are the functions that a glob matches. At some
	 * places behind the beginning of a function, a probe sees the same values as at the
	 * beginning. A probe at such a place can be enabled faster. Sets out[i] for functions[i] to
	 * one of these:
	 * - the offset of such a place, in bytes;
	 * - 0 when the function has no such place;
	 * - -1 when the function cannot be probed by its name.
	 * Returns 0 or -ENOMEM. NULL: all probes are at the beginnings of functions.
	 */
	int (*behind)(void *ctx, const strv_t *functions, int *out);
	/*
	 * Checks that there is a kernel function @name. Returns 0 or -ENOMEM. When there is no such function, returns -ENOENT after a message with the
	 * most similar names. NULL: functions are not checked.
	 */
	int (*function_check)(void *ctx, const struct probe_spec *spec, const char *name);
	/* Returns true if there already is an event @event in the group @group. NULL: every name is taken to be free. */
	bool (*event_exists)(void *ctx, const char *group, const char *event);
	/*
	 * Appends the names of the fields of @event, which is SYSTEM/EVENT. Returns 0, or -errno without a message when the event's format file cannot be read.
	 * NULL: fields are not checked.
	 */
	int (*event_fields)(void *ctx, const char *event, strv_t *out);
	void *ctx;
	unsigned int most;   /* the most functions that a glob may match; 0: 512 */
	pid_t pid;	     /* files of uprobes are looked for inside the root of this process; 0: inside our own root */
	bool force;	     /* true: it is not checked that an instruction begins at the place of a uprobe */
	bool entry_args;     /* true: at a return, the kernel can fetch the parameters as they were at the entry */
	const char *btf_dir; /* NULL: /sys/kernel/btf */
	struct kbtf *btf;    /* opened when needed */
};

void probe_world_fini(struct probe_world *world);

/*
 * Appends the kernel probes for @spec. If @spec matches several functions or USDT places, there is a probe for each of them. Each event gets a name that
 * neither an existing event nor an event in *@out has. Returns 0, or -errno after a message.
 */
int probe_compile(struct probe_world *world, const struct probe_spec *spec, probe_commands_t *out);

/*
 * Moves the probe to the place @n bytes behind the beginning of its function, and keeps the former command in .plain. Changes nothing when the probe's
 * arguments cannot be fetched at that place. Returns 0 or -ENOMEM. probe_compile() uses this function.
 */
int probe_move_behind(struct probe_command *c, unsigned int n);

/*
 * Prints the message for a command that the kernel has refused. @what is the kernel's reason, and @at is the column of the command to which the
 * kernel points. When this column is in an argument, the caret of the message stands under that argument as the user typed it. Returns -@err.
 */
int probe_refused(const struct probe_command *c, int err, const char *what, size_t at);

#endif
