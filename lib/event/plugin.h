/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event printers in plug-ins: libtraceevent's own (the system's, $TRACEEVENT_PLUGIN_DIR, ~/.local/lib/traceevent/plugins)
 * and ours ($RINGSIDE_PLUGIN_DIR, else the folder they were installed in).
 */
#ifndef RINGSIDE_PLUGIN_H
#define RINGSIDE_PLUGIN_H

#include "lib/event/trace.h"

struct tep_handle;
struct tep_plugin_list;

/* Loads them as @opt allows; NULL: none. */
struct tep_plugin_list *plugins_load(struct tep_handle *tep, const struct trace_options *opt);

/* Is @function of a plug-in in the folder that libtraceevent installs its own in? */
bool plugin_is_systems(const void *function);

/* Accepts NULL. Before tep_free(). */
void plugins_unload(struct tep_plugin_list *plugins, struct tep_handle *tep);

/*
 * The options of printers that are built in and of no plug-in: the @i-th one's plug-in, name and what it does; false: there are no more.
 */
bool plugin_own_option(size_t i, const char **plugin, const char **name, const char **help);

#endif
