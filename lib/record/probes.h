/* SPDX-License-Identifier: GPL-2.0 */
/* Makes dynamic events from the arguments of --probe and --latency. */
#ifndef RINGSIDE_PROBES_H
#define RINGSIDE_PROBES_H

#include "lib/data/metadata.h"
#include "lib/record/spec.h"
#include "lib/tracefs/session.h"

/*
 * Reads @text, the argument of an option --probe or, when @latency is true, of an option --latency. The caller frees *@out with probe_set_free().
 * Returns 0, -ENOMEM without a message, or another -errno after a message.
 */
int probe_set_new(struct probe_set **out, const char *text, bool latency);
void probe_set_free(struct probe_set *set);

/*
 * Compiles all probes of @spec into commands for this kernel. Appends the name of each probe's event to .found of the struct event_spec that has the probe.
 * Changes nothing in the kernel. Returns 0, or -errno after a message.
 */
int probes_check(struct record_spec *spec, const struct tracedir *top);

/* Returns the callbacks and settings with which probe_compile() (lib/probe/command.h) finds out what this kernel has. @top must live as long as the result. */
struct probe_world probes_world(const struct tracedir *top);

/*
 * Appends to *@out the functions of the kernel that match @glob and can be probed. Each function is appended once. A function cannot be probed if it is on
 * the kernel's blacklist, or if another function has the same name. *@refused becomes the number of functions that match and cannot be probed. Returns 0, or
 * -errno after a message.
 */
int probes_functions(const struct tracedir *top, const char *glob, strv_t *out, size_t *refused);

/*
 * Completes the formats of the probes' events in @meta. The kernel's own formats lack, for example, the names of enums. Returns 0, or -errno after a
 * message.
 */
int probes_describe(const struct record_spec *spec, struct metadata *meta);

/*
 * Adds the probes of @spec to the kernel. The session @s (lib/tracefs/session.h) removes the probes when the session ends. Returns 0, or -errno after a
 * message.
 */
int probes_arm(struct session *s, const struct record_spec *spec);

#endif
