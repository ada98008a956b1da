/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/folded.h"
#include "lib/base/io.h"
#include "lib/base/quote.h"

struct line {
	char *text;
	uint64_t weight;
};
typedef VEC(struct line) lines_t;

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->text, ((const struct line *)b)->text);
}

/* Returns the names from the outermost frame to @frame, or NULL for lack of memory. */
static char *stack_of(const struct flame *flame, uint32_t frame)
{
	VEC(uint32_t) stack = { 0 };
	struct str text = { 0 };
	int err = 0;

	for (uint32_t at = frame; !err && at; at = flame->frames.at[at].parent)
		err = vec_push(&stack, at);
	for (size_t i = stack.n; i-- > 0;) {
		quote_folded(flame->frames.at[stack.at[i]].name, &text);
		if (i)
			str_addc(&text, ';');
	}
	vec_fini(&stack);
	if (!err && !text.len && !text.oom)
		str_add(&text, "all");
	if (err || str_ok(&text)) {
		str_fini(&text);
		return NULL;
	}
	return str_take(&text);
}

static int gather(const struct flame *flame, lines_t *lines)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < flame->frames.n; i++) {
		struct line line = { .weight = flame->frames.at[i].own };

		if (!line.weight)
			continue;
		line.text = stack_of(flame, i);
		err = line.text ? vec_push(lines, line) : -ENOMEM;
		if (err)
			free(line.text);
	}
	if (lines->n)
		qsort(lines->at, lines->n, sizeof(*lines->at), by_text);
	return err;
}

int folded_write(const struct flame *flame, int fd)
{
	struct str out = { 0 };
	lines_t lines = { 0 };
	int err = gather(flame, &lines);

	for (size_t i = 0; !err && i < lines.n; i++) {
		uint64_t weight = lines.at[i].weight;

		for (; i + 1 < lines.n && strcmp(lines.at[i].text, lines.at[i + 1].text) == 0; i++)
			weight += lines.at[i + 1].weight;
		str_addf(&out, "%s %llu\n", lines.at[i].text, (unsigned long long)weight);
		if (out.len < 1 << 16 && i + 1 < lines.n)
			continue;
		err = str_ok(&out);
		err = err ? err : io_write(fd, str_text(&out), out.len);
		str_clear(&out);
	}
	vec_each (&lines, line)
		free(line->text);
	vec_fini(&lines);
	str_fini(&out);
	return err;
}
