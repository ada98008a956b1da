/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/hist.h"
#include "lib/analysis/stack-owner.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

/* This many functions that were called recently are found without a search. */
enum { RECENT = 4096 };

/* With the function tracer, at most this many functions of a task are thought to be active. */
enum { MOST_ACTIVE = 512 };

/* A stack of the function tracer begins with the frames of the tracer and of the function itself. They are at most this many. */
enum { MOST_INSIDE = 4 };

/* This tells how the last record of a context of a CPU was counted. Its stack may follow. */
struct hist_last {
	uint32_t node; /* the index of the node + 1; 0: no stack is expected */
	uint32_t root, frame;
	bool cut; /* the record is counted in chains.cut */
	uint64_t weight;
	chain_frames_t kernel, user; /* innermost first */
};

/* This is kept for each CPU of a buffer. */
struct hist_stream {
	struct stack_owners owners;
	struct hist_last last[STACK_LEVELS];
};

/* This is a function that is thought to be active, and its node. */
struct active {
	uint32_t frame, node;
};

/* This is the payload of an open call. */
struct hist_call {
	uint32_t node; /* the call's own node, or its caller's node while its function is not known */
	bool known;
	uint64_t inside; /* how long the calls inside took, ns */
};

struct hist_task {
	uint32_t root;
	VEC(struct active) functions; /* outermost first */
};

/* --- frames and nodes ---------------------------------------------------------------------------------------- */

/* Returns the frame for the function of an open call, or -ENOMEM. */
static int64_t find_call_frame(struct hist *h, const struct call_task *task, const struct call_frame *frame)
{
	const struct key key = call_has_address(frame->source) ? (struct key){ frame->func, (uint64_t)task->file << 1, 0 }
							       : (struct key){ frame->func, (uint64_t)task->file << 8 | frame->source, 4 };
	int64_t at = keys_find(&h->chains.address_keys, key);
	char buf[CALL_NAME];

	if (at >= 0)
		return h->chains.address_frames.at[at];
	return chains_at(&h->chains, key, call_name(task->trace, frame->source, frame->func, buf, NULL));
}

static inline int64_t call_frame_index(struct hist *h, const struct call_task *task, const struct call_frame *frame)
{
	const uint16_t where = (uint16_t)(task->file << 8 | frame->source) + 1;
	struct hist_recent *recent = &h->recent[(frame->func >> 4 ^ frame->func >> 16) % RECENT];
	int64_t found;

	if (likely(recent->func == frame->func && recent->where == where))
		return recent->frame;
	found = find_call_frame(h, task, frame);
	if (found >= 0)
		*recent = (struct hist_recent){ .func = frame->func, .where = where, .frame = (uint32_t)found };
	return found;
}

static int64_t root_of(struct hist *h, const struct call_task *task)
{
	return h->opt.all_tasks ? chains_root(&h->chains, -1, 0) : chains_root(&h->chains, task->pid, task->trace->index);
}

/* Returns the node of the innermost open call, or the root of the task if no call is open. */
static uint32_t open_call(const struct hist *h, struct call_task *task)
{
	const struct hist_task *mine = call_task_of(&h->user, task);
	const struct hist_call *call = task->depth ? call_frame_of(&h->user, call_top(task)) : NULL;

	return call ? call->node : mine->root;
}

/* --- calls and functions ------------------------------------------------------------------------------------- */

static int on_task(void *ctx, struct call_task *task)
{
	struct hist *h = ctx;
	struct hist_task *mine = call_task_of(&h->user, task);
	int64_t root = root_of(h, task);

	mine->root = (uint32_t)root;
	return root < 0 ? -ENOMEM : 0;
}

static void on_gone(void *ctx, struct call_task *task)
{
	const struct hist *h = ctx;

	vec_fini(&((struct hist_task *)call_task_of(&h->user, task))->functions);
}

/* Returns the stream of this CPU in the task's buffer, or NULL when memory runs out. */
static struct hist_stream *stream_at(struct hist *h, const struct call_task *task, uint16_t cpu)
{
	return stream_of(&h->streams, &(struct record){ .file = task->trace->index, .buffer = task->buffer, .cpu = cpu });
}

/* A call or a return has come. A stack that follows belongs to it, and not to the event before. Returns 0 or -ENOMEM. */
static int no_stack(struct hist *h, const struct call_task *task, uint16_t cpu, enum call_irq level)
{
	struct hist_stream *stream = stream_at(h, task, cpu);

	if (!stream)
		return -ENOMEM;
	stack_owner_begin(&stream->owners, level);
	stream->last[level].node = 0;
	return 0;
}

