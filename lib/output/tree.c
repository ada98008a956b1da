/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/tree.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/event/graph.h"
#include "lib/event/text.h"
#include "lib/output/tree-items.h"

/* A call with this many lines inside does not fit on a screen, so its end repeats its name. */
#define SCREENFUL 24

/* Memory for this many items of one task is not kept for the next call. */
#define MUCH 4096

static int on_task(void *ctx, struct call_task *task)
{
	struct tree_task *mine = tree_task_of(ctx, task);

	str_addc(&mine->texts, '\0');
	return str_ok(&mine->texts);
}

static void on_gone(void *ctx, struct call_task *task)
{
	struct tree_task *mine = tree_task_of(ctx, task);

	vec_fini(&mine->blocks);
	vec_fini(&mine->items);
	str_fini(&mine->texts);
}

/* Is the call the first one of an interrupt? It is if interrupts enter the kernel at this function, or if the context says so. */
static bool enters_interrupt(const struct tree *tree, const struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	const uint64_t *range = tree->irqs[task->file];
	struct call_frame *caller = call_caller(task, frame);
	struct tree_call *call = call_frame_of(&tree->user, frame);
	bool inside = caller && ((struct tree_call *)call_frame_of(&tree->user, caller))->in_interrupt;
	uint8_t flags = 0;

	if (rec) {
		const struct common common = record_common(task->trace, rec);

		flags = common_context(&common);
	}
	call->in_interrupt = inside || flags & (FLAG_HARDIRQ | FLAG_NMI);
	if (range[0] && call_has_address(frame->source) && frame->func >= range[0] && frame->func < range[1])
		return true;
	return !inside && call->in_interrupt;
}

static uint32_t add_text(struct tree_task *mine, const char *text)
{
	uint32_t at = (uint32_t)mine->texts.len;

	if (mine->texts.len > UINT32_MAX - 65536)
		return 0;
	str_addn(&mine->texts, text, strlen(text) + 1);
	return at;
}

/* Appends a text to the one at *@first, which may be 0 for no text. */
static int join_texts(struct tree_task *mine, uint32_t *first, uint32_t more)
{
	__cleanup(free_ptr) char *both = NULL;

	if (!*first || !more) {
		*first |= more;
		return 0;
	}
	both = str_printf("%s%s", mine->texts.at + *first, mine->texts.at + more);
	if (both)
		*first = add_text(mine, both);
	return both ? str_ok(&mine->texts) : -ENOMEM;
}

/* Adds the text of an event on one line. */
static int event_words(const struct input *in, const struct event *event, const struct record *rec, struct str *out)
{
	const struct text_call call = { .event = event, .rec = rec, .ns = !in->raw_ticks, .ts = input_time(in, rec) };
	int err;

	event_prepare((struct event *)event);
	event_text(&call, out);
	err = str_ok(out);
	for (char *at = out->at; !err && *at; at++)
		if (*at == '\n')
			*at = ' ';
	return err;
}

/*
 * Finds the values that were recorded with the entry or exit of a call, if it is not from function_graph. The address in front of them is left out, because it
 * only repeats the name. @rec is NULL if there is no record.
 */
static int add_values(const struct call_task *task, const struct call_frame *frame, const struct record *rec, struct tree_task *mine, uint32_t *out)
{
	const struct event *event = rec && !call_has_address(frame->source) ? trace_event(task->trace, record_id(task->trace, rec)) : NULL;
	const char *values, *end;
	struct str text = { 0 };
	int err = event ? event_words(task->input, event, rec, &text) : 0;

	values = str_text(&text);
	end = *values == '(' ? strchr(values, ')') : NULL;
	values = end ? end + 1 : values;
	if (!err && values[strspn(values, " ")]) {
		__cleanup(free_ptr) char *remark = str_printf(" /* %s */", values + strspn(values, " "));

		err = remark ? 0 : -ENOMEM;
		if (!err)
			*out = add_text(mine, remark);
	}
	str_fini(&text);
	return err ? err : str_ok(&mine->texts);
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	struct tree *tree = ctx;
	struct tree_task *mine = tree_task_of(tree, task);
	struct tree_call *call = call_frame_of(&tree->user, frame);
	struct item item = {
		.ts = frame->ts,
		.func = frame->func,
		.duration = CALL_UNKNOWN,
		.depth = (uint16_t)(task->depth - 1),
		.cpu = frame->cpu,
		.cut = frame->cut,
		.source = frame->source,
	};
	int err;

	call->marked = enters_interrupt(tree, task, frame, rec);
	item.kind = ITEM_IRQ_IN;
	if (call->marked && tree_add(tree, mine, &item))
		return -ENOMEM;
	call->item = tree_count(mine);
	item.kind = ITEM_OPEN;
	err = add_values(task, frame, rec, mine, &item.text);
	err = err ? err : tree_add(tree, mine, &item);
	return err ? err : tree_keep(tree);
}

