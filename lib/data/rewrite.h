/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prepares a trace file for the writer (lib/data/writer.h). The writer can then write the whole file again in another version or with another
 * compression.
 */
#ifndef RINGSIDE_REWRITE_H
#define RINGSIDE_REWRITE_H

#include "lib/data/reader.h"
#include "lib/data/writer.h"

struct rewrite {
	VEC(struct write_buffer) buffers; /* for assemble() (lib/data/assemble.h); the buffers borrow from the file */
	VEC(struct source) sources;	  /* one for each CPU whose data are compressed */
	/*
	 * There is one element for each CPU whose data are cut off or damaged. The element has up to two pages, which are written behind the other data of
	 * the CPU. The first page is the page that was cut off, with the events that are left in it. The second page is empty and says that events were
	 * lost. Either page may be missing.
	 */
	VEC(char *) tails;
	bool damaged; /* some data are left out, and a message has said which data */
};

/*
 * Fills in @out from @file. Reads only the headers of compressed chunks, not their contents. Returns 0, or -errno after a message. In both cases, the
 * caller must call rewrite_fini(). @file has to live until rewrite_fini().
 */
int rewrite_init(struct rewrite *out, const struct datfile *file);
void rewrite_fini(struct rewrite *rewrite);

#endif
