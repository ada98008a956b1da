/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests lib/event/values.h: the values of all fields must be those that libtraceevent reads, for random and odd records of every event of a kernel. A
 * record lies at the end of a page, and the next page is without access, so that a read beyond the record ends the program. Prints TAP.
 *
 *	print-values [-n RECORDS] [-s SEED] TRACE.dat KERNEL...
 *
 * A KERNEL is a file of formats (tests/data/formats-*) or "running"; the rest of the metadata is that of the recording TRACE.dat.
 */
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/data/reader.h"
#include "lib/event/values.h"
#include "tests/tools/print/formats.h"
#include "tests/tools/print/records.h"

#include <stdio.h>
#include <sys/mman.h>
#include <traceevent/event-parse.h>
#include <unistd.h>

enum { ROOM = 65536 };

struct oracle {
	uint64_t records;
	struct generator generator;
	struct metadata meta;
	uint8_t *end; /* the end of the memory for records */
	unsigned long kinds[VALUE_BITMASK + 1], fields, compared, different;
};

static void differs(struct oracle *o, const struct event *event, const struct value_field *f, const char *how)
{
	if (o->different++ < 20)
		printf("# %s/%s %s %s: %s\n", event->system, event->name, f->type, f->name, how);
}

static void compare_number(struct oracle *o, const struct event *event, const struct value_field *f, struct tep_format_field *theirs, const uint8_t *data,
			   size_t size)
{
	struct value value = { 0 };
	unsigned long long number;
	unsigned int unused = 64 - 8 * f->at.size;
	bool inside = (size_t)theirs->offset + (size_t)theirs->size <= size;

	if (value_get(f, data, size, &value) != inside)
		differs(o, event, f, "it is read where it is not inside, or the other way round");
	if (!inside)
		return;
	if (tep_read_number_field(theirs, data, &number))
		differs(o, event, f, "libtraceevent does not take it for a number");
	else if (number << unused != value.number << unused)
		differs(o, event, f, "another number");
	else if (theirs->flags & TEP_FIELD_IS_SIGNED ? (int64_t)(number << unused) >> unused != (int64_t)value.number
						     : (number << unused) >> unused != value.number)
		differs(o, event, f, "another sign");
	o->compared++;
}

static void compare_bytes(struct oracle *o, struct event *event, const struct value_field *f, struct tep_format_field *theirs, const uint8_t *data, size_t size)
{
	struct tep_record record = { .data = (void *)data, .size = (int)size };
	struct value value;
	const uint8_t *at;
	int n = 0;

	if ((size_t)theirs->offset + (size_t)theirs->size > size || !theirs->size || tep_find_any_field(event->tep, f->name) != theirs) {
		value_get(f, data, size, &value);
		return;
	}
	at = tep_get_field_raw(NULL, event->tep, theirs->name, &record, &n, 0);
	if (!value_get(f, data, size, &value)) {
		if (at && at + n <= data + size)
			differs(o, event, f, "it is not read");
		return;
	}
	if (!at || at + n > data + size)
		return;
	if (f->kind == VALUE_STRING)
		n = (int)strnlen((const char *)at, (size_t)n);
	if (value.at != at || value.size != (size_t)n)
		differs(o, event, f, "other bytes");
	o->compared++;
}

static int compare_record(struct oracle *o, struct event *event, const struct values *values, const uint8_t *data, size_t size)
{
	struct tep_format_field *theirs = event->tep->format.common_fields;
	struct str text = { 0 };
	int err;

	vec_each (&values->fields, f) {
		if (value_is_number(f))
			compare_number(o, event, f, theirs, data, size);
		else
			compare_bytes(o, event, f, theirs, data, size);
		value_text(f, data, size, &text);
		theirs = theirs->next ? theirs->next : event->tep->format.fields;
	}
	err = str_ok(&text);
	str_fini(&text);
	return err;
}

