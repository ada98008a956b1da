/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/trace.h"
#include "lib/base/digits.h"
#include "lib/base/err.h"
#include "lib/event/print.h"
#include "lib/event/tep.h"
#include "lib/event/text.h"
#include "lib/event/values.h"

#include <regex.h>

/* Reports pad " NAME: " to this width, so that all texts begin in one column. */
#define LABEL_WIDTH 23

static void event_free(struct event *event)
{
	if (!event)
		return;
	print_free(event->program);
	values_free(event->values);
	free(event->system);
	free(event->name);
	free(event->label);
	free(event);
}

static char *make_label(const char *name, uint16_t *len)
{
	size_t n = strlen(name), width = MAX(n + 3, (size_t)LABEL_WIDTH);
	char *label = calloc(1, width + 49), *at = label;

	if (!label || width > UINT16_MAX) {
		free(label);
		return NULL;
	}
	*at++ = ' ';
	at = put_bytes(at, name, n);
	at = put_bytes(at, ": ", 2);
	put_fill(at, ' ', width - n - 3);
	*len = (uint16_t)width;
	return label;
}

/* Event names of the kernel are printable ASCII. Other characters in a file's names must not reach a terminal, so they are replaced. */
static void plain(char *name)
{
	for (; *name; name++)
		if (*name <= ' ' || *name > '~')
			*name = '?';
}

static int add_event(struct trace *trace, const struct event_text *text)
{
	struct event *event;
	char *name;
	uint16_t id;
	int err = format_head(&text->format, &name, &id);

	if (err == -EINVAL) {
		warn("an event of system %s has a format without name and ID and is left out", text->system);
		trace->damaged = true;
		return 0;
	}
	if (err)
		return err;
	if (trace->opt->visible)
		plain(name);
	event = calloc(1, sizeof(*event));
	if (!event) {
		free(name);
		return -ENOMEM;
	}
	*event = (struct event){ .trace = trace, .name = name, .format = &text->format, .id = id };
	event->system = strdup(text->system);
	if (event->system && trace->opt->visible)
		plain(event->system);
	event->label = make_label(name, &event->label_len);
	if (!event->system || !event->label || vec_push(&trace->events, event)) {
		event_free(event);
		return -ENOMEM;
	}
	trace->nids = MAX(trace->nids, (size_t)id + 1);
	return 0;
}

static const struct {
	const char *name;
	size_t offset;
} common[] = {
	{ "common_type", offsetof(struct trace, type) },
	{ "common_flags", offsetof(struct trace, flags) },
	{ "common_preempt_count", offsetof(struct trace, preempt) },
	{ "common_pid", offsetof(struct trace, pid) },
	{ "common_migrate_disable", offsetof(struct trace, migrate_disable) },
	{ "common_preempt_lazy_count", offsetof(struct trace, migrate_disable) },
	{ "common_lock_depth", offsetof(struct trace, lock_depth) },
};

static bool field_is(const struct field *f, size_t offset, size_t size)
{
	return f->found && f->offset == offset && f->size == size;
}

void record_common_slow(const struct trace *trace, const struct record *rec, struct common *out)
{
	uint64_t id = 0, flags = 0, preempt = 0, pid = 0;

	field_get(&trace->type, rec->data, rec->size, trace->swap, &id);
	field_get(&trace->flags, rec->data, rec->size, trace->swap, &flags);
	field_get(&trace->preempt, rec->data, rec->size, trace->swap, &preempt);
	field_get(&trace->pid, rec->data, rec->size, trace->swap, &pid);
	*out = (struct common){ (uint16_t)id, (uint8_t)flags, (uint8_t)preempt, (int32_t)pid };
}

static int index_events(struct trace *trace)
{
	vec_each (&trace->meta->formats, text)
		if (add_event(trace, text))
			return -ENOMEM;
	trace->by_id = calloc(MAX(trace->nids, (size_t)1), sizeof(trace->by_id[0]));
	if (!trace->by_id)
		return -ENOMEM;
	vec_each (&trace->events, event)
		if (!trace->by_id[(*event)->id])
			trace->by_id[(*event)->id] = *event;
	if (!trace->events.n)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(common); i++) {
		struct field *f = (struct field *)((char *)trace + common[i].offset);

		if (!f->found)
			format_field(trace->events.at[0]->format, common[i].name, f);
	}
	trace->plain_common = !trace->swap && field_is(&trace->type, offsetof(struct common, id), 2) &&
			      field_is(&trace->flags, offsetof(struct common, flags), 1) && field_is(&trace->preempt, offsetof(struct common, preempt), 1) &&
			      field_is(&trace->pid, offsetof(struct common, pid), 4);
	return 0;
}

/* Does one of the regular expressions match the whole name of the event or of its system? */
static bool matches(const strv_t *patterns, const struct event *event)
{
	vec_each (patterns, pattern) {
		__cleanup(free_ptr) char *whole = str_printf("^%s$", *pattern);
		regex_t re;
		bool hit;

		if (!whole || regcomp(&re, whole, REG_ICASE | REG_NOSUB))
			continue;
		hit = !regexec(&re, event->name, 0, NULL, 0) || !regexec(&re, event->system, 0, NULL, 0);
		regfree(&re);
		if (hit)
			return true;
	}
	return false;
}

