/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/sections.h"

/* Reads the @n bytes of @name with its NUL, which stand before a text. Returns false if there is something else. */
static bool expect(struct cursor *c, const char *name, size_t n)
{
	char bytes[16];

	if (!cursor_bytes(c, bytes, n))
		return false;
	if (memcmp(bytes, name, n) == 0)
		return true;
	cursor_damaged(c, "the name of one of the two texts is not there");
	return false;
}

static void parse_header_info(struct cursor *c, struct metadata *meta)
{
	if (expect(c, DAT_HEADER_PAGE, sizeof(DAT_HEADER_PAGE)))
		cursor_text(c, cursor_u64(c), &meta->header_page);
	if (expect(c, DAT_HEADER_EVENT, sizeof(DAT_HEADER_EVENT)))
		cursor_text(c, cursor_u64(c), &meta->header_event);
}

/* Reads one format text with its size in front. A text that is not complete is left out, because it is of no use. */
static void parse_event(struct cursor *c, struct metadata *meta, const char *system)
{
	struct event_text event = { 0 };

	cursor_text(c, cursor_u64(c), &event.format);
	if (!c->err)
		event.system = strdup(system);
	if (!c->err && (!event.system || vec_push(&meta->formats, event)))
		c->err = -ENOMEM;
	if (c->err) {
		free(event.system);
		free(event.format.at);
	}
}

static void parse_ftrace_events(struct cursor *c, struct metadata *meta)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->err; i++)
		parse_event(c, meta, "ftrace");
}

static void parse_event_formats(struct cursor *c, struct metadata *meta)
{
	uint32_t nsystems = cursor_u32(c);

	for (uint32_t s = 0; s < nsystems && !c->err; s++) {
		__cleanup(free_ptr) char *system = cursor_asciiz(c);
		uint32_t n = cursor_u32(c);

		for (uint32_t i = 0; i < n && !c->err; i++)
			parse_event(c, meta, system);
	}
}

static void parse_kallsyms(struct cursor *c, struct metadata *meta)
{
	cursor_text(c, cursor_u32(c), &meta->kallsyms);
}

static void parse_printk(struct cursor *c, struct metadata *meta)
{
	cursor_text(c, cursor_u32(c), &meta->printk_formats);
}

static void parse_cmdlines(struct cursor *c, struct metadata *meta)
{
	cursor_text(c, cursor_u64(c), &meta->cmdlines);
}

static void parse_btf(struct cursor *c, struct metadata *meta)
{
	cursor_text(c, cursor_left(c), &meta->btf);
}

static void parse_modules(struct cursor *c, struct metadata *meta)
{
	cursor_text(c, cursor_left(c), &meta->modules);
}

const struct section_kind section_kinds[] = {
	{ DAT_HEADER_INFO, parse_header_info },
	{ DAT_FTRACE_EVENTS, parse_ftrace_events },
	{ DAT_EVENT_FORMATS, parse_event_formats },
	{ DAT_KALLSYMS, parse_kallsyms },
	{ DAT_PRINTK, parse_printk },
	{ DAT_CMDLINES, parse_cmdlines },
	{ DAT_BTF_FILE, parse_btf },
	{ DAT_MODULES_FILE, parse_modules },
	{ 0, NULL },
};
