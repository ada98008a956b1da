/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/flame-diff.h"
#include "lib/analysis/diff-words.h"
#include "lib/base/io.h"
#include "lib/base/map.h"
#include "lib/base/quote.h"

#include <math.h>
#include <stdio.h>

/* --- whose row --------------------------------------------------------------------------------------------------------- */

typedef MAP(struct text, uint32_t) path_map_t;

/* Puts the names from the root to a frame, in the form of the comparison's keys. */
static void put_path(const struct flame *flame, uint32_t frame, struct str *out)
{
	const struct flame_frame *at = &flame->frames.at[frame];

	if (at->parent) {
		put_path(flame, at->parent, out);
		str_addc(out, ';');
	}
	str_add(out, at->name);
}

static int find_rows(struct flame_diff *diff, const struct flame *flame)
{
	path_map_t paths = { 0 };
	struct str path = { 0 };
	int err = 0;

	for (uint32_t i = 0; !err && i < diff->diff->rows.n; i++) {
		const struct diff_row *row = &diff->diff->rows.at[i];
		map_entry(&paths) entry;

		if (row->verdict == DIFF_UNKNOWN)
			continue;
		entry = map_add_text(&paths, row->key, strlen(row->key));
		if (entry)
			entry->value = i + 1;
		err = entry ? 0 : -ENOMEM;
	}
	for (uint32_t i = 1; !err && i < flame->frames.n; i++) {
		const struct callgraph_node *node = flame->frames.at[i].node;
		map_entry(&paths) entry;

		if (!node || node->flags & (CALLGRAPH_REST | CALLGRAPH_UNKNOWN))
			continue;
		str_clear(&path);
		put_path(flame, i, &path);
		err = str_ok(&path);
		entry = err ? NULL : map_find_text(&paths, str_text(&path), path.len);
		diff->rows[i] = entry ? entry->value : 0;
	}
	str_fini(&path);
	map_fini(&paths);
	return err;
}

int flame_diff_init(struct flame_diff *diff, diff_runs_t *runs, const struct flame *flame)
{
	int err;

	*diff = (struct flame_diff){ .rows = calloc(MAX(flame->frames.n, (size_t)1), sizeof(*diff->rows)) };
	err = diff->rows ? diff_new(&diff->diff, &runs[OLD], &runs[NEW]) : -ENOMEM;
	return err ? err : find_rows(diff, flame);
}

void flame_diff_fini(struct flame_diff *diff)
{
	diff_free(diff->diff);
	free(diff->rows);
}

/* --- how it looks ------------------------------------------------------------------------------------------------------- */

/* Returns the factor by which a row has changed, which is the one of its verdict. 1 means that it is not known. */
static double factor_of(const struct diff_row *row)
{
	if (row->verdict == DIFF_SLOWER || row->verdict == DIFF_FASTER)
		return row->ratio > 0 ? row->ratio : 1;
	return row->sides[OLD].calls > 0 && row->sides[NEW].calls > 0 ? row->sides[NEW].calls / row->sides[OLD].calls : 1;
}

void flame_diff_colour(const struct flame_diff *diff, size_t frame, char colour[8])
{
	static const unsigned char same[3] = { 0xd8, 0xd8, 0xd8 };
	static const unsigned char full[DIFF_VERDICTS][3] = {
		[DIFF_SAME] = { 0xd8, 0xd8, 0xd8 }, [DIFF_SLOWER] = { 0xe0, 0x4f, 0x3f }, [DIFF_FASTER] = { 0x4f, 0x8f, 0xe0 },
		[DIFF_MORE] = { 0xe5, 0x9a, 0x3c }, [DIFF_LESS] = { 0x5f, 0xb8, 0xc4 },	  [DIFF_NEW] = { 0xc8, 0x6f, 0xd0 },
		[DIFF_GONE] = { 0x90, 0x90, 0x90 },
	};
	const struct diff_row *row = flame_diff_row(diff, frame);
	const enum diff_verdict verdict = row ? row->verdict : DIFF_SAME;
	double much = row && verdict < DIFF_NEW ? fmin(0.45 + 0.55 * fabs(log(factor_of(row))) / log(2), 1) : 1;

	snprintf(colour, 8, "#");
	for (unsigned int i = 0; i < 3; i++)
		snprintf(colour + 1 + 2 * i, 3, "%02x", (unsigned int)lround(same[i] + (full[verdict][i] - same[i]) * much) & 0xff);
}

/* --- for programs ------------------------------------------------------------------------------------------------------- */

