/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/window.h"
#include "lib/base/err.h"
#include "lib/event/text.h"

/* This is the range from the first record of all streams to the last one, as times are shown. */
struct range {
	const inputs_t *inputs;
	const struct cpuset *cpus; /* only the records of these CPUs count; NULL: of all CPUs */
	uint64_t first, last;
	bool any;
};

static void add_end(void *ctx, const struct merge_end *end)
{
	struct range *range = ctx;
	const struct clock *clock = &range->inputs->at[end->file].clock;
	uint64_t first = clock_time(clock, end->cpu, end->first), last = clock_time(clock, end->cpu, end->last);

	if (!cpuset_wants(range->cpus, end->cpu))
		return;
	range->first = range->any ? MIN(range->first, first) : first;
	range->last = range->any ? MAX(range->last, last) : last;
	range->any = true;
}

/* Parses the number of a percentage such as "5%" or "0.5%". *@out becomes this part of @whole. Returns 0, -EINVAL or -ENOMEM. */
static int parse_share(const char *text, size_t len, uint64_t whole, uint64_t *out)
{
	__cleanup(free_ptr) char *number = strndup(text, len);
	uint64_t share; /* in parts of 100 * 1e9 */

	if (!number)
		return -ENOMEM;
	if (parse_time_ns(number, &share) || strspn(number, "0123456789.") != len || share > 100 * NSEC_PER_SEC)
		return -EINVAL;
	*out = (uint64_t)((unsigned __int128)whole * share / (100 * NSEC_PER_SEC));
	return 0;
}

static int parse_number(const struct window_options *opt, const char *text, uint64_t *out)
{
	return opt->ns ? parse_time_ns(text, out) : parse_u64(text, out);
}

/* Does the text of a time have a digit that is worth less than a microsecond, even a zero? */
static bool has_ns(const char *text)
{
	const char *dot = strchr(text, '.'), *unit = text + strspn(text, "0123456789.");
	const size_t decimals = dot ? (size_t)(unit - dot - 1) : 0;

	if (strcmp(unit, "ns") == 0)
		return true;
	return decimals > (strcmp(unit, "us") == 0 ? 0U : strcmp(unit, "ms") == 0 ? 3U : 6U);
}

/*
 * Parses an end of the window. A time that is written with microseconds at most stands for all times from 500 ns before it to 499 ns after it. Returns 0 or
 * -errno.
 */
static int parse_end(const struct window_options *opt, const struct range *range, const char *text, bool until, uint64_t *out)
{
	size_t len = strlen(text);
	int err;

	if (len && text[len - 1] == '%')
		err = parse_share(text, len - 1, range->last - range->first, out);
	else
		err = parse_number(opt, text + (text[0] == '+'), out);
	if (err)
		return err;
	if (text[0] == '+' || text[len - 1] == '%')
		return __builtin_add_overflow(*out, range->first, out) ? -ERANGE : 0;
	if (!opt->ns || opt->exact || has_ns(text))
		return 0;
	if (until)
		return __builtin_add_overflow(*out, 499, out) ? -ERANGE : 0;
	*out -= MIN(*out, 500U);
	return 0;
}

static int read_end(const struct window_options *opt, const struct range *range, const char *name, const char *text, uint64_t *out)
{
	int err = parse_end(opt, range, text, strcmp(name, "--until") == 0, out);

	if (!err)
		return 0;
	if (err == -ENOMEM)
		return err;
	return fail(EINVAL,
		    opt->ns ? "%s %s: not a time; seconds as the report shows them (12.5), +1.5 seconds "
			      "after the first record, or 5%% of the trace"
			    : "%s %s: not a time; the clock of this trace counts ticks: 1200, +1200 after "
			      "the first record, or 5%% of the trace",
		    name, text);
}

/* Reports that the window is outside of the trace, and when the trace was. Returns a negative errno. */
static int outside(const struct window_options *opt, const struct range *range, const char *what, const char *text)
{
	struct str first = { 0 }, last = { 0 };
	int err;

	text_time(range->first, opt->ns, opt->exact, &first);
	text_time(range->last, opt->ns, opt->exact, &last);
	err = fail(EINVAL, "%s %s the trace%s, which lasts from %s to %s", what, text, range->cpus && !range->cpus->all ? " of the chosen CPUs" : "",
		   str_text(&first) + strspn(str_text(&first), " "), str_text(&last) + strspn(str_text(&last), " "));
	str_fini(&first);
	str_fini(&last);
	return err;
}

static int check(const struct window_options *opt, const struct range *range, uint64_t from, uint64_t to)
{
	__cleanup(free_ptr) char *since = str_printf("--since %s", opt->since), *until = str_printf("--until %s", opt->until);

	if (!since || !until)
		return -ENOMEM;
	if (from > range->last)
		return outside(opt, range, since, "is after the end of");
	if (to < range->first)
		return outside(opt, range, until, "is before the beginning of");
	if (from > to)
		return fail(EINVAL, "%s is later than %s; %s", since, until,
			    *opt->until == '+' && *opt->since != '+' ? "+ counts from the first record" : "exchange them");
	return 0;
}

int window_set(struct merge *merge, const inputs_t *inputs, const struct window_options *opt)
{
	struct range range = { .inputs = inputs, .cpus = opt->cpus };
	uint64_t from = 0, to = UINT64_MAX;
	int err;

	if (!opt->since && !opt->until)
		return 0;
	err = merge_ends(merge, add_end, &range);
	if (!err && opt->since)
		err = read_end(opt, &range, "--since", opt->since, &from);
	if (!err && opt->until)
		err = read_end(opt, &range, "--until", opt->until, &to);
	if (!err && range.any)
		err = check(opt, &range, from, to);
	return err ? err : merge_narrow(merge, from, to, true);
}
