/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/quantiles.h"
#include "lib/analysis/syscalls.h"
#include "lib/base/map.h"
#include "lib/output/reading-meta.h"
#include "lib/output/syscall-line.h"
#include "lib/output/syscalls-text.h"

enum { PERCENT, TOTAL, MEAN, CALLS, ERRORS, CUT, MIN_TOOK, P50, P90, P99, P999, MAX_TOOK, NAME };

static const struct table_column columns[] = {
	[PERCENT] = { "percent", TABLE_PERCENT, .of = "total", .head = "%TIME", .heat = true },
	[TOTAL] = { "total", TABLE_NS, .sum = true },
	[MEAN] = { "mean", TABLE_NS },
	[CALLS] = { "calls", TABLE_COUNT, .sum = true },
	[ERRORS] = { "errors", TABLE_COUNT, .sum = true },
	[CUT] = { "cut", TABLE_COUNT, .more = true, .sum = true },
	[MIN_TOOK] = { "min", TABLE_NS, .more = true },
	[P50] = { "p50", TABLE_NS },
	[P90] = { "p90", TABLE_NS, .more = true },
	[P99] = { "p99", TABLE_NS },
	[P999] = { "p999", TABLE_NS, .more = true },
	[MAX_TOOK] = { "max", TABLE_NS },
	[NAME] = { "syscall", TABLE_TEXT },
	{ NULL },
};

static const struct table_spec spec = { .columns = columns, .sort = "-total,-calls,syscall" };

/* A row of the table: all calls with one number. */
struct total {
	char *name;
	struct quantiles took;
	uint64_t errors, cut;
	uint64_t refused; /* calls that are counted although their times are not known */
};

struct syscalls_summary {
	struct table *table;
	MAP(
		struct key_of_call {
			const struct syscall *call;
			uint64_t number;
		},
		struct total)
	totals;
};

static int add_name(struct total *total, const struct syscall_open *call)
{
	struct str name = { 0 };

	syscall_name_text(call, &name);
	total->name = str_take(&name);
	return total->name ? 0 : -ENOMEM;
}

int syscalls_summary_add(struct syscalls_summary *s, const struct syscall_open *call, int64_t result, uint64_t took)
{
	const struct key_of_call key = { call->call, call->call ? 0 : call->number };
	map_entry(&s->totals) entry = map_add(&s->totals, key);
	struct total *total;

	if (!entry)
		return -ENOMEM;
	total = &entry->value;
	if (!total->name && add_name(total, call))
		return -ENOMEM;
	if (took == SYSCALL_UNKNOWN && !call->refused) {
		total->cut++;
		return 0;
	}
	total->errors += syscall_error(result) != NULL;
	total->refused += call->refused;
	return call->refused ? 0 : quantiles_add(&total->took, took);
}

static void add_row(struct table *table, const struct total *total)
{
	static const struct {
		unsigned int column, mille;
	} parts[] = { { P50, 500 }, { P90, 900 }, { P99, 990 }, { P999, 999 } };

	table_row(table, TABLE_ROOT);
	table_text(table, NAME, total->name);
	table_count(table, CALLS, total->took.n + total->refused);
	table_count(table, ERRORS, total->errors);
	table_count(table, CUT, total->cut);
	if (total->took.n || !total->refused)
		table_count(table, TOTAL, total->took.sum);
	if (!total->took.n)
		return;
	table_count(table, MEAN, quantiles_mean(&total->took));
	table_count(table, MIN_TOOK, total->took.min);
	table_count(table, MAX_TOOK, total->took.max);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		uint64_t value = quantiles_at(&total->took, parts[i].mille);

		if (value != QUANTILE_UNKNOWN)
			table_count(table, parts[i].column, value);
	}
}

int syscalls_summary_show(struct syscalls_summary *s, struct reading *reading, const struct syscalls_facts *facts)
{
	struct table_meta meta;
	strv_t files = { 0 };
	uint64_t cut = 0, refused = 0;
	int err = reading_meta(reading, &meta, &files);

	table_clear(s->table);
	meta.lost = facts->lost;
	meta.lost_more = facts->lost_more;
	map_each (&s->totals, entry) {
		add_row(s->table, &entry->value);
		cut += entry->value.cut;
		refused += entry->value.refused;
	}
	if (cut)
		table_note(s->table, "%llu call%s in no figure, as the entry or the exit is not in the recording, or events were lost in between",
			   (unsigned long long)cut, cut == 1 ? " is" : "s are");
	if (refused)
		table_note(s->table, "%llu call%s failed without an entry, as when a seccomp filter refuses a call: how long %s took is not known",
			   (unsigned long long)refused, refused == 1 ? "" : "s", refused == 1 ? "it" : "they");
	if (facts->several)
		table_note(s->table, SYSCALLS_SEVERAL, facts->several);
	err = err ? err : table_show(s->table, &meta, reading->out);
	strv_fini(&files);
	return err;
}

int syscalls_summary_new(struct syscalls_summary **out, const struct table_show *show)
{
	int err;

	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	err = table_new(&(*out)->table, &spec, show);
	if (err)
		syscalls_summary_free(take(*out));
	return err;
}

void syscalls_summary_free(struct syscalls_summary *s)
{
	if (!s)
		return;
	map_each (&s->totals, entry) {
		free(entry->value.name);
		quantiles_fini(&entry->value.took);
	}
	map_fini(&s->totals);
	table_free(s->table);
	free(s);
}
