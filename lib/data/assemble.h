/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a trace.dat from metadata and the pages of buffers. The file gets its name only when it is complete. */
#ifndef RINGSIDE_ASSEMBLE_H
#define RINGSIDE_ASSEMBLE_H

#include "lib/data/writer.h"

/*
 * Writes the file @output and sets *@size to its size in bytes. Returns 0, or -errno after a message. If @output is a device, a pipe or a folder,
 * the function fails. On failure, *@size is 0, and a file that already had the name @output is unchanged.
 */
int assemble(const char *output, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers, const struct write_options *how,
	     uint64_t *size);

#endif
