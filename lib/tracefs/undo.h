/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Undoes changes of the kernel's settings. A journal (lib/tracefs/journal.h) has an entry for each change. There is one function for each kind of entry. It
 * does no harm to undo a change that was undone before, or that was never made.
 */
#ifndef RINGSIDE_UNDO_H
#define RINGSIDE_UNDO_H

#include "lib/tracefs/journal.h"

struct undo {
	const char *what; /* the text that journal_explain() puts in front of the path, such as "restore " */
	/*
	 * Undoes one entry. Returns 0 or -errno. After -EBUSY another try can succeed. The caller treats -ENOENT and -ENODEV as success, because they mean that
	 * the changed file or event is gone.
	 */
	int (*run)(const struct tracedir *top, const char *path, const char *value);
};

/* Returns how entries of @kind are undone. Returns NULL when entries of this kind need no undoing. */
const struct undo *undo_find(enum journal_kind kind);

#endif
