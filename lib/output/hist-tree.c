/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints the trees of a histogram: below each function its callers, and below these theirs. The chains of a group are split by their callers, from the
 * innermost one outwards. A chain that is alone needs no more splitting and is only written.
 */
#define _GNU_SOURCE
#include "lib/analysis/texts.h"
#include "lib/base/digits.h"
#include "lib/output/hist-shared.h"

/* A caller that is one of several begins a line of its own, after the vertical lines of the callers that go on further down. */
#define BAR "            |"
#define BLANK "             "
#define NAME "          "
enum { LINE = 160 }; /* more bytes than a line has, besides its front and its name */

/* A call chain: the node of its next caller, or the group's root after the outermost caller. */
struct chain {
	uint32_t at;
	uint64_t count;
};

/* All chains whose next caller is the same frame. */
struct callers {
	uint32_t frame;
	uint32_t n;
	uint64_t count;
};

struct tree {
	struct hist_text *v;
	const struct chain_node *nodes;
	struct str *out; /* where lines are appended; it is written only if it is .out of hist_text */
	uint32_t root;
	struct chain *chains, *sorted; /* room for .most chains in each */
	size_t most;
	uint32_t *places;	     /* by frame, while chains are split: 1 + its place in .callers; otherwise all are 0 */
	VEC(struct callers) callers; /* those of a level stand after those of the levels above it */
	struct str front;	     /* the vertical lines that go on further down */
};

/* Puts the front of a line. @at must have room for it. */
static char *put_front(const struct tree *t, char *at)
{
	return put_bytes(at, str_text(&t->front), t->front.len);
}

static char *put_name(const struct tree *t, char *at, uint32_t frame)
{
	return put_bytes(at, hist_text_frame(t->v, frame), t->v->lengths[frame]);
}

/* Makes room for @lines lines with the name of @frame. Returns NULL for lack of memory, which .out remembers. */
static char *room(const struct tree *t, size_t lines, uint32_t frame)
{
	struct str *out = t->out;

	return str_room(out, lines * (t->front.len + LINE) + t->v->lengths[frame]) ? out->at + out->len : NULL;
}

static void put_end(const struct tree *t, char *at)
{
	*at++ = '\n';
	t->out->len = (size_t)(at - t->out->at);
}

static void add_only(const struct tree *t, uint32_t frame)
{
	char *at = room(t, 1, frame);

	if (at)
		put_end(t, put_name(t, put_bytes(put_front(t, at), NAME, sizeof(NAME) - 1), frame));
}

/* Adds callers that are some of several. @of is the number of calls of the function that they call. */
static void add_some(const struct tree *t, const struct callers *callers, uint64_t of)
{
	char *at = room(t, 2, callers->frame);

	if (!at)
		return;
	at = put_bytes(put_front(t, at), BAR "\n", sizeof(BAR));
	at = put_bytes(put_front(t, at), BAR "--", sizeof(BAR) + 1);
	at = put_bytes(hist_text_share(t->v, at, of, callers->count, 0), "-- ", 3);
	at = put_bytes(put_name(t, at, callers->frame), "  # ", 4);
	put_end(t, put_u64(at, callers->count));
}

/* Adds all callers of a chain that is alone. */
static void add_rest(const struct tree *t, uint32_t at)
{
	for (; at != t->root; at = t->nodes[at].caller)
		add_only(t, t->nodes[at].frame);
}

static void go_up(const struct tree *t, struct chain *chain)
{
	chain->at = t->nodes[chain->at].caller;
	__builtin_prefetch(&t->nodes[chain->at]);
}

/* Adds callers as long as all chains have the same next one. */
static void add_common(const struct tree *t, struct chain *chains, size_t n)
{
	for (;;) {
		const uint32_t frame = t->nodes[chains->at].frame;

		for (size_t i = 0; i < n; i++)
			if (chains[i].at == t->root || t->nodes[chains[i].at].frame != frame)
				return;
		add_only(t, frame);
		for (size_t i = 0; i < n; i++)
			go_up(t, &chains[i]);
	}
}

