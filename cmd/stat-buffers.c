/* SPDX-License-Identifier: GPL-2.0 */
/* The part of `ringside stat` about the buffers of each CPU. */
#include "cmd/stat.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/tracefs/meta.h"
#include "lib/tracefs/setting.h"

#include <inttypes.h>
#include <stdio.h>

/* With this many CPUs or fewer, each has a line; with more, only those that lost events. */
enum { FEW_CPUS = 16 };

void stat_size(struct place *p)
{
	__cleanup(free_ptr) char *size = NULL;
	__cleanup(free_ptr) char *raw = NULL;
	__cleanup(free_ptr) char *text = NULL;

	if (setting_read(p->dir, "buffer_size_kb", &size) || tracedir_read(p->dir, "buffer_size_kb", &raw))
		return;
	if (strcmp(size, "X") == 0)
		text = strdup("differs from CPU to CPU");
	else
		text = str_printf("%s kB on each CPU%s", size, strstr(raw, "expanded") ? ", once it is used" : "");
	if (text)
		stat_file_line(p, "buffer", text, "buffer_size_kb");
}

static void add_cpu(struct place *p, unsigned int cpu, uint64_t kb, const struct cpu_stats *s)
{
	stat_row(p, "cpu");
	table_id(p->table, STAT_CPU, cpu);
	table_count(p->table, STAT_EVENTS, s->entries);
	table_count(p->table, STAT_BYTES, s->bytes);
	table_count(p->table, STAT_SIZE, kb * 1024);
	table_count(p->table, STAT_OVERWRITTEN, s->overrun);
	table_count(p->table, STAT_LOST, s->commit_overrun + s->dropped);
}

static void print_cpu(struct place *p, unsigned int cpu, const struct cpu_stats *s)
{
	__cleanup(free_ptr) char *file = str_printf("per_cpu/cpu%u/buffer_size_kb", cpu);
	__cleanup(free_ptr) char *text = NULL;
	uint64_t kb = 0;

	if (file && !setting_read(p->dir, file, &text))
		parse_u64(text, &kb);
	if (p->table) {
		add_cpu(p, cpu, kb, s);
		return;
	}
	printf("  %16u %12" PRIu64 " %12" PRIu64 " %5.0f%% of %6" PRIu64 " kB %12" PRIu64 " %12" PRIu64 "\n", cpu, s->entries, s->bytes,
	       kb ? (double)s->bytes / (double)kb / 10.24 : 0, kb, s->overrun, s->commit_overrun + s->dropped);
}

int stat_use(struct place *p)
{
	const struct tracedir *dir = p->dir;
	cpulist_t cpus = { 0 };
	uint64_t entries = 0, bytes = 0, overrun = 0, lost = 0;
	int err = meta_cpus(dir, &cpus);

	if (!p->table)
		printf("  %16s %12s %12s %19s %12s %12s\n", "CPU", "events", "bytes", "filled", "overwritten", "lost");
	for (size_t i = 0; !err && i < cpus.n; i++) {
		struct cpu_stats s;

		err = meta_cpu_stats(dir, cpus.at[i], &s);
		if (err)
			break;
		entries += s.entries;
		bytes += s.bytes;
		overrun += s.overrun;
		lost += s.commit_overrun + s.dropped;
		if (p->table || cpus.n <= FEW_CPUS || s.overrun || s.commit_overrun || s.dropped)
			print_cpu(p, cpus.at[i], &s);
	}
	if (!err && cpus.n > 1 && !p->table)
		printf("  %16s %12" PRIu64 " %12" PRIu64 " %19s %12" PRIu64 " %12" PRIu64 "\n", "all", entries, bytes, "", overrun, lost);
	vec_fini(&cpus);
	return err;
}
