/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens a tracefs directory (the top one, or an instance) and its files. Instead of a tracefs directory, these functions can also be given a plain folder
 * with the same files. The tests use plain folders. Only two of these functions change the kernel. tracedir_open() may mount tracefs, and tracedir_write()
 * writes to a file. Changes that must be put back go through lib/tracefs/session.h.
 */
#ifndef RINGSIDE_TRACEDIR_H
#define RINGSIDE_TRACEDIR_H

#include "lib/base/vec.h"
#include "lib/base/str.h"

struct tracedir {
	int fd;	    /* the descriptor of the directory, close-on-exec; < 0: not open */
	char *path; /* absolute: "/sys/kernel/tracing", "/sys/kernel/tracing/instances/mine" */
};

/* clang-format off */
#define TRACEDIR_NONE { .fd = -1 }
/* clang-format on */

/*
 * Opens the top directory @path. If @path is NULL, opens the directory where tracefs is mounted. If tracefs is not mounted and we are root, the function
 * mounts it on /sys/kernel/tracing. Returns 0, or -errno after a message that gives the reason. The usual reasons are:
 *  - We are not root.
 *  - @path is no tracing directory.
 *  - tracefs cannot be mounted, because we are in a container or because the kernel has no tracing.
 */
int tracedir_open(struct tracedir *out, const char *path);

/*
 * Returns where tracefs is mounted, in new memory, or NULL when it is not mounted. The mount point /sys/kernel/tracing is preferred to one below debugfs. The
 * user may lack the right to open this directory.
 */
char *tracedir_mounted(void);

/* Opens @sub ("instances/mine") below @dir. Returns 0 or -errno, without a message. */
int tracedir_open_at(struct tracedir *out, const struct tracedir *dir, const char *sub);

/* Closes the directory and frees its path. Does nothing when the directory is not open. */
void tracedir_fini(struct tracedir *dir);

bool tracedir_has(const struct tracedir *dir, const char *file);

/* Opens a file below the directory, always close-on-exec. Returns a descriptor or -errno, without a message. */
int tracedir_fd(const struct tracedir *dir, const char *file, int flags);

/* Reads the whole text of a file, without white space at its end. The caller frees *@out. Returns 0 or -errno, without a message. */
int tracedir_read(const struct tracedir *dir, const char *file, char **out);

/*
 * Writes @text with a newline behind it. When the kernel takes only a part of the text, such as a word, the rest is written by further writes. If
 * @truncate is true, the file is emptied first. When @text is NULL or "", nothing is written. Returns 0 or -errno, without a message. A recording changes
 * settings with session_set() (lib/tracefs/session.h), which remembers the old value.
 */
int tracedir_write(const struct tracedir *dir, const char *file, const char *text, bool truncate);

/*
 * Appends to *@out copies of the names in the list @what. A list that is marked "sorted" below is sorted if *@out was empty. Returns 0 or -errno, without
 * a message. -ENOENT means that this kernel does not have the list. The comments below give examples of the names.
 */
enum tracedir_list {
	TRACEDIR_TRACERS,   /* function_graph, nop */
	TRACEDIR_CLOCKS,    /* local, global, mono: without brackets */
	TRACEDIR_EVENTS,    /* sched:sched_switch */
	TRACEDIR_ENABLED,   /* sched:sched_switch: the enabled events, including those that only a trigger has enabled */
	TRACEDIR_SYSTEMS,   /* sched */
	TRACEDIR_FUNCTIONS, /* do_sys_openat2, "e1000_open [e1000]": as the kernel lists them */
	TRACEDIR_OPTIONS,   /* overwrite, funcgraph-proc: sorted */
	TRACEDIR_INSTANCES, /* sorted */
	TRACEDIR_CPUS,	    /* cpu0: sorted */
	TRACEDIR_FILES,	    /* the names in the directory itself: sorted */
};
int tracedir_list(const struct tracedir *dir, enum tracedir_list what, strv_t *out);

/*
 * Returns the word in brackets of a file like trace_clock, in new memory: "local". Returns NULL when there is no word in brackets, and when the file does
 * not exist.
 */
char *tracedir_current(const struct tracedir *dir, const char *file);

/*
 * Finds what the kernel says about a command that it refused: the last entry of error_log, if this entry is about @command. *@what ("Field not found") is
 * new memory. *@at is the column of @command to which the kernel's caret points. Returns false when the kernel says nothing.
 */
bool tracedir_error(const struct tracedir *dir, const char *command, char **what, size_t *at);

#endif