/* Returns event.plain_size for the kinds of events whose fields usually have the same sizes. @n fields must exist. */
static uint16_t plain_size(const struct event *event, size_t n)
{
	bool call = event->kind == EVENT_GRAPH_ENTRY || event->kind == EVENT_GRAPH_EXIT;
	size_t end = 0;

	if (event->trace->swap || (!call && event->kind != EVENT_FUNCTION))
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (event->field[i].size != (call && i == GRAPH_DEPTH ? 4 : 8))
			return 0;
		end = MAX(end, (size_t)event->field[i].offset + event->field[i].size);
	}
	return end <= UINT16_MAX ? (uint16_t)end : 0;
}

static void bind_kind(struct trace *trace, const struct printer *rows)
{
	for (; rows->name; rows++) {
		struct event *event = trace_find(trace, rows->system, rows->name);
		size_t i;

		if (!event)
			continue;
		for (i = 0; i < EVENT_FIELDS && rows->fields[i]; i++)
			if (!format_field(event->format, rows->fields[i], &event->field[i]) && i < rows->needed)
				break;
		if (i < rows->needed)
			continue;
		event->kind = rows->kind;
		event->plain_size = plain_size(event, rows->needed);
		if (rows->print && !event->raw && !event->plain)
			event->printer = rows;
	}
}

static void set_graph_times(struct graph_ids *ids, const struct field *calltime, const struct field *rettime)
{
	const bool usual = calltime->size == 8 && rettime->size == 8;

	ids->calltime_offset = usual ? calltime->offset : 0;
	ids->rettime_offset = usual ? rettime->offset : 0;
}

static void set_graph_ids(struct trace *trace)
{
	struct graph_ids *ids = &trace->graph;

	ids->type_offset = trace->type.offset;
	ids->pid_offset = trace->pid.offset;
	vec_each (&trace->events, at) {
		const struct event *event = *at;
		struct graph_side side = { event->id, event->field[GRAPH_FUNC].offset, (uint8_t)event->field[GRAPH_FUNC].size };

		if (event->kind == EVENT_GRAPH_EXIT) {
			ids->exit = side;
			set_graph_times(ids, &event->field[GRAPH_CALLTIME], &event->field[GRAPH_RETTIME]);
		} else if (event->kind == EVENT_GRAPH_ENTRY && strcmp(event->name, "funcgraph_entry") == 0) {
			ids->entry = side;
		}
	}
}

static int fill(struct trace *trace)
{
	const struct metadata *meta = trace->meta;
	struct field commit;

	trace->swap = meta->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	trace->long_size = meta->user_long_size;
	if (format_field(&meta->header_page, "commit", &commit) && (commit.size == 4 || commit.size == 8))
		trace->long_size = (uint8_t)commit.size;
	if (index_events(trace))
		return -ENOMEM;
	vec_each (&trace->events, at) {
		(*at)->raw = trace->opt->raw || matches(&trace->opt->raw_events, *at);
		(*at)->plain = trace->opt->no_plugins || matches(&trace->opt->plain_events, *at);
	}
	bind_kind(trace, function_printers);
	bind_kind(trace, graph_printers);
	bind_kind(trace, stack_printers);
	bind_kind(trace, sched_printers);
	if (usermaps_new(&trace->usermaps, &meta->procmaps, trace->opt->live_maps))
		return -ENOMEM;
	if (trace->usermaps)
		bind_kind(trace, user_stack_printers);
	set_graph_ids(trace);
	trace->calls = syscalls_of(meta);
	if (symbols_new(&trace->symbols, &meta->kallsyms))
		return -ENOMEM;
	return comms_new(&trace->comms, &meta->cmdlines, trace->opt->visible);
}

int trace_open(struct trace **out, const struct metadata *meta, struct trace_options *opt, uint8_t index)
{
	struct trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return fail(ENOMEM, "%m");
	trace->meta = meta;
	trace->opt = opt;
	trace->index = index;
	if (fill(trace)) {
		trace_close(trace);
		return fail(ENOMEM, "reading the formats of events: %m");
	}
	*out = trace;
	return 0;
}

void trace_close(struct trace *trace)
{
	if (!trace)
		return;
	vec_each (&trace->events, event)
		event_free(*event);
	vec_fini(&trace->events);
	free(trace->by_id);
	symbols_free(trace->symbols);
	usermaps_free(trace->usermaps);
	printk_free(trace->printk);
	comms_free(trace->comms);
	tep_side_free(trace->tep);
	free(trace);
}

/* Finds an event by name. The system's name is the first @n bytes of @system; with NULL, any system matches. */
static struct event *find_in(const struct trace *trace, const char *system, size_t n, const char *name)
{
	vec_each (&trace->events, event)
		if (strcmp((*event)->name, name) == 0 && (!system || (strncmp((*event)->system, system, n) == 0 && !(*event)->system[n])))
			return *event;
	return NULL;
}

