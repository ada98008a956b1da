/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/fields-text.h"
#include "lib/analysis/pair-match.h"
#include "lib/analysis/wakeups.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/visible.h"
#include "lib/event/text.h"
#include "lib/event/values.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <inttypes.h>

enum column_of { OF_TIME, OF_COMM, OF_PID, OF_CPU, OF_EVENT, OF_TOOK, OF_START_COMM, OF_START_PID, OF_TEXT, OF_FIELD };
enum column_as { AS_IS, AS_IP, AS_HEX, AS_SYM, AS_DEV };

/* The columns that every event has, with their widths. */
static const struct {
	const char *name, *head;
	size_t width;
	bool right;
} own_columns[OF_FIELD] = {
	[OF_TIME] = { "time", "TIME", 14, true },
	[OF_COMM] = { "comm", "COMM", 16, false },
	[OF_PID] = { "pid", "PID", 7, true },
	[OF_CPU] = { "cpu", "CPU", 3, true },
	[OF_EVENT] = { "event", "EVENT", 22, false },
	[OF_TOOK] = { "took", "TOOK us", 12, true },
	[OF_START_COMM] = { "start.comm", "COMM", 16, false },
	[OF_START_PID] = { "start.pid", "PID", 7, true },
	[OF_TEXT] = { "text", "TEXT", 0, false },
};

static const char *const as_names[] = { [AS_IP] = "ip", [AS_HEX] = "hex", [AS_SYM] = "sym", [AS_DEV] = "dev" };
static const size_t as_widths[] = { [AS_IS] = 10, [AS_IP] = 15, [AS_HEX] = 18, [AS_SYM] = 24, [AS_DEV] = 7 };

struct column {
	char *head;
	char *field; /* for OF_FIELD */
	enum column_of of;
	enum column_as as;
	bool start; /* the field is of the event that began what this record ends */
	size_t width;
	bool right;
};

/* The kernel's dev_t has the minor number in its lowest 20 bits. */
enum { DEV_MINOR_BITS = 20 };

enum { MOST_COLUMNS = 32, WRITE_AT = 65536 };

struct view {
	struct handler handler;
	const struct fields_view *opt;
	struct reading *reading;
	VEC(struct column) columns;
	VEC(struct view_source {
		const struct value_field **fields; /* by event id, one field for each column; NULL: the event has none */
		const struct value_field **twins;  /* the same for the IPv6 addresses that belong to fields with IPv4 addresses: see twin_of() */
		bool *wanted;			   /* by event id: is the event chosen? */
	})
	sources;
	struct matcher *hooks; /* NULL: there are no hooks */
	struct match match;    /* what the current record ends */
	uint64_t took;	       /* how long the current record took; valid if .has_took */
	bool has_took;
	struct str out, cell;
	bool said; /* the header line has been written */
};

/* --- which columns ---------------------------------------------------------------------------------------- */

static int parse_as(struct column *column, const char *word, const char *as)
{
	for (unsigned int i = AS_IP; i < ARRAY_LEN(as_names); i++)
		if (strcmp(as_names[i], as) == 0)
			column->as = i;
	if (column->as == AS_IS)
		return fail(EINVAL, "--fields %s: .%s is not known; there is .ip, .hex, .sym and .dev", word, as);
	return 0;
}

