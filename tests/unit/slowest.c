/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/slowest: whose slowest calls are told. */
#include "lib/analysis/slowest.h"
#include "tests/unit/unit.h"

static uint32_t name_of(struct callgraph *graph, const char *name)
{
	return (uint32_t)callgraph_name(graph, name, SIZE_MAX);
}

static void call_at(struct callgraph *graph, uint32_t *node, uint32_t parent, const char *function, uint64_t ns)
{
	const struct call_times times = { .total = ns, .self = ns };

	*node = (uint32_t)callgraph_child(graph, parent, name_of(graph, function));
	callgraph_begin(graph, *node);
	ck_assert_int_eq(callgraph_add(graph, *node, &times), 0);
	callgraph_end(graph, *node);
}

/* f0 (1000) calls f1 (900) and f2 (500); f2 calls f1 (10) and f3 (399); f1 calls f4 (850); an interrupt calls f5 (5000). */
START_TEST(slowest)
{
	struct callgraph *graph;
	uint32_t owner, f0, f1, f2, other, irq;
	strv_t names = { 0 };

	ck_assert_int_eq(callgraph_new(&graph, &(struct callgraph_options){ 0 }), 0);
	owner = (uint32_t)callgraph_owner(graph, name_of(graph, "all"), 0);
	call_at(graph, &f0, owner, "f0", 1000);
	call_at(graph, &f1, f0, "f1", 900);
	call_at(graph, &f2, f0, "f2", 500);
	call_at(graph, &other, f2, "f1", 10);
	call_at(graph, &other, f2, "f3", 399);
	call_at(graph, &other, f1, "f4", 850);
	irq = (uint32_t)callgraph_owner(graph, name_of(graph, "irq"), CALLGRAPH_IRQ);
	call_at(graph, &other, irq, "f5", 5000);

	ck_assert_int_eq(slowest_functions(graph, 10, &names), 0);
	/* f1 takes 90 of 100 of f0's, and so does f4 85; f3 takes 79.8 of 100 of f2's. */
	ck_assert_uint_eq(names.n, 3);
	ck_assert_str_eq(names.at[0], "f0");
	ck_assert_str_eq(names.at[1], "f2");
	ck_assert_str_eq(names.at[2], "f3");
	strv_fini(&names);
	ck_assert_int_eq(slowest_functions(graph, 1, &names), 0);
	ck_assert_uint_eq(names.n, 1);
	ck_assert_str_eq(names.at[0], "f0");
	strv_fini(&names);
	callgraph_free(graph);
}
END_TEST

Suite *slowest_suite(void)
{
	Suite *s = suite_create("slowest");
	TCase *tc = tcase_create("slowest");

	tcase_add_test(tc, slowest);
	suite_add_tcase(s, tc);
	return s;
}
