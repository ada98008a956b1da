/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/hist.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

#include <stdio.h>

/* Some 80 bytes each. */
#define MOST_NODES 4000000

/* The function tracer's guess: so many functions are thought to be active in a task. */
enum { MOST_ACTIVE = 512 };

/* What traces a function has at most so many frames, the function's own included. */
enum { MOST_INSIDE = 4 };

typedef VEC(uint32_t) frames_t;

/* What the last record of a CPU was counted as: a stack may follow. */
struct hist_stream {
	uint32_t node;			/* + 1; 0: nothing that takes a stack */
	uint32_t root, frame;
	uint64_t weight;
	frames_t kernel, user;		/* innermost first */
};

/* A function that is thought to be active, with its node. */
struct active {
	uint32_t frame, node;
};

/* An open call. */
struct hist_call {
	uint32_t node;			/* its own; while its function is not known its caller's */
	bool known;
	uint64_t inside;		/* ns that calls inside took */
};

struct hist_task {
	uint32_t root;
	VEC(struct active) functions;	/* outermost first */
};

/* --- frames -------------------------------------------------------------------------------------------------- */

/* The index of the frame of that name; -ENOMEM. */
static int64_t frame_named(struct hist *h, const char *name, bool event)
{
	struct key key = { KEY_MIX, 0, event };
	struct hist_frame frame = { .event = event };
	int64_t i;

	for (const char *at = name; *at; at++)
		key_mix(&key.a, &key.b, (unsigned char)*at);
	i = keys_index(&h->frame_keys, key);
	if (i < (int64_t)h->frames.n)
		return i;
	frame.name = strdup(name);
	if (!frame.name || vec_push(&h->frames, frame)) {
		free(frame.name);
		return -ENOMEM;
	}
	return i;
}

/* The same with what stands at @key, which needs no name when it is known. @name NULL: the address key.a. */
static int64_t frame_at(struct hist *h, struct key key, const char *name)
{
	int64_t at = keys_index(&h->address_keys, key), frame;
	char hex[24];

	if (at < (int64_t)h->address_frames.n)
		return at < 0 ? at : h->address_frames.at[at];
	if (!name)
		snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)key.a);
	frame = frame_named(h, name ? name : hex, false);
	return frame < 0 || vec_push(&h->address_frames, (uint32_t)frame) ? -ENOMEM : frame;
}

/* What an open call calls. */
static int64_t call_frame_index(struct hist *h, const struct call_task *task, const struct call_frame *frame)
{
	const struct key key = call_has_address(frame->source)
				       ? (struct key){ frame->func, (uint64_t)task->file << 1, 0 }
				       : (struct key){ frame->func, (uint64_t)task->file << 8 | frame->source, 4 };
	int64_t at = keys_find(&h->address_keys, key);
	char buf[CALL_NAME];

	if (at >= 0)
		return h->address_frames.at[at];
	return frame_at(h, key, call_name(task->trace, frame->source, frame->func, buf, NULL));
}

static int64_t kernel_frame(struct hist *h, const struct trace *trace, uint64_t addr)
{
	const struct symbol *sym = symbols_find(trace->symbols, addr);

	return frame_at(h, (struct key){ addr, (uint64_t)trace->index << 1, 0 }, sym ? sym->name : NULL);
}

static int64_t user_frame(struct hist *h, const struct trace *trace, int pid, const struct record *rec, uint64_t addr, bool returns)
{
	const char *name = NULL, *path = NULL, *slash;
	char text[256];

	if (trace->usermaps)
		usermaps_find(trace->usermaps, pid, rec->ts, addr, returns, &name, &path);
	if (name)
		return frame_at(h, (struct key){ (uintptr_t)name, 1, 1 }, name);
	slash = path ? strrchr(path, '/') : NULL;
	snprintf(text, sizeof(text), "[%s]", slash ? slash + 1 : path ? path : "");
	return frame_at(h, (struct key){ path ? (uintptr_t)path : addr, 1, path ? 2 : 3 }, path ? text : NULL);
}

