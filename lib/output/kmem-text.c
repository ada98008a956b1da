/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/kmem-text.h"
#include "lib/analysis/kmem.h"
#include "lib/analysis/reading.h"
#include "lib/output/reading-meta.h"
#include "lib/output/unseen.h"

struct kmem_view {
	struct handler handler;
	struct kmem *kmem;
	struct table *table;
};

/* The columns of `trace-cmd mem`, and the numbers of allocations and frees. */
enum { FUNCTION, WASTE, ALLOC, REQ, TOTAL_ALLOC, TOTAL_REQ, MAX_ALLOC, MAX_REQ, MAX_WASTE, ALLOCS, FREES };

static const struct table_column columns[] = {
	[FUNCTION] = { "function", TABLE_TEXT, .wrap = true },
	[WASTE] = { "waste", TABLE_COUNT, .sum = true },
	[ALLOC] = { "alloc", TABLE_COUNT, .sum = true },
	[REQ] = { "req", TABLE_COUNT, .sum = true },
	[TOTAL_ALLOC] = { "total_alloc", TABLE_COUNT, .head = "TOTALLOC", .sum = true },
	[TOTAL_REQ] = { "total_req", TABLE_COUNT, .head = "TOTREQ", .sum = true },
	[MAX_ALLOC] = { "max_alloc", TABLE_COUNT, .head = "MAXALLOC" },
	[MAX_REQ] = { "max_req", TABLE_COUNT, .head = "MAXREQ" },
	[MAX_WASTE] = { "max_waste", TABLE_COUNT, .head = "MAXWASTE" },
	[ALLOCS] = { "allocs", TABLE_COUNT, .sum = true },
	[FREES] = { "frees", TABLE_COUNT, .sum = true },
	{ NULL },
};
static const struct table_spec spec = { .columns = columns, .sort = "-waste,-alloc,-total_alloc,function" };

static int take_records(struct handler *h, const struct batch *batch)
{
	struct handler *kmem = &container_of(h, struct kmem_view, handler)->kmem->handler;

	return kmem->records(kmem, batch);
}

static void view_free(struct handler *h)
{
	struct kmem_view *view = container_of(h, struct kmem_view, handler);

	if (view->kmem)
		view->kmem->handler.free(&view->kmem->handler);
	table_free(view->table);
	free(view);
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct kmem_view *view = calloc(1, sizeof(*view));
	int err = view ? 0 : -ENOMEM;

	if (err)
		return err;
	view->handler = (struct handler){ .records = take_records, .free = view_free };
	err = table_new(&view->table, &spec, options);
	err = err ? err : kmem_new(&view->kmem, &reading->inputs, &reading->select, reading_cpus(reading));
	if (err)
		view_free(&view->handler);
	else
		*out = &view->handler;
	return err;
}

static void add_row(struct table *table, const struct kmem_site *site)
{
	table_row(table, TABLE_ROOT);
	table_text(table, FUNCTION, site->name);
	table_count(table, WASTE, site->now.alloc > site->now.req ? site->now.alloc - site->now.req : 0);
	table_count(table, ALLOC, site->now.alloc);
	table_count(table, REQ, site->now.req);
	table_count(table, TOTAL_ALLOC, site->total.alloc);
	table_count(table, TOTAL_REQ, site->total.req);
	table_count(table, MAX_ALLOC, site->most.alloc);
	table_count(table, MAX_REQ, site->most.req);
	table_count(table, MAX_WASTE, site->most_waste);
	table_count(table, ALLOCS, site->allocs);
	table_count(table, FREES, site->frees);
}

/* Adds notes about what the sums leave out. */
static void add_notes(const struct kmem_view *view, bool narrowed)
{
	const struct kmem *kmem = view->kmem;

	if (!kmem->seen)
		table_note(view->table, "%s", unseen_text(UNSEEN_MEMORY, narrowed));
	if (kmem->unknown)
		table_note(view->table,
			   "memory was freed %llu time%s without being subtracted, because its allocation came before the recording, "
			   "was not chosen, or was lost",
			   (unsigned long long)kmem->unknown, kmem->unknown == 1 ? "" : "s");
	if (kmem->missed)
		table_note(view->table, "memory was allocated again %llu time%s without an event that freed it", (unsigned long long)kmem->missed,
			   kmem->missed == 1 ? "" : "s");
	vec_each (&kmem->inputs, in)
		if (in->several)
			table_note(
				view->table,
				"several buffers of %s have kmem's events; those of the buffer with the earliest record are counted, and -B chooses another buffer",
				in->input->path);
}

static int show(struct handler *h, struct reading *reading, __unused void *options)
{
	struct kmem_view *view = container_of(h, struct kmem_view, handler);
	struct table_meta meta;
	strv_t files = { 0 };
	int err = reading_meta(reading, &meta, &files);

	meta.lost = view->kmem->losses.events;
	meta.lost_more = view->kmem->losses.more;
	table_clear(view->table);
	vec_each (&view->kmem->sites, site)
		add_row(view->table, site);
	add_notes(view, reading->inputs.at[0].narrowed);
	err = err ? err : table_show(view->table, &meta, reading->out);
	strv_fini(&files);
	return err;
}

const struct analysis kmem_analysis = {
	.name = "mem",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_ALL_CPUS,
	.make = make,
	.show = show,
};
