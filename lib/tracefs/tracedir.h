/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tracefs directory (the top one, or an instance) and its files. Works as well on a plain folder that looks like
 * one, which is how the tests run. Nothing in here changes the kernel, but for mounting tracefs itself: changes go
 * through lib/tracefs/session.h.
 */
#ifndef RINGSIDE_TRACEDIR_H
#define RINGSIDE_TRACEDIR_H

#include "lib/base/vec.h"
#include "lib/base/str.h"

struct tracedir {
	int fd;	    /* of the directory, close-on-exec; < 0: not open */
	char *path; /* absolute: "/sys/kernel/tracing", "/sys/kernel/tracing/instances/mine" */
};

/* clang-format off */
#define TRACEDIR_NONE { .fd = -1 }
/* clang-format on */

/*
 * Opens the top directory: @path when it is not NULL, else where tracefs is mounted; mounts it on
 * /sys/kernel/tracing when it is not mounted and we are root. Returns 0, or -errno after a message: not root, cannot be
 * mounted (no tracing in this kernel, lockdown, a container).
 */
int tracedir_open(struct tracedir *out, const char *path);

/* Opens @sub ("instances/mine") below @dir; 0 or -errno, no message. */
int tracedir_open_at(struct tracedir *out, const struct tracedir *dir, const char *sub);

/* Closes the directory and frees its path. Does nothing for one that is not open. */
void tracedir_fini(struct tracedir *dir);

bool tracedir_has(const struct tracedir *dir, const char *file);

/* open() of a file below it, always close-on-exec; a descriptor or -errno, no message. */
int tracedir_fd(const struct tracedir *dir, const char *file, int flags);

/* The whole text of a file without white space at its end; the caller frees *@out. Returns 0 or -errno, no message. */
int tracedir_read(const struct tracedir *dir, const char *file, char **out);

/*
 * Writes @text with a newline behind it as the kernel wants it (word by word if it takes only that), having
 * emptied the file first if @truncate. Returns 0 or -errno, no message. Not for settings: session_set() remembers.
 */
int tracedir_write(const struct tracedir *dir, const char *file, const char *text, bool truncate);

/*
 * Names that the kernel offers, appended to *@out (copies). Returns 0 or -errno, no message; -ENOENT: this kernel has no
 * such list.
 */
enum tracedir_list {
	TRACEDIR_TRACERS,   /* function_graph, nop */
	TRACEDIR_CLOCKS,    /* local, global, mono: without brackets */
	TRACEDIR_EVENTS,    /* sched:sched_switch */
	TRACEDIR_ENABLED,   /* the same, of those that are enabled, if only for a trigger */
	TRACEDIR_SYSTEMS,   /* sched */
	TRACEDIR_FUNCTIONS, /* do_sys_openat2, "e1000_open [e1000]": as the kernel lists them */
	TRACEDIR_OPTIONS,   /* overwrite, funcgraph-proc: sorted */
	TRACEDIR_INSTANCES, /* sorted */
	TRACEDIR_CPUS,	    /* cpu0: sorted */
	TRACEDIR_FILES,	    /* the names in the directory itself: sorted */
};
int tracedir_list(const struct tracedir *dir, enum tracedir_list what, strv_t *out);

/* The word in brackets of a file like trace_clock, in new memory: "local"; NULL: none, or no such file. */
char *tracedir_current(const struct tracedir *dir, const char *file);

/*
 * What the kernel says about a command that it refused: the last entry of error_log if that is about @command.
 * *@what ("Field not found") is new memory; *@at is the column that its caret points to, in @command.
 * false: it says nothing.
 */
bool tracedir_error(const struct tracedir *dir, const char *command, char **what, size_t *at);

#endif
