/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/call-source.h"
#include "lib/analysis/profile-inside.h"
#include "lib/analysis/latency.h"
#include "lib/base/err.h"
#include "lib/event/graph.h"
#include "lib/event/text.h"

/* This is the record that is being taken in. */
struct at {
	struct profile *p;
	struct trace *trace;
	const struct event *event;
	const struct record *rec;
	struct profile_stream *stream;
	struct profile_last *last; /* the record itself; for a stack: the record to which it belongs */
	uint64_t losses;	   /* the number that losses_take() gave to the record */
	uint64_t ts;
	int pid;
	bool chosen; /* the record's CPU is one of those that are counted */
};

/* --- what is counted ----------------------------------------------------------------------------------------- */

static int64_t owner_of(const struct at *at, enum profile_owner_kind kind, int pid)
{
	uint16_t cpu = kind == OWNER_CPU || !pid ? at->rec->cpu : 0;
	struct key key = { (uint64_t)at->rec->file << 32 | (uint64_t)at->rec->buffer << 8 | kind, (uint32_t)pid, cpu };

	return keys_element(&at->p->owner_keys, &at->p->owners, key,
			    (struct profile_owner){ .kind = kind, .pid = pid, .cpu = cpu, .buffer = at->rec->buffer, .file = at->rec->file });
}

static int add_at_stack(struct profile *p, int64_t item, int64_t stack, uint64_t duration, uint64_t ts)
{
	struct key key = { (uint64_t)item, (uint64_t)stack, 0 };
	struct profile_facts *facts = &p->facts;
	int64_t i = stack < 0 ? 0
			      : keys_element(&facts->at_keys, &facts->at_stacks, key,
					     (struct profile_at_stack){ .item = (uint32_t)item, .stack = (uint32_t)stack });

	if (stack >= 0 && i >= 0)
		times_add(&facts->at_stacks.at[i].times, duration, ts);
	return i < 0 ? -ENOMEM : 0;
}

/* Counts one more. Returns the item's index or -ENOMEM. */
static int64_t count(struct profile *p, const struct profile_item *what, int64_t stack, uint64_t duration, uint64_t ts)
{
	int64_t item = profile_item_of(p, &p->facts, what);

	if (item < 0)
		return item;
	times_add(&p->facts.items.at[item].times, duration, ts);
	return add_at_stack(p, item, stack, duration, ts) ? -ENOMEM : item;
}

/* --- pairs --------------------------------------------------------------------------------------------------- */

/* Does the item always begin and end on the same CPU? An idle task stays on one CPU. */
static bool is_of_cpu(const struct profile *p, const struct profile_item *item)
{
	return item->kind == PROFILE_RUN || (item->kind == PROFILE_OFF && !p->owners.at[item->owner].pid) || (item->pair && item->pair->pinned);
}

/* Were events lost since the start? Then this end may belong to another start. */
static bool is_lost(const struct at *at, const struct profile_open *open)
{
	if (!is_of_cpu(at->p, &open->item))
		return open->losses != at->losses;
	return open->cpu != at->rec->cpu || open->losses != at->stream->losses;
}

static int begin(const struct at *at, struct key key, const struct profile_item *item)
{
	int64_t i = keys_element(&at->p->open_keys, &at->p->opens, key, (struct profile_open){ 0 });
	struct profile_open *open;

	if (i < 0)
		return -ENOMEM;
	open = &at->p->opens.at[i];
	if (open->open && item->pair && item->pair->first && !is_lost(at, open))
		return 0;
	*open = (struct profile_open){ .open = true, .chosen = at->chosen, .item = *item, .ts = at->ts, .cpu = at->rec->cpu, .stack = -1 };
	open->losses = is_of_cpu(at->p, item) ? at->stream->losses : at->losses;
	/* A stack shows where a task left its CPU. So a stack never belongs to the start of running on a CPU. */
	if (item->kind != PROFILE_RUN && at->last->nstarts < PROFILE_STARTS)
		at->last->starts[at->last->nstarts++] = (uint32_t)i;
	return 0;
}

