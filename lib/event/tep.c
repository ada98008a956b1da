/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/tep.h"
#include "lib/event/plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

struct tep_side {
	struct tep_handle *tep;
	struct tep_plugin_list *plugins;
	struct trace_seq seq;
	pthread_mutex_t lock;
};

/* Names for libtraceevent, so that it need not parse kallsyms. */
static char *resolve(void *ctx, unsigned long long *addr, char **module)
{
	const struct trace *trace = ctx;
	const struct symbol *sym = symbols_find(trace->symbols, *addr);

	*module = NULL;
	if (!sym)
		return NULL;
	*addr = sym->addr;
	*module = (char *)sym->module;
	return (char *)sym->name;
}

static void fill_tep(struct trace *trace, struct tep_handle *tep)
{
	const struct metadata *meta = trace->meta;

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_file_bigendian(tep, meta->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	if (meta->header_page.size)
		tep_parse_header_page(tep, meta->header_page.at, meta->header_page.size, trace->long_size);
	tep_set_long_size(tep, trace->long_size);
	tep_set_page_size(tep, (int)meta->page_size);
	tep_set_cpus(tep, (int)meta->ncpus);
	tep_set_function_resolver(tep, resolve, trace);
	if (meta->printk_formats.size)
		tep_parse_printk_formats(tep, meta->printk_formats.at);
	if (meta->cmdlines.size)
		tep_parse_saved_cmdlines(tep, meta->cmdlines.at);
}

struct tep_handle *trace_tep(struct trace *trace)
{
	struct tep_side *side = trace->tep;

	if (side)
		return side->tep;
	side = calloc(1, sizeof(*side));
	if (!side)
		return NULL;
	side->tep = tep_alloc();
	if (!side->tep) {
		free(side);
		return NULL;
	}
	pthread_mutex_init(&side->lock, NULL);
	trace_seq_init(&side->seq);
	trace->tep = side;
	fill_tep(trace, side->tep);
	side->plugins = plugins_load(side->tep, trace->opt);
	return side->tep;
}

void tep_side_free(struct tep_side *side)
{
	if (!side)
		return;
	plugins_unload(side->plugins, side->tep);
	tep_free(side->tep);
	trace_seq_destroy(&side->seq);
	pthread_mutex_destroy(&side->lock);
	free(side);
}

void tep_lock(struct trace *trace)
{
	pthread_mutex_lock(&trace->tep->lock);
}

void tep_unlock(struct trace *trace)
{
	pthread_mutex_unlock(&trace->tep->lock);
}

void tep_prepare(struct event *event)
{
	struct tep_handle *tep = trace_tep(event->trace);
	struct tep_event *parsed;

	if (!tep || event->tep)
		return;
	tep_lock(event->trace);
	tep_parse_event(tep, event->format->at, event->format->size, event->system);
	parsed = tep_find_event(tep, event->id);
	if (parsed) {
		event->failed = parsed->flags & TEP_EVENT_FL_FAILED;
		if (event->plain)
			parsed->flags |= TEP_EVENT_FL_NOHANDLE;
	} else {
		event->failed = true;
	}
	event->tep = parsed;
	tep_unlock(event->trace);
}

void tep_plugins(struct trace *trace, const char *before, struct str *out)
{
	struct trace_seq s;

	if (!trace_tep(trace) || !trace->tep->plugins)
		return;
	trace_seq_init(&s);
	tep_print_plugins(&s, before, "\n", trace->tep->plugins);
	if (s.state == TRACE_SEQ__GOOD)
		str_addn(out, s.buffer, s.len);
	trace_seq_destroy(&s);
}

int tep_prepare_all(struct trace *trace)
{
	if (!trace_tep(trace))
		return -ENOMEM;
	vec_each (&trace->events, event)
		tep_prepare(*event);
	return 0;
}

enum handler_kind tep_handler(const struct event *event)
{
	if (!event->tep || !event->tep->handler)
		return HANDLER_NONE;
	return plugin_is_systems((const void *)event->tep->handler) ? HANDLER_SYSTEM : HANDLER_OTHER;
}

static bool is_small_signed(const struct tep_format_field *f)
{
	return f->flags & TEP_FIELD_IS_SIGNED && !(f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING)) &&
	       (f->size == 1 || f->size == 2);
}

/* Appends " NAME=VALUE" of field number @i. A negative number that libtraceevent takes for an unsigned one gets its sign. */
static void raw_field(struct tep_side *side, struct tep_event *event, struct tep_record *rec, struct tep_format_field *f,
		      unsigned int i)
{
	unsigned int start = side->seq.len, unused = 64 - 8 * (unsigned int)f->size;
	unsigned long long value;
	int64_t number;
	char wrong[24];

	if (i < 63) {
		tep_record_print_selected_fields(&side->seq, rec, event, 1ULL << i);
	} else {
		trace_seq_printf(&side->seq, " %s=", f->name);
		tep_print_field_content(&side->seq, rec->data, rec->size, f);
	}
	if (!is_small_signed(f) || f->offset + f->size > rec->size || tep_read_number_field(f, rec->data, &value))
		return;
	number = (int64_t)(value << unused) >> unused;
	snprintf(wrong, sizeof(wrong), "=%llu", value);
	trace_seq_terminate(&side->seq);
	if (side->seq.state != TRACE_SEQ__GOOD || number >= 0 || !str_ends(side->seq.buffer + start, wrong))
		return;
	side->seq.len -= strlen(wrong) - 1;
	trace_seq_printf(&side->seq, "%lld", (long long)number);
}

static void raw_text(struct tep_side *side, struct tep_event *event, struct tep_record *rec)
{
	struct tep_format_field *f = event->format.fields;
	unsigned int i = 0;

	while (f && !is_small_signed(f))
		f = f->next;
	if (!f) {
		tep_print_event(side->tep, &side->seq, rec, "%s", TEP_PRINT_INFO_RAW);
		return;
	}
	for (f = event->format.fields; f; f = f->next)
		raw_field(side, event, rec, f, i++);
}

void tep_text(const struct event *event, const struct record *rec, struct str *out)
{
	struct tep_side *side = event->trace->tep;
	struct tep_record borrowed = {
		.ts = rec->ts,
		.record_size = (int)rec->size,
		.size = (int)rec->size,
		.data = (void *)rec->data,
		.cpu = rec->cpu,
		.ref_count = 1,
	};

	pthread_mutex_lock(&side->lock);
	trace_seq_reset(&side->seq);
	if (event->raw && event->tep)
		raw_text(side, event->tep, &borrowed);
	else
		tep_print_event(side->tep, &side->seq, &borrowed, "%s", event->raw ? TEP_PRINT_INFO_RAW : TEP_PRINT_INFO);
	if (side->seq.state == TRACE_SEQ__GOOD)
		str_addn(out, side->seq.buffer, side->seq.len);
	pthread_mutex_unlock(&side->lock);
}
