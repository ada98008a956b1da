/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/input.h"

static bool clock_of_input_is(const struct input *input, unsigned int buffer, bool (*is)(const char *name))
{
	const struct datfile *file = input->file;
	const struct metadata *meta = input->trace->meta;
	const char *clock = file && buffer < file->buffers.n ? file->buffers.at[buffer].clock : NULL;

	return !input->raw_ticks && (input->clock.hz || meta->tsc2nsec.present || clock_of_is(meta, clock, is));
}

bool input_in_ns(const struct input *input, unsigned int buffer)
{
	return clock_of_input_is(input, buffer, clock_is_ns);
}

bool input_in_seconds(const struct input *input, unsigned int buffer)
{
	return clock_of_input_is(input, buffer, clock_in_seconds);
}

void inputs_align(inputs_t *inputs, const struct record *rec)
{
	uint64_t first = input_time(&inputs->at[rec->file], rec);

	vec_each (inputs, input)
		input->clock.offset -= (int64_t)first;
}

/* Returns the second word of `uname -a`, the host's name. The caller frees it. Returns NULL if it is not known. */
char *input_host(const struct input *input)
{
	const struct text *uname = &input->file->meta.uname;
	const char *at = uname->at ? memchr(uname->at, ' ', uname->size) : NULL;
	size_t left, n = 0;

	if (!at)
		return NULL;
	left = uname->size - (size_t)(++at - uname->at);
	while (n < left && at[n] && at[n] != ' ')
		n++;
	/* The kernel says "(none)" if the host has no name. */
	return n && !(n == 6 && memcmp(at, "(none)", 6) == 0) ? strndup(at, n) : NULL;
}
