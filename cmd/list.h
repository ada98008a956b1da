/* SPDX-License-Identifier: GPL-2.0 */
/* Declares the parts of `ringside list` that are in other files. */
#ifndef RINGSIDE_LIST_H
#define RINGSIDE_LIST_H

/* Prints the plug-ins that `ringside report` would load, one path on each line. Returns 0, or -errno after a message. */
int list_plugins(void);

/* Prints the options that `ringside report -O` takes. They are the options of the plug-ins that `report` would load. Returns 0, or -errno after a message. */
int list_plugin_options(void);

#endif
