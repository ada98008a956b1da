/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/tree.h"
#include "lib/base/err.h"
#include "lib/event/graph.h"
#include "lib/event/text.h"
#include "lib/output/tree-items.h"

/* A call with so many lines inside does not fit on a screen: its end says whose it is. */
#define SCREENFUL 24

/* So many items of one task are not kept for the next call. */
#define MUCH 4096

/* In call_frame.tag2, beside tag, the index of the item that opened the call. */
enum { IN_INTERRUPT = 1, MARKED = 2 };

static struct tree_task *of(struct call_task *task)
{
	return task->user;
}

static int add(struct call_task *task, const struct item *item)
{
	return vec_push(&of(task)->items, *item);
}

static int on_task(__unused void *ctx, struct call_task *task)
{
	struct tree_task *mine = calloc(1, sizeof(*mine));

	if (!mine)
		return -ENOMEM;
	str_addc(&mine->texts, '\0');
	mine->input = task->trace->index;
	task->user = mine;
	return str_ok(&mine->texts);
}

static void on_gone(__unused void *ctx, struct call_task *task)
{
	struct tree_task *mine = of(task);

	if (!mine)
		return;
	vec_fini(&mine->items);
	str_fini(&mine->texts);
	free(mine);
}

/* Is the call the first one of an interrupt: a function that interrupts enter, or the context says so? */
static bool enters_interrupt(const struct tree *tree, const struct call_task *task, struct call_frame *frame,
			     const struct record *rec)
{
	const uint64_t *range = tree->irqs[of((struct call_task *)task)->input];
	const struct call_frame *parent = task->stack.n > 1 ? frame - 1 : NULL;
	bool inside = parent && parent->tag2 & IN_INTERRUPT;
	uint64_t flags = 0;

	if (rec)
		field_get(&task->trace->flags, rec->data, rec->size, task->trace->swap, &flags);
	if (inside || flags & (FLAG_HARDIRQ | FLAG_NMI))
		frame->tag2 |= IN_INTERRUPT;
	if (range[0] && frame->func >= range[0] && frame->func < range[1])
		return true;
	return !inside && frame->tag2 & IN_INTERRUPT;
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	struct item item = {
		.ts = frame->ts,
		.func = frame->func,
		.duration = CALL_UNKNOWN,
		.depth = (uint16_t)(task->stack.n - 1),
		.cpu = frame->cpu,
		.cut = frame->cut,
	};

	if (enters_interrupt(ctx, task, frame, rec)) {
		frame->tag2 |= MARKED;
		item.kind = ITEM_IRQ_IN;
		if (add(task, &item))
			return -ENOMEM;
	}
	frame->tag = of(task)->items.n;
	item.kind = ITEM_OPEN;
	return add(task, &item);
}

static uint32_t add_text(struct tree_task *mine, const char *text)
{
	uint32_t at = (uint32_t)mine->texts.len;

	if (mine->texts.len > UINT32_MAX - 65536)
		return 0;
	str_addn(&mine->texts, text, strlen(text) + 1);
	return at;
}

/* The return value, only where it was asked for: kernels that can record it do so always. */
static int add_retval(struct call_task *task, const struct call_end *end, uint64_t func, uint32_t *out)
{
	struct graph_exit ret = { .func = func, .has_retval = true, .retval = end->retval };
	const struct trace_options *opt = task->trace->opt;
	struct str text = { 0 };
	int err;

	if (!end->has_retval || (opt->retval != RETVAL_DEC && opt->retval != RETVAL_HEX))
		return 0;
	graph_retval(opt, &ret, task->trace->long_size, &text);
	err = str_ok(&text);
	if (!err && text.len)
		*out = add_text(of(task), str_text(&text));
	str_fini(&text);
	return err ? err : str_ok(&of(task)->texts);
}

/* Nothing that is to come belongs to what has been gathered: live, it is drawn. */
static int is_whole(struct tree *tree, struct call_task *task)
{
	struct tree_task *mine = of(task);
	int err;

	if (!tree->opt.live)
		return 0;
	err = tree_draw_task(tree, task);
	if (mine->items.cap > MUCH)
		vec_fini(&mine->items);
	mine->items.n = mine->kept = 0;
	mine->texts.len = 1;
	return err;
}

