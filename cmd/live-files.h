/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the files to which the descriptors of running processes refer, for `syscalls -y`. Reads /proc to find them. */
#ifndef RINGSIDE_CMD_LIVE_FILES_H
#define RINGSIDE_CMD_LIVE_FILES_H

#include "cmd/ask.h"
#include "lib/analysis/descriptors.h"

struct live_files {
	struct descriptor_source source;
	const struct ask_opts *ask; /* borrowed */
};

/* Fills in @files, which borrows @ask, and returns a pointer to files->source. */
const struct descriptor_source *live_files_source(struct live_files *files, const struct ask_opts *ask);

#endif
