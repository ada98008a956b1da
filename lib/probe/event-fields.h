/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the fields of an event, for probes on this event (eprobes). */
#ifndef RINGSIDE_EVENT_FIELDS_H
#define RINGSIDE_EVENT_FIELDS_H

#include "lib/base/vec.h"

/* Appends the names of the fields in @format, the text of an event's format file. Returns 0 or -ENOMEM. */
int format_fields(const char *format, strv_t *names);

#endif