/* --- nodes --------------------------------------------------------------------------------------------------- */

static bool is_root(const struct hist *h, uint32_t node)
{
	return h->nodes.at[node].caller == node;
}

/* The node of @frame below @caller; -ENOMEM. When there may be no more, without callers. */
static int64_t node_below(struct hist *h, uint32_t caller, uint32_t frame)
{
	int64_t i;

	if (unlikely(h->nodes.n >= h->opt.most && !is_root(h, caller))) {
		i = keys_find(&h->node_keys, (struct key){ caller, frame, 0 });
		if (i >= 0)
			return i;
		h->cut++;
		while (!is_root(h, caller))
			caller = h->nodes.at[caller].caller;
	}
	i = keys_index(&h->node_keys, (struct key){ caller, frame, 0 });
	if (i < (int64_t)h->nodes.n)
		return i;
	return vec_push(&h->nodes, (struct hist_node){ .frame = frame, .caller = caller }) ? -ENOMEM : i;
}

static int64_t root_of(struct hist *h, const struct call_task *task)
{
	struct hist_owner owner = { .pid = h->opt.all_tasks ? -1 : task->pid, .file = h->opt.all_tasks ? 0 : task->trace->index };
	int64_t i = keys_index(&h->node_keys, (struct key){ owner.file, (uint32_t)owner.pid, 1 });

	if (i < (int64_t)h->nodes.n)
		return i;
	if (vec_push(&h->nodes, (struct hist_node){ .frame = (uint32_t)h->owners.n, .caller = (uint32_t)i }))
		return -ENOMEM;
	return vec_push(&h->owners, owner) ? -ENOMEM : i;
}

/* The innermost call of the function graph that is open, else the root. */
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

/* A stack that follows a call or a return is not of the event before that. */
static int no_stack(struct hist *h, const struct call_task *task, uint16_t cpu)
{
	const struct record place = { .file = task->trace->index, .buffer = task->buffer, .cpu = cpu };
	struct hist_stream *stream = stream_of(&h->streams, &place);

	if (stream)
		stream->node = 0;
	return stream ? 0 : -ENOMEM;
}

/* What the record adds to the sum; false: nothing. */
static bool sum_of(const struct value_field *field, const struct record *rec, uint64_t *weight)
{
	struct value value;

	if (!field || !value_get(field, rec->data, rec->size, &value) || (field->at.is_signed && (int64_t)value.number < 0))
		return false;
	*weight = value.number;
	return true;
}

/* What @rec, the entry or the exit of @call (NULL: neither is at hand), adds to the sum. */
static void add_sum(struct hist *h, const struct call_task *task, const struct hist_call *call, const struct record *rec)
{
	uint64_t weight;

	if (rec && h->opt.sum && sum_of(h->sums.at[rec->file][record_id(task->trace, rec)], rec, &weight))
		h->nodes.at[call->node].count += weight;
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	struct hist *h = ctx;
	const struct hist_task *mine = call_task_of(&h->user, task);
	struct hist_call *call = call_frame_of(&h->user, frame);
	struct call_frame *above = call_caller(task, frame);
	uint32_t caller = above ? ((struct hist_call *)call_frame_of(&h->user, above))->node : mine->root;
	int64_t name = frame->func ? call_frame_index(h, task, frame) : 0;
	int64_t node = frame->func && name >= 0 ? node_below(h, caller, (uint32_t)name) : caller;

	if (name < 0 || node < 0)
		return -ENOMEM;
	call->node = (uint32_t)node;
	call->known = frame->func != 0;
	add_sum(h, task, call, rec);
	return no_stack(h, task, frame->cpu);
}

static uint64_t call_weight(const struct hist *h, const struct hist_call *call, const struct call_end *end)
{
	if (!h->opt.time)
		return !h->opt.sum;
	return end->duration != CALL_UNKNOWN && end->duration > call->inside ? end->duration - call->inside : 0;
}

