/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The settings in a tracefs directory: what their files read when they hold a value, and how that value is put back.
 * No messages in here.
 */
#ifndef RINGSIDE_SETTING_H
#define RINGSIDE_SETTING_H

#include "lib/tracefs/tracedir.h"

/*
 * The value of a file as one would write it, in new memory: of "[local] global" it is "local", of
 * "7 (expanded: 1408)" 1408, of a filter that reads "none" it is "0", of "0*" it is "0". Returns 0 or -errno.
 */
int setting_read(const struct tracedir *dir, const char *file, char **out);

/* Are these the same value for this file? Numbers are compared as numbers, CPU masks as masks. */
bool setting_same(const char *file, const char *a, const char *b);

/* Writes @value unless the file already reads as this value. Returns 0 or -errno. */
int setting_put(const struct tracedir *dir, const char *file, const char *value);

/*
 * The entries of a list file as one would write them, appended to *@out; none for "#### all functions enabled ####"
 * or "no pid". Function commands ("f:traceoff:unlimited") are not entries: emptying the list leaves them alone.
 */
int setting_lines(const struct tracedir *dir, const char *file, strv_t *out);

/* Makes the list hold exactly @lines (joined by newlines; "" is none) if it does not yet. @dir is the top one. Returns 0 or -errno. */
int setting_put_lines(const struct tracedir *dir, const char *file, const char *lines);

/* Opens /proc/sys/kernel as a directory of such files. Returns 0 or -errno. */
int sysctl_open(struct tracedir *out);

/* The lists that say what is recorded: a recording begins with them empty. Ends with NULL. */
extern const char *const setting_lists[];

/*
 * Is this one a list of tasks? With the option event-fork or function-fork the kernel takes tasks out that end, and a list
 * whose tasks have all ended reads as an empty one but lets nobody through: only writing makes it empty.
 */
bool setting_is_pids(const char *file);

/* The mask of all CPUs there may be, as tracing_cpumask reads by default, in new memory. */
char *setting_all_cpus(void);

/* "a\nb", in new memory. */
char *join_lines(const strv_t *lines);

#endif
