/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/callgraph: calls merged by path, against lists of the same calls. */
#define _GNU_SOURCE
#include "lib/analysis/callgraph-views.h"
#include "tests/unit/unit.h"

#include <stdio.h>

enum { FUNCTIONS = 7, MOST_CALLS = 4000, DEEPEST = 9 };

/* A call as planned: its path, and how long it took. */
struct planned {
	uint8_t path[DEEPEST];
	uint8_t depth; /* the last of path is its function */
	uint64_t total, self;
};

struct plan {
	struct planned calls[MOST_CALLS];
	size_t n;
	uint64_t state;
};

struct test {
	struct callgraph *graph;
	uint32_t owner, names[FUNCTIONS];
};

static uint64_t draw(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static uint32_t name_of(struct callgraph *graph, unsigned int function)
{
	char name[4] = { 'f', (char)('0' + function), 0 };
	int64_t index = callgraph_name(graph, name, SIZE_MAX);

	ck_assert_int_gt(index, 0);
	return (uint32_t)index;
}

static void begin(struct test *t, size_t most_bytes)
{
	const struct callgraph_options opt = { .most_bytes = most_bytes };
	int64_t owner;

	ck_assert_int_eq(callgraph_new(&t->graph, &opt), 0);
	for (unsigned int i = 0; i < FUNCTIONS; i++)
		t->names[i] = name_of(t->graph, i);
	owner = callgraph_owner(t->graph, (uint32_t)callgraph_name(t->graph, "all", 3), 0);
	ck_assert_int_gt(owner, 0);
	t->owner = (uint32_t)owner;
}

static bool recursive(const uint8_t *path, unsigned int depth)
{
	return memchr(path, path[depth - 1], depth - 1);
}

/* One call with all that it calls; what it took. With @unknown its function is told only when it ends. */
static uint64_t call(struct plan *plan, struct test *t, uint32_t caller, const uint8_t *path, uint8_t depth, bool unknown)
{
	uint64_t self = draw(&plan->state) % 1000, callees = 0;
	struct planned *planned = &plan->calls[plan->n++];
	uint32_t name = t->names[path[depth - 1]];
	int64_t node;

	ck_assert_uint_le(plan->n, MOST_CALLS);
	memcpy(planned->path, path, depth);
	planned->depth = depth;
	node = unknown ? callgraph_unknown(t->graph, caller) : callgraph_child(t->graph, caller, name);
	ck_assert_int_gt(node, 0);
	callgraph_begin(t->graph, (uint32_t)node);
	for (unsigned int n = (unsigned int)(draw(&plan->state) % 3); n && depth < DEEPEST && plan->n < MOST_CALLS - DEEPEST; n--) {
		uint8_t inner[DEEPEST];

		memcpy(inner, path, depth);
		inner[depth] = (uint8_t)(draw(&plan->state) % FUNCTIONS);
		callees += call(plan, t, (uint32_t)node, inner, depth + 1, unknown && draw(&plan->state) % 2);
	}
	callgraph_end(t->graph, (uint32_t)node);
	/* Also of a call whose function was known when it began. */
	node = callgraph_resolve(t->graph, (uint32_t)node, name);
	ck_assert_int_gt(node, 0);
	planned->self = self;
	planned->total = self + callees;
	if (recursive(path, depth))
		ck_assert_int_eq(callgraph_nest(t->graph, (uint32_t)node, self + callees), 0);
	ck_assert_int_eq(callgraph_add(t->graph, (uint32_t)node, &(struct call_times){ .total = self + callees, .self = self, .callees = callees }), 0);
	return self + callees;
}

static void make(struct plan *plan, struct test *t, size_t calls, bool unknown)
{
	while (plan->n < calls) {
		uint8_t path[DEEPEST] = { (uint8_t)(draw(&plan->state) % FUNCTIONS) };

		call(plan, t, t->owner, path, 1, unknown && draw(&plan->state) % 2);
	}
}

/* The path of a node as a plan has it; its depth. */
static unsigned int path_of(const struct callgraph *graph, uint32_t node, uint8_t *path)
{
	unsigned int depth = graph->nodes.at[node].depth;

	for (unsigned int i = depth; i-- > 0; node = graph->nodes.at[node].parent)
		path[i] = (uint8_t)(graph->names.at[graph->nodes.at[node].name][1] - '0');
	return depth;
}

/* Each node holds the calls of the plan that came its way, and each way of the plan has a node. */
static void compare(const struct plan *plan, const struct callgraph *graph)
{
	uint32_t node = 0;
	size_t found = 0;

	while (callgraph_walk(graph, 0, &node)) {
		const struct callgraph_node *at = &graph->nodes.at[node];
		const struct callgraph_figures figures = callgraph_figures(graph, at);
		uint64_t calls = 0, total = 0, self = 0;
		uint8_t path[DEEPEST];
		unsigned int depth;

		if (at->flags & CALLGRAPH_OWNER)
			continue;
		depth = path_of(graph, node, path);
		for (size_t i = 0; i < plan->n; i++) {
			const struct planned *planned = &plan->calls[i];

			if (planned->depth != depth || memcmp(planned->path, path, depth) != 0)
				continue;
			calls++;
			total += planned->total;
			self += planned->self;
		}
		ck_assert_uint_gt(calls, 0);
		ck_assert_uint_eq(figures.calls.n, calls);
		ck_assert_uint_eq(callgraph_calls(graph, at), calls);
		ck_assert_uint_eq(figures.calls.sum, total);
		ck_assert_uint_eq(figures.self, self);
		ck_assert_int_eq(!!(at->flags & CALLGRAPH_RECURSIVE), recursive(path, depth));
		ck_assert_uint_eq(at->open, 0);
		found += calls;
	}
	ck_assert_uint_eq(found, plan->n);
}

static void merged_by_path_(bool unknown)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	struct test t;

	plan->state = 1;
	begin(&t, 0);
	make(plan, &t, 3000, unknown);
	compare(plan, t.graph);
	callgraph_free(t.graph);
	free(plan);
}

