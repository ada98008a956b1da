/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/stays.h"
#include "lib/tracefs/journal.h"

int stays_put_back(const char *state_dir, const struct tracedir *top, const char *name, size_t *n)
{
	journals_t all = { 0 };
	int err = journals_find(state_dir, &all);

	*n = 0;
	for (size_t i = all.n; i-- > 0;) {
		const struct journal_info *info = &all.at[i];
		int ret;

		if (!info->stays || strcmp(info->tracing_dir, top->path) != 0 || !strv_has(&info->uses, name))
			continue;
		++*n;
		ret = journal_undo_instance(info->path, top, name);
		err = err ? err : ret;
	}
	journals_fini(&all);
	return err;
}
