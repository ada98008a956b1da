/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one recorder on another machine sends, into a spool folder (lib/record/spool.h) while it comes, and into a trace file when it is complete. What a peer
 * that broke off has sent stays in that folder, of which `ringside restore` makes a file.
 */
#ifndef RINGSIDE_RECEIVE_H
#define RINGSIDE_RECEIVE_H

#include "lib/base/str.h"

struct receive_spec {
	const char *stem;	/* of the files' names: STEM.HOST:PORT.dat, in the current folder */
	const char *program;	/* what made the file, where nothing says it */
	uint64_t max_bytes;	/* of data from one recorder; 0: as much as the disk has room for */
	uint64_t max_ns;	/* that one may take; 0: any */
	/* What is worth saying, each a sentence. May be NULL. */
	void (*said)(void *ctx, const char *sentence);
	void *ctx;
};

/*
 * Talks with who is at the connection @fd until that has said all or went away, or @signals (a signalfd) becomes readable. 0 when there is a file; else
 * -errno after a message.
 */
int receive(const struct receive_spec *spec, int fd, int signals);

#endif