START_TEST(merged_by_path)
{
	merged_by_path_(false);
}
END_TEST

START_TEST(names_that_come_late)
{
	merged_by_path_(true);
}
END_TEST

START_TEST(trees_merged)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	struct test a, b;

	plan->state = 3;
	begin(&a, 0);
	begin(&b, 0);
	/* The same names have other numbers there. */
	for (unsigned int i = 0; i < FUNCTIONS / 2; i++) {
		uint32_t name = b.names[i];

		b.names[i] = b.names[FUNCTIONS - 1 - i];
		b.names[FUNCTIONS - 1 - i] = name;
	}
	make(plan, &a, 1000, false);
	plan->state = 4;
	/* In @b function i is called as FUNCTIONS - 1 - i, so the plan is turned round as well. */
	for (size_t first = plan->n, i = (make(plan, &b, 2000, false), first); i < plan->n; i++)
		for (unsigned int d = 0; d < plan->calls[i].depth; d++)
			if (plan->calls[i].path[d] != FUNCTIONS / 2)
				plan->calls[i].path[d] = (uint8_t)(FUNCTIONS - 1 - plan->calls[i].path[d]);
	ck_assert_int_eq(callgraph_merge(a.graph, b.graph), 0);
	compare(plan, a.graph);
	callgraph_free(a.graph);
	callgraph_free(b.graph);
	free(plan);
}
END_TEST

