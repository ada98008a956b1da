/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses numbers, sizes, times, CPU lists and globs as people type them. Each parse function returns 0, -EINVAL or -ERANGE and prints nothing,
 * because only the caller knows the option's name. parse_cpus() may also return -ENOMEM.
 */
#ifndef RINGSIDE_PARSE_H
#define RINGSIDE_PARSE_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/* These parse a whole number, decimal or hexadecimal with 0x. Nothing may follow it. A leading 0 does not make it octal. */
int parse_u64(const char *text, uint64_t *out);
int parse_s64(const char *text, int64_t *out);

/*
 * Parses a size in units of @unit bytes. "512" is 512 units. With a suffix k, K, M, G or T (and an optional B or iB) the number counts KiB, MiB, GiB or
 * TiB. The result is rounded up to whole units. For example, "10M" with @unit 1024 is 10240.
 */
int parse_size(const char *text, uint64_t unit, uint64_t *out);

/* Parses a time into nanoseconds. "1.5" is 1.5 seconds. The suffixes ns, us, ms, s, m and h name a unit. */
int parse_time_ns(const char *text, uint64_t *out);

/*
 * A set of CPUs, which is written "0-3,7" or "all". A struct that is all zero is the empty set. parse_cpus() adds CPUs to the set *@out. When it fails,
 * it may already have added some CPUs. cpuset_fini() frees the set.
 */
struct cpuset {
	VEC(uint64_t) words; /* word i: a bit for each of the CPUs 64 * i to 64 * i + 63, the lowest bit first */
	bool all;	     /* true: the set has all CPUs, and .words is not used */
};
int parse_cpus(const char *text, struct cpuset *out);
bool cpuset_has(const struct cpuset *set, unsigned int cpu);

/* Is the CPU in the set? NULL is the set of all CPUs. */
static inline bool cpuset_wants(const struct cpuset *set, unsigned int cpu)
{
	return likely(!set) || cpuset_has(set, cpu);
}

void cpuset_text(const struct cpuset *set, struct str *out); /* appends the set in the form that parse_cpus() reads; appends nothing for the empty set */
void cpuset_fini(struct cpuset *set);

/* glob_match() tells whether @text matches the shell pattern @glob (* ? [..]). glob_is() tells whether @text has any of these characters. */
bool glob_match(const char *glob, const char *text);
bool glob_is(const char *text);

/*
 * Finds the names nearest to @word, for messages. A name is near if a few edits turn it into @word, or if it contains @word. Appends copies of at most
 * @most near names to *@out, the best first. Returns 0 or -ENOMEM.
 */
int nearest_names(const char *word, const strv_t *names, size_t most, strv_t *out);

/*
 * Returns "; did you mean A, B or C?" with those of *@names that are nearest to @word. If no name is near, returns a copy of @otherwise. The caller frees
 * the text. Empties *@names. Returns NULL when memory runs out.
 */
char *did_you_mean(const char *word, strv_t *names, const char *otherwise);

/*
 * Returns all of *@names as "a, b or c", with @before in front of the first name and @after behind the last name. Returns "" when there are no names. The
 * caller frees the text. Returns NULL when memory runs out.
 */
char *join_names(const strv_t *names, const char *before, const char *after);

#endif
