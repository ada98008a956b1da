/* SPDX-License-Identifier: GPL-2.0 */
/* Unit tests: each file has one function that makes its suite, a row of the table in main.c. */
#ifndef RINGSIDE_UNIT_H
#define RINGSIDE_UNIT_H

#include <check.h>

Suite *abi_suite(void);
Suite *btf_suite(void);
Suite *advice_suite(void);
Suite *base_suite(void);
Suite *recorder_suite(void);
Suite *ahead_suite(void);
Suite *callgraph_suite(void);
Suite *calls_suite(void);
Suite *call_sources_suite(void);
Suite *pair_match_suite(void);
Suite *clock_suite(void);
Suite *codec_suite(void);
Suite *compare_suite(void);
Suite *count_stacks_suite(void);
Suite *event_suite(void);
Suite *filter_suite(void);
Suite *handover_suite(void);
Suite *hist_suite(void);
Suite *hist_entries_suite(void);
Suite *hosts_suite(void);
Suite *tsync_suite(void);
Suite *symbols_suite(void);
Suite *kept_clocks_suite(void);
Suite *latency_suite(void);
Suite *live_suite(void);
Suite *merge_suite(void);
Suite *merge_damage_suite(void);
Suite *names_suite(void);
Suite *opt_suite(void);
Suite *page_suite(void);
Suite *paths_suite(void);
Suite *page_write_suite(void);
Suite *probe_suite(void);
Suite *usermaps_suite(void);
Suite *vet_suite(void);
Suite *window_suite(void);
Suite *within_suite(void);
Suite *reader_suite(void);
Suite *reader_options_suite(void);
Suite *salvage_suite(void);
Suite *plugins_suite(void);
Suite *print_suite(void);
Suite *printk_suite(void);
Suite *profile_suite(void);
Suite *protobuf_suite(void);
Suite *quantiles_suite(void);
Suite *select_suite(void);
Suite *session_suite(void);
Suite *session_dying_suite(void);
Suite *session_names_suite(void);
Suite *sites_suite(void);
Suite *split_suite(void);
Suite *table_suite(void);
Suite *tree_suite(void);
Suite *values_suite(void);
Suite *sched_suite(void);
Suite *top_suite(void);
Suite *wakeups_suite(void);
Suite *writer_suite(void);

#endif
