/* SPDX-License-Identifier: GPL-2.0 */
/* What the descriptors of running processes are, as /proc shows it: for syscalls -y while it happens. */
#ifndef RINGSIDE_CMD_LIVE_FILES_H
#define RINGSIDE_CMD_LIVE_FILES_H

#include "cmd/ask.h"
#include "lib/analysis/descriptors.h"

struct live_files {
	struct descriptor_source source;
	const struct ask_opts *ask; /* borrowed */
};

/* Fills @files, which the result is part of. */
const struct descriptor_source *live_files_source(struct live_files *files, const struct ask_opts *ask);

#endif
