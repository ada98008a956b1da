/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the event formats of the running kernel, or of another kernel from a file. */
#ifndef RINGSIDE_TEST_FORMATS_H
#define RINGSIDE_TEST_FORMATS_H

#include "lib/base/vec.h"
#include "lib/base/str.h"

struct tep_handle;

/*
 * Reads all formats into *@out, which the caller frees. When @kernel is "running", the formats come from the running kernel's tracefs. Otherwise @kernel is the
 * name of a file. A file whose name ends in ".xz" is compressed. In the file, and in *@out, a line "system: NAME" comes before the formats of each system.
 * Returns 0, or -errno after a message.
 */
int formats_read(const char *kernel, struct text *out);

/*
 * Calls @each for every event of @formats, with the text of the event's format. When a call returns anything but 0, stops and returns -ENOMEM. Otherwise
 * returns the number of events, or -ENOMEM when memory runs out.
 */
int formats_each(const struct text *formats, int (*each)(void *ctx, const char *system, struct text *format), void *ctx);

/* Lets libtraceevent parse all formats. Returns the number of events, or -ENOMEM. */
int formats_parse(struct tep_handle *tep, const struct text *formats);

#endif
