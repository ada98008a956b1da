/* SPDX-License-Identifier: GPL-2.0 */
/* Live output: brings the pages of the kernel to the analyses, through the code with which report reads. */
#include "cmd/live.h"

#include "lib/base/err.h"
#include "lib/event/tep.h"

/* A batch of this many records is worth waking a thread for. */
enum { BUSY_RECORDS = 2000 };

/* With this many events or more, an event's format is parsed only when the event first happens. */
enum { MANY_EVENTS = 300 };

struct live_view {
	struct live_opts *opts;
	struct reading *reading; /* of opts */
	struct stage *names;	 /* owned by the pass of .reading */
	struct datfile file;	 /* what a file of this trace would contain; borrows all of its meta */
	uint64_t seen;		 /* the results, which are still needed after the reading has gone */
	bool passed;
};

/* Lists the buffers as if they were in a file, still empty. */
static int list_buffers(struct live_view *view, const struct live_source *source)
{
	for (size_t i = 0; i < source->nbuffers; i++) {
		const struct write_buffer *from = &source->buffers[i];
		struct datbuf buf = { .name = (char *)from->name, .clock = (char *)from->clock, .page_size = from->page_size };

		if (vec_push(&view->file.buffers, buf))
			return -ENOMEM;
		vec_each (&from->cpus, cpu)
			if (vec_push(&view->file.buffers.at[i].cpus, (struct datcpu){ .cpu = cpu->cpu }))
				return -ENOMEM;
	}
	return 0;
}

/* Makes now what is otherwise made at its first use, so that the first line is as quick as the others. */
static void warm_up(struct trace *trace)
{
	symbols_find(trace->symbols, 1);
	if (trace->events.n > MANY_EVENTS)
		trace_tep(trace);
	else
		vec_each (&trace->events, event)
			event_prepare(*event);
}

/* Makes the running kernel an input of the reading. */
static int make_input(struct live_view *view, const struct live_source *source)
{
	struct reading *reading = view->reading;
	struct input input = { .path = LIVE_FILE, .file = &view->file };
	int err;

	view->file = (struct datfile){ .path = (char *)input.path, .fd = -1, .version = 7, .meta = *source->meta };
	reading->trace.live_maps = source->maps;
	err = list_buffers(view, source);
	err = err ? err : trace_open(&input.trace, &view->file.meta, &reading->trace, 0);
	if (!err && vec_push(&reading->inputs, input)) {
		trace_close(input.trace);
		return -ENOMEM;
	}
	return err;
}

static int add_names(struct live_view *view, const struct live_source *source)
{
	view->names = live_names_new(view->reading->inputs.at[0].trace, source);
	return view->names ? pass_add_stage(&view->reading->pass, view->names) : -ENOMEM;
}

static int open_view(void *ctx, const struct live_source *source)
{
	struct live_view *view = ctx;
	struct live_opts *o = view->opts;
	struct reading *reading = view->reading;
	int err = make_input(view, source);

	err = err ? err : reading_open_live(reading, o->window_ns);
	if (!err)
		reading->inputs.at[0].clock.offset += o->ts_offset;
	err = err ? err : add_names(view, source);
	if (err)
		return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
	err = o->add(o->ctx, reading);
	err = err ? err : reading_select(reading);
	if (err)
		return err;
	warm_up(reading->inputs.at[0].trace);
	pool_lazy(reading->pool, true);
	return pass_begin(&reading->pass);
}

static void *room(void *ctx, size_t lane, size_t *size)
{
	return merge_room(((struct live_view *)ctx)->reading->pass.merge, lane, size);
}

static int pages(void *ctx, size_t lane, size_t size, bool drained)
{
	int err = merge_feed(((struct live_view *)ctx)->reading->pass.merge, lane, size, drained);

	return err == -ENOMEM ? fail(ENOMEM, "no memory for reading the trace") : err;
}

/* Prints the lines that are due now. */
static int print(struct reading *reading)
{
	uint64_t before = reading->pass.seen;
	int err = reading_go(reading);

	pool_lazy(reading->pool, reading->pass.seen - before < BUSY_RECORDS);
	return err;
}

static int round_over(void *ctx, uint64_t begin_ns, uint64_t end_ns, bool *pending)
{
	struct live_view *view = ctx;

	int err;

	*pending = merge_round(view->reading->pass.merge, begin_ns, end_ns);
	err = print(view->reading);
	return err || !view->opts->round ? err : view->opts->round(view->opts->ctx, view->reading, false);
}

static int all_read(void *ctx)
{
	struct live_view *view = ctx;
	int err, ended;

	merge_flush(view->reading->pass.merge);
	err = print(view->reading);
	live_names_last(view->names);
	if (!err && view->opts->round)
		err = view->opts->round(view->opts->ctx, view->reading, true);
	ended = err ? pass_end(&view->reading->pass) : reading_end(view->reading);
	return err ? err : ended;
}

static void close_view(void *ctx)
{
	struct live_view *view = ctx;

	view->seen = view->reading->pass.seen;
	view->passed = view->reading->pass.passed;
	vec_each (&view->reading->inputs, input)
		input->file = NULL;
	reading_close(view->reading);
	vec_each (&view->file.buffers, buf)
		vec_fini(&buf->cpus);
	vec_fini(&view->file.buffers);
}

int live_view_new(struct live_view **out, struct live_opts *opts, struct live_reader *reader)
{
	struct live_view *view = calloc(1, sizeof(*view));

	if (!view)
		return fail(ENOMEM, "out of memory");
	view->opts = opts;
	view->reading = opts->reading;
	*reader = (struct live_reader){
		.tap = { .room = room,
			 .pages = pages,
			 .round = round_over,
			 .end = all_read,
			 .pause_ns = opts->window_ns / 2,
			 .interval_ns = opts->record->spec.interval_ns,
			 .rt_priority = opts->record->spec.rt_priority,
			 .out = view->reading->out },
		.open = open_view,
		.close = close_view,
		.ctx = view,
	};
	*out = view;
	return 0;
}

void live_view_end(struct live_view *view, struct live_seen *seen, bool ended)
{
	*seen = (struct live_seen){ view->seen, view->passed };
	if (ended)
		free(view);
}
