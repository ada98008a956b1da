/* SPDX-License-Identifier: GPL-2.0 */
/* Prepares a trace file for the writer, which can then write all of it again in another version or with another compression. */
#ifndef RINGSIDE_REWRITE_H
#define RINGSIDE_REWRITE_H

#include "lib/data/reader.h"
#include "lib/data/writer.h"

struct rewrite {
	VEC(struct write_buffer) buffers; /* for assemble() (lib/data/assemble.h); they borrow from the file */
	VEC(struct source) sources;	  /* one for each CPU whose data are compressed */
	/*
	 * One for each CPU whose data are cut off or damaged: pages that are written behind its other data. These are the page that was cut off, with
	 * the events that are left in it, and an empty page which says that events were lost. Either page may be missing.
	 */
	VEC(char *) tails;
	bool damaged; /* some data are left out, and a message has said which */
};

/*
 * Fills in @out from @file. It reads only the headers of compressed chunks, not their data. Returns 0, or -errno after a message. The caller calls
 * rewrite_fini() in either case; @file has to live until then.
 */
int rewrite_init(struct rewrite *out, const struct datfile *file);
void rewrite_fini(struct rewrite *rewrite);

#endif
