/* SPDX-License-Identifier: GPL-2.0 */
/* What `start` and `set` have changed for good (session_stay()), and putting it back. */
#ifndef RINGSIDE_STAYS_H
#define RINGSIDE_STAYS_H

#include "lib/tracefs/tracedir.h"

/*
 * Puts back all that was changed in the instance @name ("" is the top), so that it is as the first of them found it; one that
 * they made goes. *@n: so many had changed something, also if the instance has gone since. Journals are in @state_dir (NULL:
 * journal_dir()). 0, or the first -errno after a message.
 */
int stays_put_back(const char *state_dir, const struct tracedir *top, const char *name, size_t *n);

#endif
