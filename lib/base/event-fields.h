/* SPDX-License-Identifier: GPL-2.0 */
/* Lists the fields of an event, as the text of the event's format file (events/SYSTEM/NAME/format in tracefs) declares them. */
#ifndef RINGSIDE_EVENT_FIELDS_H
#define RINGSIDE_EVENT_FIELDS_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/*
 * Goes to the next field of a format. The caller sets *@at to the text of the format before the first call. Each call moves *@at behind the field.
 * *@declared becomes the text between "field:" and the semicolon, such as "int pid", "char comm[16]" or "__data_loc char[] name". *@name becomes the
 * field's name. *@declared and *@name point into the text of the format. Returns false after the last field.
 */
bool format_next_field(const char **at, struct text *declared, struct text *name);

/* Appends the names of all fields in @format, including those of the common fields. Returns 0 or -ENOMEM. */
int format_fields(const char *format, strv_t *names);

#endif
