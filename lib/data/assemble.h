/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the trace.dat of metadata and spools: it appears under its name only when it is complete. */
#ifndef RINGSIDE_ASSEMBLE_H
#define RINGSIDE_ASSEMBLE_H

#include "lib/data/writer.h"

/*
 * Writes @output; *@size: how large it has become. 0, or -errno after a message: nothing is there then, or what
 * was there before.
 */
int assemble(const char *output, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers,
	     const struct write_options *how, uint64_t *size);

#endif
