/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/reading-meta.h"

int reading_meta(struct reading *reading, struct table_meta *meta, strv_t *files)
{
	const struct pass *pass = &reading->pass;
	const struct calls_lost *lost = reading->calls ? calls_lost(reading->calls) : NULL;
	int err = 0;

	*meta = (struct table_meta){ .file = reading->inputs.n ? reading->inputs.at[0].path : NULL };
	vec_each (&reading->inputs, input)
		err = err ? err : strv_add(files, input->path);
	if (reading->inputs.n > 1)
		meta->files = files;
	if (pass->seen) {
		uint64_t first = input_time(&reading->inputs.at[pass->first.file], &pass->first);
		uint64_t last = input_time(&reading->inputs.at[pass->last.file], &pass->last);

		meta->span = last > first ? last - first : 0;
		meta->ticks = !input_in_ns(&reading->inputs.at[pass->last.file], pass->last.buffer);
	}
	if (lost) {
		meta->lost = lost->events;
		meta->lost_more = lost->more;
	}
	return err;
}
