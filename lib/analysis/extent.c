/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/extent.h"
#include "lib/data/merge.h"

struct ends {
	struct extent *extent;
	const inputs_t *inputs;
};

static void add_end(void *ctx, const struct merge_end *end)
{
	const struct ends *ends = ctx;
	const struct clock *clock = &ends->inputs->at[end->file].clock;
	const uint64_t first = clock_time(clock, end->cpu, end->first), last = clock_time(clock, end->cpu, end->last);

	ends->extent->first = MIN(ends->extent->first, first);
	ends->extent->last = MAX(ends->extent->last, last);
	ends->extent->latest = MAX(ends->extent->latest, MAX(first, last));
}

int extent_find(struct extent *extent, const inputs_t *inputs)
{
	struct ends ends = { .extent = extent, .inputs = inputs };
	VEC(struct merge_input) files = { 0 };
	struct merge *merge = NULL;
	int err = 0;

	*extent = (struct extent){ .first = UINT64_MAX };
	vec_each (inputs, input) {
		extent->size += input->file->size;
		err = err ? err : vec_push(&files, (struct merge_input){ .file = input->file });
	}
	err = err ? err : merge_open(&merge, files.at, files.n, NULL);
	if (!err)
		merge_hush(merge);
	err = err ? err : merge_ends(merge, add_end, &ends);
	merge_close(merge);
	vec_fini(&files);
	return err;
}

uint64_t extent_done(const struct extent *extent, const inputs_t *inputs, const struct record *rec)
{
	const uint64_t now = input_time(&inputs->at[rec->file], rec);

	if (now <= extent->first || extent->last <= extent->first)
		return 0;
	return (uint64_t)((double)extent->size * MIN((double)(now - extent->first) / (double)(extent->last - extent->first), 1.0));
}
