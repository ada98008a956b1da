/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of `ringside list` that are in other files. */
#ifndef RINGSIDE_LIST_H
#define RINGSIDE_LIST_H

/* The plug-ins that report would load, a path per line. 0, or -errno after a message. */
int list_plugins(void);

/* The options of those plug-ins, for report -O. */
int list_plugin_options(void);

#endif
