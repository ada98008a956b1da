/* SPDX-License-Identifier: GPL-2.0 */
/* --probe: from its text to an event of the session. */
#ifndef RINGSIDE_PROBES_H
#define RINGSIDE_PROBES_H

#include "lib/data/metadata.h"
#include "lib/record/spec.h"
#include "lib/tracefs/session.h"

/* Takes @text apart: the beginning of a --probe, or of a --latency. 0, or -errno after a message. */
int probe_set_new(struct probe_set **out, const char *text, bool latency);
void probe_set_free(struct probe_set *set);

/*
 * Compiles all probes of @spec for this kernel, and names their events in event->found. Touches nothing. 0, or -errno
 * after a message.
 */
int probes_check(struct record_spec *spec, const struct tracedir *top);

/* What a compiler of probes asks about this kernel; @top must outlive it. */
struct probe_world probes_world(const struct tracedir *top);

/* What the kernel's formats of them lack, names of enums among it, is added to those in @meta. 0, or -errno after a message. */
int probes_describe(const struct record_spec *spec, struct metadata *meta);

/* Adds them to the kernel; the session takes them away. */
int probes_arm(struct session *s, const struct record_spec *spec);

#endif
