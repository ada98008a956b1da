/* SPDX-License-Identifier: GPL-2.0 */
/* Writes one slow call for people. Its parts are a small tree with the known facts of each part. In full, the tree of its callees follows. */
#include "lib/analysis/cause-words.h"
#include "lib/event/text.h"

/* If the call is not shown in full, at most this many facts of each part and at most this many functions that ran are shown. */
enum { FEW = 3 };

static const char *const part_words[] = {
	[PART_SELF] = "ran", [PART_IRQ] = "irq",      [PART_BLOCKED] = "blocked", [PART_QUEUED] = "queued", [PART_PREEMPTED] = "preempted",
	[PART_OFF] = "off",  [FACT_FAULT] = "faults", [FACT_LOCK] = "locks",	  [FACT_DEVICE] = "device"
};

struct view {
	const struct causes *causes;
	const struct cause_call *call;
	const struct verdict *v;
	bool full, utf8;
	struct str *out;
};

static const char *branch(const struct view *view, bool last)
{
	return view->utf8 ? last ? "└─ " : "├─ " : last ? "`- " : "|- ";
}

static const char *trunk(const struct view *view, bool last)
{
	return last ? "   " : view->utf8 ? "│  " : "|  ";
}

static int by_weight(const void *a, const void *b)
{
	const struct cause_fact *x = *(const struct cause_fact *const *)a, *y = *(const struct cause_fact *const *)b;

	return x->ns != y->ns ? ORDER(y->ns, x->ns) : x->times != y->times ? ORDER(y->times, x->times) : ORDER(x, y);
}

/* Returns the facts of one kind, the longest first, and NULL when memory runs out. *@n becomes their number. The caller frees the array. */
static const struct cause_fact **facts_of(const struct cause_call *call, unsigned int kind, size_t *n)
{
	const struct cause_fact **facts = calloc(call->facts.n + 1, sizeof(*facts));

	*n = 0;
	vec_each (&call->facts, fact)
		if (facts && fact->kind == kind)
			facts[(*n)++] = fact;
	if (*n)
		qsort(facts, *n, sizeof(*facts), by_weight);
	return facts;
}

static void add_chain(const struct view *view, bool last)
{
	for (unsigned int i = 0; i < view->call->nchain; i++) {
		str_addf(view->out, "   %s      %*smeanwhile ", trunk(view, last), (int)i * 2, "");
		words_link(view->causes, &view->call->chain[i], view->out);
		str_addc(view->out, '\n');
	}
}

static void add_facts(const struct view *view, unsigned int kind, uint64_t of, bool last)
{
	size_t n, shown;
	__cleanup(free_ptr) const struct cause_fact **facts = facts_of(view->call, kind, &n);

	shown = view->full ? n : MIN(n, (size_t)FEW);
	for (size_t i = 0; facts && i < shown; i++) {
		str_addf(view->out, "   %s   ", trunk(view, last));
		words_fact(view->causes, facts[i], of, view->out);
		str_addc(view->out, '\n');
		if (kind == PART_BLOCKED && i == 0)
			add_chain(view, last);
	}
	if (n > shown)
		str_addf(view->out, "   %s   and %zu more\n", trunk(view, last), n - shown);
}

/* --- what ran ------------------------------------------------------------------------------------------------------------- */

struct own {
	const struct cause_node *node;
	uint64_t typical;
};

static int by_self(const void *a, const void *b)
{
	const struct cause_node *x = *(const struct cause_node *const *)a, *y = *(const struct cause_node *const *)b;

	return x->ns[PART_SELF] != y->ns[PART_SELF] ? ORDER(y->ns[PART_SELF], x->ns[PART_SELF]) : ORDER(x, y);
}

static uint64_t usually(const struct view *view, const struct quantiles *q)
{
	return causes_median(q, view->causes->roots.at[view->call->root].calls);
}

/* Adds the functions with the most self time, and how much they usually take. */
static void add_running(const struct view *view, bool last)
{
	const struct cause_call *call = view->call;
	__cleanup(free_ptr) const struct cause_node **nodes = calloc(call->nodes.n, sizeof(*nodes));
	const size_t shown = MIN(call->nodes.n, (size_t)FEW);
	uint64_t still = 0;

	vec_each (&call->facts, fact)
		still += fact->kind == FACT_STILL ? fact->ns : 0;
	if (!nodes) {
		view->out->oom = true;
		return;
	}
	for (size_t i = 0; i < call->nodes.n; i++)
		nodes[i] = &call->nodes.at[i];
	qsort(nodes, call->nodes.n, sizeof(*nodes), by_self);
	add_facts(view, FACT_STILL, 0, last);
	for (size_t i = 0; i < shown && nodes[i]->ns[PART_SELF] > still; i++) {
		const struct cause_typical *typical = &view->causes->typical.at[nodes[i]->node];

		str_addf(view->out, "   %s   ", trunk(view, last));
		duration_add(view->out, nodes[i]->ns[PART_SELF]);
		str_addf(view->out, " %s itself", causes_name(view->causes, nodes[i]->node));
		if (nodes[i]->calls != 1)
			str_addf(view->out, " in %llu calls", (unsigned long long)nodes[i]->calls);
		str_add(view->out, ", usually ");
		duration_add(view->out, usually(view, &typical->self));
		if (nodes[i]->calls != usually(view, &typical->calls))
			str_addf(view->out, " in %llu", (unsigned long long)usually(view, &typical->calls));
		str_addc(view->out, '\n');
	}
}

