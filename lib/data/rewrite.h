/* SPDX-License-Identifier: GPL-2.0 */
/* A trace file as the writer takes it: to write all of it again, in another version or with another compression. */
#ifndef RINGSIDE_REWRITE_H
#define RINGSIDE_REWRITE_H

#include "lib/data/reader.h"
#include "lib/data/writer.h"

struct rewrite {
	VEC(struct write_buffer) buffers;	/* as assemble() wants them; they borrow from the file */
	VEC(struct source) sources;		/* of the compressed CPUs */
	VEC(char *) tails;			/* of those that were cut off: what is left of the last page, and a mark that events are lost behind it */
	bool damaged;				/* some data were left out, and a message has told which */
};

/*
 * Nothing is read but the headers of compressed chunks. 0, or -errno after a message; rewrite_fini() in either case,
 * @file has to live until then.
 */
int rewrite_init(struct rewrite *out, const struct datfile *file);
void rewrite_fini(struct rewrite *rewrite);

#endif
