/* SPDX-License-Identifier: GPL-2.0 */
/* Names that the running kernel knows, for completion. */
#ifndef RINGSIDE_COMPLETE_H
#define RINGSIDE_COMPLETE_H

#include "lib/base/vec.h"
#include "lib/tracefs/tracedir.h"

/*
 * Appends the names of @kind ("events", "systems", "tracers", "functions", "options", "clocks", "instances", "cpus",
 * "dynevents") that may begin with @prefix. 0, or -errno without a message (no tracefs, no permission, no such kind).
 */
int complete_kernel(const char *kind, const char *prefix, strv_t *names);

/* The tracefs that is mounted: pressing Tab must not mount any. 0 or -errno, no message. */
int complete_tracefs(struct tracedir *dir);

/*
 * Appends the fields of the events that @pattern is for: of @file, or of the running kernel (NULL). complete_filter(): what may
 * follow in a filter of which @word is typed, as complete_probe() does it: fields of the events in front of the colon and
 * before it events, where it is of a file; fields of @pattern's events (NULL: there are none) where it is the kernel's.
 */
int complete_fields(const char *file, const char *pattern, strv_t *names);
int complete_filter(const char *file, const char *pattern, const char *word, size_t *from, strv_t *names);

/* The whole of the file @name in the folder @folder of tracefs, in new memory. 0 or -errno, no message. */
int complete_read(const char *folder, const char *name, char **text);

/*
 * What a probe may become, of which @word is typed; and the FUNCTION or FILE:FUNCTION of `probe vars`. Each appended name
 * could stand in the place of what follows byte *@from of the word, which is moved on; some do not fit what is there already. A
 * tab and a description may follow a name. 0 or -errno; messages go to stderr as usual.
 */
int complete_probe(const char *word, size_t *from, strv_t *names);
int complete_target(const char *word, size_t *from, strv_t *names);

/* Appends the functions, or the USDT probes, of a program or library that may begin with @prefix. 0 or -errno as above. */
int complete_in_file(bool usdt, const char *file, const char *prefix, strv_t *names);

#endif
