/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends the file of `record -o -` to standard output, as in `ssh host ringside record -o - … > host.dat`.
 *
 * Only the metadata of a trace.dat could be sent before the recording ends. In both versions, 6 and 7, the data of each CPU are in one piece. (In version
 * 7, this piece is a list of chunks with the number of chunks in front.) But the data of all CPUs come at the same time. The beginning of the file also
 * tells where the rest lies. The header points to the options, and each section has its size in front. These offsets and sizes are not known before the
 * recording ends.
 *
 * So the recording goes into spools (lib/record/spool.h) at its usual speed, even if the reader is slow. At the end it becomes a whole file in the folder
 * for temporary files (--temp, $TMPDIR or /var/tmp). The settings are put back. Then the file is sent and removed. A slow reader loses nothing.
 */
#ifndef RINGSIDE_OUTLET_H
#define RINGSIDE_OUTLET_H

#include "lib/record/spec.h"
#include "lib/record/watch.h"

struct outlet {
	int fd;	    /* a copy of standard output; -1: the recording goes to a file with a name */
	char *path; /* the path of the file that will be sent */
};

/* clang-format off */
#define OUTLET_NONE { .fd = -1 }
/* clang-format on */

/*
 * When spec->output is "-", takes over standard output. From now on everything else that is written to standard output goes to standard error. This
 * includes the output of the command. Puts the name of the temporary file into spec->output, where it is valid until outlet_close(). Returns 0, or -errno
 * after a message.
 */
int outlet_open(struct outlet *o, struct record_spec *spec);

/*
 * Sends the file and removes it. Does nothing when the recording goes to a file with a name. Waits until the reader has taken everything, or until a
 * signal comes. Returns 0, or -errno after a message that says where the recording is. -EPIPE means that the reader has gone.
 */
int outlet_send(struct outlet *o, const struct watch *w);

void outlet_close(struct outlet *o);

#endif
