/* SPDX-License-Identifier: GPL-2.0 */
/* Task names by pid: from saved_cmdlines, and learned from events (the first name of a pid holds). */
#ifndef RINGSIDE_COMMS_H
#define RINGSIDE_COMMS_H

#include "lib/base/str.h"

struct comms;

/* Reads the "pid comm" lines. @visible: names are kept as a terminal may show them. 0 or -ENOMEM. */
int comms_new(struct comms **out, const struct text *cmdlines, bool visible);
void comms_free(struct comms *comms);

/* The name of @pid: "<idle>" for 0, "<...>" when unknown. Never NULL; holds until comms_free(). */
const char *comms_find(const struct comms *comms, int pid);

/* Learns a name (at most @n bytes, ends at a NUL) unless the pid has one. Not while others look up. */
void comms_learn(struct comms *comms, int pid, const char *name, size_t n);

/* Takes over the names of more lines: those that are known already become these. Names that were handed out hold. 0 or -ENOMEM. */
int comms_update(struct comms *comms, const struct text *cmdlines);

/* Calls @each for every known name, in no order. */
void comms_each(const struct comms *comms, void (*each)(void *ctx, int pid, const char *name), void *ctx);

#endif