/* What is told of a function, whether in nodes or folded. */
static void sum_function(const struct callgraph *graph, uint32_t name, uint64_t *calls, uint64_t *total, uint64_t *self)
{
	uint32_t node = 0;

	*calls = *total = *self = 0;
	while (callgraph_walk(graph, 0, &node)) {
		const struct callgraph_node *at = &graph->nodes.at[node];
		const struct callgraph_figures figures = callgraph_figures(graph, at);

		if (at->name != name || at->flags & (CALLGRAPH_OWNER | CALLGRAPH_REST))
			continue;
		*calls += figures.calls.n;
		*total += figures.calls.sum - figures.nested;
		*self += figures.self;
	}
	vec_each (&graph->folded, folded) {
		if (folded->name != name)
			continue;
		*calls += folded->all.calls.n;
		*total += folded->outermost;
		*self += folded->all.self;
	}
}

START_TEST(bounded)
{
	enum { LIMIT = 60000 };
	struct plan *plan = calloc(1, sizeof(*plan));
	struct test t;
	uint32_t node = 0;
	uint64_t self = 0;

	plan->state = 5;
	begin(&t, LIMIT);
	make(plan, &t, MOST_CALLS - DEEPEST, false);
	ck_assert_uint_gt(t.graph->folded_paths, 0);
	ck_assert_uint_le(t.graph->bytes, LIMIT + (CALLGRAPH_NODE_BYTES + sizeof(struct callgraph_sums) + sizeof(struct callgraph_parts)) * 2);
	for (unsigned int f = 0; f < FUNCTIONS; f++) {
		uint64_t calls, total, own, want_calls = 0, want_total = 0, want_own = 0;

		for (size_t i = 0; i < plan->n; i++) {
			const struct planned *planned = &plan->calls[i];

			if (planned->path[planned->depth - 1] != f)
				continue;
			want_calls++;
			want_total += recursive(planned->path, planned->depth) ? 0 : planned->total;
			want_own += planned->self;
		}
		sum_function(t.graph, t.names[f], &calls, &total, &own);
		ck_assert_uint_eq(calls, want_calls);
		ck_assert_uint_eq(total, want_total);
		ck_assert_uint_eq(own, want_own);
	}
	/* Of each caller the callees' totals are still what its own time leaves. */
	while (callgraph_walk(t.graph, 0, &node)) {
		const struct callgraph_node *at = &t.graph->nodes.at[node];
		const struct callgraph_figures figures = callgraph_figures(t.graph, at);
		uint64_t callees = 0;

		for (uint32_t i = at->first; i; i = t.graph->nodes.at[i].next)
			callees += callgraph_figures(t.graph, &t.graph->nodes.at[i]).calls.sum;
		if (!(at->flags & CALLGRAPH_OWNER))
			ck_assert_uint_eq(figures.calls.sum, callees + figures.self);
		self += figures.self;
	}
	for (size_t i = 0; i < plan->n; i++)
		self -= plan->calls[i].self;
	ck_assert_uint_eq(self, 0);
	callgraph_free(t.graph);
	free(plan);
}
END_TEST

static size_t bytes_of(const struct callgraph *graph, const struct callgraph_node *node)
{
	const struct callgraph_sums *sums = &graph->sums.at[node->sums];

	return CALLGRAPH_NODE_BYTES + (node->sums ? sizeof(*sums) + quantiles_bytes(&sums->calls) : 0) + (sums->parts ? sizeof(struct callgraph_parts) : 0);
}

/* The memory that it accounts for is the memory that there is. */
START_TEST(accounts)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	struct test t;
	size_t bytes = 0;

	plan->state = 6;
	begin(&t, 80000);
	make(plan, &t, MOST_CALLS - DEEPEST, true);
	vec_each (&t.graph->nodes, node)
		if (!(node->flags & CALLGRAPH_FREE))
			bytes += bytes_of(t.graph, node);
	ck_assert_uint_eq(t.graph->bytes, bytes);
	callgraph_free(t.graph);
	free(plan);
}
END_TEST

