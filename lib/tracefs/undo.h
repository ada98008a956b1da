/* SPDX-License-Identifier: GPL-2.0 */
/* What undoes each kind of journal entry. Undoing twice, or undoing a change that never happened, changes nothing. */
#ifndef RINGSIDE_UNDO_H
#define RINGSIDE_UNDO_H

#include "lib/tracefs/journal.h"

struct undo {
	const char *what;	/* before the path, when it is explained: "restore " */
	/* 0 or -errno; -EBUSY: worth another try. -ENOENT counts as done: what was changed is gone. */
	int (*run)(const struct tracedir *top, const char *path, const char *value);
};

/* NULL: nothing to undo for that kind. */
const struct undo *undo_find(enum journal_kind kind);

#endif