static int parse_column(struct column *column, const char *word)
{
	const char *dot = strchr(word, '.');

	column->of = OF_FIELD;
	for (unsigned int i = 0; i < OF_FIELD; i++)
		if (strcmp(own_columns[i].name, word) == 0)
			column->of = i;
	if (column->of != OF_FIELD) {
		column->head = strdup(own_columns[column->of].head);
		column->width = own_columns[column->of].width;
		column->right = own_columns[column->of].right;
		return column->head ? 0 : -ENOMEM;
	}
	column->start = str_starts(word, "start.");
	if (column->start) {
		word += strlen("start.");
		dot = strchr(word, '.');
	}
	column->field = strndup(word, dot ? (size_t)(dot - word) : strlen(word));
	column->head = column->field ? strdup(column->field) : NULL;
	if (!column->head)
		return -ENOMEM;
	for (char *at = column->head; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	if (dot && parse_as(column, word, dot + 1))
		return -EINVAL;
	column->width = MAX(as_widths[column->as], strlen(column->head));
	return 0;
}

static int parse_columns(struct view *v)
{
	strv_t words = { 0 };
	int err = strv_split(&words, v->opt->columns, ",");

	if (!err && (!words.n || words.n > MOST_COLUMNS))
		err = fail(EINVAL,
			   "--fields '%s': from one to %d names are wanted, of fields or of time, comm, pid, cpu, event, took, start.comm, start.pid and text",
			   v->opt->columns, MOST_COLUMNS);
	for (size_t i = 0; !err && i < words.n; i++) {
		err = vec_push(&v->columns, (struct column){ 0 });
		err = err ? err : parse_column(&v->columns.at[i], words.at[i]);
	}
	strv_fini(&words);
	return err;
}

/*
 * The events of sockets have two fields for an address: saddr, and saddr_v6, which has the same address in the form of IPv6 (::ffff:192.0.2.1) if the socket is
 * one of IPv4. If the socket is one of IPv6, saddr has nothing of use. Returns the second field, or NULL.
 */
static const struct value_field *twin_of(const struct values *values, const struct column *column, const struct value_field *field)
{
	__cleanup(free_ptr) char *name = column->as == AS_IP && field->at.size == 4 && !field->at.dynamic ? str_printf("%s_v6", field->name) : NULL;
	const struct value_field *twin = name ? values_field(values, name) : NULL;

	return twin && twin->at.size == 16 && !twin->at.dynamic ? twin : NULL;
}

/* Finds the fields of an event for all columns. A column is aligned to the right if all events agree that it is a number. */
static int bind_event(struct view *v, struct view_source *source, struct event *event, bool found[MOST_COLUMNS])
{
	const struct values *values;
	int err = values_of(&values, event);

	for (size_t i = 0; !err && i < v->columns.n; i++) {
		struct column *column = &v->columns.at[i];
		const struct value_field *field = column->of == OF_FIELD ? values_field(values, column->field) : NULL;

		source->fields[event->id * v->columns.n + i] = field;
		if (!field)
			continue;
		source->twins[event->id * v->columns.n + i] = twin_of(values, column, field);
		if (!found[i])
			column->right = column->as == AS_IS && (field->kind == VALUE_UNSIGNED || field->kind == VALUE_SIGNED) && !field->text;
		if (field->kind == VALUE_STRING)
			column->width = MAX(column->width, (size_t)16);
		found[i] = true;
	}
	return err;
}

static void free_source(struct view_source *source)
{
	free(source->fields);
	free(source->twins);
	free(source->wanted);
}

static int bind_source(struct view *v, const struct input *input, bool found[MOST_COLUMNS])
{
	const size_t ids = MAX(input->trace->nids, (size_t)1);
	struct view_source source = { calloc(ids * v->columns.n, sizeof(*source.fields)), calloc(ids * v->columns.n, sizeof(*source.twins)),
				      calloc(ids, sizeof(*source.wanted)) };
	int err = source.fields && source.twins && source.wanted ? vec_push(&v->sources, source) : -ENOMEM;

	if (err) {
		free_source(&source);
		return err;
	}
	vec_each (&input->trace->events, event) {
		if (err || !select_event(v->reading->selected, *event))
			continue;
		source.wanted[(*event)->id] = true;
		err = bind_event(v, &source, *event, found);
	}
	return err;
}

static int bind_all(struct view *v)
{
	bool found[MOST_COLUMNS] = { false };
	int err = 0;

	for (size_t i = 0; !err && i < v->reading->inputs.n; i++)
		err = bind_source(v, &v->reading->inputs.at[i], found);
	for (size_t i = 0; !err && i < v->columns.n; i++)
		if (v->columns.at[i].of == OF_FIELD && !found[i])
			return fail(EINVAL, "--fields: none of the events has a field %s; `ringside list -F -e EVENT` shows which there are",
				    v->columns.at[i].field);
	return err;
}

/* --- lines ------------------------------------------------------------------------------------------------ */

/* Is the address in the twin of @field the one to show? It is if the socket is one of IPv6. The twin is empty in records that do not use it. */
static bool is_ipv6(const struct value_field *field, const struct value_field *twin, const struct record *rec)
{
	static const uint8_t none[16], mapped[12] = { [10] = 0xff, [11] = 0xff };
	const uint8_t *data = rec->data;

	if (!twin || twin->at.offset + sizeof(none) > rec->size || memcmp(data + twin->at.offset, mapped, sizeof(mapped)) == 0)
		return false;
	return memcmp(data + twin->at.offset, none, sizeof(none)) != 0 || memcmp(data + field->at.offset, none, 4) == 0;
}

/* Adds an IP address from its bytes. It is not read as a string, which would end at a byte of 0. */
static void add_ip(const struct value_field *field, const struct record *rec, struct str *out)
{
	const size_t size = field->at.dynamic ? 0 : field->at.size;
	char text[INET6_ADDRSTRLEN];

	if ((size == 4 || size == 16) && field->at.offset + size <= rec->size &&
	    inet_ntop(size == 4 ? AF_INET : AF_INET6, (const char *)rec->data + field->at.offset, text, sizeof(text)))
		str_add(out, text);
	else
		str_addc(out, '?');
}

static void add_field(const struct trace *trace, const struct column *column, const struct value_field *field, const struct value_field *twin,
		      const struct record *rec, struct str *out)
{
	struct value value;
	const struct symbol *symbol;

	if (!field || !value_get(field, rec->data, rec->size, &value))
		return str_addc(out, '-');
	if (column->as == AS_IP && !value_is_number(field))
		return add_ip(is_ipv6(field, twin, rec) ? twin : field, rec, out);
	if (column->as == AS_HEX && value_is_number(field))
		return str_addf(out, "0x%" PRIx64, value.number);
	if (column->as == AS_DEV && value_is_number(field))
		return str_addf(out, "%u,%u", (unsigned int)(value.number >> DEV_MINOR_BITS), (unsigned int)(value.number & ((1U << DEV_MINOR_BITS) - 1)));
	symbol = column->as == AS_SYM && value_is_number(field) ? symbols_find(trace->symbols, value.number) : NULL;
	if (symbol)
		return str_add(out, symbol->name);
	value_text(field, rec->data, rec->size, out);
}

static void add_time(const struct input *input, const struct record *rec, struct str *out)
{
	const uint64_t ts = input_time(input, rec);

	if (input_in_seconds(input, rec->buffer))
		str_addf(out, "%" PRIu64 ".%06" PRIu64, (uint64_t)((ts + 500) / NSEC_PER_SEC), (uint64_t)((ts + 500) % NSEC_PER_SEC / NSEC_PER_USEC));
	else
		str_addf(out, "%" PRIu64, ts);
}

/* Adds a field of the record, or of the record whose end it is. */
static void add_own_field(struct view *v, size_t i, const struct record *rec, const struct event *event)
{
	const struct trace *trace = v->reading->inputs.at[rec->file].trace;
	const struct view_source *source = &v->sources.at[rec->file];
	const struct column *column = &v->columns.at[i];
	struct record start = { .data = v->match.data.at, .size = (uint32_t)v->match.data.size };
	size_t at;

	if (column->start) {
		event = v->hooks && v->match.data.at ? trace_event(trace, record_id(trace, &start)) : NULL;
		rec = &start;
	}
	if (!event)
		return str_addc(&v->cell, '-');
	at = event->id * v->columns.n + i;
	add_field(trace, column, source->fields[at], source->twins[at], rec, &v->cell);
}

/* Fills v->cell with the text of a column. */
static void fill_cell(struct view *v, size_t i, const struct record *rec, struct event *event)
{
	const struct input *input = &v->reading->inputs.at[rec->file];
	const struct column *column = &v->columns.at[i];
	struct text_call call = { .event = event, .rec = rec, .ts = input_time(input, rec), .ns = input_in_seconds(input, rec->buffer) };
	const int pid = record_pid(input->trace, rec);

	str_clear(&v->cell);
	switch (column->of) {
	case OF_TIME:
		add_time(input, rec, &v->cell);
		break;
	case OF_COMM:
		str_add(&v->cell, comms_find(input->trace->comms, pid));
		break;
	case OF_PID:
		str_addf(&v->cell, "%d", pid);
		break;
	case OF_CPU:
		str_addf(&v->cell, "%u", rec->cpu);
		break;
	case OF_EVENT:
		str_add(&v->cell, event->name);
		break;
	case OF_TOOK:
		if (v->has_took)
			str_addf(&v->cell, "%" PRIu64 ".%03u", (uint64_t)(v->took / 1000), (unsigned int)(v->took % 1000));
		else
			str_addc(&v->cell, '-');
		break;
	case OF_START_COMM:
		str_add(&v->cell, v->hooks ? comms_find(input->trace->comms, v->match.pid) : "-");
		break;
	case OF_START_PID:
		str_addf(&v->cell, v->hooks ? "%d" : "-", v->match.pid);
		break;
	case OF_TEXT:
		event_prepare(event);
		event_text(&call, &v->cell);
		break;
	default:
		add_own_field(v, i, rec, event);
	}
}

/* Adds a cell. Line breaks in it become blanks. */
static void add_cell(struct view *v, const char *text, size_t n, const struct column *column, bool last)
{
	const size_t begin = v->out.len, width = column->width;

	if (column->right && n < width)
		str_addf(&v->out, "%*s", (int)(width - n), "");
	str_addn(&v->out, text, n);
	for (size_t i = begin; i < v->out.len; i++)
		if (v->out.at[i] == '\n')
			v->out.at[i] = ' ';
	if (!column->right && !last && n < width)
		str_addf(&v->out, "%*s", (int)(width - n), "");
	str_addc(&v->out, last ? '\n' : ' ');
}

static void add_heads(struct view *v)
{
	for (size_t i = 0; !v->said && i < v->columns.n; i++)
		add_cell(v, v->columns.at[i].head, strlen(v->columns.at[i].head), &v->columns.at[i], i + 1 == v->columns.n);
	v->said = true;
}

/* Is the record shown? Returns 1, 0 or -ENOMEM. Also finds how long what the record ends took. */
static int look_at(struct view *v, const struct record *rec)
{
	const int err = v->hooks ? matcher_record(v->hooks, rec, &v->match) : 0;

	v->has_took = v->match.pair || (!v->hooks && rec->flags & (RECORD_TIMED | RECORD_WOKEN));
	v->took = v->hooks ? v->match.took : rec->took;
	if (err)
		return err;
	if (rec->flags & RECORD_NODATA || (v->hooks && !v->match.pair))
		return 0;
	return !v->opt->over_ns || (v->has_took && v->took >= v->opt->over_ns);
}

static void add_line(struct view *v, const struct record *rec, bool shown)
{
	const struct trace *trace = v->reading->inputs.at[rec->file].trace;
	struct event *event;

	if (rec->flags & RECORD_LOST && rec->lost == LOST_UNKNOWN)
		str_addf(&v->out, "CPU:%u [EVENTS DROPPED]\n", rec->cpu);
	else if (rec->flags & RECORD_LOST)
		str_addf(&v->out, "CPU:%u [%lld EVENTS DROPPED]\n", rec->cpu, (long long)rec->lost);
	if (!shown)
		return;
	event = trace_event(trace, record_id(trace, rec));
	if (!event || !v->sources.at[rec->file].wanted[event->id])
		return;
	for (size_t i = 0; i < v->columns.n; i++) {
		fill_cell(v, i, rec, event);
		if (v->reading->trace.visible)
			visible_str(&v->cell, 0, false);
		v->cell.len -= v->cell.len && v->cell.at[v->cell.len - 1] == '\n';
		add_cell(v, str_text(&v->cell), v->cell.len, &v->columns.at[i], i + 1 == v->columns.n);
	}
}

static int put(struct view *v)
{
	int err = str_ok(&v->out);

	err = err ? err : str_ok(&v->cell);
	if (!err && v->out.len && !v->reading->failed)
		err = io_write(v->reading->out, str_text(&v->out), v->out.len);
	str_clear(&v->out);
	if (err && err != -EPIPE && err != -ENOMEM)
		return fail(-err, "writing the lines: %m");
	return err;
}

static int take_begin(struct handler *h)
{
	struct view *v = container_of(h, struct view, handler);

	add_heads(v);
	return 0;
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct view *v = container_of(h, struct view, handler);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		const int shown = look_at(v, &batch->records[i]);

		err = MIN(shown, 0);
		add_line(v, &batch->records[i], shown > 0);
		if (!err && v->out.len >= WRITE_AT)
			err = put(v);
	}
	return err;
}