/* Of one caller: more calls that become known at their ends than the index has room for at first. */
START_TEST(many_that_come_late)
{
	struct test t;
	char name[16];

	begin(&t, 0);
	for (int i = 0; i < 2000; i++) {
		const int64_t node = callgraph_unknown(t.graph, t.owner);

		ck_assert_int_gt(node, 0);
		ck_assert_int_gt(snprintf(name, sizeof(name), "late%d", i % 1000), 0);
		ck_assert_int_gt(callgraph_resolve(t.graph, (uint32_t)node, (uint32_t)callgraph_name(t.graph, name, SIZE_MAX)), 0);
	}
	for (int i = 0; i < 1000; i++) {
		const size_t nodes = t.graph->nodes.n;

		ck_assert_int_gt(snprintf(name, sizeof(name), "late%d", i), 0);
		ck_assert_int_gt(callgraph_child(t.graph, t.owner, (uint32_t)callgraph_name(t.graph, name, SIZE_MAX)), 0);
		ck_assert_uint_eq(t.graph->nodes.n, nodes);
	}
	ck_assert_int_gt(callgraph_child(t.graph, t.owner, t.names[0]), 0);
	callgraph_free(t.graph);
}
END_TEST

/* --- another thread adds times ----------------------------------------------------------------------------------------------------------- */

/* In both, calls begin or end to be below a node whose function is not known yet. */
static void turn_unknown(struct test *const both[2], int64_t below[2], uint64_t *state)
{
	const unsigned int function = (unsigned int)(draw(state) % FUNCTIONS);
	const bool begins = !below[0];

	for (size_t i = 0; i < 2; i++) {
		struct callgraph *graph = both[i]->graph;

		if (begins) {
			below[i] = callgraph_unknown(graph, both[i]->owner);
			ck_assert_int_gt(below[i], 0);
			callgraph_begin(graph, (uint32_t)below[i]);
		} else {
			callgraph_end(graph, (uint32_t)below[i]);
			ck_assert_int_gt(callgraph_resolve(graph, (uint32_t)below[i], both[i]->names[function]), 0);
			below[i] = 0;
		}
	}
}

/* Adds the same calls to both, on paths of any depth; the nodes have the same indices then, unless paths are folded. */
static void add_to_both(struct test *plain, struct test *late, size_t calls)
{
	uint64_t state = 9;
	struct test *const both[] = { plain, late };
	int64_t below[2] = { 0 };

	for (size_t i = 0; i < calls; i++) {
		struct call_times times = { .total = draw(&state) % 1000000, .off = draw(&state) % 8 ? 0 : draw(&state) % 1000 };
		int64_t a, b;

		if (draw(&state) % 50 == 0)
			turn_unknown(both, below, &state);
		a = below[0] ? below[0] : plain->owner;
		b = below[1] ? below[1] : late->owner;
		for (uint64_t depth = 1 + draw(&state) % 5; depth; depth--) {
			unsigned int function = (unsigned int)(draw(&state) % FUNCTIONS);

			a = callgraph_child(plain->graph, (uint32_t)a, plain->names[function]);
			b = callgraph_child(late->graph, (uint32_t)b, late->names[function]);
		}
		times.self = times.total - MIN(times.total, times.off);
		ck_assert_int_eq(callgraph_add(plain->graph, (uint32_t)a, &times), 0);
		ck_assert_int_eq(callgraph_add(late->graph, (uint32_t)b, &times), 0);
	}
	if (below[0])
		turn_unknown(both, below, &state);
	ck_assert_int_eq(callgraph_settle(plain->graph), 0);
	ck_assert_int_eq(callgraph_settle(late->graph), 0);
}

