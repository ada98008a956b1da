/* SPDX-License-Identifier: GPL-2.0 */
/* A table of system calls with their arguments and results, put together as for `ringside syscalls`. */
#ifdef RINGSIDE_SQLITE
#include "lib/analysis/syscalls.h"
#include "lib/query/fill.h"

enum { TS, END, TOTAL, CPU, PID, COMM, SYSCALL, NR, ARG0, PATH = ARG0 + SYSCALL_ARGS, RESULT, ERROR, CUT, BUFFER };

static const char *const columns[] = {
	"ts",	"end",	"total", "cpu",	 "pid",	      "comm TEXT", "syscall TEXT", "nr",       "arg0",	      "arg1",
	"arg2", "arg3", "arg4",	 "arg5", "path TEXT", "result",	   "error TEXT",   "cut TEXT", "buffer TEXT", NULL,
};

struct syscalls_fill {
	struct fill fill; /* first */
	struct syscall_reader *reader;
};

static uint32_t add_call(struct syscalls_fill *own, const struct syscall_open *call)
{
	struct fill *fill = &own->fill;
	const uint32_t row = store_row(fill->store);
	const struct record *rec = fill->rec, there = { .file = call->file, .buffer = call->buffer };

	if (row == UINT32_MAX)
		return row;
	if (call->has_entry)
		store_number(fill->store, row, TS, call->ns);
	store_number(fill->store, row, CPU, call->cpu);
	fill_pid(fill, row, PID, call->pid);
	store_number(fill->store, row, NR, call->number);
	fill_text(fill, row, SYSCALL, call->call ? call->call->name : NULL);
	for (unsigned int i = 0; call->has_entry && i < call->nargs && i < SYSCALL_ARGS; i++)
		store_number(fill->store, row, ARG0 + i, call->args[i]);
	for (unsigned int i = 0; i < SYSCALL_ARGS; i++) {
		if (call->strings[i]) {
			fill_text(fill, row, PATH, call->strings[i]);
			break;
		}
	}
	fill->rec = &there;
	fill_comm(fill, row, COMM, call->pid);
	fill_buffer(fill, row, BUFFER);
	fill->rec = rec;
	relation_put_file(fill->table, fill->store, row, call->file);
	return row;
}

static int enter(__unused void *ctx, __unused struct syscall_open *call)
{
	return 0;
}

static int leave(void *ctx, struct syscall_open *call, uint64_t ns, int64_t result, uint64_t took)
{
	struct syscalls_fill *own = ctx;
	struct store *store = own->fill.store;
	const uint32_t row = add_call(own, call);

	if (row == UINT32_MAX)
		return store->err;
	store_number(store, row, END, ns);
	if (took != SYSCALL_UNKNOWN)
		store_number(store, row, TOTAL, took);
	else
		fill_text(&own->fill, row, CUT, call->has_entry ? "lost" : "no entry");
	store_number(store, row, RESULT, (uint64_t)result);
	fill_text(&own->fill, row, ERROR, syscall_error(result));
	return store->err;
}

static int cut(void *ctx, struct syscall_open *call)
{
	struct syscalls_fill *own = ctx;
	const uint32_t row = add_call(own, call);

	if (row != UINT32_MAX)
		fill_text(&own->fill, row, CUT, "no exit");
	return own->fill.store->err;
}

static const struct syscalls_ops ops = { .enter = enter, .leave = leave, .cut = cut };

static int take_records(struct handler *h, const struct batch *batch)
{
	struct syscalls_fill *own = (struct syscalls_fill *)h;
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		own->fill.rec = &batch->records[i];
		fill_event(&own->fill);
		err = syscall_reader_record(own->reader, &batch->records[i]);
	}
	return err;
}

static int take_end(struct handler *h)
{
	return syscall_reader_end(((struct syscalls_fill *)h)->reader);
}

static void done(struct handler *h)
{
	syscall_reader_free(take(((struct syscalls_fill *)h)->reader));
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct syscalls_fill *own = options;

	const struct syscalls_wanted wanted = { .holes = reading_has_holes(reading), .cpus = reading_cpus(reading) };

	own->fill.reading = reading;
	own->fill.handler = (struct handler){ .records = take_records, .end = take_end, .free = done };
	*out = &own->fill.handler;
	return syscall_reader_new(&own->reader, &reading->inputs, &ops, own, wanted);
}

static const struct analysis syscalls_table_analysis = { .name = "syscalls", .needs = ANALYSIS_ALL_CPUS | ANALYSIS_SWITCHES, .make = make };

static int fill_syscalls(struct relation *table, struct store *store)
{
	struct syscalls_fill own = { .fill = { .table = table, .store = store } };
	int err = relation_pass(table, &syscalls_table_analysis, &own);

	str_fini(&own.fill.room);
	return err;
}

const struct relation_kind kind_syscalls = { .name = "syscalls", .columns = columns, .fill = fill_syscalls };
#endif
