/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/base.h"
#include "tests/unit/unit.h"

/* clang-format off */
static Suite *(*const suites[])(void) = {
	abi_suite,
	btf_suite,
	advice_suite,
	ahead_suite,
	base_suite,
	bpf_suite,
	callgraph_suite,
	calls_suite,
	call_sources_suite,
	clock_suite,
	codec_suite,
	compare_suite,
	count_stacks_suite,
	event_suite,
	filter_suite,
	handover_suite,
	hist_suite,
	hist_entries_suite,
	hosts_suite,
	slowest_suite,
	tsync_suite,
	turn_suite,
	kept_clocks_suite,
	latency_suite,
	leaf_suite,
	library_suite,
	live_suite,
	merge_suite,
	merge_damage_suite,
	names_suite,
	opt_suite,
	probe_suite,
	recorder_suite,
	usermaps_suite,
	table_suite,
	table_fit_suite,
	tap_suite,
	tree_suite,
	values_suite,
	vet_suite,
	sched_suite,
	top_suite,
	wakeups_suite,
	window_suite,
	within_suite,
	page_suite,
	pair_match_suite,
	paths_suite,
	page_write_suite,
	plugins_suite,
	print_suite,
	printk_suite,
	profile_suite,
	protobuf_suite,
	quantiles_suite,
	reader_suite,
	reader_options_suite,
	salvage_suite,
	select_suite,
	session_suite,
	session_dying_suite,
	session_names_suite,
	sites_suite,
	split_suite,
	symbols_suite,
	writer_suite,
	writer_parts_suite,
};
/* clang-format on */

int main(void)
{
	SRunner *runner = srunner_create(NULL);
	int failed;

	for (size_t i = 0; i < ARRAY_LEN(suites); i++)
		srunner_add_suite(runner, suites[i]());
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