/* Orders callers by their calls, most first, and then by name. */
static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct tree *t = ctx;
	const struct callers *x = a, *y = b;
	int order = ORDER(y->count, x->count);

	order = order ? order : strcmp(t->v->h->chains.frames.at[x->frame].name, t->v->h->chains.frames.at[y->frame].name);
	return order ? order : ORDER(x->frame, y->frame);
}

/* Counts the chains by their next caller, and appends these callers to .callers. Chains without one are left out. Returns 0 or -ENOMEM. */
static int count_callers(struct tree *t, const struct chain *chains, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint32_t frame = t->nodes[chains[i].at].frame;
		struct callers *callers;

		if (chains[i].at == t->root)
			continue;
		if (!t->places[frame]) {
			if (vec_push(&t->callers, (struct callers){ .frame = frame }))
				return -ENOMEM;
			t->places[frame] = (uint32_t)t->callers.n;
		}
		callers = &t->callers.at[t->places[frame] - 1];
		callers->n++;
		callers->count += chains[i].count;
	}
	return 0;
}

/* Puts the chains that have a next caller into the order of .callers from @level on. Moves each to that caller, and sets .places to 0 again. */
static void put_in_order(struct tree *t, struct chain *chains, size_t n, size_t level)
{
	size_t sum = 0;

	for (size_t i = level; i < t->callers.n; i++) {
		t->places[t->callers.at[i].frame] = (uint32_t)sum;
		sum += t->callers.at[i].n;
	}
	for (size_t i = 0; i < n; i++)
		if (chains[i].at != t->root)
			t->sorted[t->places[t->nodes[chains[i].at].frame]++] = chains[i];
	for (size_t i = level; i < t->callers.n; i++)
		t->places[t->callers.at[i].frame] = 0;
	for (size_t i = 0; i < sum; i++) {
		chains[i] = t->sorted[i];
		go_up(t, &chains[i]);
	}
}

/* Adds all callers of these chains, which have @count calls and the same callers so far. Returns what hist_text_flush() returns, or -ENOMEM. */
static int add_callers(struct tree *t, struct chain *chains, size_t n, uint64_t count)
{
	const size_t level = t->callers.n, len = t->front.len;
	int err;

	if (n == 1) {
		add_rest(t, chains->at);
		return 0;
	}
	add_common(t, chains, n);
	err = count_callers(t, chains, n);
	if (err)
		return err;
	if (t->callers.n > level + 1)
		qsort_r(t->callers.at + level, t->callers.n - level, sizeof(*t->callers.at), by_weight, t);
	put_in_order(t, chains, n, level);
	for (size_t i = level, end = t->callers.n; !err && i < end; i++) {
		const struct callers callers = t->callers.at[i];

		add_some(t, &callers, count);
		str_add(&t->front, i + 1 < end ? BAR : BLANK);
		err = str_ok(&t->front);
		err = err || t->out != &t->v->out ? err : hist_text_flush(t->v, 1 << 16);
		err = err ? err : add_callers(t, chains, callers.n, callers.count);
		t->front.len = len;
		chains += callers.n;
	}
	t->callers.n = level;
	return err;
}

static void tree_fini(struct tree *t)
{
	free(t->chains);
	free(t->sorted);
	free(t->places);
	vec_fini(&t->callers);
	str_fini(&t->front);
}

/* Makes room for trees of groups with up to @most chains. Returns 0 or -ENOMEM; the caller calls tree_fini() in either case. */
static int tree_prepare(struct tree *t, struct hist_text *v, struct str *out, size_t most)
{
	const size_t nframes = v->h->chains.frames.n + 1;

	t->v = v;
	t->out = out;
	t->nodes = v->h->chains.nodes.at;
	if (!t->places)
		t->places = calloc(nframes, sizeof(*t->places));
	if (t->most < most) {
		free(t->chains);
		free(t->sorted);
		t->chains = calloc(most, sizeof(*t->chains));
		t->sorted = calloc(most, sizeof(*t->sorted));
		t->most = most;
	}
	return t->chains && t->sorted && t->places ? 0 : -ENOMEM;
}