/* Its exit is at hand now, and not when it is left. */
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
	if (end->duration != CALL_UNKNOWN && above)
		((struct hist_call *)call_frame_of(&h->user, above))->inside += end->duration;
	if (call->known)
		h->nodes.at[call->node].count += call_weight(h, call, end);
	add_sum(h, task, call, end->rec);
	return no_stack(h, task, end->cpu);
}

static int on_lost(void *ctx, struct call_task *task, __unused uint16_t cpu, __unused int64_t lost)
{
	const struct hist *h = ctx;

	((struct hist_task *)call_task_of(&h->user, task))->functions.n = 0;
	return 0;
}

/* The node of @func called by @parent; callers are those that are thought to be active below @parent. -ENOMEM. */
static int64_t function_node(struct hist *h, struct hist_task *mine, uint32_t parent, uint32_t func)
{
	size_t n = mine->functions.n;
	int64_t node = 0;

	while (n && mine->functions.at[n - 1].frame != parent)
		n--;
	if (!n) {
		/* An interrupt's, perhaps: what it interrupted stays below. */
		n = mine->functions.n < MOST_ACTIVE ? mine->functions.n : 0;
		node = node_below(h, mine->root, parent);
		mine->functions.n = n++;
		if (node < 0 || vec_push(&mine->functions, (struct active){ parent, (uint32_t)node }))
			return -ENOMEM;
	}
	mine->functions.n = n;
	node = node_below(h, mine->functions.at[n - 1].node, func);
	return node < 0 || vec_push(&mine->functions, (struct active){ func, (uint32_t)node }) ? -ENOMEM : node;
}

/* --- events and stacks --------------------------------------------------------------------------------------- */

static int count(struct hist *h, struct hist_stream *stream, int64_t node)
{
	if (node < 0)
		return -ENOMEM;
	h->nodes.at[node].count += stream->weight;
	stream->node = (uint32_t)node + 1;
	return 0;
}

static int on_function(struct hist *h, struct hist_stream *stream, struct call_task *task, const struct event *event,
		       const struct record *rec)
{
	int64_t frame, above;
	uint64_t ip, parent;

	if (h->opt.sum || h->opt.time || !function_get(event, rec, &ip, &parent))
		return 0;
	frame = kernel_frame(h, task->trace, ip);
	above = kernel_frame(h, task->trace, parent);
	if (frame < 0 || above < 0)
		return -ENOMEM;
	stream->weight = 1;
	stream->frame = (uint32_t)frame;
	return count(h, stream, function_node(h, call_task_of(&h->user, task), (uint32_t)above, (uint32_t)frame));
}

static int on_event(struct hist *h, struct hist_stream *stream, struct call_task *task, const struct event *event,
		    const struct record *rec)
{
	int64_t frame;

	if (h->opt.time)
		return 0;
	stream->weight = 1;
	if (h->opt.sum && !sum_of(h->sums.at[rec->file][event->id], rec, &stream->weight))
		return 0;
	frame = frame_named(h, event->name, true);
	stream->frame = (uint32_t)frame;
	return frame < 0 ? -ENOMEM : count(h, stream, node_below(h, open_call(h, task), (uint32_t)frame));
}

/* A function's stack begins with itself, perhaps behind what traces it: so many are no callers. */
static size_t frames_inside(const struct hist_stream *stream)
{
	for (size_t i = 0; i < MIN(stream->kernel.n, (size_t)MOST_INSIDE); i++)
		if (stream->kernel.at[i] == stream->frame)
			return i + 1;
	return 0;
}

static int64_t add_outer(struct hist *h, int64_t node, const frames_t *frames, size_t inside)
{
	for (size_t i = frames->n; node >= 0 && i-- > inside;)
		node = node_below(h, (uint32_t)node, frames->at[i]);
	return node;
}

