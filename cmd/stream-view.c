/* SPDX-License-Identifier: GPL-2.0 */
/* ringside stream: from pages that come to text, by what report prints with. */
#include "cmd/stream.h"

#include "lib/analysis/pass.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/event/tep.h"
#include "lib/output/open-calls.h"
#include "lib/output/tree.h"

/* Batches as large as this one are worth a thread's wake-up. */
enum { BUSY_RECORDS = 2000 };

/* So many events' formats are not parsed before the first of them happens. */
enum { MANY_EVENTS = 300 };

struct stream_view {
	struct stream_opts *opts;
	struct datfile file;		/* what a file of this trace would say; borrows all of its meta */
	struct trace *trace;
	inputs_t inputs;
	struct latency *latency;
	struct within *within;
	struct select *select;
	struct merge *merge;
	struct pool *pool;
	struct handler *text;
	struct stream_names *names;
	struct pass pass;
	bool begun;
};

/* As if the buffers were in a file, with nothing in them yet. */
static int list_buffers(struct stream_view *view, const struct live_source *source)
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

/* What is made when it is first needed is needed now: the first line is to be as quick as the others. */
static void warm_up(struct stream_view *view)
{
	symbols_find(view->trace->symbols, 1);
	if (view->trace->events.n > MANY_EVENTS)
		trace_tep(view->trace);
	else
		vec_each (&view->trace->events, event)
			event_prepare(*event);
}

static int make_text(struct stream_view *view)
{
	const struct stream_opts *o = view->opts;
	struct tree_options tree = { .times = o->view.lines.exact, .colour = o->view.lines.colour, .live = true,
				     .min_duration = o->view.within.min_duration };

	return o->tree ? tree_new(&view->text, &view->inputs, &tree, o->out)
		       : lines_new(&view->text, &view->inputs, &o->view.lines, view->pool, o->out);
}

static int open_view(void *ctx, const struct live_source *source)
{
	struct stream_view *view = ctx;
	struct stream_opts *o = view->opts;
	struct merge_input input = { .file = &view->file };
	int err;

	view->file = (struct datfile){ .path = (char *)"the running kernel", .fd = -1, .version = 7, .meta = *source->meta };
	o->view.trace.live_maps = source->maps;
	err = list_buffers(view, source);
	if (!err)
		err = trace_open(&view->trace, &view->file.meta, &o->view.trace, 0);
	if (!err)
		err = vec_push(&view->inputs, (struct input){ .trace = view->trace, .file = &view->file });
	if (err)
		return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
	clock_init(&view->inputs.at[0].clock, &view->file.meta, &(struct clock_options){ 0 });
	err = select_new(&view->select, &view->inputs, &o->view.select);
	/* A tree leaves out by itself what was too short. */
	if (!err && !o->tree && (o->view.within.funcs.n || o->view.within.min_duration))
		err = within_new(&view->within, &view->inputs, &o->view.within);
	if (!err)
		err = latency_new(&view->latency, &view->inputs);
	input.graph = view->trace->graph;
	if (!err)
		err = merge_open_live(&view->merge, &input, o->window_ns);
	if (!err)
		err = pool_new(&view->pool, pool_default_threads());
	if (!err)
		err = make_text(view);
	if (!err) {
		view->names = stream_names_new(view->trace, source);
		err = view->names ? 0 : -ENOMEM;
	}
	if (err)
		return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
	warm_up(view);
	pool_lazy(view->pool, true);
	view->pass = (struct pass){ .merge = view->merge, .handler = view->text, .look = stream_names_look, .look_ctx = view->names,
				    .latency = view->latency, .within = view->within,
				    .select = select_is_empty(view->select) ? NULL : view->select,
				    .align = o->view.align ? &view->inputs : NULL };
	view->begun = true;
	return pass_begin(&view->pass);
}

static void *room(void *ctx, size_t lane, size_t *size)
{
	return merge_room(((struct stream_view *)ctx)->merge, lane, size);
}

static int pages(void *ctx, size_t lane, size_t size, bool drained)
{
	int err = merge_feed(((struct stream_view *)ctx)->merge, lane, size, drained);

	return err == -ENOMEM ? fail(ENOMEM, "no memory for reading the trace") : err;
}

/* Prints what is due now. */
static int print(struct stream_view *view)
{
	struct handler *text = view->text;
	uint64_t before = view->pass.seen;
	int err = pass_go(&view->pass);

	if (!err && text->flush)
		err = text->flush(text);
	pool_lazy(view->pool, view->pass.seen - before < BUSY_RECORDS);
	return err;
}

static int round_over(void *ctx, uint64_t begin_ns, uint64_t end_ns, bool *pending)
{
	struct stream_view *view = ctx;

	*pending = merge_round(view->merge, begin_ns, end_ns);
	return print(view);
}

/* What did not return stands at the end. */
static int print_open_calls(struct stream_view *view)
{
	const struct stream_opts *o = view->opts;
	struct str text = { 0 };
	int err = open_calls_text(view->latency, view->select, &view->inputs, o->view.lines.exact, &text);

	err = err ? fail(-err, "%m") : io_write(o->out, str_text(&text), text.len);
	str_fini(&text);
	return err;
}

static int all_read(void *ctx)
{
	struct stream_view *view = ctx;
	int err, ended;

	merge_flush(view->merge);
	err = print(view);
	view->begun = false;
	ended = pass_end(&view->pass);
	if (!err && !ended && view->latency)
		err = print_open_calls(view);
	return err ? err : ended;
}

static void close_view(void *ctx)
{
	struct stream_view *view = ctx;

	if (view->text)
		view->text->free(view->text);
	stream_names_free(view->names);
	merge_close(view->merge);
	select_free(view->select);
	within_free(view->within);
	latency_free(view->latency);
	pool_free(view->pool);
	trace_close(view->trace);
	vec_each (&view->file.buffers, buf)
		vec_fini(&buf->cpus);
	vec_fini(&view->file.buffers);
	vec_fini(&view->inputs);
}

int stream_view_new(struct stream_view **out, struct stream_opts *opts, struct live_reader *reader)
{
	struct stream_view *view = calloc(1, sizeof(*view));

	if (!view)
		return fail(ENOMEM, "out of memory");
	view->opts = opts;
	*reader = (struct live_reader){
		.tap = { .room = room, .pages = pages, .round = round_over, .end = all_read,
			 .pause_ns = opts->window_ns / 2, .interval_ns = opts->record.spec.interval_ns,
			 .rt_priority = opts->record.spec.rt_priority, .out = opts->out },
		.open = open_view, .close = close_view, .ctx = view,
	};
	*out = view;
	return 0;
}

void stream_view_end(struct stream_view *view, struct stream_seen *seen, bool ended)
{
	*seen = (struct stream_seen){ view->pass.seen, view->pass.passed };
	if (ended)
		free(view);
}
