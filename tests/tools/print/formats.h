/* SPDX-License-Identifier: GPL-2.0 */
/* The event formats of a kernel: of the running one, or of a file that was made of them. */
#ifndef RINGSIDE_TEST_FORMATS_H
#define RINGSIDE_TEST_FORMATS_H

#include "lib/base/vec.h"
#include "lib/base/str.h"

struct tep_handle;

/*
 * Reads a file of formats (xz-compressed if its name says so), in which a line "system: NAME" stands before those of
 * a system; or, as "running", tracefs. The text comes in *@out, in the form of such a file. 0 or -errno, reported.
 */
int formats_read(const char *kernel, struct text *out);

/* Calls @each for every event, with its part of the text; the number of events, or -ENOMEM, also when @each does not return 0. */
int formats_each(const struct text *formats, int (*each)(void *ctx, const char *system, struct text *format), void *ctx);

/* Gives them all to libtraceevent; the number of events, or -ENOMEM. */
int formats_parse(struct tep_handle *tep, const struct text *formats);

#endif
