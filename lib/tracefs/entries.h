/* SPDX-License-Identifier: GPL-2.0 */
/* The entries of a journal file as bytes; its layout is in lib/tracefs/journal.h. No messages in here. */
#ifndef RINGSIDE_ENTRIES_H
#define RINGSIDE_ENTRIES_H

#include "lib/tracefs/journal.h"

struct entry {
	enum journal_kind kind;
	const char *path;
	const char *value;
};

/* All entries of a journal, and the memory that they point into. */
struct entries {
	VEC(struct entry) v;
	struct text text;
};

/* Appends an entry's bytes to *@out; 0 or -ENOMEM. */
int entry_encode(struct str *out, enum journal_kind kind, const char *path, const char *value);

/* Reads all of a file. Stops at the first entry that is not whole: what follows it never led to a change. 0 or -errno. */
int entries_load(struct entries *out, int fd);
void entries_fini(struct entries *e);

#endif