static int end(const struct at *at, struct key key)
{
	int64_t i = keys_element(&at->p->open_keys, &at->p->opens, key, (struct profile_open){ 0 });
	struct profile_open *open = i < 0 ? NULL : &at->p->opens.at[i];
	int64_t err;

	if (!open)
		return -ENOMEM;
	if (!open->open)
		return 0;
	open->open = false;
	if (!open->chosen)
		return 0;
	if (is_lost(at, open) || at->ts < open->ts) {
		at->p->untimed++;
		return 0;
	}
	err = count(at->p, &open->item, open->stack, at->ts - open->ts, at->ts);
	return err < 0 ? (int)err : 0;
}

/* Returns the key of a pair in one buffer. @scope is the CPU or the task on which both sides must happen, or 0. */
static struct key pair_key(const struct at *at, uint32_t pair, uint64_t value, uint64_t scope)
{
	return (struct key){ (uint64_t)at->rec->file << 48 | (uint64_t)at->rec->buffer << 32 | pair, value, scope };
}

/* Periods on a CPU and off the CPU have keys like those of pairs, with these numbers behind those of the table. */
enum { RUN_PAIR = INT32_MAX, OFF_PAIR = RUN_PAIR - 1 };

static struct key off_key(const struct at *at, uint32_t pid)
{
	return pair_key(at, OFF_PAIR, pid, pid ? 0 : at->rec->cpu);
}

static uint64_t scope_of(const struct at *at, const struct profile_pair *pair)
{
	return pair->pinned ? 1ULL << 32 | at->rec->cpu : pair->global || pair->start.pid ? 0 : 2ULL << 32 | (uint32_t)at->pid;
}

static bool get(const struct at *at, const struct field *field, uint64_t *out)
{
	return field_get(field, at->rec->data, at->rec->size, at->trace->swap, out);
}

/* Returns the span of @key that is open and during which no events were lost, or NULL. */
static struct profile_open *known_open(const struct at *at, struct key key)
{
	int64_t i = keys_find(&at->p->open_keys, key);
	struct profile_open *open = i < 0 ? NULL : &at->p->opens.at[i];

	return open && open->open && !is_lost(at, open) ? open : NULL;
}

/* The task has not waited for a CPU since it was woken: it has run. */
static void drop_waits(const struct at *at, uint64_t pid)
{
	for (uint32_t i = 0; i < at->p->pairs.all.n; i++) {
		int64_t open = at->p->pairs.all.at[i].wakeup ? keys_find(&at->p->open_keys, pair_key(at, i, pid, 0)) : -1;

		if (open >= 0)
			at->p->opens.at[open].open = false;
	}
}

/*
 * Does the wakeup begin a wait for a CPU? A wakeup of a task that was preempted does not. Only a task that sleeps is woken, so a task that was woken before
 * has run since.
 */
static bool wakes(const struct at *at)
{
	struct sched_events *sched = &at->p->events.at[at->rec->file].sched;
	const struct profile_open *off;
	struct sched_fact fact;

	if (!sched_read(sched, sched_kind(sched, at->event), at->rec, &fact))
		return false;
	drop_waits(at, (uint32_t)fact.pid);
	off = known_open(at, off_key(at, (uint32_t)fact.pid));
	return !off || !off->runnable;
}

static int on_use(const struct at *at, const struct profile_use *use)
{
	const struct profile_pair *pair = &at->p->pairs.all.at[use->pair];
	bool global = pair->global || (pair->irq && at->p->irq_global);
	struct profile_item item = { .file = at->rec->file, .kind = PROFILE_PAIR, .pair = pair };
	uint64_t value, pid = (uint64_t)at->pid;
	struct key key;
	int64_t owner;

	if (pair->wakeup && !use->end && !wakes(at))
		return 0;
	if (!get(at, &use->match, &value) || (pair->start.pid && !use->end && !get(at, &use->pid, &pid)))
		return 0;
	key = pair_key(at, use->pair, value, scope_of(at, pair));
	if (use->end)
		return end(at, key);
	owner = owner_of(at, global ? OWNER_CPU : OWNER_TASK, global ? 0 : (int)pid);
	item.owner = (uint32_t)owner;
	item.value = value;
	return owner < 0 ? -ENOMEM : begin(at, key, &item);
}