static int take_flush(struct handler *h)
{
	return put(container_of(h, struct view, handler));
}

static void view_free(struct handler *h)
{
	struct view *v = container_of(h, struct view, handler);

	vec_each (&v->columns, column) {
		free(column->head);
		free(column->field);
	}
	vec_each (&v->sources, source)
		free_source(source);
	matcher_free(v->hooks);
	vec_fini(&v->columns);
	vec_fini(&v->sources);
	str_fini(&v->out);
	str_fini(&v->cell);
	free(v);
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct view *v = calloc(1, sizeof(*v));
	int err;

	if (!v)
		return -ENOMEM;
	v->handler = (struct handler){ .begin = take_begin, .records = take_records, .flush = take_flush, .end = take_flush, .free = view_free };
	v->opt = options;
	v->reading = reading;
	err = parse_columns(v);
	err = err ? err : bind_all(v);
	if (!err && v->opt->hooks && v->opt->hooks->n)
		err = matcher_new_hooks(&v->hooks, &reading->inputs, v->opt->hooks);
	if (err)
		view_free(&v->handler);
	else
		*out = &v->handler;
	return err;
}

/* The waiting time for a CPU comes from a task's wakeup event, which may not be among the chosen events. */
static int make_stage(struct stage **out, struct reading *reading, __unused void *options)
{
	struct wakeups *wakeups;
	int err = wakeups_new(&wakeups, &reading->inputs);

	*out = err || !wakeups ? NULL : wakeups_stage(wakeups);
	return err;
}

const struct analysis fields_analysis = {
	.name = "stream --fields",
	.stage = make_stage,
	.make = make,
};