/* Adds the return value if it was asked for, because kernels that can record it always do so. */
static int add_retval(struct tree_task *mine, const struct trace *trace, const struct call_end *end, uint64_t func, uint32_t *out)
{
	struct graph_exit ret = { .func = func, .has_retval = true, .retval = end->retval };
	const struct trace_options *opt = trace->opt;
	struct str text = { 0 };
	int err;

	if (!end->has_retval || (opt->retval != RETVAL_DEC && opt->retval != RETVAL_HEX))
		return 0;
	graph_retval(opt, &ret, trace->long_size, &text);
	err = str_ok(&text);
	if (!err && text.len)
		*out = add_text(mine, str_text(&text));
	str_fini(&text);
	return err ? err : str_ok(&mine->texts);
}

/* Nothing that comes later belongs to the items so far. With live output they are drawn now. */
static int is_whole(struct tree *tree, struct call_task *task)
{
	struct tree_task *mine = tree_task_of(tree, task);
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

/* Is the call too short to be shown? Then it is removed with all calls inside it, which were even shorter. */
static bool is_short(const struct tree *tree, const struct call_task *task, struct tree_task *mine, struct call_frame *frame, const struct call_end *end)
{
	const struct tree_call *call = call_frame_of(&tree->user, frame);
	bool stays = mine->kept > call->item;

	if (end->duration != CALL_UNKNOWN)
		stays |= end->duration >= tree->opt.min_duration;
	else if (task->in_ns)
		stays |= end->ns >= frame->ns + tree->opt.min_duration;
	else
		/* The length of a tick is not known. The call lasted at least as long as what is inside it. */
		stays |= tree->opt.min_duration == 0 || tree_count(mine) > call->item + 1;
	return !stays;
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct tree *tree = ctx;
	struct tree_task *mine = tree_task_of(tree, task);
	const struct tree_call *call = call_frame_of(&tree->user, frame);
	struct item *open = call->item < mine->away ? NULL : &mine->items.at[call->item - mine->away];
	size_t inside = tree_count(mine) - call->item - 1;
	struct item item = {
		.ts = end->ts,
		.func = frame->func,
		.duration = end->duration,
		.depth = (uint16_t)(task->depth - 1),
		.cpu = end->cpu,
		.kind = ITEM_CLOSE,
		.cut = end->cut,
		.source = frame->source,
		.named = inside > SCREENFUL || end->cut || task->trace->opt->graph_tail,
	};
	int err;

	if (is_short(tree, task, mine, frame, end)) {
		err = tree_cut(tree, mine, call->item - call->marked);
		return err || task->depth > 1 ? err : is_whole(tree, task);
	}
	err = add_retval(mine, task->trace, end, frame->func, &item.text);
	err = err ? err : add_values(task, frame, end->rec, mine, &item.text);
	if (err)
		return err;
	if (open)
		open->func = frame->func;
	else if (frame->cut & CALL_NO_ENTRY)
		err = tree_rename(tree, mine, call->item, frame->func);
	if (!frame->func && open) {
		open->kind = ITEM_NONE;
	} else if (!inside && !end->cut) {
		open->kind = ITEM_LEAF;
		open->duration = end->duration;
		err = join_texts(mine, &open->text, item.text);
	} else if (!err && frame->func) {
		err = tree_add(tree, mine, &item);
	}
	if (!err && call->marked) {
		item.kind = ITEM_IRQ_OUT;
		err = tree_add(tree, mine, &item);
	}
	if (!err && task->depth == 1)
		err = is_whole(tree, task);
	return err ? err : tree_keep(tree);
}

static int on_leaf(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec, const struct call_end *end)
{
	struct tree *tree = ctx;
	struct tree_task *mine = tree_task_of(tree, task);
	struct item *item;
	uint32_t text = 0;
	int err;

	/* An interrupt's first call is drawn like a call that is not a leaf, with marks around it, and so is every call with live output. */
	if (unlikely(tree->opt.live || enters_interrupt(tree, task, frame, rec))) {
		err = on_enter(ctx, task, frame, rec);
		return err ? err : on_leave(ctx, task, frame, end);
	}
	if (end->duration < tree->opt.min_duration)
		return 0;
	err = add_retval(mine, task->trace, end, frame->func, &text);
	if (err)
		return err;
	tree->bytes += text ? strlen(mine->texts.at + text) + 1 : 0;
	item = tree_new(tree, mine);
	if (!item)
		return -ENOMEM;
	item->ts = frame->ts;
	item->func = frame->func;
	item->duration = end->duration;
	item->text = text;
	item->depth = (uint16_t)(task->depth - 1);
	item->cpu = frame->cpu;
	item->kind = ITEM_LEAF;
	item->cut = 0;
	item->source = frame->source;
	item->named = false;
	return tree_keep(tree);
}

static int add_comment(struct tree *tree, struct call_task *task, uint64_t ts, uint16_t cpu, const char *text)
{
	struct tree_task *mine = tree_task_of(tree, task);
	struct item item = {
		.ts = ts,
		.duration = CALL_UNKNOWN,
		.depth = (uint16_t)task->depth,
		.cpu = cpu,
		.kind = ITEM_COMMENT,
	};

	item.text = add_text(mine, text);
	return str_ok(&mine->texts) ? -ENOMEM : tree_add(tree, mine, &item);
}

static int on_lost(void *ctx, struct call_task *task, uint16_t cpu, int64_t lost)
{
	struct tree *tree = ctx;
	struct tree_task *mine = tree_task_of(tree, task);
	uint64_t ts = mine->items.n ? mine->items.at[mine->items.n - 1].ts : 0;
	__cleanup(free_ptr) char *text = lost == LOST_UNKNOWN
						 ? str_printf("events were lost on CPU %u", cpu)
						 : str_printf("%lld %s lost on CPU %u", (long long)lost, lost == 1 ? "event was" : "events were", cpu);
	int err = text ? add_comment(tree, task, ts, cpu, text) : -ENOMEM;

	mine->kept = tree_count(mine);
	return err || task->depth ? err : is_whole(tree, task);
}

static int on_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct tree *tree = ctx;
	struct str text = { 0 };
	int err;

	trace_learn(task->trace, event, rec);
	if (tree->opt.min_duration)
		return 0;
	str_addf(&text, "%s: ", event->name);
	err = event_words(task->input, event, rec, &text);
	err = err ? err : add_comment(tree, task, rec->ts, rec->cpu, str_text(&text));
	str_fini(&text);
	if (!err && !task->depth)
		err = is_whole(tree, task);
	return err ? err : tree_keep(tree);
}

