/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/units.h"
#include "lib/base/err.h"

/* --- in which order -------------------------------------------------------------------------------------------------- */

void units_warn_of_order(const struct reading *reading)
{
	const struct input *first = reading->inputs.at;
	__cleanup(free_ptr) char *clock = clock_name(&first->file->meta.trace_clock);

	vec_each (&reading->inputs, input) {
		__cleanup(free_ptr) char *other = clock_name(&input->file->meta.trace_clock);

		if (!clock || !other || strcmp(clock, other) == 0 || first->clock.offset || input->clock.offset || first->clock.shift || input->clock.shift)
			continue;
		warn("%s has times of the clock %s and %s of %s: their order says nothing; record both with --date or the same -C, or give --ts-offset",
		     first->path, clock, input->path, other);
		return;
	}
}

/* --- added up -------------------------------------------------------------------------------------------------------- */

/* This tells what the times of a buffer are. */
struct unit {
	const struct input *input; /* NULL: no buffer has been looked at yet */
	char *ticks;		   /* the clock whose ticks the times are; NULL: the times are ns */
};

/* Are the times of the buffer in ns? --raw-ts shows the stored numbers. If the clock counts ns, these are ns, too. */
static bool counts_ns(const struct input *input, unsigned int buffer, const char *clock)
{
	return input_in_ns(input, buffer) || (input->raw_ticks && !input->file->meta.tsc2nsec.present && clock_is_ns(clock));
}

/* Finds the unit of a buffer. Returns 0 or -ENOMEM. */
static int find_unit(const struct input *input, const struct datbuf *buffer, struct unit *out)
{
	char *clock = clock_name_of(&input->file->meta, buffer->clock);

	*out = (struct unit){ .input = input };
	if (clock && !counts_ns(input, (unsigned int)(buffer - input->file->buffers.at), clock))
		out->ticks = take(clock);
	else if (!clock)
		return -ENOMEM;
	free(clock);
	return 0;
}

static bool is_read(const struct reading *reading, const struct datbuf *buffer)
{
	return buffer->cpus.n && (!reading->buffers.n || merge_buffer_globs((void *)&reading->buffers, buffer->name));
}

/* Finds two buffers whose times have different units. Returns 1, 0 if there are none, or -ENOMEM. */
static int find_two(const struct reading *reading, struct unit *one, struct unit *other)
{
	vec_each (&reading->inputs, input) {
		vec_each (&input->file->buffers, buffer) {
			struct unit *to = one->input ? other : one;

			if (!is_read(reading, buffer))
				continue;
			if (find_unit(input, buffer, to))
				return -ENOMEM;
			if (to == other && (!one->ticks != !other->ticks || (one->ticks && strcmp(one->ticks, other->ticks))))
				return 1;
			if (to == other)
				free(take(other->ticks));
		}
	}
	return 0;
}

bool units_same(const struct reading *reading)
{
	struct unit one = { 0 }, other = { 0 };
	const int differ = find_two(reading, &one, &other);

	free(one.ticks);
	free(other.ticks);
	return !differ;
}

static int refuse(const char *what, const struct unit *one, const struct unit *other)
{
	const struct unit *ticks = one->ticks ? one : other, *rest = one->ticks ? other : one;

	return fail(
		EINVAL,
		"%s: times of %s are ticks of the clock %s, whose length is not known, and do not go together with those of %s, which are %s%s; ask for each %s, or "
		"record with a clock that counts ns, as `record -C mono` does",
		what, ticks->input->path, ticks->ticks, rest->input == ticks->input ? "another buffer" : rest->input->path,
		rest->ticks ? "ticks of the clock " : "ns", rest->ticks ? rest->ticks : "", rest->input == ticks->input ? "buffer by -B" : "file on its own");
}

int units_check(const struct reading *reading)
{
	struct unit one = { 0 }, other = { 0 };
	const char *sums = NULL;
	int err;

	vec_each (&reading->parts, part)
		if (part->what->needs & ANALYSIS_SUMS)
			sums = part->what->name;
	err = sums ? find_two(reading, &one, &other) : 0;
	if (err > 0)
		err = refuse(sums, &one, &other);
	free(one.ticks);
	free(other.ticks);
	return err;
}

const char *units_why_timeless(const inputs_t *inputs)
{
	vec_each (inputs, input)
		for (unsigned int buffer = 0; buffer < input_buffers(input); buffer++)
			if (!input_in_ns(input, buffer))
				return "the clock counts ticks, and it is not recorded how long a tick is";
	return "by its records, such a call ended before it began";
}
