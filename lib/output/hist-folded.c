/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints the chains of a histogram as sorted folded stacks. The tree is walked, and no list of all chains is made. Nodes whose lines have the same text are
 * walked together, for example those of tasks with the same name.
 */
#define _GNU_SOURCE
#include "lib/base/quote.h"
#include "lib/output/hist-shared.h"

/* What is sorted at one level: the line that ends with this node or, if .below, all lines that go on below it. */
struct branch {
	uint32_t node;
	bool below;
};

typedef VEC(struct branch) branches_t;

/* Lines whose first .len bytes are the same. */
struct level {
	branches_t branches; /* sorted */
	size_t next, len;
};

struct folding {
	struct hist_text *v;
	uint32_t *first, *children; /* by node: where its children begin in .children; they end where those of the next node begin */
	bool *shown;		    /* by node: does a chain that is shown end there? */
	char **names;		    /* the names of frames, then of owners, as they are printed */
	struct str line;
	VEC(struct level) levels; /* the level that is being printed is the last */
};

static const char *name_of(const struct folding *f, uint32_t node)
{
	const struct hist *h = f->v->h;
	const struct chain_node *at = &h->chains.nodes.at[node];

	return f->names[at->caller == node ? h->chains.frames.n + at->frame : at->frame];
}

/* Compares branches as their lines would compare: a name is followed by the end of the line, or by a semicolon. */
static int by_text(const void *a, const void *b, void *ctx)
{
	const struct branch *x = a, *y = b;
	const char *p = name_of(ctx, x->node), *q = name_of(ctx, y->node);
	int left, right;

	while (*p && *p == *q)
		p++, q++;
	left = *p ? (unsigned char)*p : x->below ? ';' : 0;
	right = *q ? (unsigned char)*q : y->below ? ';' : 0;
	/* A name has no semicolon in it, so equal results mean equal text. */
	return left - right;
}

static int add_branch(const struct folding *f, branches_t *branches, uint32_t node)
{
	int err = f->shown[node] ? vec_push(branches, (struct branch){ node, false }) : 0;

	if (!err && f->first[node] < f->first[node + 1])
		err = vec_push(branches, (struct branch){ node, true });
	return err;
}

/* Goes on with the lines of @below, which begin with f->line. Takes over @below. Returns 0 or -ENOMEM. */
static int go_below(struct folding *f, branches_t *below)
{
	int err;

	if (below->n > 1)
		qsort_r(below->at, below->n, sizeof(*below->at), by_text, f);
	if (f->line.len)
		str_addc(&f->line, ';');
	err = str_ok(&f->line);
	err = err ? err : vec_push(&f->levels, (struct level){ .branches = *below, .len = f->line.len });
	if (err)
		vec_fini(below);
	return err;
}

/* Writes the nodes of @same, whose lines begin with f->line and the same name. */
static int write_same(struct folding *f, const struct branch *same, size_t n)
{
	branches_t below = { 0 };
	uint64_t sum = 0;
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		if (!same[i].below)
			sum += f->v->h->chains.nodes.at[same[i].node].count;
		for (uint32_t c = f->first[same[i].node]; !err && same[i].below && c < f->first[same[i].node + 1]; c++)
			err = add_branch(f, &below, f->children[c]);
	}
	if (!err && !same->below) {
		str_addn(&f->v->out, f->line.at, f->line.len);
		str_addf(&f->v->out, " %llu\n", (unsigned long long)sum);
		err = hist_text_flush(f->v, 1 << 16);
	}
	if (!err && below.n)
		return go_below(f, &below);
	vec_fini(&below);
	return err;
}