/* What the record before was counted as is moved to where its stacks say it belongs. */
static int move_to_stacks(struct hist *h, struct hist_stream *stream)
{
	int64_t node = add_outer(h, stream->root, &stream->user, 0);

	h->nodes.at[stream->node - 1].count -= stream->weight;
	node = add_outer(h, node, &stream->kernel, frames_inside(stream));
	node = node < 0 ? node : node_below(h, (uint32_t)node, stream->frame);
	return count(h, stream, node);
}

static int on_stack(struct hist *h, struct hist_stream *stream, const struct event *event, const struct record *rec)
{
	bool user = stack_is_user(event);
	frames_t *frames = user ? &stream->user : &stream->kernel;
	int pid = user ? stack_tgid(event, rec) : 0;

	if (!stream->node || frames->n)
		return 0;
	h->addresses.n = 0;
	if (stack_get(event, rec, &h->addresses))
		return -ENOMEM;
	for (size_t i = 0; i < h->addresses.n; i++) {
		uint64_t addr = h->addresses.at[i];
		int64_t frame = user ? user_frame(h, event->trace, pid, rec, addr, i > 0) : kernel_frame(h, event->trace, addr);

		if (frame < 0 || vec_push(frames, (uint32_t)frame))
			return -ENOMEM;
	}
	return frames->n ? move_to_stacks(h, stream) : 0;
}

static int on_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct hist *h = ctx;
	struct hist_stream *stream = stream_of(&h->streams, rec);

	trace_learn(task->trace, event, rec);
	if (!stream)
		return -ENOMEM;
	if (event->kind == EVENT_STACK)
		return on_stack(h, stream, event, rec);
	stream->node = 0;
	stream->kernel.n = stream->user.n = 0;
	stream->root = ((struct hist_task *)call_task_of(&h->user, task))->root;
	return event->kind == EVENT_FUNCTION ? on_function(h, stream, task, event, rec) : on_event(h, stream, task, event, rec);
}

static const struct calls_ops ops = {
	.task = on_task,
	.enter = on_enter,
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

	vec_fini(&stream->kernel);
	vec_fini(&stream->user);
}

static void hist_free(struct handler *handler)
{
	struct hist *h = container_of(handler, struct hist, handler);

	streams_fini(&h->streams, fini_stream);
	vec_each (&h->frames, frame)
		free(frame->name);
	vec_each (&h->sums, sums)
		free(*sums);
	vec_fini(&h->frames);
	vec_fini(&h->nodes);
	vec_fini(&h->owners);
	vec_fini(&h->address_frames);
	vec_fini(&h->sums);
	vec_fini(&h->addresses);
	keys_fini(&h->frame_keys);
	keys_fini(&h->node_keys);
	keys_fini(&h->address_keys);
	free(h);
}

/* The event's field opt.sum, a number; NULL: it has none. Only events whose format has the name are parsed. */
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

/* opt.sum, in the events that have it. */
static int find_sums(struct hist *h)
{
	bool any = !h->opt.sum;
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
		}
	}
	return err || any ? err : fail(EINVAL, "--sum %s: no event of the file has a number of that name; `ringside report --events` shows their fields",
				       h->opt.sum);
}

int hist_new(struct hist **out, const inputs_t *inputs, struct calls *calls, const struct hist_options *opt)
{
	struct hist *h = calls ? calloc(1, sizeof(*h)) : NULL;
	int err;

	if (!h)
		return -ENOMEM;
	h->handler.free = hist_free;
	h->opt = *opt;
	h->opt.most = opt->most ? opt->most : MOST_NODES;
	h->streams.size = sizeof(struct hist_stream);
	h->inputs = inputs;
	h->calls = calls;
	h->user = (struct calls_user){ .ops = &ops, .ctx = h, .frame_size = sizeof(struct hist_call), .task_size = sizeof(struct hist_task) };
	err = find_sums(h);
	err = err ? err : calls_add(calls, &h->user);
	if (err)
		hist_free(&h->handler);
	else
		*out = h;
	return err;
}