/* What another thread adds is what would have been added at once. */
START_TEST(late)
{
	const unsigned int milles[] = { 500, 900, 990 };
	struct test plain, other;
	struct pool *pool;
	uint32_t node = 0;

	ck_assert_int_eq(pool_new(&pool, 2), 0);
	begin(&plain, 0);
	begin(&other, 0);
	ck_assert_int_eq(callgraph_late(other.graph, pool), 0);
	add_to_both(&plain, &other, 100000);
	ck_assert_uint_eq(plain.graph->nodes.n, other.graph->nodes.n);
	ck_assert_uint_eq(plain.graph->bytes, other.graph->bytes);
	while (callgraph_walk(plain.graph, 0, &node)) {
		const struct callgraph_figures a = callgraph_figures(plain.graph, &plain.graph->nodes.at[node]);
		const struct callgraph_figures b = callgraph_figures(other.graph, &other.graph->nodes.at[node]);

		ck_assert_uint_eq(a.calls.n, b.calls.n);
		ck_assert_uint_eq(a.calls.sum, b.calls.sum);
		ck_assert_uint_eq(a.calls.min, b.calls.min);
		ck_assert_uint_eq(a.calls.max, b.calls.max);
		ck_assert_uint_eq(a.self, b.self);
		ck_assert_uint_eq(a.off, b.off);
		for (size_t i = 0; i < ARRAY_LEN(milles); i++)
			ck_assert_uint_eq(quantiles_at(&a.calls, milles[i]), quantiles_at(&b.calls, milles[i]));
	}
	callgraph_free(plain.graph);
	callgraph_free(other.graph);
	pool_free(pool);
}
END_TEST

/* Also where paths are folded meanwhile. And a tree can be freed while the other thread still adds. */
START_TEST(late_and_bounded)
{
	struct test plain, other;
	struct pool *pool;

	ck_assert_int_eq(pool_new(&pool, 2), 0);
	begin(&plain, 0);
	begin(&other, 400000);
	ck_assert_int_eq(callgraph_late(other.graph, pool), 0);
	add_to_both(&plain, &other, 50000);
	ck_assert_uint_gt(other.graph->folded_paths, 0);
	for (unsigned int f = 0; f < FUNCTIONS; f++) {
		uint64_t calls[2], total[2], self[2];

		sum_function(plain.graph, plain.names[f], &calls[0], &total[0], &self[0]);
		sum_function(other.graph, other.names[f], &calls[1], &total[1], &self[1]);
		ck_assert_uint_eq(calls[0], calls[1]);
		ck_assert_uint_eq(total[0], total[1]);
		ck_assert_uint_eq(self[0], self[1]);
	}
	for (size_t i = 0; i < 40000; i++)
		ck_assert_int_eq(callgraph_add(other.graph, other.owner, &(struct call_times){ .total = i, .self = i }), 0);
	callgraph_free(plain.graph);
	callgraph_free(other.graph);
	pool_free(pool);
}
END_TEST

/* The names of calls, also when paths were folded. */
START_TEST(called)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	strv_t names = { 0 };
	struct test t;

	plan->state = 5;
	begin(&t, 60000);
	make(plan, &t, MOST_CALLS - DEEPEST, false);
	ck_assert_uint_gt(t.graph->folded_paths, 0);
	ck_assert_int_eq(callgraph_called(t.graph, &names), 0);
	for (unsigned int f = 0; f < FUNCTIONS; f++)
		ck_assert(strv_has(&names, t.graph->names.at[t.names[f]]));
	ck_assert(!strv_has(&names, "all"));
	strv_fini(&names);
	callgraph_free(t.graph);
	free(plan);
}
END_TEST

Suite *callgraph_suite(void)
{
	Suite *suite = suite_create("callgraph");
	TCase *tc = tcase_create("callgraph");

	tcase_add_test(tc, merged_by_path);
	tcase_add_test(tc, names_that_come_late);
	tcase_add_test(tc, trees_merged);
	tcase_add_test(tc, bounded);
	tcase_add_test(tc, accounts);
	tcase_add_test(tc, many_that_come_late);
	tcase_add_test(tc, late);
	tcase_add_test(tc, late_and_bounded);
	tcase_add_test(tc, called);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