/* Takes a call that was too short out again, with all inside of it, which was shorter still. False: it stays. */
static bool drop_short(const struct tree *tree, struct tree_task *mine, const struct call_frame *frame, const struct call_end *end)
{
	uint64_t duration = end->duration == CALL_UNKNOWN ? end->ts - frame->ts : end->duration;

	if (duration >= tree->opt.min_duration || mine->kept > frame->tag)
		return false;
	mine->items.n = frame->tag - !!(frame->tag2 & MARKED);
	return true;
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct tree_task *mine = of(task);
	struct item *open = &mine->items.at[frame->tag];
	size_t inside = mine->items.n - frame->tag - 1;
	struct item item = {
		.ts = end->ts,
		.func = frame->func,
		.duration = end->duration,
		.depth = (uint16_t)(task->stack.n - 1),
		.cpu = end->cpu,
		.kind = ITEM_CLOSE,
		.cut = end->cut,
		.named = inside > SCREENFUL || end->cut || task->trace->opt->graph_tail,
	};
	int err;

	if (drop_short(ctx, mine, frame, end))
		return task->stack.n > 1 ? 0 : is_whole(ctx, task);
	err = add_retval(task, end, frame->func, &item.text);
	if (err)
		return err;
	open->func = frame->func;
	if (!frame->func) {
		open->kind = ITEM_NONE;
	} else if (!inside && !end->cut) {
		open->kind = ITEM_LEAF;
		open->duration = end->duration;
		open->text = item.text;
	} else if (add(task, &item)) {
		return -ENOMEM;
	}
	if (frame->tag2 & MARKED) {
		item.kind = ITEM_IRQ_OUT;
		err = add(task, &item);
	}
	return err || task->stack.n > 1 ? err : is_whole(ctx, task);
}

static int add_comment(struct call_task *task, uint64_t ts, uint16_t cpu, const char *text)
{
	struct item item = {
		.ts = ts,
		.duration = CALL_UNKNOWN,
		.depth = (uint16_t)task->stack.n,
		.cpu = cpu,
		.kind = ITEM_COMMENT,
	};

	item.text = add_text(of(task), text);
	return str_ok(&of(task)->texts) ? -ENOMEM : add(task, &item);
}

static int on_lost(void *ctx, struct call_task *task, uint16_t cpu, int64_t lost)
{
	const struct tree_task *mine = of(task);
	uint64_t ts = mine->items.n ? mine->items.at[mine->items.n - 1].ts : 0;
	__cleanup(free_ptr) char *text = lost == LOST_UNKNOWN
						 ? str_printf("events were lost on CPU %u", cpu)
						 : str_printf("%lld events were lost on CPU %u", (long long)lost, cpu);

	int err = text ? add_comment(task, ts, cpu, text) : -ENOMEM;

	of(task)->kept = mine->items.n;
	return err || task->stack.n ? err : is_whole(ctx, task);
}

static int on_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct tree *tree = ctx;
	const struct lines_input *in = &tree->inputs[rec->file];
	struct text_call call = { .event = event, .rec = rec, .ns = !in->raw_ticks,
				  .ts = clock_time(&in->clock, rec->cpu, rec->ts) };
	struct str text = { 0 };
	int err;

	trace_learn(task->trace, event, rec);
	if (tree->opt.min_duration)
		return 0;
	event_prepare((struct event *)event);
	str_addf(&text, "%s: ", event->name);
	event_text(&call, &text);
	err = str_ok(&text);
	for (char *at = text.at; !err && *at; at++)
		if (*at == '\n')
			*at = ' ';
	err = err ? err : add_comment(task, rec->ts, rec->cpu, str_text(&text));
	str_fini(&text);
	return err || task->stack.n ? err : is_whole(tree, task);
}

static const struct calls_ops ops = {
	.task = on_task,
	.enter = on_enter,
	.leave = on_leave,
	.lost = on_lost,
	.other = on_other,
	.gone = on_gone,
};

/* Writing, which has said so itself, may have been part of it. */
static int failed(int err)
{
	return err == -ENOMEM ? fail(ENOMEM, "putting calls together: %m") : err;
}

static int tree_records(struct handler *h, struct batch *batch)
{
	struct tree *tree = (struct tree *)h;
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		err = calls_record(tree->calls, &batch->records[i]);
	batch_put(batch);
	return failed(err);
}

static int flush(struct handler *h)
{
	return tree_flush((struct tree *)h);
}

static int tree_end(struct handler *h)
{
	struct tree *tree = (struct tree *)h;
	int err = calls_end(tree->calls);

	return err ? failed(err) : tree_draw(tree);
}

static void tree_free(struct handler *h)
{
	struct tree *tree = (struct tree *)h;

	calls_free(tree->calls);
	str_fini(&tree->out);
	free(tree->inputs);
	free(tree->traces);
	free(tree->irqs);
	free(tree);
}

int tree_new(struct handler **out, const struct lines_input *inputs, size_t n, const struct tree_options *opt, int fd)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return -ENOMEM;
	tree->handler = (struct handler){ .records = tree_records, .flush = flush, .end = tree_end, .free = tree_free };
	tree->opt = *opt;
	tree->fd = fd;
	tree->ninputs = n;
	tree->inputs = calloc(n, sizeof(*tree->inputs));
	tree->traces = calloc(n, sizeof(*tree->traces));
	tree->irqs = calloc(n, sizeof(*tree->irqs));
	if (!tree->inputs || !tree->traces || !tree->irqs ||
	    calls_new(&tree->calls, tree->traces, &ops, tree)) {
		tree_free(&tree->handler);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		const struct symbols *symbols = inputs[i].trace->symbols;

		tree->inputs[i] = inputs[i];
		tree->traces[i] = inputs[i].trace;
		tree->irqs[i][0] = symbols_address(symbols, "__irqentry_text_start");
		tree->irqs[i][1] = symbols_address(symbols, "__irqentry_text_end");
	}
	*out = &tree->handler;
	return 0;
}
