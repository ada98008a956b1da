/* SPDX-License-Identifier: GPL-2.0 */
/* The chains of a histogram as folded stacks. */
#include "lib/output/hist-shared.h"
#include "lib/base/quote.h"

struct folded {
	char *text;
	uint64_t count;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct folded *)a)->text, ((const struct folded *)b)->text);
}

static char *fold(const struct hist_text *v, const struct hist_group *group, uint32_t end)
{
	const struct chain_owner *owner = hist_text_owner(v, group);
	VEC(uint32_t) chain = { 0 };
	struct str text = { 0 };
	int err = 0;

	for (uint32_t at = end; !err && at != group->root; at = v->h->chains.nodes.at[at].caller)
		err = vec_push(&chain, v->h->chains.nodes.at[at].frame);
	if (owner->pid >= 0) {
		quote_folded(hist_text_comm(v, owner), &text);
		str_addc(&text, ';');
	}
	for (size_t i = chain.n; i-- > 0;) {
		quote_folded(hist_text_frame(v, chain.at[i]), &text);
		if (i)
			str_addc(&text, ';');
	}
	vec_fini(&chain);
	if (err || str_ok(&text)) {
		str_fini(&text);
		return NULL;
	}
	return str_take(&text);
}

int hist_text_folded(struct hist_text *v, size_t ngroups)
{
	VEC(struct folded) lines = { 0 };
	int err = 0;

	for (size_t i = 0; i < ngroups; i++) {
		const struct hist_group *group = &v->groups.at[i];

		for (size_t k = 0; !err && k < group->n; k++) {
			uint32_t end = v->ends[group->first + k];
			struct folded line = { fold(v, group, end), v->h->chains.nodes.at[end].count };

			err = line.text ? vec_push(&lines, line) : -ENOMEM;
			if (err)
				free(line.text);
		}
	}
	if (lines.n)
		qsort(lines.at, lines.n, sizeof(*lines.at), by_text);
	for (size_t i = 0; !err && i < lines.n; i++) {
		uint64_t sum = lines.at[i].count;

		for (; i + 1 < lines.n && strcmp(lines.at[i].text, lines.at[i + 1].text) == 0; i++)
			sum += lines.at[i + 1].count;
		str_addf(&v->out, "%s %llu\n", lines.at[i].text, (unsigned long long)sum);
		err = hist_text_flush(v, 1 << 16);
	}
	vec_each (&lines, line)
		free(line->text);
	vec_fini(&lines);
	return err;
}
