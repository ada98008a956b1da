// SPDX-License-Identifier: GPL-2.0
/* Memory: pages as sizes, migration types by name (include/linux/mmzone.h), who allocated. */
#include "plugins/plugin.h"

static const struct meaning migratetypes[] = {
	{ 0, "unmovable" }, { 1, "movable" }, { 2, "reclaimable" }, { 3, "highatomic" }, { 4, "cma" }, { 5, "isolate" }, { 0, NULL },
};

static void show_order(const struct cell *cell, const struct column *column)
{
	(void)column;
	put_u64(cell->s, cell->value);
	put_str(cell->s, cell->value ? " (" : " (1 page)");
	if (!cell->value)
		return;
	put_u64(cell->s, 1ULL << (cell->value & 31));
	put_str(cell->s, " pages)");
}

/* The bits of gfp_t move from one kernel to the next: the event's own names. */
static void show_gfp(const struct cell *cell, const struct column *column)
{
	(void)column;
	if (!cell->shown->own)
		cell->shown->own = kernel_flags(cell->event);
	if (cell->shown->own)
		put_flags(cell->s, cell->shown->own, cell->value);
	else
		put_hex(cell->s, cell->value);
}

static const struct column page[] = {
	{ "pfn=", "pfn", show_hex, NULL },
	{ " order=", "order", show_order, NULL },
	{ " migratetype=", "migratetype", show_meaning, migratetypes },
	{ " percpu_refill=", "percpu_refill", show_dec, NULL },
	{ " gfp_flags=", "gfp_flags", show_gfp, NULL },
	{ " from order=", "fallback_order", show_order, NULL },
	{ " for order=", "alloc_order", show_order, NULL },
	{ " migratetype ", "fallback_migratetype", show_meaning, migratetypes },
	{ " to ", "alloc_migratetype", show_meaning, migratetypes },
	{ " change_ownership=", "change_ownership", show_dec, NULL },
	{ NULL, NULL, NULL, NULL },
};

/* clang-format off */
#define PAGE(name) { "kmem", "mm_page_" name, page, NULL }
/* clang-format on */

static const struct printer printers[] = {
	PAGE("alloc"), PAGE("alloc_zone_locked"), PAGE("pcpu_drain"), PAGE("free"), PAGE("free_batched"), PAGE("alloc_extfrag"),
};

PLUGIN("kmem", "orders as pages, migration types and gfp flags by name", printers)