struct event *trace_find(const struct trace *trace, const char *system, const char *name)
{
	return find_in(trace, system, system ? strlen(system) : 0, name);
}

struct event *trace_find_said(const struct trace *trace, const char *said)
{
	const char *colon = strchr(said, ':');

	return colon ? find_in(trace, said, (size_t)(colon - said), colon + 1) : trace_find(trace, NULL, said);
}

int trace_event_names(const struct trace *trace, strv_t *out)
{
	int err = 0;

	vec_each (&trace->events, event)
		if (!err && !strv_has(out, (*event)->name))
			err = strv_add(out, (*event)->name);
	return err;
}

struct printk *trace_printk(struct trace *trace)
{
	if (!trace->printk && printk_new(&trace->printk, &trace->meta->printk_formats))
		return NULL;
	return trace->printk;
}

struct print_env trace_print_env(struct trace *trace)
{
	return (struct print_env){ .symbols = trace->symbols,
				   .printk = trace_printk(trace),
				   .big_endian = trace->meta->big_endian,
				   .long_size = trace->long_size,
				   .as = PRINT_KERNEL };
}

static void compile_as(struct event *event, enum print_as as)
{
	struct print_env env = trace_print_env(event->trace);

	env.as = as;
	if (print_compile(&event->program, event->tep, &env, &event->not_compiled))
		event->program = NULL;
}

/* Notes that an event is shown by its fields because its format cannot be read. This is said once, and only for an event that is printed. */
static void say_beyond(const struct event *event)
{
	struct trace *trace = event->trace;

	if (!event->beyond || trace->damaged || trace->said_beyond)
		return;
	trace->said_beyond = true;
	note("%s:%s is shown by its fields: %s", event->system, event->name, event->beyond);
}

/* Compiles the event's print format. If it cannot be compiled, plug-ins print it, or libtraceevent if its arithmetic is safe for all records. */
static void compile(struct event *event)
{
	enum handler_kind handler = event->plain ? HANDLER_NONE : tep_handler(event);

	if (event->raw) {
		compile_as(event, PRINT_RAW);
	} else if (event->no_fields) {
		compile_as(event, PRINT_FIELDS);
	} else if (handler == HANDLER_OTHER) {
		event->not_compiled = "a plug-in prints it";
		return;
	} else {
		compile_as(event, handler ? PRINT_PLUGIN : PRINT_KERNEL);
	}
	if (!event->program && (event->raw || (handler == HANDLER_NONE && !tep_survives(event))))
		compile_as(event, PRINT_FIELDS);
	if (!event->raw && !handler)
		say_beyond(event);
}

void event_prepare(struct event *event)
{
	if (event->prepared)
		return;
	event->prepared = true;
	if (event->printer)
		return;
	tep_prepare(event);
	if (event->tep)
		compile(event);
}

/* The process id and the name of a task, read from a record. */
struct named {
	int pid;
	const char *name;
	size_t n;
};

static bool get_named(const struct trace *trace, const struct event *event, const struct record *rec, unsigned int pid, unsigned int comm, struct named *out)
{
	const struct field *f = &event->field[comm];
	uint64_t v;

	size_t at = f->offset, n = f->size;

	if (f->found && f->dynamic && field_get(f, rec->data, rec->size, trace->swap, &v)) {
		at = v & 0xffff;
		n = v >> 16;
	}
	if (!f->found || at + n > rec->size || !field_get(&event->field[pid], rec->data, rec->size, trace->swap, &v))
		return false;
	*out = (struct named){ .pid = (int)v, .name = (const char *)rec->data + at, .n = n };
	return true;
}

void trace_names(const struct trace *trace, const struct event *event, const struct record *rec, void (*each)(void *ctx, int pid, const char *name, size_t n),
		 void *ctx)
{
	static const unsigned int in_switch[][2] = { { SWITCH_PREV_PID, SWITCH_PREV_COMM }, { SWITCH_NEXT_PID, SWITCH_NEXT_COMM } },
				  in_wakeup[][2] = { { WAKEUP_PID, WAKEUP_COMM } };
	const unsigned int(*fields)[2] = event->kind == EVENT_SCHED_SWITCH ? in_switch : in_wakeup;
	const size_t n = event->kind == EVENT_SCHED_SWITCH ? 2 : event->kind > EVENT_SCHED_SWITCH ? 1 : 0;

	for (size_t i = 0; i < n; i++) {
		struct named named;

		if (get_named(trace, event, rec, fields[i][0], fields[i][1], &named))
			each(ctx, named.pid, named.name, named.n);
	}
}

static void learn(void *comms, int pid, const char *name, size_t n)
{
	comms_learn(comms, pid, name, n);
}

void trace_learn(struct trace *trace, const struct event *event, const struct record *rec)
{
	trace_names(trace, event, rec, learn, trace->comms);
}
