/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads, compares and puts back the settings in a tracefs directory. The text that is read from the file of a setting often differs from the text that must be
 * written to set the same value. A list file is a file with one entry on each line, such as set_ftrace_filter or set_event_pid. These functions print no
 * message.
 */
#ifndef RINGSIDE_SETTING_H
#define RINGSIDE_SETTING_H

#include "lib/tracefs/tracedir.h"

/*
 * Reads a file. *@out becomes the value of the setting, in new memory. The value has the form that must be written to set it: "local" for "[local] global", "0"
 * for a filter that reads "none", "0" for "0*", "1408" for "7 (expanded: 1408)". Returns 0 or -errno.
 */
int setting_read(const struct tracedir *dir, const char *file, char **out);

/* Returns true if @a and @b mean the same value for this file. Numbers are compared as numbers, and CPU masks are compared as masks. */
bool setting_same(const char *file, const char *a, const char *b);

/* Writes @value. If the setting already has this value, writes nothing. Returns 0 or -errno. */
int setting_put(const struct tracedir *dir, const char *file, const char *value);

/*
 * Appends the entries of a list file to *@out, in the form that has to be written to set them. "#### all functions enabled ####" and "no pid" are left out.
 * Function commands ("f:traceoff:unlimited") are left out, too, because emptying the list does not remove them. Returns 0 or -errno.
 */
int setting_lines(const struct tracedir *dir, const char *file, strv_t *out);

/*
 * Makes the list file @file hold exactly the entries in @lines, which have newlines between them. "" empties the list. When the list already holds exactly
 * these entries, the function writes nothing. But a list of tasks that is to be emptied is written even when it reads as empty (setting_is_pids() says why).
 * @dir is the top directory, and @file may be below one of its instances ("instances/NAME/..."). Returns 0 or -errno.
 */
int setting_put_lines(const struct tracedir *dir, const char *file, const char *lines);

/* Opens /proc/sys/kernel, so that the functions above can be used for its files. Returns 0 or -errno. */
int sysctl_open(struct tracedir *out);

/* The names of the list files that limit what is recorded. A recording begins with all of them empty. The array ends with NULL. */
extern const char *const setting_lists[];

/*
 * Tells whether @file is a list of tasks. With the option event-fork or function-fork, the kernel removes a task from such a list when the task ends. When
 * all tasks of a list have ended, the list reads as empty, but still no task is traced. A write to the file is needed to trace all tasks again.
 */
bool setting_is_pids(const char *file);

/* Returns the mask of all possible CPUs, which is the default of tracing_cpumask, in new memory. Returns NULL when memory runs out. */
char *setting_all_cpus(void);

/* Returns the lines with newlines between them, "a\nb", in new memory. Returns NULL when memory runs out. */
char *join_lines(const strv_t *lines);

#endif