/* A row that is not compared has no frame, and the page does not list it. So its verdict is the same as that of other rows that the page does not list. */
static enum diff_verdict listed(const struct diff_row *row)
{
	return row->verdict == DIFF_UNKNOWN ? DIFF_SAME : row->verdict;
}

static void put_words(const struct flame_diff *diff, struct str *out)
{
	const struct diff_signs signs = diff_signs(true);
	const char *comma = "";
	struct str text = { 0 };

	str_add(out, "\"key\":[");
	vec_each (&diff->diff->rows, row) {
		str_add(out, comma);
		quote_json(listed(row) == DIFF_SAME ? "" : row->key, out);
		comma = ",";
	}
	str_add(out, "],\"evidence\":[");
	comma = "";
	vec_each (&diff->diff->rows, row) {
		str_add(out, comma);
		str_clear(&text);
		diff_evidence(diff->diff, row, signs, false, &text);
		quote_json(str_text(&text), out);
		comma = ",";
	}
	str_add(out, "],\"whole\":");
	str_clear(&text);
	diff_whole(diff->diff, signs, &text);
	quote_json(str_text(&text), out);
	out->oom |= text.oom;
	str_fini(&text);
}

int flame_diff_json(const struct flame_diff *diff, size_t n, struct str *out)
{
	uint64_t lost = 0;

	str_add(out, "{\"old\":[");
	vec_each (diff->diff->runs[OLD], run) {
		str_add(out, run == diff->diff->runs[OLD]->at ? "" : ",");
		quote_json(run->path, out);
		lost += run->lost.places;
	}
	str_addf(out, "],\"oldLost\":%llu,\"verdicts\":[", (unsigned long long)lost);
	for (enum diff_verdict verdict = DIFF_SAME; verdict <= DIFF_GONE; verdict++)
		str_addf(out, "%s\"%s\"", verdict ? "," : "", diff_verdict_name(verdict));
	str_add(out, "],\"verdict\":[");
	vec_each (&diff->diff->rows, row)
		str_addf(out, row == diff->diff->rows.at ? "%d" : ",%d", listed(row));
	str_add(out, "],\"factor\":[");
	vec_each (&diff->diff->rows, row)
		str_addf(out, row == diff->diff->rows.at ? "%.4g" : ",%.4g", factor_of(row));
	str_add(out, "],\"row\":[");
	for (size_t i = 0; i < n; i++)
		str_addf(out, i ? ",%u" : "%u", diff->rows[i]);
	str_add(out, "],");
	put_words(diff, out);
	str_add(out, "}");
	return str_ok(out);
}

/* --- folded ------------------------------------------------------------------------------------------------------------- */

static uint64_t weight_of(const struct diff_side *side, enum flame_weight by)
{
	const double weight = by == FLAME_CALLS ? side->calls : by == FLAME_CPU ? side->self : by == FLAME_OFF ? side->off : side->self + side->off;

	return (uint64_t)llround(weight);
}

static int by_key(const void *a, const void *b)
{
	return strcmp((*(const struct diff_row *const *)a)->key, (*(const struct diff_row *const *)b)->key);
}

static void put_line(const struct diff_row *row, enum flame_weight by, struct str *out)
{
	const uint64_t o = weight_of(&row->sides[OLD], by), n = weight_of(&row->sides[NEW], by);

	if (!o && !n)
		return;
	/* The key has the names already joined. */
	for (const char *at = row->key; *at; at++)
		str_addc(out, *at == '\n' || *at == '\r' ? ' ' : *at);
	str_addf(out, " %llu %llu\n", (unsigned long long)o, (unsigned long long)n);
}

int flame_diff_folded(const struct flame_diff *diff, enum flame_weight by, int fd)
{
	const size_t n = diff->diff->rows.n;
	__cleanup(free_ptr) const struct diff_row **rows = calloc(MAX(n, (size_t)1), sizeof(*rows));
	struct str out = { 0 };
	int err = rows ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < n; i++)
		rows[i] = &diff->diff->rows.at[i];
	if (!err && n)
		qsort(rows, n, sizeof(*rows), by_key);
	for (size_t i = 0; !err && i < n; i++) {
		put_line(rows[i], by, &out);
		if (out.len < 1 << 16 && i + 1 < n)
			continue;
		err = str_ok(&out);
		err = err ? err : io_write(fd, str_text(&out), out.len);
		str_clear(&out);
	}
	str_fini(&out);
	return err;
}
