/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/flame-svg.h"
#include "lib/analysis/diff-words.h"
#include "lib/analysis/rooms.h"
#include "lib/base/duration.h"
#include "lib/base/quote.h"
#include "lib/base/utf8.h"
#include "lib/base/visible.h"

#include <stdio.h>

/* Sizes in pixels. */
enum { WIDTH = 1200, ROW = 17, TOP = 34, BOTTOM = 22, MARGIN = 10, LETTER = 7 };
#define NARROWEST 0.3

/* The colours of the kernel's parts, by enum kernel_room. lib/export/web/style.css has the same colours. */
static const char *const colours[ROOM_COUNT] = {
	[ROOM_OTHER] = "#c3b9a9", [ROOM_ENTRY] = "#a8b0ba",   [ROOM_FS] = "#e8b04a",  [ROOM_MM] = "#8fbf6a",	 [ROOM_NET] = "#6cb5d9",
	[ROOM_SCHED] = "#b79be0", [ROOM_LOCKING] = "#e58a8a", [ROOM_IRQ] = "#e69ac4", [ROOM_DRIVER] = "#76c7b7",
};

static const char *const state_colours[OFFCPU_STATES] = {
	[OFFCPU_BLOCKED] = "#b9c3d3",
	[OFFCPU_PREEMPTED] = "#e0864c",
	[OFFCPU_QUEUED] = "#e3a73b",
	[OFFCPU_ASLEEP] = "#c9ccd2",
};
#define PROGRAM_COLOUR "#a6c8f0"

struct picture {
	const struct flame *flame;
	const char *unit;
	const uint8_t *rooms;
	const struct flame_diff *diff; /* NULL: there is no comparison */
	double *left;		       /* where each frame begins, in units of weight */
	double scale;		       /* pixels for a unit of weight */
	uint32_t depth;		       /* the depth of the innermost frame that is drawn */
	uint64_t folded;	       /* how many frames are too narrow to be drawn */
	struct str *out;
};

/* Finds where each frame begins. Callers come before their callees. */
static int place(struct picture *picture)
{
	const struct flame *flame = picture->flame;
	__cleanup(free_ptr) uint32_t *order = flame_order(flame);
	double at = 0;

	picture->left = calloc(flame->frames.n, sizeof(*picture->left));
	if (!order || !picture->left)
		return -ENOMEM;
	picture->scale = flame->frames.at[0].weight ? (double)(WIDTH - 2 * MARGIN) / (double)flame->frames.at[0].weight : 0;
	for (size_t i = 1; i < flame->frames.n; i++) {
		const struct flame_frame *frame = &flame->frames.at[order[i]];

		/* The first callee begins where its caller begins. */
		if (i == 1 || flame->frames.at[order[i - 1]].parent != frame->parent)
			at = picture->left[frame->parent];
		picture->left[order[i]] = at;
		at += (double)frame->weight;
		if ((double)frame->weight * picture->scale >= NARROWEST)
			picture->depth = MAX(picture->depth, frame->depth);
		else
			picture->folded++;
	}
	return 0;
}

static void put_weight(const struct picture *picture, uint64_t weight, struct str *out)
{
	if (picture->unit)
		str_addf(out, "%llu %s", (unsigned long long)weight, picture->unit);
	else
		duration_add(out, weight);
}

/* Puts as much of a name as there is room for. */
static void put_label(const char *name, double width, struct str *out)
{
	size_t letters = width > 2 * LETTER ? (size_t)((width - 6) / LETTER) : 0, n = 0, bytes = 0;
	struct str shown = { 0 };

	str_add(&shown, name);
	visible_str(&shown, 0, false);
	while (n < letters && bytes < shown.len) {
		size_t length = utf8_length(str_text(&shown) + bytes, shown.len - bytes);

		bytes += MAX(length, (size_t)1);
		n++;
	}
	if (bytes < shown.len && n > 2) {
		/* Dots take the place of the last two letters. */
		for (unsigned int i = 0; i < 2; i++)
			for (bytes--; bytes && !utf8_begins(shown.at[bytes]);)
				bytes--;
		shown.at[bytes] = '\0';
		quote_xml(str_text(&shown), out);
		str_add(out, "..");
	} else if (bytes == shown.len) {
		quote_xml(str_text(&shown), out);
	}
	out->oom |= shown.oom;
	str_fini(&shown);
}

