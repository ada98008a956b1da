/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/clock.h"

void clock_init(struct clock *out, const struct metadata *meta, const struct clock_options *how)
{
	*out = (struct clock){ .plain = true };
	if (how->raw)
		return;
	if (meta->time_shift.present)
		out->shift = &meta->time_shift;
	out->hz = how->hz;
	if (!how->hz && meta->tsc2nsec.present && meta->tsc2nsec.mult)
		out->tsc = meta->tsc2nsec;
	out->offset = meta->ts_offset + how->ts_offset;
	if (meta->has_date && !how->no_date)
		out->offset += meta->date_us * (int64_t)NSEC_PER_USEC;
	out->plain = !out->shift && !how->hz && !out->tsc.present;
}

/*
 * Returns the index of the sample that begins the interval of @ts: the last sample that is not after @ts. The result is at least 0, even if all samples are
 * later. It is at most @n - 2, so that another sample follows it. @n must be at least 2.
 */
static size_t sample_before(const struct time_sample *samples, size_t n, int64_t ts)
{
	size_t low = 0, high = n - 1;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (samples[mid].time <= ts)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static int64_t interpolate(const struct time_sample *a, const struct time_sample *b, int64_t ts)
{
	__int128 span = (__int128)b->time - a->time;
	__int128 rise = ((__int128)ts - a->time) * ((__int128)b->offset - a->offset);

	return span > 0 ? (int64_t)(a->offset + (rise + span / 2) / span) : a->offset;
}

static uint64_t shifted(const struct time_shift *shift, unsigned int cpu, uint64_t raw)
{
	const struct time_sample *s;
	int64_t correction;
	size_t n;

	if (cpu >= shift->cpus.n || !shift->cpus.at[cpu].samples.n)
		return raw;
	s = shift->cpus.at[cpu].samples.at;
	n = shift->cpus.at[cpu].samples.n;
	if (n == 1)
		return raw + (uint64_t)s->offset;
	s += sample_before(s, n, (int64_t)raw);
	correction = shift->flags & 1 ? interpolate(s, s + 1, (int64_t)raw) : s->offset;
	if (s->fraction < 0 || s->fraction > 63)
		return raw + (uint64_t)correction;
	return (uint64_t)(((__int128)raw * s->scaling) >> s->fraction) + (uint64_t)correction;
}

uint64_t clock_shifted(const struct clock *clock, unsigned int cpu, uint64_t raw)
{
	uint64_t ts = clock->shift ? shifted(clock->shift, cpu, raw) : raw;

	if (clock->hz)
		ts = (uint64_t)((unsigned __int128)ts * NSEC_PER_SEC / clock->hz);
	else if (clock->tsc.present && clock->tsc.shift < 64)
		ts = (uint64_t)(((unsigned __int128)ts * clock->tsc.mult) >> clock->tsc.shift);
	return ts + (uint64_t)clock->offset;
}

uint64_t clock_raw(const struct clock *clock, unsigned int cpu, uint64_t ts, uint64_t first, uint64_t last)
{
	uint64_t low = first, high = last + 1;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;

		if (clock_time(clock, cpu, mid) < ts)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}