/* *@weight becomes what the record adds to the sum. Returns false if it adds nothing. */
static bool sum_of(struct hist *h, const struct value_field *field, const struct record *rec, uint64_t *weight)
{
	struct value value;

	if (!field || !value_get(field, rec->data, rec->size, &value) || (field->at.is_signed && (int64_t)value.number < 0))
		return false;
	*weight = value.number;
	h->too_much |= __builtin_add_overflow(h->sum, value.number, &h->sum);
	return true;
}

/* Adds the value of @rec to the sum at the call's node. @rec is the entry or the exit of @call, or NULL if neither is at hand. */
static void add_sum(struct hist *h, const struct call_task *task, const struct hist_call *call, const struct record *rec)
{
	uint64_t weight;

	if (rec && h->opt.sum && calls_chosen(h->calls, rec->cpu) && sum_of(h, h->sums.at[rec->file][record_id(task->trace, rec)], rec, &weight))
		h->chains.nodes.at[call->node].count += weight;
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	struct hist *h = ctx;
	const struct hist_task *mine = call_task_of(&h->user, task);
	struct hist_call *call = call_frame_of(&h->user, frame);
	struct call_frame *above = call_caller(task, frame);
	uint32_t caller = above ? ((struct hist_call *)call_frame_of(&h->user, above))->node : mine->root;
	int64_t name = frame->func ? call_frame_index(h, task, frame) : 0;
	int64_t node = frame->func && name >= 0 ? chains_below(&h->chains, caller, (uint32_t)name) : caller;

	if (name < 0 || node < 0)
		return -ENOMEM;
	call->node = (uint32_t)node;
	call->known = frame->func != 0;
	add_sum(h, task, call, rec);
	return no_stack(h, task, frame->cpu, frame->irq);
}

/* Returns how much of the caller's time was spent in this call. If the call is not complete, this is only the time of the calls inside of it. */
static uint64_t time_inside(const struct hist *h, struct call_frame *frame)
{
	return timed_call_of(h->timed, frame)->cut ? ((struct hist_call *)call_frame_of(&h->user, frame))->inside : timed_call_of(h->timed, frame)->times.total;
}

/* Returns how much the call counts. The self time of a call that is not complete is not known, and counts as 0. */
static uint64_t call_weight(const struct hist *h, struct call_frame *frame)
{
	const struct timed_call *timed = h->opt.time ? timed_call_of(h->timed, frame) : NULL;
	const uint64_t inside = ((struct hist_call *)call_frame_of(&h->user, frame))->inside;

	if (!calls_chosen(h->calls, frame->cpu))
		return 0;
	if (!timed)
		return !h->opt.sum;
	return !timed->cut && timed->times.total > inside ? timed->times.total - inside : 0;
}

/* The exit is at hand only now. When the call is left, it will be gone. */
static int on_over(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct hist *h = ctx;

	add_sum(h, task, call_frame_of(&h->user, frame), end->rec);
	return 0;
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct hist *h = ctx;
	struct hist_call *call = call_frame_of(&h->user, frame);
	struct call_frame *above = call_caller(task, frame);

	if (!call->known && frame->func && on_enter(ctx, task, frame, NULL))
		return -ENOMEM;
	if (h->opt.time && above)
		((struct hist_call *)call_frame_of(&h->user, above))->inside += time_inside(h, frame);
	if (call->known)
		h->chains.nodes.at[call->node].count += call_weight(h, frame);
	add_sum(h, task, call, end->rec);
	return no_stack(h, task, end->cpu, frame->irq);
}

static int on_leaf(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec, const struct call_end *end)
{
	struct hist *h = ctx;
	struct call_frame *above = call_caller(task, frame);
	struct hist_call *caller = above ? call_frame_of(&h->user, above) : NULL;
	struct hist_call *call = call_frame_of(&h->user, frame);
	int64_t name = call_frame_index(h, task, frame), node;

	if (name < 0)
		return -ENOMEM;
	node = chains_below(&h->chains, caller ? caller->node : ((struct hist_task *)call_task_of(&h->user, task))->root, (uint32_t)name);
	if (node < 0)
		return -ENOMEM;
	call->node = (uint32_t)node;
	if (caller)
		caller->inside += end->duration;
	h->chains.nodes.at[node].count += call_weight(h, frame);
	if (unlikely(h->opt.sum))
		add_sum(h, task, call, rec);
	return no_stack(h, task, end->cpu, frame->irq);
}

static int on_lost(void *ctx, struct call_task *task, uint16_t cpu, __unused int64_t lost)
{
	struct hist *h = ctx;
	struct hist_stream *stream = stream_at(h, task, cpu);

	if (!stream)
		return -ENOMEM;
	((struct hist_task *)call_task_of(&h->user, task))->functions.n = 0;
	stack_owner_lost(&stream->owners);
	return 0;
}