/* Handles sched_switch, at which a task leaves the CPU and another one comes to it. Returns 0 or -errno. */
static int on_switch(const struct at *at)
{
	struct sched_events *sched = &at->p->events.at[at->rec->file].sched;
	const struct field *f = at->event->field;
	struct profile_item item = { .file = at->rec->file };
	struct sched_fact fact = { 0 };
	uint64_t prev, next;
	int64_t owner;
	int err;

	if (!get(at, &f[SWITCH_PREV_PID], &prev) || !get(at, &f[SWITCH_NEXT_PID], &next))
		return 0;
	if (sched_kind(sched, at->event) == SCHED_SWITCH)
		sched_read(sched, SCHED_SWITCH, at->rec, &fact);
	for (int side = 0; side < 2; side++) {
		uint32_t pid = (uint32_t)(side ? next : prev);
		struct key run = pair_key(at, RUN_PAIR, pid, pid ? 0 : at->rec->cpu), off = off_key(at, pid);

		owner = owner_of(at, OWNER_TASK, (int)pid);
		item.owner = (uint32_t)owner;
		item.kind = side ? PROFILE_RUN : PROFILE_OFF;
		item.value = side ? 0 : fact.state.value;
		err = owner < 0 ? -ENOMEM : end(at, side ? off : run);
		err = err ? err : begin(at, side ? run : off, &item);
		if (err)
			return err;
		if (!side)
			at->p->opens.at[keys_find(&at->p->open_keys, off)].runnable = fact.state.runnable;
	}
	drop_waits(at, prev);
	return 0;
}

/* --- stacks -------------------------------------------------------------------------------------------------- */

static int64_t stack_of(const struct at *at)
{
	struct profile *p = at->p;
	struct key key = { at->rec->file, KEY_MIX, 0 };
	size_t first = p->addresses.n;
	int64_t i;

	if (stack_get(at->event, at->rec, &p->addresses))
		return -ENOMEM;
	for (size_t k = first; k < p->addresses.n; k++)
		key_mix(&key.b, &key.c, p->addresses.at[k]);
	i = keys_index(&p->stack_keys, key);
	if (i == (int64_t)p->stacks.n)
		return vec_push(&p->stacks, (struct profile_stack){ first, p->addresses.n - first }) ? -ENOMEM : i;
	p->addresses.n = first; /* the stack is known already */
	return i;
}

/* Adds a stack to what its record began or counted. Returns 0 or -ENOMEM. */
static int on_stack(const struct at *at)
{
	const struct profile_last *last = at->last;
	int64_t stack;

	if (!last->nstarts && !last->counted)
		return 0;
	stack = stack_of(at);
	if (stack < 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < last->nstarts; i++)
		at->p->opens.at[last->starts[i]].stack = stack;
	return last->counted ? add_at_stack(at->p, last->counted - 1, stack, 0, at->ts) : 0;
}

/* --- records ------------------------------------------------------------------------------------------------- */

static int on_function(const struct at *at)
{
	bool graph = at->event->kind == EVENT_GRAPH_EXIT;
	struct profile_item item = { .file = at->rec->file, .kind = PROFILE_FUNC };
	struct graph_exit ret = { 0 };
	uint64_t parent, took;
	int64_t owner;

	if (!at->chosen)
		return 0;
	owner = owner_of(at, OWNER_TASK, at->pid);
	if (owner < 0)
		return -ENOMEM;
	if (graph ? !graph_exit_get(at->event, at->rec->data, at->rec->size, &ret) : !function_get(at->event, at->rec, &ret.func, &parent))
		return 0;
	item.owner = (uint32_t)owner;
	item.value = ret.func;
	took = call_took(&ret);
	if (unlikely(took == CALL_UNKNOWN))
		return 0;
	owner = count(at->p, &item, -1, took, at->ts);
	at->last->counted = graph ? 0 : owner + 1;
	return owner < 0 ? -ENOMEM : 0;
}

