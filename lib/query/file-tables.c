/* SPDX-License-Identifier: GPL-2.0 */
/* Tables about the files: where events were lost, the kernel's functions, and other facts. */
#ifdef RINGSIDE_SQLITE
#include "lib/base/err.h"
#include "lib/query/fill.h"

#include <stdio.h>

/* --- losses ------------------------------------------------------------------------------------------------------ */

enum { LOST_TS, LOST_CPU, LOST_BUFFER, LOST_COUNT };

static const char *const losses_columns[] = { "ts", "cpu", "buffer TEXT", "count", NULL };

struct file_facts {
	uint64_t first, last, events, lost, places;
	bool lost_more;
};

/* Also fills the table of facts. */
struct losses_fill {
	struct fill fill; /* first */
	VEC(struct file_facts) files;
};

static void count_record(struct file_facts *facts, const struct input *in, const struct record *rec)
{
	const uint64_t ts = input_time(in, rec);

	if (rec->flags & RECORD_LOST) {
		facts->places++;
		facts->lost_more |= rec->lost == LOST_UNKNOWN;
		facts->lost += rec->lost == LOST_UNKNOWN ? 0 : (uint64_t)rec->lost;
	}
	if (rec->flags & RECORD_NODATA)
		return;
	facts->first = facts->events ? MIN(facts->first, ts) : ts;
	facts->last = MAX(facts->last, ts);
	facts->events++;
}

static int losses_records(struct handler *h, const struct batch *batch)
{
	struct losses_fill *own = (struct losses_fill *)h;
	struct fill *fill = &own->fill;

	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = fill->rec = &batch->records[i];
		const struct input *in = &fill->reading->inputs.at[rec->file];
		uint32_t row;

		count_record(&own->files.at[rec->file], in, rec);
		if (!(rec->flags & RECORD_LOST) || fill->table->kind != &kind_losses)
			continue;
		row = store_row(fill->store);
		if (row == UINT32_MAX)
			return fill->store->err;
		store_number(fill->store, row, LOST_TS, input_time(in, rec));
		store_number(fill->store, row, LOST_CPU, rec->cpu);
		fill_buffer(fill, row, LOST_BUFFER);
		if (rec->lost != LOST_UNKNOWN)
			store_number(fill->store, row, LOST_COUNT, (uint64_t)rec->lost);
		relation_put_file(fill->table, fill->store, row, rec->file);
	}
	return fill->store->err;
}

static int make_losses(struct handler **out, struct reading *reading, void *options)
{
	struct losses_fill *own = options;
	int err = 0;

	own->fill.reading = reading;
	own->fill.handler = (struct handler){ .records = losses_records };
	for (size_t i = 0; !err && i < reading->inputs.n; i++)
		err = vec_push(&own->files, (struct file_facts){ 0 });
	*out = &own->fill.handler;
	return err;
}

/* A file with a latency tracer's text has no losses and no other records. The query can still be answered for it. */
static const struct analysis losses_table_analysis = { .name = "losses", .make = make_losses };

static int fill_losses(struct relation *table, struct store *store)
{
	struct losses_fill own = { .fill = { .table = table, .store = store } };
	int err = relation_pass(table, &losses_table_analysis, &own);

	vec_fini(&own.files);
	str_fini(&own.fill.room);
	return err;
}

const struct relation_kind kind_losses = { .name = "losses", .also = "lost", .columns = losses_columns, .fill = fill_losses };

/* --- meta -------------------------------------------------------------------------------------------------------- */

enum { META_KEY, META_VALUE };

static const char *const meta_columns[] = { "key TEXT", "value TEXT", NULL };

static void add_meta(struct fill *fill, unsigned int file, const char *key, const char *value)
{
	const uint32_t row = store_row(fill->store);

	if (row == UINT32_MAX)
		return;
	fill_text(fill, row, META_KEY, key);
	fill_text(fill, row, META_VALUE, value);
	relation_put_file(fill->table, fill->store, row, file);
}

static void add_number(struct fill *fill, unsigned int file, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	add_meta(fill, file, key, text);
}

static int add_file(struct losses_fill *own, unsigned int file)
{
	const struct file_facts *facts = &own->files.at[file];
	const struct input *in = &own->fill.table->query->reading->inputs.at[file];
	const struct metadata *meta = &in->file->meta;
	__cleanup(free_ptr) char *uname = meta->uname.at ? strdup(meta->uname.at) : NULL;
	__cleanup(free_ptr) char *clock = clock_name(&meta->trace_clock);
	struct fill *fill = &own->fill;

	add_meta(fill, file, "file", in->path);
	if (uname)
		add_meta(fill, file, "uname", str_trim(uname));
	add_meta(fill, file, "clock", clock);
	add_meta(fill, file, "time_unit", input_in_ns(in, 0) ? "ns" : "ticks");
	add_number(fill, file, "cpus", meta->ncpus);
	add_number(fill, file, "buffers", in->file->buffers.n);
	add_number(fill, file, "events", facts->events);
	add_number(fill, file, "events_lost", facts->lost);
	add_meta(fill, file, "events_lost_complete", facts->lost_more ? "0" : "1");
	add_number(fill, file, "places_lost", facts->places);
	if (facts->events) {
		add_number(fill, file, "first", facts->first);
		add_number(fill, file, "last", facts->last);
	}
	return fill->store->err;
}

static int fill_meta(struct relation *table, struct store *store)
{
	struct losses_fill own = { .fill = { .table = table, .store = store } };
	int err = relation_pass(table, &losses_table_analysis, &own);

	for (unsigned int i = 0; !err && i < own.files.n; i++)
		err = add_file(&own, i);
	vec_fini(&own.files);
	str_fini(&own.fill.room);
	return err;
}

const struct relation_kind kind_meta = { .name = "meta", .columns = meta_columns, .fill = fill_meta };

/* --- functions --------------------------------------------------------------------------------------------------- */

enum { FUNCTION_NAME, FUNCTION_MODULE, FUNCTION_ADDR };

static const char *const functions_columns[] = { "function TEXT", "module TEXT", "addr TEXT", NULL };

struct functions_fill {
	struct fill fill; /* first */
	unsigned int file;
};

static void add_symbol(void *ctx, const struct symbol *sym)
{
	struct functions_fill *own = ctx;
	struct fill *fill = &own->fill;
	const uint32_t row = store_row(fill->store);
	char addr[24];

	if (row == UINT32_MAX)
		return;
	/* Addresses are texts, as in the fields of events, because SQLite's integers are signed. */
	snprintf(addr, sizeof(addr), "0x%llx", (unsigned long long)sym->addr);
	fill_text(fill, row, FUNCTION_NAME, sym->name);
	fill_text(fill, row, FUNCTION_MODULE, sym->module);
	fill_text(fill, row, FUNCTION_ADDR, addr);
	relation_put_file(fill->table, fill->store, row, own->file);
}

static int fill_functions(struct relation *table, struct store *store)
{
	const inputs_t *inputs = &table->query->reading->inputs;
	struct functions_fill own = { .fill = { .table = table, .store = store } };

	for (; own.file < inputs->n; own.file++)
		symbols_each(inputs->at[own.file].trace->symbols, add_symbol, &own);
	str_fini(&own.fill.room);
	return store->err;
}

const struct relation_kind kind_functions = { .name = "functions", .columns = functions_columns, .fill = fill_functions };
#endif