static void add_head(const struct tree *t, const struct hist_group *group)
{
	const struct hist_text *v = t->v;
	const struct chain_owner *owner = hist_text_owner(v, group);
	const struct chain_frame *frame = &v->h->chains.frames.at[group->frame];
	const char *name = hist_text_frame(v, group->frame);

	str_add(t->out, group == v->groups.at ? "  " : "\n  ");
	if (str_room(t->out, HIST_SHARE))
		t->out->len = (size_t)(hist_text_share(v, t->out->at + t->out->len, v->total, group->count, 0) - t->out->at);
	str_addc(t->out, ' ');
	if (owner->pid < 0)
		str_add(t->out, "<all pids>");
	else
		str_addf(t->out, " (%d) %s", owner->pid, hist_text_comm(v, owner));
	str_addf(t->out, " %30s #%llu\n         |\n", name, (unsigned long long)group->count);
	str_addf(t->out, frame->event ? "         --- *%s*\n" : "         --- %s\n", name);
}

static int add_tree(struct tree *t, const struct hist_group *group)
{
	add_head(t, group);
	t->root = group->root;
	for (size_t i = 0; i < group->n; i++) {
		const struct chain_node *end = &t->nodes[t->v->ends[group->first + i]];

		t->chains[i] = (struct chain){ .at = end->caller, .count = end->count };
	}
	return add_callers(t, t->chains, group->n, group->count);
}

/* --- several trees at once ------------------------------------------------------------------------------------ */

/* A job makes the trees of groups with this many chains together. The tree of a larger group is made and written by the caller's thread, bit by bit. */
enum { RUN = 1024 };

struct trees_slot {
	struct texts_slot slot; /* first */
	struct tree tree;
	size_t from, to; /* the first group, and the one after the last */
};

static void run_slot(struct job *job)
{
	struct trees_slot *slot = container_of(job, struct trees_slot, slot.job);
	int err = 0;

	for (size_t i = slot->from; !err && i < slot->to; i++)
		err = add_tree(&slot->tree, &slot->tree.v->groups.at[i]);
	slot->slot.out.oom |= err != 0;
}

static void fini_slot(void *slot)
{
	tree_fini(&((struct trees_slot *)slot)->tree);
}

/* Makes the tree of a large group, after those of all groups before it. */
static int large_tree(struct hist_text *v, struct texts *texts, const struct hist_group *group)
{
	struct tree tree = { 0 };
	int err = texts_flush(texts);

	err = err ? err : tree_prepare(&tree, v, &v->out, group->n);
	err = err ? err : add_tree(&tree, group);
	err = err ? err : hist_text_flush(v, 0);
	tree_fini(&tree);
	return err;
}

/* Begins to make the trees of some groups, from the group *@at on, which becomes the one after them. */
static int some_trees(struct hist_text *v, struct texts *texts, size_t ngroups, size_t *at)
{
	struct trees_slot *slot;
	size_t sum = 0;
	int err;

	slot = texts_next(texts, &err);
	err = err ? err : tree_prepare(&slot->tree, v, &slot->slot.out, RUN);
	if (err)
		return err;
	slot->from = *at;
	for (; *at < ngroups && sum + v->groups.at[*at].n <= RUN; (*at)++)
		sum += v->groups.at[*at].n;
	slot->to = *at;
	texts_start(texts, &slot->slot, NULL);
	return 0;
}

int hist_text_trees(struct hist_text *v, size_t ngroups, struct pool *pool)
{
	struct texts texts;
	int err = texts_init(&texts, pool, v->fd, sizeof(struct trees_slot), 0, run_slot);

	texts.what = "the histogram";
	for (size_t i = 0; !err && i < ngroups;)
		err = v->groups.at[i].n > RUN ? large_tree(v, &texts, &v->groups.at[i++]) : some_trees(v, &texts, ngroups, &i);
	err = err ? err : texts_flush(&texts);
	texts_fini(&texts, fini_slot);
	return err;
}
