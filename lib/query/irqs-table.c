/* SPDX-License-Identifier: GPL-2.0 */
/* A table of what ran in interrupts, from the events that begin and end their handlers. */
#ifdef RINGSIDE_SQLITE
#include "lib/analysis/handlers.h"
#include "lib/query/fill.h"

enum { TS, TOTAL, SELF, CPU, PID, COMM, NAME, KIND, BUFFER };

static const char *const columns[] = {
	"ts", "total", "self", "cpu", "pid", "comm TEXT", "name TEXT", "kind TEXT", "buffer TEXT", NULL,
};

struct irqs_fill {
	struct fill fill; /* first */
	struct handlers *handlers;
};

static int add_run(struct fill *fill, const struct handler_run *run)
{
	const struct trace *trace = fill->reading->inputs.at[fill->rec->file].trace;
	const int pid = record_pid(trace, fill->rec);
	const uint32_t row = store_row(fill->store);

	if (row == UINT32_MAX)
		return fill->store->err;
	store_number(fill->store, row, TS, run->ns - run->took);
	store_number(fill->store, row, TOTAL, run->took);
	store_number(fill->store, row, SELF, run->own);
	store_number(fill->store, row, CPU, fill->rec->cpu);
	fill_pid(fill, row, PID, pid);
	fill_comm(fill, row, COMM, pid);
	fill_text(fill, row, NAME, run->name);
	fill_text(fill, row, KIND, run->soft ? "soft" : "hard");
	fill_buffer(fill, row, BUFFER);
	relation_put_file(fill->table, fill->store, row, fill->rec->file);
	return fill->store->err;
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct irqs_fill *own = (struct irqs_fill *)h;
	int err = 0;

	for (size_t i = 0; err >= 0 && i < batch->n; i++) {
		const struct record *rec = own->fill.rec = &batch->records[i];
		const struct event *event = fill_event(&own->fill);
		struct handler_run run;

		err = rec->flags & RECORD_LOST ? handlers_lost(own->handlers, rec) : 0;
		if (err || !event)
			continue;
		err = handlers_record(own->handlers, event, rec, &run);
		if (err > 0 && run.ends)
			err = add_run(&own->fill, &run);
	}
	return MIN(err, 0);
}

static void done(struct handler *h)
{
	handlers_free(take(((struct irqs_fill *)h)->handlers));
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct irqs_fill *own = options;

	own->fill.reading = reading;
	own->fill.handler = (struct handler){ .records = take_records, .free = done };
	*out = &own->fill.handler;
	return handlers_new(&own->handlers, &reading->inputs);
}

static const struct analysis irqs_table_analysis = { .name = "irqs", .folds = calls_fold, .make = make };

static int fill_irqs(struct relation *table, struct store *store)
{
	struct irqs_fill own = { .fill = { .table = table, .store = store } };
	int err = relation_pass(table, &irqs_table_analysis, &own);

	str_fini(&own.fill.room);
	return err;
}

const struct relation_kind kind_irqs = { .name = "irqs", .columns = columns, .fill = fill_irqs };
#endif
