/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the names of tasks by pid. The names come from saved_cmdlines and from events. An event gives a name only to a pid that has none. When
 * saved_cmdlines is read again (comms_update()), or when a task is renamed (comms_rename()), new names replace known names. Pid 0 always has the name
 * "<idle>".
 */
#ifndef RINGSIDE_COMMS_H
#define RINGSIDE_COMMS_H

#include "lib/base/str.h"

struct comms;

/*
 * Reads lines of "pid comm". *@cmdlines is not used after the call. When @visible is true, visible_put() (lib/base/visible.h) escapes the names, so that
 * a terminal can show them safely. Returns 0 or -ENOMEM.
 */
int comms_new(struct comms **out, const struct text *cmdlines, bool visible);

/*
 * Makes a struct comms without names of its own. A pid has the name that it has in @below, until comms_rename() or comms_update() gives it another name in
 * *@out. comms_learn() gives names only to pids that have no name in @below either. @below is borrowed, and is not changed. comms_each() leaves out the names
 * in @below. Returns 0 or -ENOMEM.
 */
int comms_over(struct comms **out, const struct comms *below);
void comms_free(struct comms *comms);

/* Returns the name of @pid: "<idle>" for pid 0, and "<...>" when the name is not known. The text is valid until comms_free(). */
const char *comms_find(const struct comms *comms, int pid);

/* Does what comms_find() does, but returns NULL instead of "<...>". For pid 0, it also returns "<idle>". */
const char *comms_known(const struct comms *comms, int pid);

/* Returns true when the name of @pid is known. */
bool comms_has(const struct comms *comms, int pid);

/*
 * Gives @pid the name at @name if @pid has no name yet. The name ends before the first NUL, or after @n bytes. When memory runs out, @pid gets no name.
 * No other thread may look up names during this call.
 */
void comms_learn(struct comms *comms, int pid, const char *name, size_t n);

/*
 * Gives @pid the name at @name, which replaces the name that it had before. The name ends as in comms_learn(). Names that were returned earlier stay
 * valid. The name of pid 0 stays. When memory runs out, @pid keeps its earlier name. No other thread may look up names during this call.
 */
void comms_rename(struct comms *comms, int pid, const char *name, size_t n);

/*
 * Reads lines of "pid comm" again. A name in these lines replaces the name that its pid had before. Names that were returned earlier stay valid.
 * Returns 0 or -ENOMEM.
 */
int comms_update(struct comms *comms, const struct text *cmdlines);

/* Calls @each for every pid that has a name, in no particular order. */
void comms_each(const struct comms *comms, void (*each)(void *ctx, int pid, const char *name), void *ctx);

#endif
