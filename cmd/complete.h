/* SPDX-License-Identifier: GPL-2.0 */
/* Finds what may complete a word of the command line, mostly names that the running kernel knows. */
#ifndef RINGSIDE_COMPLETE_H
#define RINGSIDE_COMPLETE_H

#include "lib/base/vec.h"
#include "lib/tracefs/tracedir.h"

/*
 * Appends the names of @kind ("events", "systems", "tracers", "functions", "options", "clocks", "instances", "cpus", "dynevents")
 * that begin with @prefix, and maybe other names of this kind. Returns 0, or -errno without a message (no tracefs, no permission,
 * no such kind). For "functions" it returns -ENOENT when @prefix is empty, because there are too many of them.
 */
int complete_kernel(const char *kind, const char *prefix, strv_t *names);

/* Opens the tracefs that is mounted. It never mounts one, because pressing Tab must not change the system. Returns 0, or -errno without a message. */
int complete_tracefs(struct tracedir *dir);

/*
 * complete_fields() appends the fields of the events that match @pattern, in @file or, when @file is NULL, in the running kernel.
 * complete_filter() appends what may follow in a filter of which @word has been typed, and sets *@from as complete_probe() (below) does. In
 * a filter for @file, events may follow in front of the colon, and the fields of these events behind it. In a filter for the
 * kernel, the fields of the events that match @pattern (NULL: none) may follow.
 */
int complete_fields(const char *file, const char *pattern, strv_t *names);
int complete_filter(const char *file, const char *pattern, const char *word, size_t *from, strv_t *names);

/* Reads the file @name in the folder @folder of tracefs. The caller frees *@text. Returns 0, or -errno without a message. */
int complete_read(const char *folder, const char *name, char **text);

/*
 * complete_probe() appends what may follow in a probe of which @word has been typed. complete_target() does the same for FUNCTION or FILE:FUNCTION of
 * `probe vars`. Both set *@from to the offset in @word at which each of the names could stand. Some of the names do not begin with what @word has from
 * that offset on; the caller drops these. A tab and a description may follow a name. Both return 0 or -errno; messages go to stderr as usual.
 */
int complete_probe(const char *word, size_t *from, strv_t *names);
int complete_target(const char *word, size_t *from, strv_t *names);

/*
 * Appends the names of the functions, or of the USDT probes, in the program or library @file: those that begin with @prefix, and maybe
 * other ones. Returns 0 or -errno.
 */
int complete_in_file(bool usdt, const char *file, const char *prefix, strv_t *names);

#endif
