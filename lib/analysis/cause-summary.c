/* SPDX-License-Identifier: GPL-2.0 */
/* Sums up all slow calls in a few lines. */
#include "lib/analysis/cause-words.h"

struct label {
	char *text; /* owned */
	size_t n;
};
typedef VEC(struct label) labels_t;

static int by_count(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	return x->n != y->n ? ORDER(y->n, x->n) : strcmp(x->text, y->text);
}

static int add_label(labels_t *labels, struct str *text)
{
	struct label label = { .n = 1 };

	vec_each (labels, at)
		if (strcmp(at->text, str_text(text)) == 0) {
			at->n++;
			return str_clear(text), 0;
		}
	label.text = str_take(text);
	return !label.text || vec_push(labels, label) ? -ENOMEM : 0;
}

/*
 * Counts the slow calls by cause. The calls with the same cause get one label. A call that was faster than the typical call is not slow and has no cause. It
 * is counted in *@faster. Returns 0 or -ENOMEM.
 */
static int count_labels(const struct causes *causes, const struct verdict *verdicts, labels_t *labels, size_t *faster)
{
	struct str text = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < causes->kept.n; i++) {
		if (verdict_is_faster(&verdicts[i], causes->kept.at[i])) {
			++*faster;
			continue;
		}
		words_cause(causes, causes->kept.at[i], &verdicts[i], &text);
		err = str_ok(&text) ?: add_label(labels, &text);
	}
	str_fini(&text);
	if (labels->n)
		qsort(labels->at, labels->n, sizeof(*labels->at), by_count);
	return err;
}

int cause_summary(const struct causes *causes, const struct verdict *verdicts, struct str *out)
{
	labels_t labels = { 0 };
	size_t faster = 0;
	int err = count_labels(causes, verdicts, &labels, &faster);

	vec_each (&labels, label) {
		str_addf(out, "%zu of %zu: %s\n", label->n, causes->kept.n, label->text);
		free(label->text);
	}
	vec_fini(&labels);
	if (faster)
		str_addf(out, "%zu of %zu: faster than the median\n", faster, causes->kept.n);
	return err;
}

/* If events of a call's host are missing, the reason why its virtual CPU was held up may be missing above. This says for how many calls that is so. */
static void tell_unseen(const struct causes *causes, void (*say)(void *ctx, const char *text), void *ctx)
{
	const struct cause_call *first = NULL;
	struct str text = { 0 };
	size_t n = 0;

	vec_each (&causes->kept, call) {
		n += (*call)->unseen != 0;
		first = first || !(*call)->unseen ? first : *call;
	}
	if (!first)
		return;
	str_addf(
		&text,
		"for %zu of %zu calls, what had the host's CPU instead of the virtual CPU may be missing, as %s lacks events of that time; if it lost them, record the host with a larger buffer (-b)",
		n, causes->kept.n, causes->inputs->at[first->unseen - 1].path);
	say(ctx, str_text(&text));
	str_fini(&text);
}

void cause_needs(const struct causes *causes, const struct verdict *verdicts, void (*say)(void *ctx, const char *text), void *ctx)
{
	bool said[NEED_LUCK + 1] = { true };

	for (size_t i = 0; i < causes->kept.n; i++) {
		const enum cause_need need = verdicts[i].need;
		struct str text = { 0 };

		if (said[need])
			continue;
		said[need] = true;
		words_need(need, causes, &causes->roots.at[causes->kept.at[i]->root], &text);
		say(ctx, str_text(&text));
		str_fini(&text);
	}
	tell_unseen(causes, say, ctx);
}

void cause_functions(const struct causes *causes, struct str *out)
{
	vec_each (&causes->roots, root) {
		if (!root->calls)
			continue;
		str_addf(out, "%llu call%s of %s", (unsigned long long)root->calls, root->calls == 1 ? "" : "s", causes_name(causes, root->node));
		str_add(out, root->calls == 1 ? " took " : ", the median took ");
		duration_add(out, causes_median(&root->total, root->calls));
		if (causes->opt.over) {
			str_addf(out, "; %llu longer than ", (unsigned long long)root->over);
			duration_add(out, causes->opt.over);
		}
		if (root->cut)
			str_addf(out, "; %llu more are not complete", (unsigned long long)root->cut);
		if (root->timeless)
			str_addf(out, "; the times of %llu more are not known", (unsigned long long)root->timeless);
		str_addc(out, '\n');
	}
}
