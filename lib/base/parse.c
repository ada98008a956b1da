/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/base/parse.h"
#include "lib/base/str.h"

#include <ctype.h>
#include <fnmatch.h>

/* Returns 16 for a number with 0x, and 10 for any other, because nobody who types 0161 means an octal number. */
static int base_of(const char *digits)
{
	return digits[0] == '0' && (digits[1] | 0x20) == 'x' ? 16 : 10;
}

int parse_u64(const char *text, uint64_t *out)
{
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	*out = strtoull(text, &end, base_of(text));
	if (*end)
		return -EINVAL;
	return errno ? -ERANGE : 0;
}

int parse_s64(const char *text, int64_t *out)
{
	const char *digits = text + (text[0] == '-' || text[0] == '+');
	char *end;

	if (!isdigit((unsigned char)*digits))
		return -EINVAL;
	errno = 0;
	*out = strtoll(text, &end, base_of(digits));
	if (*end)
		return -EINVAL;
	return errno ? -ERANGE : 0;
}

int parse_size(const char *text, uint64_t unit, uint64_t *out)
{
	static const char letters[] = "kmgt";
	const char *found;
	uint64_t n, bytes;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	n = strtoull(text, &end, base_of(text));
	if (errno)
		return -ERANGE;
	if (!*end) {
		*out = n;
		return __builtin_mul_overflow(n, unit, &bytes) ? -ERANGE : 0;
	}
	found = strchr(letters, tolower((unsigned char)*end));
	if (!found || !(!end[1] || !strcasecmp(end + 1, "b") || !strcasecmp(end + 1, "ib")))
		return -EINVAL;
	if (__builtin_mul_overflow(n, 1ULL << (10 * (found - letters + 1)), &bytes))
		return -ERANGE;
	*out = bytes / unit + (bytes % unit != 0);
	return 0;
}

int parse_time_ns(const char *text, uint64_t *out)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "", NSEC_PER_SEC },	   { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", NSEC_PER_SEC }, { "m", 60 * NSEC_PER_SEC },
		      { "h", 3600 * NSEC_PER_SEC } };
	uint64_t whole = 0, fraction = 0, scale = 1;
	const char *at = text;

	if (!isdigit((unsigned char)*at) && !(*at == '.' && isdigit((unsigned char)at[1])))
		return -EINVAL;
	for (; isdigit((unsigned char)*at); at++)
		if (__builtin_mul_overflow(whole, 10, &whole) || __builtin_add_overflow(whole, (uint64_t)(*at - '0'), &whole))
			return -ERANGE;
	if (*at == '.')
		for (at++; isdigit((unsigned char)*at); at++)
			if (scale < NSEC_PER_SEC) {
				fraction = fraction * 10 + (uint64_t)(*at - '0');
				scale *= 10;
			}
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		uint64_t part;

		if (strcmp(at, units[i].name))
			continue;
		part = (uint64_t)((__uint128_t)fraction * units[i].ns / scale);
		if (__builtin_mul_overflow(whole, units[i].ns, &whole) || __builtin_add_overflow(whole, part, out))
			return -ERANGE;
		return 0;
	}
	return -EINVAL;
}

static int cpuset_add(struct cpuset *set, uint64_t cpu)
{
	size_t word = (size_t)(cpu / 64);

	while (set->words.n <= word)
		if (vec_push(&set->words, 0))
			return -ENOMEM;
	set->words.at[word] |= 1ULL << (cpu % 64);
	return 0;
}

int parse_cpus(const char *text, struct cpuset *out)
{
	const uint64_t most = 65536; /* No kernel has more CPUs. A typing error must not use up the memory. */
	const char *at = text;

	if (strcmp(text, "all") == 0) {
		out->all = true;
		return 0;
	}
	do {
		uint64_t first, last;
		char *end;

		if (!isdigit((unsigned char)*at))
			return -EINVAL;
		first = last = strtoull(at, &end, 10);
		if (*end == '-') {
			at = end + 1;
			if (!isdigit((unsigned char)*at))
				return -EINVAL;
			last = strtoull(at, &end, 10);
		}
		if (last < first)
			return -EINVAL;
		if (last >= most)
			return -ERANGE;
		for (uint64_t cpu = first; cpu <= last; cpu++)
			if (cpuset_add(out, cpu))
				return -ENOMEM;
		at = end;
	} while (*at++ == ',');
	return at[-1] ? -EINVAL : 0;
}

bool cpuset_has(const struct cpuset *set, unsigned int cpu)
{
	return set->all || (cpu / 64 < set->words.n && (set->words.at[cpu / 64] >> (cpu % 64) & 1));
}

void cpuset_text(const struct cpuset *set, struct str *out)
{
	const size_t n = set->words.n * 64;
	const char *comma = "";

	if (set->all)
		return str_add(out, "all");
	for (unsigned int first = 0, end; first < n; first = end + 1) {
		for (end = first; end < n && cpuset_has(set, end); end++)
			;
		if (end == first)
			continue;
		str_addf(out, end - first > 1 ? "%s%u-%u" : "%s%u", comma, first, end - 1);
		comma = ",";
	}
}

void cpuset_fini(struct cpuset *set)
{
	vec_fini(&set->words);
	set->all = false;
}

bool glob_is(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

bool glob_match(const char *glob, const char *text)
{
	return strcmp(glob, text) == 0 || (glob_is(glob) && fnmatch(glob, text, 0) == 0);
}

bool globs_match(const strv_t *globs, const char *text)
{
	vec_each (globs, glob)
		if (glob_match(*glob, text))
			return true;
	return false;
}
