/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/span.h"
#include "lib/analysis/extent.h"
#include "lib/analysis/units.h"
#include "lib/base/err.h"

uint64_t span_of_pass(const struct reading *reading)
{
	const struct pass *pass = &reading->pass;
	uint64_t first, last;

	if (!pass->seen || !units_same(reading))
		return 0;
	first = input_time(&reading->inputs.at[pass->first.file], &pass->first);
	last = input_time(&reading->inputs.at[pass->last.file], &pass->last);
	return last > first ? last - first : 0;
}

static int make_nothing(__unused struct handler **out, __unused struct reading *reading, __unused void *options)
{
	return 0;
}

static const struct analysis span_analysis = { .name = "span", .make = make_nothing };

/* Reads all records of the files to find their span. Gives no messages: the reading that asks for the span gives them. Returns 0 or a negative errno. */
static int read_all(struct reading *whole, uint64_t *span)
{
	struct reading reading;
	int err = reading_share(&reading, whole);

	reading.hush = true;
	reading_choose_all(&reading);
	err = err ? err : reading_take(&reading, &span_analysis, NULL);
	*span = err ? 0 : span_of_pass(&reading);
	reading_again(&reading);
	return err;
}

int span_find(struct reading *whole, uint64_t *span)
{
	struct extent extent;
	int err;

	if (reading_has_window(whole) || whole->buffers.n || whole->has_cpus)
		return read_all(whole, span);
	err = extent_find(&extent, &whole->inputs);
	*span = err || extent.last < extent.first || !units_same(whole) ? 0 : extent.last - extent.first;
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}
