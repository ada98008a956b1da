/* SPDX-License-Identifier: GPL-2.0 */
/* Puts back the settings that `start`, `set` and `sqlhist` have changed, and that stayed after these commands had ended (session_stay()). */
#ifndef RINGSIDE_STAYS_H
#define RINGSIDE_STAYS_H

#include "lib/tracefs/tracedir.h"

/*
 * Puts back everything that these commands have changed in the instance @name ("" is the top), in all of their runs. The instance is then as it was before
 * the first of these runs. If the commands made the instance, it is removed. *@n becomes the number of these runs, even when the instance does not exist
 * any more. @state_dir is the folder of the journals, which are files with the old settings (lib/tracefs/journal.h). If @state_dir is NULL, the folder is
 * journal_dir(). Returns 0, or the first -errno after messages.
 */
int stays_put_back(const char *state_dir, const struct tracedir *top, const char *name, size_t *n);

#endif
