/* SPDX-License-Identifier: GPL-2.0 */
/* A file without a name as long as it is incomplete, or where there is no such thing, a hidden one. Prints nothing. */
#ifndef RINGSIDE_DRAFT_H
#define RINGSIDE_DRAFT_H

#include "lib/base/base.h"

struct draft {
	int fd;			/* to read and write */
	char *folder, *hidden;
	bool named;
};

#define DRAFT_NONE { .fd = -1 }

/* In the folder of @output. 0 or -errno; draft_close() in either case. */
int draft_open(struct draft *d, const char *output);

/* Gives it the name @output, in the place of what had that name. 0 or -errno. */
int draft_publish(struct draft *d, const char *output);

/* What has not been published is gone. */
void draft_close(struct draft *d);

#endif