/* --- the call ------------------------------------------------------------------------------------------------------------- */

/* Adds how much of the call's time the cause accounts for. */
static void add_weight(const struct view *view)
{
	const struct verdict *v = view->v;

	if (v->compared || v->cause != CAUSE_UNKNOWN) {
		str_add(view->out, ", ");
		duration_add(view->out, v->ns);
		str_add(view->out, v->compared ? " of the " : " of its ");
		duration_add(view->out, v->compared ? v->excess : view->call->total);
	}
	if (v->compared)
		str_add(view->out, " that it took longer than usual");
	else if (view->causes->roots.at[view->call->root].calls > 1)
		str_add(view->out, v->excess ? "; it took hardly longer than usual" : "; it took no longer than usual");
}

static void add_head(const struct view *view, uint64_t number)
{
	const struct cause_call *call = view->call;
	const struct input *input = &view->causes->inputs->at[call->file];

	str_addf(view->out, "#%llu ", (unsigned long long)number);
	duration_add(view->out, call->total);
	str_addf(view->out, "  %s  ", causes_name(view->causes, call->nodes.at[0].node));
	words_task(view->causes, call->person, view->out);
	str_addf(view->out, " on CPU %u", call->cpu);
	if (view->causes->inputs->n > 1)
		str_addf(view->out, " of %s", input->path);
	str_add(view->out, " at ");
	text_time(call->ns, input_in_ns(input, 0), false, view->out);
	str_add(view->out, "\n   ");
	words_cause(view->causes, call, view->v, view->out);
	if (view->v->cause == CAUSE_MORE)
		str_addf(view->out, ": %llu instead of %llu", (unsigned long long)view->v->count, (unsigned long long)view->v->usual);
	add_weight(view);
	str_addc(view->out, '\n');
}

static void add_parts(const struct view *view)
{
	static const enum cause_part order[] = { PART_BLOCKED, PART_QUEUED, PART_PREEMPTED, PART_OFF, PART_IRQ, PART_SELF };
	const struct cause_call *call = view->call;
	const struct cause_root *root = &view->causes->roots.at[call->root];
	unsigned int left = 0, more = 0;

	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		left += call->parts[order[i]] != 0;
	vec_each (&call->facts, fact)
		more += fact->kind >= PARTS && fact->kind != FACT_STILL;
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		const enum cause_part part = order[i];
		bool last;

		if (!call->parts[part])
			continue;
		last = --left == 0 && !more;
		str_addf(view->out, "   %s%-9s ", branch(view, last), part_words[part]);
		duration_add(view->out, call->parts[part]);
		str_addf(view->out, " (%.1f %%), usually ", (double)call->parts[part] * 100 / (double)call->total);
		duration_add(view->out, usually(view, &root->parts[part]));
		str_addc(view->out, '\n');
		if (part == PART_SELF)
			add_running(view, last);
		else
			add_facts(view, part, call->parts[part], last);
	}
	if (more) {
		str_addf(view->out, "   %sinside of it\n", branch(view, true));
		add_facts(view, FACT_FAULT, 0, true);
		add_facts(view, FACT_LOCK, 0, true);
		add_facts(view, FACT_DEVICE, 0, true);
		add_facts(view, FACT_HELD, 0, true);
		add_facts(view, FACT_HELD_WAIT, 0, true);
		add_facts(view, FACT_HALTED, 0, true);
	}
}

/* Did this function with its callees take longer than usual by a tenth or more of the time by which the whole call took longer than usual? */
static bool exceeds(const struct view *view, const struct cause_node *node, uint64_t typical)
{
	return view->v->compared && node->total > typical && (node->total - typical) * 10 >= view->v->excess;
}

static void add_tree(const struct view *view, uint32_t at, unsigned int depth)
{
	const struct cause_node *node = &view->call->nodes.at[at];
	const struct cause_typical *typical = &view->causes->typical.at[node->node];
	const uint64_t total = usually(view, &typical->total), calls = usually(view, &typical->calls);

	str_addf(view->out, " %c %10.3f %10.3f %10.3f %7llu %7llu  %*s%s\n", exceeds(view, node, total) ? '*' : ' ', (double)node->total / 1000,
		 (double)total / 1000, (double)node->ns[PART_SELF] / 1000, (unsigned long long)node->calls, (unsigned long long)calls, (int)MIN(depth, 60u) * 2,
		 "", causes_name(view->causes, node->node));
	/* A callee has a larger index than its caller. The recursion is no deeper than calls can be nested. */
	for (uint32_t i = at + 1; i < view->call->nodes.n; i++)
		if (view->call->nodes.at[i].caller == at)
			add_tree(view, i, depth + 1);
}

void cause_call_text(const struct causes *causes, const struct cause_call *call, const struct verdict *v, uint64_t number, bool full, bool utf8,
		     struct str *out)
{
	const struct view view = { .causes = causes, .call = call, .v = v, .full = full, .utf8 = utf8, .out = out };

	add_head(&view, number);
	add_parts(&view);
	if (!full)
		return;
	str_addf(out, "\n   %10s %10s %10s %7s %7s  FUNCTION (* a tenth or more of what it took longer)\n", "TOTAL us", "USUALLY", "SELF us", "CALLS",
		 "USUALLY");
	add_tree(&view, 0, 0);
}
