/* SPDX-License-Identifier: GPL-2.0 */
/*
 * `record -o -`: the file goes to standard output, as to `ssh host ringside record -o - … > host.dat`.
 *
 * Nothing of a trace.dat could be sent before the recording ends but its metadata: in both versions a CPU's data lie in one
 * piece (in version 7 as one list of chunks with their number before it), and CPUs fill at the same time. What is sent first
 * must also tell where the rest lies: the header points to the options, the sections follow each other without a gap, each with
 * its size in front. So the recording goes into spools and becomes a whole file in the folder for temporary ones, as fast as
 * ever and whatever the reader does; then, with the kernel put back, that file is sent and removed. A reader that takes its
 * time loses nothing.
 */
#ifndef RINGSIDE_OUTLET_H
#define RINGSIDE_OUTLET_H

#include "lib/record/spec.h"
#include "lib/record/watch.h"

struct outlet {
	int fd;	    /* what was standard output; -1: the file has a name */
	char *path; /* of the file to be sent */
};

/* clang-format off */
#define OUTLET_NONE { .fd = -1 }
/* clang-format on */

/*
 * If spec->output is "-": takes standard output (what else is written there, by the command too, goes to standard error from now
 * on), and puts the temporary file's name into spec->output, which is valid until outlet_close(). Returns 0, or -errno after a message.
 */
int outlet_open(struct outlet *o, struct record_spec *spec);

/*
 * Sends the file, if there is an outlet, and removes it. Waits for the reader, or for a signal. Returns 0, or -errno after a message
 * that says where the recording lies: -EPIPE when the reader has gone.
 */
int outlet_send(struct outlet *o, const struct watch *w);

void outlet_close(struct outlet *o);

#endif