/* Handles the entry or the return of a call. lib/analysis/latency.h has put the two together before. Returns 0 or -ENOMEM. */
static int on_call(const struct at *at, const struct profile_event *event)
{
	struct profile_item item = { .file = at->rec->file, .kind = PROFILE_CALL, .event = event->call };
	int64_t owner;

	if (!at->chosen)
		return 0;
	if (!(at->rec->flags & RECORD_TIMED)) {
		at->p->untimed += event->leave && at->losses;
		return 0;
	}
	owner = owner_of(at, OWNER_TASK, at->pid);
	item.owner = (uint32_t)owner;
	return owner < 0 || count(at->p, &item, -1, at->rec->took, at->ts) < 0 ? -ENOMEM : 0;
}

static int on_other(const struct at *at)
{
	const struct profile_events *events = &at->p->events.at[at->rec->file];
	struct profile_item item = { .file = at->rec->file, .kind = PROFILE_COUNT, .event = at->event };
	/* If some events of scheduling are hidden, the others count as ordinary events. */
	const bool hidden = sched_is_hidden(&at->p->inputs->at[at->rec->file], at->event);
	int64_t owner;
	int err = 0;

	if (events->at[at->event->id].call)
		return on_call(at, &events->at[at->event->id]);
	if (at->event->kind == EVENT_SCHED_SWITCH && !hidden)
		err = on_switch(at);
	for (size_t i = 0; !err && !hidden && i < events->at[at->event->id].uses.n; i++)
		err = on_use(at, &events->at[at->event->id].uses.at[i]);
	if (err || (!hidden && (at->event->kind == EVENT_SCHED_SWITCH || events->at[at->event->id].uses.n)))
		return err;
	if (!at->chosen)
		return 0;
	owner = owner_of(at, OWNER_TASK, at->pid);
	item.owner = (uint32_t)owner;
	if (owner >= 0)
		owner = count(at->p, &item, -1, 0, at->ts);
	at->last->counted = owner + 1;
	return owner < 0 ? -ENOMEM : 0;
}

static int one(struct profile *p, const struct record *rec)
{
	const struct input *input = &p->inputs->at[rec->file];
	struct at at = { .p = p, .trace = input->trace, .rec = rec, .stream = stream_of(&p->streams, rec) };
	int owner;

	if (!at.stream || losses_take(&p->losses, rec, &at.losses))
		return -ENOMEM;
	at.stream->losses += !!(rec->flags & RECORD_LOST);
	if (rec->flags & RECORD_NODATA)
		return stack_owner_lost(&at.stream->owners), 0;
	at.event = trace_event(at.trace, record_id(at.trace, rec));
	owner = stack_owner(&at.stream->owners, at.trace, at.event, rec);
	if (!at.event)
		return 0;
	at.last = &at.stream->last[MAX(owner, 0)];
	at.chosen = cpuset_wants(p->cpus, rec->cpu);
	at.pid = record_pid(at.trace, rec);
	at.ts = input_time(input, rec);
	trace_learn(at.trace, at.event, rec);
	if (at.event->kind == EVENT_STACK)
		return owner < 0 || stack_is_user(at.event) ? 0 : on_stack(&at);
	*at.last = (struct profile_last){ 0 };
	if (at.event->kind == EVENT_GRAPH_ENTRY)
		return 0;
	return at.event->kind == EVENT_FUNCTION || at.event->kind == EVENT_GRAPH_EXIT ? on_function(&at) : on_other(&at);
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct profile *p = container_of(h, struct profile, handler);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		err = one(p, &batch->records[i]);
	return err;
}

/* --- its life ------------------------------------------------------------------------------------------------ */

