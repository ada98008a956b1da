/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Encodes and reads the entries of a journal. A journal is a file with an entry for each change of a setting of the kernel. With this entry, the change can be
 * undone. lib/tracefs/journal.h describes the layout of the file. These functions print no message.
 */
#ifndef RINGSIDE_ENTRIES_H
#define RINGSIDE_ENTRIES_H

#include "lib/tracefs/journal.h"

struct entry {
	enum journal_kind kind;
	const char *path;  /* enum journal_kind says what the path is for an entry of this kind */
	const char *value; /* enum journal_kind says what the value is for an entry of this kind */
	bool own;	   /* a JOURNAL_OWN follows */
};

/* All entries of a journal, and the memory that they point into. */
struct entries {
	VEC(struct entry) v;
	struct text text;
};

/* Appends the bytes of an entry to *@out. Returns 0 or -ENOMEM. */
int entry_encode(struct str *out, enum journal_kind kind, const char *path, const char *value);

/*
 * Reads all entries of the journal that is open as @fd. Leaves out each JOURNAL_OWN and JOURNAL_VOID, and also the entry that a JOURNAL_VOID cancels. Reading
 * stops at the first incomplete entry. Only the last entry of a file can be incomplete. Returns 0 or -errno. The caller calls entries_fini() in any case.
 */
int entries_load(struct entries *out, int fd);
void entries_fini(struct entries *e);

#endif
