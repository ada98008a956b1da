/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/format.h"
#include "lib/data/writer-out.h"

void put_header_info(struct block *b, const struct metadata *meta)
{
	put_string(b, DAT_HEADER_PAGE);
	put_sized64(b, &meta->header_page);
	put_string(b, DAT_HEADER_EVENT);
	put_sized64(b, &meta->header_event);
}

/* Returns how many events @system has. */
static uint32_t count_events(const struct metadata *meta, const char *system)
{
	uint32_t n = 0;

	vec_each (&meta->formats, event)
		n += strcmp(event->system, system) == 0;
	return n;
}

static void put_events(struct block *b, const struct metadata *meta, const char *system)
{
	vec_each (&meta->formats, event)
		if (strcmp(event->system, system) == 0)
			put_sized64(b, &event->format);
}

void put_ftrace_formats(struct block *b, const struct metadata *meta)
{
	put_u32(b, count_events(meta, "ftrace"));
	put_events(b, meta, "ftrace");
}

static void add_system(strv_t *systems, char *system, bool *oom)
{
	if (strcmp(system, "ftrace") == 0 || strv_has(systems, system))
		return;
	if (vec_push(systems, system))
		*oom = true;
}

void put_event_formats(struct block *b, const struct metadata *meta)
{
	strv_t systems = { 0 }; /* the names are borrowed */
	bool oom = false;

	vec_each (&meta->formats, event)
		add_system(&systems, event->system, &oom);
	put_u32(b, (uint32_t)systems.n);
	vec_each (&systems, system) {
		put_string(b, *system);
		put_u32(b, count_events(meta, *system));
		put_events(b, meta, *system);
	}
	b->bytes.oom |= oom;
	vec_fini(&systems);
}

void put_kallsyms(struct block *b, const struct metadata *meta)
{
	put_sized32(b, &meta->kallsyms);
}

void put_printk(struct block *b, const struct metadata *meta)
{
	put_sized32(b, &meta->printk_formats);
}

void put_cmdlines(struct block *b, const struct metadata *meta)
{
	put_sized64(b, &meta->cmdlines);
}