static int add_use(struct profile *p, size_t file, uint32_t pair, bool is_end)
{
	const struct profile_side *side = is_end ? &p->pairs.all.at[pair].end : &p->pairs.all.at[pair].start;
	const struct event *event = trace_find(p->inputs->at[file].trace, side->system, side->event);
	struct profile_use use = { .pair = pair, .end = is_end };

	if (!event)
		return 0;
	if (!format_field(event->format, side->match, &use.match))
		return fail(EINVAL, "%s:%s has no field %s for -H to match", event->system, event->name, side->match);
	if (side->pid && !format_field(event->format, side->pid, &use.pid))
		return fail(EINVAL, "%s:%s has no field %s for -H to take the task from", event->system, event->name, side->pid);
	return vec_push(&p->events.at[file].at[event->id].uses, use) ? -ENOMEM : 1;
}

static void bind_calls(struct profile_events *events, const struct trace *trace)
{
	vec_each (&trace->events, event) {
		struct latency_side side;

		if (!latency_side_of(&side, trace, *event))
			continue;
		events->at[(*event)->id].call = side.call;
		events->at[(*event)->id].leave = side.leave;
	}
}

/* Binds the pairs to the events of all files. The first @built_in pairs need not be in any file. Returns 0 or a negative errno, with a message. */
static int bind(struct profile *p, size_t built_in)
{
	for (size_t i = 0; i < p->inputs->n; i++) {
		struct profile_events events = { .n = p->inputs->at[i].trace->nids };

		events.at = calloc(MAX(events.n, (size_t)1), sizeof(*events.at));
		sched_events_find(&events.sched, &p->inputs->at[i]);
		if (!events.at || vec_push(&p->events, events))
			return free(events.at), -ENOMEM;
		bind_calls(&events, p->inputs->at[i].trace);
	}
	for (uint32_t k = 0; k < p->pairs.all.n; k++) {
		for (int is_end = 0; is_end < 2; is_end++) {
			const struct profile_side *side = is_end ? &p->pairs.all.at[k].end : &p->pairs.all.at[k].start;
			bool any = k < built_in;

			for (size_t i = 0; i < p->inputs->n; i++) {
				int ret = add_use(p, i, k, is_end);

				if (ret < 0)
					return ret;
				any |= ret;
			}
			if (!any)
				return fail(EINVAL, "-H: the file describes no event %s%s%s; `ringside report -E` lists them", side->system ? side->system : "",
					    side->system ? ":" : "", side->event);
		}
	}
	return 0;
}

static void profile_free(struct handler *h)
{
	struct profile *p = container_of(h, struct profile, handler);
	struct keys *const keys[] = { &p->owner_keys, &p->stack_keys, &p->open_keys };

	vec_each (&p->events, events) {
		for (size_t i = 0; i < events->n; i++)
			vec_fini(&events->at[i].uses);
		free(events->at);
	}
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		keys_fini(keys[i]);
	vec_fini(&p->events);
	vec_fini(&p->owners);
	profile_facts_fini(&p->facts);
	vec_fini(&p->stacks);
	vec_fini(&p->opens);
	vec_fini(&p->addresses);
	streams_fini(&p->streams, NULL);
	losses_fini(&p->losses);
	profile_pairs_fini(&p->pairs);
	free(p);
}

int profile_new(struct profile **out, const inputs_t *inputs, const struct profile_options *opt)
{
	struct profile *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return -ENOMEM;
	p->handler = (struct handler){ .records = take_records, .free = profile_free };
	p->irq_global = opt->irq_global;
	p->cpus = opt->cpus;
	p->by_comm = opt->by_comm;
	p->streams.size = sizeof(struct profile_stream);
	losses_init(&p->losses, false);
	p->inputs = inputs;
	err = profile_pairs_init(&p->pairs, &opt->hooks);
	err = err ? err : bind(p, p->pairs.all.n - opt->hooks.n);
	if (err)
		profile_free(&p->handler);
	else
		*out = p;
	return err;
}
