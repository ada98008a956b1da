/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the texts that may complete a word of the command line. Most of these texts are names that the running kernel knows. */
#ifndef RINGSIDE_COMPLETE_H
#define RINGSIDE_COMPLETE_H

#include "lib/base/vec.h"
#include "lib/tracefs/tracedir.h"

/*
 * Appends the names of @kind ("events", "systems", "tracers", "functions", "options", "clocks", "instances", "cpus", "dynevents") that begin with @prefix.
 * Other names of this kind may be appended, too. The kind "events" includes the names of systems. Returns 0, or -errno without a message (no tracefs, no
 * permission, no such kind). For "functions" it returns -ENOENT when @prefix is empty, because there are too many functions.
 */
int complete_kernel(const char *kind, const char *prefix, strv_t *names);

/* Opens the mounted tracefs. Never mounts tracefs, because pressing Tab must not change the system. Returns 0, or -errno without a message. */
int complete_tracefs(struct tracedir *dir);

/*
 * Appends the names of the fields of the events that match @pattern. The events are those of the trace file @file. When @file is NULL, the events are those of
 * the running kernel. Returns 0 or -errno.
 */
int complete_fields(const char *file, const char *pattern, strv_t *names);

/*
 * @word is the part of a filter that has been typed so far. Appends the names that may replace the last piece of @word. This piece can be a part of a field's
 * name, for example. Increases *@from by the offset in @word at which this piece begins. The caller drops the names that do not begin with this piece.
 *
 * When @file is not NULL, @word is a filter for this file, "EVENTS:EXPRESSION". As long as @word
 * has no colon, names of events are appended. After the colon, the fields of EVENTS are appended.
 * When @file is NULL, @word is a filter for the kernel. Then the fields of the events that match
 * @pattern are appended. Returns 0 or -errno. When @file and @pattern are both NULL, the function returns -ENOENT.
 */
int complete_filter(const char *file, const char *pattern, const char *word, size_t *from, strv_t *names);

/* Reads the file @name in the folder @folder of tracefs. The caller frees *@text. Returns 0, or -errno without a message. */
int complete_read(const char *folder, const char *name, char **text);

/*
 * @word is what has been typed so far. For complete_probe(), this is a part of a probe. For
 * complete_target(), this is a part of the operand of `probe vars`, which is FUNCTION or
 * FILE:FUNCTION. Both functions append the names that may replace the last piece of @word. They
 * increase *@from by the offset in @word at which this piece begins. The caller drops the names
 * that do not begin with this piece. A tab and a description may follow a name. Both functions
 * return 0 or -errno. Messages go to stderr as usual.
 */
int complete_probe(const char *word, size_t *from, strv_t *names);
int complete_target(const char *word, size_t *from, strv_t *names);

/*
 * Appends names from the program or library @file. When @usdt is true, these are names of USDT probes. Otherwise they are names of functions. Names that
 * begin with @prefix are always appended. Other names may be appended, too. Returns 0 or -errno.
 */
int complete_in_file(bool usdt, const char *file, const char *prefix, strv_t *names);

#endif
