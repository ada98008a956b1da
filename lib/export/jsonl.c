/* SPDX-License-Identifier: GPL-2.0 */
/* Writes JSON Lines: each event is an object on a line. */
#include "lib/base/digits.h"
#include "lib/base/quote.h"
#include "lib/export/rows.h"

static void names(const struct event *event, const struct row_source *source, struct str *out)
{
	str_add(out, ",\"event\":");
	quote_json(event->name[0] ? event->name : NULL, out);
	str_add(out, ",\"system\":");
	quote_json(event->system[0] ? event->system : NULL, out);
	if (source->buffer[0]) {
		str_add(out, ",\"buffer\":");
		quote_json(source->buffer, out);
	}
	if (!source->file)
		return;
	str_add(out, ",\"file\":");
	quote_json(source->file, out);
	str_add(out, ",\"host\":");
	quote_json(source->host[0] ? source->host : NULL, out);
}

#define PUT(at, text) put_bytes(at, text, sizeof(text) - 1)

static char *head(char *at, const struct row_head *head)
{
	at = put_loose(PUT(at, ",\"cpu\":"), head->cpu);
	if (unlikely(head->pid < 0))
		return PUT(at, ",\"pid\":null,\"comm\":null");
	at = put_loose(PUT(at, ",\"pid\":"), (unsigned int)head->pid);
	at = PUT(at, ",\"comm\":");
	return head->comm_len ? put_short(at, head->comm, head->comm_len) : PUT(at, "null");
}

static char *tail(char *at, const struct row_head *head)
{
	if (unlikely(head->pid < 0))
		return PUT(at, ",\"flags\":null,\"preempt\":null,\"fields\":");
	at = put_loose(PUT(at, ",\"flags\":"), head->flags);
	at = put_loose(PUT(at, ",\"preempt\":"), head->preempt);
	return PUT(at, ",\"fields\":");
}

static const struct rows_format objects = { .style = PLAN_JSON,
					    .begin = "{\"ts\":",
					    .begin_len = 6,
					    .head = head,
					    .names = names,
					    .tail = tail,
					    .end = "}\n",
					    .end_len = 2,
					    .none = "{}" };

static int make(struct handler **out, struct reading *reading, void *options)
{
	return rows_make(out, reading, &objects, options);
}

const struct analysis jsonl_analysis = { .name = "jsonl", .needs = ANALYSIS_LEARN, .make = make };
