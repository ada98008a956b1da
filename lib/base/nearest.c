/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the names that are nearest to a word by edit distance, for "did you mean". */
#define _GNU_SOURCE
#include "lib/base/parse.h"
#include "lib/base/str.h"

#include <ctype.h>

enum {
	LONGEST = 63, /* the kernel's names are shorter; of a longer word, only the beginning is compared */
	FARTHER = 10, /* a name that is farther away than the nearest one by more than this was not meant */
};

/*
 * Returns how many edits (insert, delete, replace, swap of neighbours) lead from @a to @b, in tenths. Case is ignored. Letters added at the end count less,
 * so that do_sys_open finds do_sys_openat2.
 */
static int distance(const char *a, const char *b)
{
	size_t n = strnlen(a, LONGEST), m = strnlen(b, LONGEST);
	int row[3][LONGEST + 1], *two = row[0], *one = row[1], *now = row[2];

	for (size_t j = 0; j <= m; j++)
		one[j] = (int)j * 10;
	for (size_t i = 1; i <= n; i++) {
		int *oldest = two;

		now[0] = (int)i * 10;
		for (size_t j = 1; j <= m; j++) {
			bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
			int best = one[j - 1] + (same ? 0 : 10);

			best = MIN(best, one[j] + 10);
			best = MIN(best, now[j - 1] + (i == n ? 3 : 10));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = MIN(best, two[j - 2] + 10);
			now[j] = best;
		}
		two = one;
		one = now;
		now = oldest;
	}
	return one[m];
}

int nearest_names(const char *word, const strv_t *names, size_t most, strv_t *out)
{
	size_t len = strlen(word);
	int limit = (int)MIN(len * 10 / 3 + 10, (size_t)45);
	VEC(struct {
		int cost;
		const char *name;
	})
	best = { 0 };
	int err = 0;

	vec_each (names, name) {
		int cost = distance(word, *name);
		size_t at;

		if (cost > limit && len >= 3 && strcasestr(*name, word))
			cost = limit;
		if (cost > limit)
			continue;
		for (at = best.n; at > 0 && best.at[at - 1].cost > cost; at--)
			;
		if (at >= most)
			continue;
		err = vec_reserve(&best, 1);
		if (err)
			break;
		memmove(best.at + at + 1, best.at + at, (best.n - at) * sizeof(*best.at));
		best.at[at].cost = cost;
		best.at[at].name = *name;
		best.n = MIN(best.n + 1, most);
	}
	for (size_t i = 0; !err && i < best.n && best.at[i].cost <= best.at[0].cost + FARTHER; i++)
		err = strv_add(out, best.at[i].name);
	vec_fini(&best);
	return err;
}

char *did_you_mean(const char *word, strv_t *names, const char *otherwise)
{
	strv_t best = { 0 };
	char *near = NULL;

	if (!nearest_names(word, names, 3, &best))
		near = best.n ? join_names(&best, "; did you mean ", "?") : strdup(otherwise);
	strv_fini(names);
	strv_fini(&best);
	return near;
}

char *join_names(const strv_t *names, const char *before, const char *after)
{
	struct str s = { 0 };

	for (size_t i = 0; i < names->n; i++)
		str_addf(&s, "%s%s", i == 0 ? before : i + 1 == names->n ? " or " : ", ", names->at[i]);
	if (names->n)
		str_add(&s, after);
	return str_take(&s);
}
