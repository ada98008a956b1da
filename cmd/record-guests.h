/* SPDX-License-Identifier: GPL-2.0 */
/* `record -A HOST:PORT [--name NAME] options…`: what stands behind -A is for an agent, up to the next -A, -B or the command. */
#ifndef RINGSIDE_CMD_RECORD_GUESTS_H
#define RINGSIDE_CMD_RECORD_GUESTS_H

#include "cmd/record.h"
#include "lib/record/guests.h"

/* What stands behind one -A. All but the lists is borrowed from the command line. */
struct guest_words {
	const char *where, *name; /* NULL: no name was given */
	bool proxy;		  /* --proxy, not -A */
	strv_t words;
};

struct guest_lines {
	VEC(struct guest_words) at;
	VEC(char *) rest; /* the command line without them, NULL-terminated */
};

/* Takes them out of a command line. Returns 0, or -errno after a message. guest_lines_fini() after it in any case. */
int guest_lines(struct guest_lines *out, const struct cmd *cmd, int argc, char **argv);
void guest_lines_fini(struct guest_lines *lines);

/* Rows for record: -A and --name. Where these stand in a place that has no meaning, their call says so. */
extern const struct opt guest_rows[];

/* Records here what @opts asks for, if anything, and there. The exit status. */
int record_with_guests(struct record_opts *opts, const struct guest_lines *lines);

#endif
