/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads plug-ins that print events. Libtraceevent looks for plug-ins in the system's folder, in $TRACEEVENT_PLUGIN_DIR and in
 * ~/.local/lib/traceevent/plugins. Ringside's own plug-ins are looked for in $RINGSIDE_PLUGIN_DIR. If this variable is not set, they are looked for in the
 * folder into which they were installed.
 */
#ifndef RINGSIDE_PLUGIN_H
#define RINGSIDE_PLUGIN_H

#include "lib/event/trace.h"

struct tep_handle;
struct tep_plugin_list;

/* Loads the plug-ins that @opt allows. Returns NULL when none was loaded. plugins_unload() frees the list. */
struct tep_plugin_list *plugins_load(struct tep_handle *tep, const struct trace_options *opt);

/* Libtraceevent installs its own plug-ins in a folder of the system. Returns true if the code at the address @function belongs to a plug-in in this folder. */
bool plugin_is_systems(const void *function);

/* Unloads the plug-ins. The caller has to do this before tep_free(). Accepts NULL. */
void plugins_unload(struct tep_plugin_list *plugins, struct tep_handle *tep);

/*
 * Gives one option of the built-in printers (lib/event/text.h). @i is its number, counted from 0. Options that a plug-in of libtraceevent also has are
 * left out and not counted. *@plugin and *@name become the words of -O PLUGIN:NAME, and *@help says what the option does. The texts are static. Returns
 * false when there are no more options.
 */
bool plugin_own_option(size_t i, const char **plugin, const char **name, const char **help);

#endif
