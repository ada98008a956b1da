/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/shift.h"

#include "lib/base/err.h"
#include "lib/base/now.h"

void shift_begin(struct metadata *meta, uint64_t peer_id)
{
	struct time_shift *shift = &meta->time_shift;

	vec_each (&shift->cpus, cpu)
		vec_fini(&cpu->samples);
	shift->cpus.n = 0;
	shift->present = true;
	shift->peer_id = peer_id;
	/* The flag says that readers interpolate the offset between two samples. */
	shift->flags = 1;
}

int shift_add(struct metadata *meta, const struct clocks_line *line)
{
	__typeof__(*meta->time_shift.cpus.at) row = { 0 };
	int err = 0;

	for (size_t i = 0; i < line->n && !err; i++)
		err = vec_push(&row.samples, (struct time_sample){ .time = line->points[i].time, .offset = line->points[i].offset, .scaling = 1 });
	if (!err && !vec_push(&meta->time_shift.cpus, row))
		return 0;
	vec_fini(&row.samples);
	return fail(ENOMEM, "no memory for the clock of a host");
}

int64_t shift_date_us(clockid_t clock)
{
	const int64_t before = (int64_t)clock_ns(clock), wall = (int64_t)clock_ns(CLOCK_REALTIME);

	return (wall - (before / 2 + (int64_t)clock_ns(clock) / 2)) / (int64_t)NSEC_PER_USEC;
}