static int compare_event(struct oracle *o, struct event *event)
{
	const struct values *values;
	uint8_t record[MOST_RECORD];
	int err = values_of(&values, event);

	if (err || !event->tep)
		return err;
	if (values->fields.n != (size_t)(event->tep->format.nr_common + event->tep->format.nr_fields))
		printf("# %s/%s: %zu fields of %d\n", event->system, event->name, values->fields.n,
		       event->tep->format.nr_common + event->tep->format.nr_fields);
	vec_each (&values->fields, f)
		o->kinds[f->kind] += !f->common;
	o->fields += values->fields.n;
	err = generator_event(&o->generator, event->tep);
	for (uint64_t i = 0; !err && i < o->records; i++) {
		size_t size = generator_record(&o->generator, record);

		memcpy(o->end - size, record, size);
		err = compare_record(o, event, values, o->end - size, size);
	}
	return err;
}

static int add_event(void *ctx, const char *system, struct text *format)
{
	struct oracle *o = ctx;
	struct event_text event = { .system = strdup(system), .format = *format };

	return event.system ? vec_push(&o->meta.formats, event) : -ENOMEM;
}

static int compare_kernel(struct oracle *o, const struct metadata *meta, const char *kernel)
{
	static const char *const names[] = {
		[VALUE_UNSIGNED] = "unsigned", [VALUE_SIGNED] = "signed", [VALUE_BOOL] = "bool",     [VALUE_POINTER] = "pointer", [VALUE_FUNCTION] = "function",
		[VALUE_SYMBOL] = "symbol",     [VALUE_FLAGS] = "flags",	  [VALUE_STRING] = "string", [VALUE_ARRAY] = "array",	  [VALUE_BITMASK] = "bitmask",
	};
	struct trace_options opt = { .no_plugins = true };
	struct text formats = { 0 };
	struct trace *trace = NULL;
	int err = formats_read(kernel, &formats);

	o->meta = *meta;
	memset(&o->meta.formats, 0, sizeof(o->meta.formats));
	memset(o->kinds, 0, sizeof(o->kinds));
	o->fields = o->compared = o->different = 0;
	err = err ? err : MIN(formats_each(&formats, add_event, o), 0);
	err = err ? err : trace_open(&trace, &o->meta, &opt, 0);
	for (size_t i = 0; !err && i < trace->events.n; i++)
		err = compare_event(o, trace->events.at[i]);
	printf("%sok - oracle: values of fields, %s: %lu fields, %lu values, %lu different;", err || o->different ? "not " : "",
	       strrchr(kernel, '/') ? strrchr(kernel, '/') + 1 : kernel, o->fields, o->compared, o->different);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		printf(" %lu %s", o->kinds[i], names[i]);
	printf("\n");
	trace_close(trace);
	vec_each (&o->meta.formats, f)
		free(f->system);
	vec_fini(&o->meta.formats);
	free(formats.at);
	return err;
}

int main(int argc, char **argv)
{
	struct oracle o = { .records = 40, .generator.state = 1 };
	struct datfile *file;
	uint8_t *room = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int c, err = room == MAP_FAILED || mprotect(room + ROOM, ROOM, PROT_NONE) ? -errno : 0;

	while (!err && (c = getopt(argc, argv, "n:s:")) != -1)
		err = parse_u64(optarg, c == 'n' ? &o.records : &o.generator.state);
	if (err || argc - optind < 2)
		return fail(EINVAL, "usage: print-values [-n RECORDS] [-s SEED] TRACE.dat KERNEL...") != 0;
	o.end = room + ROOM;
	if (datfile_open(&file, argv[optind]))
		return 1;
	for (int i = optind + 1; !err && i < argc; i++)
		err = compare_kernel(&o, &file->meta, argv[i]);
	printf("1..%d\n", argc - optind - 1);
	generator_fini(&o.generator);
	datfile_close(file);
	return err != 0;
}
