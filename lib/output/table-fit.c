/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/table-fit.h"
#include "lib/base/utf8.h"
#include "lib/output/table-plain.h"

/* Texts are not broken into shorter pieces than this: nobody can read or search names that come in pieces of a few letters. */
enum { LEAST_TEXT = 16 };

void table_cut(struct str *text, size_t width, bool utf8)
{
	size_t at = 0, end = 0;

	for (size_t n = 0; at < text->len; at++) {
		if (!utf8_begins(text->at[at]))
			continue;
		if (++n == width)
			end = at;
		if (n > width)
			break;
	}
	if (at >= text->len)
		return;
	text->len = end;
	text->at[end] = '\0';
	str_add(text, utf8 ? "…" : "~");
}

unsigned int table_fit(const size_t *widths, unsigned int n, size_t width)
{
	size_t used = n ? widths[0] : 0;
	unsigned int k = 1;

	for (; k < n && used + 2 + widths[k] <= width; k++)
		used += 2 + widths[k];
	return MIN(k, n);
}

bool table_breaks(const size_t *widths, const bool *broken, unsigned int n, size_t width)
{
	size_t least = 0;

	for (unsigned int k = 0; k < n; k++)
		least += (k ? 2 : 0) + (broken[k] ? MIN(widths[k], (size_t)LEAST_TEXT) : widths[k]);
	return least <= width;
}

int table_fit_tell(const struct table *t, unsigned int from, int fd)
{
	struct str out = { 0 };
	int err;

	for (unsigned int k = from; k < t->nshown; k++)
		str_addf(&out, "%s%s", k > from ? ", " : "... and columns that have no room: ", t->spec->columns[t->shown[k]].name);
	if (from < t->nshown)
		str_addc(&out, '\n');
	err = table_flush(fd, &out, 0);
	str_fini(&out);
	return err;
}
