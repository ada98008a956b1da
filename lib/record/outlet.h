/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends the file of `record -o -` to standard output, as in `ssh host ringside record -o - … > host.dat`.
 *
 * The file is sent after the end of the recording, because a trace.dat has offsets and sizes that are known only then. During the recording the data are
 * in spools (lib/record/spool.h), as in any other recording. After the recording, a whole file is made in the folder for temporary files (--temp, $TMPDIR or
 * /var/tmp). The settings of the kernel are put back. Then the file is sent and removed. Tracing has ended before the file is sent, so a slow reader causes
 * no loss of events.
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
 * When spec->output is "-", takes over standard output. From now on, everything that is written to standard output goes to standard error, even the output
 * of the command. Only outlet_send() writes to the original standard output. Puts the name of the temporary file into spec->output, where it is valid until
 * outlet_close(). When spec->output is any other name, does nothing. Returns 0, or -errno after a message, for example when standard output is a terminal.
 */
int outlet_open(struct outlet *o, struct record_spec *spec);

/*
 * Sends the file and removes it. Does nothing when the recording goes to a file with a name. Waits until the reader has taken everything, or until a
 * signal comes. Returns 0, or -errno after a message that says where the recording is. -EPIPE means that the reader has gone.
 */
int outlet_send(struct outlet *o, const struct watch *w);

void outlet_close(struct outlet *o);

#endif