/* Returns the node of @func below @parent, which called it, or -ENOMEM. The callers of @parent are taken to be the functions that are thought to be active. */
static int64_t function_node(struct hist *h, struct hist_task *mine, uint32_t parent, uint32_t func)
{
	size_t n = mine->functions.n;
	int64_t node = 0;

	while (n && mine->functions.at[n - 1].frame != parent)
		n--;
	if (!n) {
		/* It may be a function of an interrupt. The functions that it interrupted stay active. */
		n = mine->functions.n < MOST_ACTIVE ? mine->functions.n : 0;
		node = chains_below(&h->chains, mine->root, parent);
		mine->functions.n = n++;
		if (node < 0 || vec_push(&mine->functions, (struct active){ parent, (uint32_t)node }))
			return -ENOMEM;
	}
	mine->functions.n = n;
	node = chains_below(&h->chains, mine->functions.at[n - 1].node, func);
	return node < 0 || vec_push(&mine->functions, (struct active){ func, (uint32_t)node }) ? -ENOMEM : node;
}

/* --- events and stacks --------------------------------------------------------------------------------------- */

/*
 * Counts the record at @node. @cut is the value of chains.cut before the chain was looked up. A record is counted there once at most, even if several
 * callers of a stack were put below the root. Returns 0 or -ENOMEM.
 */
static int count(struct hist *h, struct hist_last *last, int64_t node, uint64_t cut)
{
	if (node < 0)
		return -ENOMEM;
	h->chains.nodes.at[node].count += last->weight;
	last->node = (uint32_t)node + 1;
	last->cut = h->chains.cut > cut;
	h->chains.cut = cut + last->cut;
	return 0;
}

static int on_function(struct hist *h, struct hist_last *last, struct call_task *task, const struct event *event, const struct record *rec)
{
	const uint64_t cut = h->chains.cut;
	int64_t frame, above;
	uint64_t ip, parent;

	if (h->opt.sum || h->opt.time || !function_get(event, rec, &ip, &parent))
		return 0;
	frame = chains_kernel(&h->chains, task->trace, ip);
	above = chains_kernel(&h->chains, task->trace, parent);
	if (frame < 0 || above < 0)
		return -ENOMEM;
	last->weight = 1;
	last->frame = (uint32_t)frame;
	return count(h, last, function_node(h, call_task_of(&h->user, task), (uint32_t)above, (uint32_t)frame), cut);
}

static int on_event(struct hist *h, struct hist_last *last, struct call_task *task, const struct event *event, const struct record *rec)
{
	const uint64_t cut = h->chains.cut;
	int64_t frame;

	if (h->opt.time)
		return 0;
	last->weight = 1;
	if (h->opt.sum && !sum_of(h, h->sums.at[rec->file][event->id], rec, &last->weight))
		return 0;
	frame = chains_named(&h->chains, event->name, true);
	last->frame = (uint32_t)frame;
	return frame < 0 ? -ENOMEM : count(h, last, chains_below(&h->chains, open_call(h, task), (uint32_t)frame), cut);
}

/* The stack of a function begins with the function, perhaps after what traces it. Returns how many of these frames are no callers. */
static size_t frames_inside(const struct hist_last *last)
{
	for (size_t i = 0; i < MIN(last->kernel.n, (size_t)MOST_INSIDE); i++)
		if (last->kernel.at[i] == last->frame)
			return i + 1;
	return 0;
}

/* Moves the count of the record before to the node that its stacks tell. Returns 0 or -ENOMEM. */
static int move_to_stacks(struct hist *h, struct hist_last *last)
{
	const uint64_t cut = h->chains.cut -= last->cut;
	int64_t node = chains_outer(&h->chains, last->root, &last->user, 0);

	h->chains.nodes.at[last->node - 1].count -= last->weight;
	node = chains_outer(&h->chains, node, &last->kernel, frames_inside(last));
	node = node < 0 ? node : chains_below(&h->chains, (uint32_t)node, last->frame);
	return count(h, last, node, cut);
}

static int on_stack(struct hist *h, struct hist_last *last, const struct event *event, const struct record *rec)
{
	chain_frames_t *frames = stack_is_user(event) ? &last->user : &last->kernel;

	if (!last->node || frames->n)
		return 0;
	if (chains_stack(&h->chains, event, rec, frames))
		return -ENOMEM;
	return frames->n ? move_to_stacks(h, last) : 0;
}

static int on_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct hist *h = ctx;
	struct hist_stream *stream = stream_of(&h->streams, rec);
	struct hist_last *last;
	int at;

	trace_learn(task->trace, event, rec);
	if (!stream)
		return -ENOMEM;
	if (!calls_chosen(h->calls, rec->cpu))
		return 0;
	at = stack_owner(&stream->owners, task->trace, event, rec);
	if (event->kind == EVENT_STACK)
		return at < 0 ? 0 : on_stack(h, &stream->last[at], event, rec);
	last = &stream->last[at];
	last->node = 0;
	last->kernel.n = last->user.n = 0;
	last->root = ((struct hist_task *)call_task_of(&h->user, task))->root;
	return event->kind == EVENT_FUNCTION ? on_function(h, last, task, event, rec) : on_event(h, last, task, event, rec);
}