static const char *colour_of(const struct picture *picture, size_t i, char mixed[8])
{
	const struct flame_frame *frame = &picture->flame->frames.at[i];

	if (picture->diff && !frame->owner) {
		flame_diff_colour(picture->diff, i, mixed);
		return mixed;
	}
	if (frame->state)
		return state_colours[frame->state - 1];
	return frame->owner ? "#d9d9d9" : frame->event ? "#f2d16b" : frame->program ? PROGRAM_COLOUR : colours[picture->rooms[i]];
}

/* Puts "; slower: ..." in the words of `ringside diff`. */
static void put_change(const struct picture *picture, size_t i)
{
	const struct diff_row *row = picture->diff ? flame_diff_row(picture->diff, i) : NULL;
	struct str text = { 0 };

	if (!row)
		return;
	diff_evidence(picture->diff->diff, row, diff_signs(true), false, &text);
	str_addf(picture->out, "; %s: ", diff_verdict_name(row->verdict));
	quote_xml(str_text(&text), picture->out);
	picture->out->oom |= text.oom;
	str_fini(&text);
}

static void put_frame(const struct picture *picture, size_t i)
{
	const struct flame_frame *frame = &picture->flame->frames.at[i];
	const double width = (double)frame->weight * picture->scale, left = MARGIN + picture->left[i] * picture->scale;
	const unsigned int top = TOP + (picture->depth - frame->depth) * ROW;
	struct str *out = picture->out;
	char mixed[8];

	str_add(out, "<g><title>");
	quote_xml(frame->name, out);
	str_add(out, ": ");
	put_weight(picture, frame->weight, out);
	str_addf(out, ", %.2f %%", 100 * (double)frame->weight / (double)picture->flame->frames.at[0].weight);
	if (frame->node) {
		const struct callgraph_figures figures = callgraph_figures(picture->flame->graph, frame->node);

		str_addf(out, "; %llu calls", (unsigned long long)(figures.calls.n + figures.timeless));
		if (figures.calls.n) {
			str_add(out, ", itself ");
			put_weight(&(struct picture){ 0 }, figures.self, out);
		}
		if (figures.calls.n && !figures.unplaced) {
			str_add(out, ", off the CPU ");
			put_weight(&(struct picture){ 0 }, figures.off, out);
		}
	}
	put_change(picture, i);
	str_addf(out, "</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>", left, top, width, ROW - 1, colour_of(picture, i, mixed));
	if (width > 2 * LETTER) {
		str_addf(out, "<text x=\"%.2f\" y=\"%u\">", left + 3, top + 12);
		put_label(frame->name, width, out);
		str_add(out, "</text>");
	}
	str_add(out, "</g>\n");
}

static void put_head(const struct picture *picture, const char *title)
{
	const unsigned int height = TOP + (picture->depth + 1) * ROW + BOTTOM;
	struct str *out = picture->out;

	str_addf(out,
		 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\""
		 " viewBox=\"0 0 %d %u\">\n",
		 WIDTH, height, WIDTH, height);
	str_add(out, "<style>text{font:11px monospace;fill:#1b1b1b}.said{fill:#444}.ground{fill:#fff}"
		     "@media(prefers-color-scheme:dark){.ground{fill:#1c1e22}.said{fill:#ccc}}</style>\n"
		     "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
	str_addf(out, "<text class=\"said\" x=\"%d\" y=\"20\">", MARGIN);
	quote_xml(title, out);
	str_add(out, "</text>\n");
	str_addf(out, "<text class=\"said\" x=\"%d\" y=\"%u\">", MARGIN, height - 7);
	if (picture->folded)
		str_addf(out, "%llu frames that are narrower than %g pixels are not drawn. ", (unsigned long long)picture->folded, NARROWEST);
	if (picture->diff)
		str_add(out, "Red: slower; blue: faster; orange: more often; green: less often; purple: new; grey: the same. ");
	str_add(out, "A frame's title tells its times.</text>\n");
}

int flame_svg(const struct flame *flame, const char *title, const char *unit, const uint8_t *rooms, const struct flame_diff *diff, struct str *out)
{
	struct picture picture = { .flame = flame, .unit = unit, .rooms = rooms, .diff = diff, .out = out };
	int err = place(&picture);

	if (!err)
		put_head(&picture, title);
	for (size_t i = 0; !err && i < flame->frames.n; i++)
		if ((double)flame->frames.at[i].weight * picture.scale >= NARROWEST)
			put_frame(&picture, i);
	str_add(out, "</svg>\n");
	free(picture.left);
	return err ? err : str_ok(out);
}