/* Writes all lines of @roots, which it takes over. It does not call itself, because a damaged file may have very long chains. */
static int write_lines(struct folding *f, branches_t *roots)
{
	int err = go_below(f, roots);

	while (!err && f->levels.n) {
		struct level *level = &f->levels.at[f->levels.n - 1];
		const struct branch *same = level->branches.at + level->next;
		size_t left = level->branches.n - level->next, n = 1;

		if (!left) {
			vec_fini(&level->branches);
			f->levels.n--;
			continue;
		}
		while (n < left && by_text(&same[0], &same[n], f) == 0)
			n++;
		level->next += n;
		f->line.len = level->len;
		str_add(&f->line, name_of(f, same->node));
		err = str_ok(&f->line);
		err = err ? err : write_same(f, same, n);
	}
	vec_each (&f->levels, level)
		vec_fini(&level->branches);
	vec_fini(&f->levels);
	return err;
}

/* Returns the name in front of an owner's lines. It is empty if all tasks are counted together. */
static char *owner_name(const struct hist_text *v, const struct chain_owner *owner)
{
	struct str name = { 0 };

	if (owner->pid >= 0)
		quote_folded(hist_text_comm(v, owner), &name);
	return str_take(&name);
}

static int make_names(struct folding *f)
{
	const struct hist *h = f->v->h;

	f->names = calloc(h->chains.frames.n + h->chains.owners.n + 1, sizeof(*f->names));
	if (!f->names)
		return -ENOMEM;
	for (size_t i = 0; i < h->chains.frames.n + h->chains.owners.n; i++) {
		struct str name = { 0 };

		if (i >= h->chains.frames.n) {
			f->names[i] = owner_name(f->v, &h->chains.owners.at[i - h->chains.frames.n]);
		} else {
			quote_folded(hist_text_frame(f->v, i), &name);
			f->names[i] = str_take(&name);
		}
		if (!f->names[i])
			return -ENOMEM;
	}
	return 0;
}

/* Makes the list of each node's children, in the order of the nodes. */
static int make_children(struct folding *f)
{
	const struct hist *h = f->v->h;
	uint32_t sum = 0;

	f->first = calloc(h->chains.nodes.n + 2, sizeof(*f->first));
	f->children = calloc(h->chains.nodes.n + 1, sizeof(*f->children));
	if (!f->first || !f->children)
		return -ENOMEM;
	/* Counts are stored two places further on, so that .first[i] is where node i's children begin once .children has been filled. */
	for (uint32_t i = 0; i < h->chains.nodes.n; i++)
		if (h->chains.nodes.at[i].caller != i)
			f->first[h->chains.nodes.at[i].caller + 2]++;
	for (size_t i = 0; i < h->chains.nodes.n + 2; i++)
		f->first[i] = sum += f->first[i];
	for (uint32_t i = 0; i < h->chains.nodes.n; i++)
		if (h->chains.nodes.at[i].caller != i)
			f->children[f->first[h->chains.nodes.at[i].caller + 1]++] = i;
	return 0;
}

static int mark_shown(struct folding *f, size_t ngroups)
{
	const struct hist_text *v = f->v;

	f->shown = calloc(v->h->chains.nodes.n + 1, sizeof(*f->shown));
	if (!f->shown)
		return -ENOMEM;
	for (size_t i = 0; i < ngroups; i++)
		for (size_t k = 0; k < v->groups.at[i].n; k++)
			f->shown[v->ends[v->groups.at[i].first + k]] = true;
	return 0;
}

int hist_text_folded(struct hist_text *v, size_t ngroups)
{
	struct folding f = { .v = v };
	branches_t roots = { 0 };
	int err = make_names(&f);

	err = err ? err : make_children(&f);
	err = err ? err : mark_shown(&f, ngroups);
	vec_each (&v->h->chains.owners, owner)
		err = err ? err : add_branch(&f, &roots, owner->root);
	if (err)
		vec_fini(&roots);
	else
		err = write_lines(&f, &roots);
	for (size_t i = 0; f.names && i < v->h->chains.frames.n + v->h->chains.owners.n; i++)
		free(f.names[i]);
	free(f.names);
	free(f.first);
	free(f.children);
	free(f.shown);
	str_fini(&f.line);
	return err;
}
