/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/query/fleet-inside.h"
#include "lib/query/tables.h"

#include <stdio.h>
#include <sys/stat.h>

enum { PIECE = 1 << 20 };

/* The hash need not withstand somebody who makes two files with the same hash. It tells files apart that are not made for this. */
static uint64_t add_words(uint64_t hash, const char *bytes, size_t n)
{
	for (; n; bytes += MIN(n, sizeof(uint64_t)), n -= MIN(n, sizeof(uint64_t))) {
		uint64_t word = 0;

		memcpy(&word, bytes, MIN(n, sizeof(word)));
		hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 32;
	}
	return hash;
}

int identity_of(struct query *query, struct identity *out)
{
	const struct datfile *file = query->reading->inputs.at[0].file;
	__cleanup(free_ptr) char *piece = malloc(PIECE);
	uint64_t hash = file->size, offset = 0;
	struct stat st;
	ssize_t n;

	if (!piece)
		return fail(ENOMEM, "out of memory");
	while ((n = io_pread(file->fd, piece, PIECE, offset)) > 0) {
		hash = add_words(hash, piece, (size_t)n);
		offset += (uint64_t)n;
	}
	if (n < 0 || fstat(file->fd, &st))
		return fail(n < 0 ? (int)-n : errno, "%s: %m", file->path);
	*out = (struct identity){ .day = (uint16_t)(st.st_mtime / 86400), .host = query->hosts.at[0], .file = query->reading->inputs.at[0].path };
	snprintf(out->recording, sizeof(out->recording), "%016llx", (unsigned long long)hash);
	return 0;
}
#endif