static const struct calls_ops ops = {
	.task = on_task,
	.enter = on_enter,
	.leaf = on_leaf,
	.leave = on_leave,
	.over = on_over,
	.lost = on_lost,
	.other = on_other,
	.gone = on_gone,
};

/* --- its life ------------------------------------------------------------------------------------------------ */

static void fini_stream(void *state)
{
	struct hist_stream *stream = state;

	for (size_t i = 0; i < STACK_LEVELS; i++) {
		vec_fini(&stream->last[i].kernel);
		vec_fini(&stream->last[i].user);
	}
}

/* Refuses a sum that has overflowed, because it is wrong. */
static int hist_end(struct handler *handler)
{
	const struct hist *h = container_of(handler, struct hist, handler);

	return h->too_much
		       ? fail(ERANGE, "--sum %s: the sum is 2^64 or more; add up a field of amounts (bytes, times), not one of addresses or flags", h->opt.sum)
		       : 0;
}

static void hist_free(struct handler *handler)
{
	struct hist *h = container_of(handler, struct hist, handler);

	streams_fini(&h->streams, fini_stream);
	vec_each (&h->sums, sums)
		free(*sums);
	vec_fini(&h->sums);
	chains_fini(&h->chains);
	timed_free(h->timed);
	free(h->recent);
	free(h);
}

/* *@out becomes the event's field opt.sum, if the event has it and it is a number. Only events whose format has the name are parsed. Returns 0 or -errno. */
static int find_sum(const struct hist *h, struct event *event, const struct value_field **out)
{
	const struct values *values;
	struct field field;
	int err;

	if (!h->opt.sum || !format_field(event->format, h->opt.sum, &field))
		return 0;
	err = values_of(&values, event);
	if (err)
		return err;
	*out = values_field(values, h->opt.sum);
	if (*out && !value_is_number(*out))
		*out = NULL;
	return 0;
}

/* Reports that no counted event has the field. @any says that another event has it. Returns a negative errno. */
static int no_sum(const struct hist *h, bool any)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 };
	int err = 0;

	if (any)
		return fail(EINVAL, "--sum %s: no event in %s that is counted has such a field; `ringside report --events` shows which events have it",
			    h->opt.sum, h->inputs->at[0].path);
	vec_each (h->inputs, input)
		vec_each (&input->trace->events, event)
			err = err ? err : values_names(*event, true, &names);
	near = did_you_mean(h->opt.sum, &names, "; `ringside report --events` shows their fields");
	return err ? err : fail(EINVAL, "--sum %s: no event of the file has a number of that name%s", h->opt.sum, near ? near : "");
}

/* Finds the field opt.sum in all events. Returns 0 or a negative errno, with a message. */
static int find_sums(struct hist *h)
{
	bool any = false, counted = !h->opt.sum;
	int err = 0;

	vec_each (h->inputs, input) {
		const struct value_field **sums = calloc(input->trace->nids + 1, sizeof(*sums));

		if (!sums || vec_push(&h->sums, sums)) {
			free(sums);
			return -ENOMEM;
		}
		vec_each (&input->trace->events, event) {
			err = err ? err : find_sum(h, *event, &sums[(*event)->id]);
			any |= sums[(*event)->id] != NULL;
			counted |= sums[(*event)->id] && (!h->opt.selected || select_event(h->opt.selected, *event));
		}
	}
	return err || counted ? err : no_sum(h, any);
}

int hist_new(struct hist **out, const inputs_t *inputs, struct calls *calls, const struct hist_options *opt)
{
	struct hist *h = calls ? calloc(1, sizeof(*h)) : NULL;
	int err;

	if (!h)
		return -ENOMEM;
	h->handler.end = hist_end;
	h->handler.free = hist_free;
	h->opt = *opt;
	chains_init(&h->chains, opt->most);
	h->streams.size = sizeof(struct hist_stream);
	h->inputs = inputs;
	h->calls = calls;
	h->user = (struct calls_user){ .ops = &ops, .ctx = h, .frame_size = sizeof(struct hist_call), .task_size = sizeof(struct hist_task), .all_cpus = true };
	h->recent = calloc(RECENT, sizeof(*h->recent));
	err = h->recent ? find_sums(h) : -ENOMEM;
	/* struct timed tells whether a call is complete. It is added first, so that it knows of the end of a call before the callbacks here are called. */
	if (!err && opt->time)
		err = timed_new(&h->timed, calls, inputs);
	err = err ? err : calls_add(calls, &h->user);
	if (err)
		hist_free(&h->handler);
	else
		*out = h;
	return err;
}
