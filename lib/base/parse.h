/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses numbers, sizes, times, CPU lists and globs as people type them. Each parse function returns 0, -EINVAL or -ERANGE and prints nothing.
 * parse_cpus() may also return -ENOMEM.
 */
#ifndef RINGSIDE_PARSE_H
#define RINGSIDE_PARSE_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/*
 * These functions parse an integer. A number that begins with 0x is hexadecimal. All other numbers are decimal, even 010. parse_s64() also takes a sign in
 * front of the number. Nothing may follow the number.
 */
int parse_u64(const char *text, uint64_t *out);
int parse_s64(const char *text, int64_t *out);

/*
 * Parses a size. *@out becomes the size in units of @unit bytes, rounded up. A number without a suffix, such as "512", is a number of units. With a suffix K,
 * M, G or T, the number is a number of KiB, MiB, GiB or TiB. The suffix may be followed by B or iB. All these letters may be upper or lower case. For example,
 * "10M" with @unit 1024 is 10240. A size of 2^64 bytes or more is -ERANGE.
 */
int parse_size(const char *text, uint64_t unit, uint64_t *out);

/* Parses a time into nanoseconds. "1.5" is 1.5 seconds. The suffixes ns, us, ms, s, m and h name a unit. */
int parse_time_ns(const char *text, uint64_t *out);

/*
 * A set of CPUs. As a text, a set is "0-3,7" or "all". A struct that is all zero is the empty set. parse_cpus() adds CPUs to the set *@out. When parse_cpus()
 * fails, it may already have added some CPUs. cpuset_fini() frees the set.
 */
struct cpuset {
	VEC(uint64_t) words; /* word i: a bit for each of the CPUs 64 * i to 64 * i + 63, the lowest bit first */
	bool all;	     /* true: the set has all CPUs, and .words is not used */
};
int parse_cpus(const char *text, struct cpuset *out);
bool cpuset_has(const struct cpuset *set, unsigned int cpu);

/* Returns true if @cpu is in @set. If @set is NULL, returns true. */
static inline bool cpuset_wants(const struct cpuset *set, unsigned int cpu)
{
	return likely(!set) || cpuset_has(set, cpu);
}

void cpuset_text(const struct cpuset *set, struct str *out); /* appends the set in the form that parse_cpus() reads; appends nothing for the empty set */
void cpuset_fini(struct cpuset *set);

/*
 * glob_match() returns true if @text matches the shell pattern @glob. It also returns true if @text and @glob are the same text. The reason is that names such
 * as "[no name]" and "operator[]" do not match themselves as patterns. glob_is() returns true if @text has a '*', a '?' or a '['.
 */
bool glob_match(const char *glob, const char *text);
bool glob_is(const char *text);

/* Returns true if @text matches one of @globs. If @globs is empty, returns false. */
bool globs_match(const strv_t *globs, const char *text);

/*
 * Finds the elements of @names that are nearest to @word, for messages. A name is near if a few edits turn the name into @word, or if the name contains @word.
 * Appends copies of at most @most near names to *@out, the nearest first. Returns 0 or -ENOMEM.
 */
int nearest_names(const char *word, const strv_t *names, size_t most, strv_t *out);

/*
 * Returns "; did you mean A, B or C?" with the elements of *@names that are nearest to @word. If no name is near, returns a copy of @otherwise. The caller
 * frees the text. Returns NULL when memory runs out. Empties *@names in all cases.
 */
char *did_you_mean(const char *word, strv_t *names, const char *otherwise);

/*
 * Joins all elements of *@names: "a, b or c". @before is put in front of the first name, and @after behind the last name. Returns this text. Returns "" when
 * there are no names. The caller frees the text. Returns NULL when memory runs out.
 */
char *join_names(const strv_t *names, const char *before, const char *after);

#endif