static const struct calls_ops ops = {
	.task = on_task,
	.enter = on_enter,
	.leaf = on_leaf,
	.leave = on_leave,
	.lost = on_lost,
	.other = on_other,
	.gone = on_gone,
};

static int flush(struct handler *h)
{
	return tree_flush(container_of(h, struct tree, handler));
}

static int end(struct handler *h)
{
	return tree_draw(container_of(h, struct tree, handler));
}

static void tree_free(struct handler *h)
{
	struct tree *tree = container_of(h, struct tree, handler);

	str_fini(&tree->out);
	close_fd(&tree->fd);
	tree_drawing_free(tree->drawing);
	free(tree->irqs);
	free(tree);
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	struct calls *calls = reading_calls(reading);

	if (!tree || !calls)
		return free(tree), -ENOMEM;
	tree->fd = -1;
	tree->handler = (struct handler){ .flush = flush, .end = end, .free = tree_free };
	tree->opt = *(const struct tree_options *)options;
	tree->reading = reading;
	tree->user = (struct calls_user){ .ops = &ops, .ctx = tree, .frame_size = sizeof(struct tree_call), .task_size = sizeof(struct tree_task) };
	tree->irqs = calloc(MAX(reading->inputs.n, (size_t)1), sizeof(*tree->irqs));
	if (!tree->irqs || calls_add(calls, &tree->user))
		return tree_free(&tree->handler), -ENOMEM;
	for (size_t i = 0; i < reading->inputs.n; i++) {
		const struct symbols *symbols = reading->inputs.at[i].trace->symbols;

		tree->irqs[i][0] = symbols_address(symbols, "__irqentry_text_start");
		tree->irqs[i][1] = symbols_address(symbols, "__irqentry_text_end");
	}
	*out = &tree->handler;
	return 0;
}

const struct analysis tree_analysis = {
	.name = "tree",
	.needs = ANALYSIS_TEXTS | ANALYSIS_FUNCTIONS | ANALYSIS_DEPTHS,
	.make = make,
};
