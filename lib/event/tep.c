/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/tep.h"
#include "lib/base/err.h"
#include "lib/event/plugin.h"
#include "lib/event/vet.h"

#include <pthread.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

struct tep_side {
	struct tep_handle *tep;
	struct tep_plugin_list *plugins;
	struct trace_seq seq;
	char *padded; /* a copy of the record that is being printed, with zeros behind it */
	size_t padded_room, padded_size;
	bool said; /* a damaged format has been reported */
	pthread_mutex_t lock;
};

/* A number in a record leads at most this far beyond it, as a field's offset and length have 16 bits each. */
#define PADDING (256u << 10)

/* Gives libtraceevent the names of functions, so that it need not parse kallsyms. */
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

static void add_comm(void *ctx, int pid, const char *name)
{
	tep_register_comm(ctx, name, pid);
}

/* Adds a string in the form of the kernel's file, because libtraceevent removes the quote and the end of the line without looking for them. */
static void add_string(void *ctx, uint64_t addr, const char *string)
{
	__cleanup(free_ptr) char *line = str_printf("%s\\n\"", string);

	if (line)
		tep_register_print_string(ctx, line, addr);
}

/* Sets what plug-ins ask libtraceevent for. It trusts all texts, so it gets only those parts of the file's texts that were understood. */
static void fill_tep(struct trace *trace, struct tep_handle *tep)
{
	const struct metadata *meta = trace->meta;

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_file_bigendian(tep, meta->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, trace->long_size);
	tep_set_page_size(tep, (int)meta->page_size);
	tep_set_cpus(tep, (int)meta->ncpus);
	tep_set_function_resolver(tep, resolve, trace);
	printk_each(trace_printk(trace), add_string, tep);
	comms_each(trace->comms, add_comm, tep);
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
	free(side->padded);
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

/* Reports a damaged format, once for each trace, because other formats are probably damaged, too. */
static void say_damaged(struct event *event, const char *why)
{
	struct trace *trace = event->trace;

	trace->damaged = true;
	if (trace->tep->said)
		return;
	trace->tep->said = true;
	warn("the format of the event %s:%s is damaged (%s): of such events only the undamaged fields are shown", event->system, event->name, why);
}

/* Parses the format of an event. The lock must be held. */
static struct tep_event *parse(struct tep_handle *tep, const struct event *event, const struct str *text, bool no_print)
{
	struct tep_event *parsed;

	if (tep_find_event(tep, event->id))
		return NULL; /* damaged, too: another event has that ID */
	tep_parse_event(tep, text->at, text->len, event->system);
	parsed = tep_find_event(tep, event->id);
	if (parsed && no_print)
		parsed->flags |= TEP_EVENT_FL_FAILED;
	if (parsed && event->plain)
		parsed->flags |= TEP_EVENT_FL_NOHANDLE;
	return parsed;
}

void tep_prepare(struct event *event)
{
	struct tep_handle *tep = trace_tep(event->trace);
	struct vetted vetted = { 0 };
	struct str text = { 0 };

	if (!tep || event->tep)
		return;
	tep_lock(event->trace);
	if (!vet_format(event->format, &text, &vetted) && text.len)
		event->tep = parse(tep, event, &text, vetted.no_print);
	event->failed = !event->tep || event->tep->flags & TEP_EVENT_FL_FAILED;
	event->beyond = vetted.why;
	event->no_fields = vetted.no_fields;
	if (vetted.damaged)
		say_damaged(event, vetted.why);
	tep_unlock(event->trace);
	str_fini(&text);
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

/* Is the argument safe for all records? It is if it has no division, and no index or length from the record. */
static bool survives(const struct tep_print_arg *arg)
{
	if (!arg)
		return true;
	switch (arg->type) {
	case TEP_PRINT_NULL:
	case TEP_PRINT_ATOM:
	case TEP_PRINT_DYNAMIC_ARRAY:
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
	case TEP_PRINT_STRING:
		return true;
	case TEP_PRINT_FIELD:
		return arg->field.field && arg->field.field->size;
	case TEP_PRINT_FLAGS:
		return survives(arg->flags.field);
	case TEP_PRINT_SYMBOL:
		return survives(arg->symbol.field);
	case TEP_PRINT_TYPE:
		return survives(arg->typecast.item);
	case TEP_PRINT_FUNC:
		for (const struct tep_print_arg *at = arg->func.args; at; at = at->next)
			if (!survives(at))
				return false;
		return true;
	case TEP_PRINT_OP:
		return !strchr("[/%?", arg->op.op[0]) && survives(arg->op.left) && survives(arg->op.right);
	default:
		return false;
	}
}

bool tep_survives(const struct event *event)
{
	const struct tep_event *parsed = event->tep;

	if (parsed->flags & TEP_EVENT_FL_ISBPRINT)
		return false;
	for (const struct tep_print_arg *arg = parsed->print_fmt.args; arg; arg = arg->next)
		if (!survives(arg))
			return false;
	return parsed->print_fmt.format && !strchr(parsed->print_fmt.format, '*');
}

/* Copies the record with zeros behind it, and aligns it as in its page, because libtraceevent and plug-ins trust the numbers in it. */
static bool pad(struct tep_side *side, const struct record *rec)
{
	if (side->padded_room < rec->size + PADDING) {
		free(side->padded);
		side->padded_size = 0;
		side->padded_room = rec->size + PADDING;
		side->padded = calloc(1, side->padded_room);
		if (!side->padded)
			side->padded_room = 0;
	}
	if (!side->padded)
		return false;
	memcpy(side->padded, rec->data, rec->size);
	if (rec->size < side->padded_size)
		memset(side->padded + rec->size, 0, side->padded_size - rec->size);
	side->padded_size = rec->size;
	return true;
}

void tep_text(const struct event *event, const struct record *rec, struct str *out)
{
	struct tep_side *side = event->trace->tep;
	struct tep_record borrowed = {
		.ts = rec->ts,
		.record_size = (int)rec->size,
		.size = (int)rec->size,
		.cpu = rec->cpu,
		.ref_count = 1,
	};

	pthread_mutex_lock(&side->lock);
	if (pad(side, rec)) {
		borrowed.data = side->padded;
		trace_seq_reset(&side->seq);
		tep_print_event(side->tep, &side->seq, &borrowed, "%s", TEP_PRINT_INFO);
		if (side->seq.state == TRACE_SEQ__GOOD)
			str_addn(out, side->seq.buffer, side->seq.len);
	}
	pthread_mutex_unlock(&side->lock);
}
