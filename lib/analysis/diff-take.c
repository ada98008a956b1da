/* SPDX-License-Identifier: GPL-2.0 */
/* Takes one recording into a comparison: its functions or paths, and how their calls are spread over the recording. */
#include "lib/analysis/diff.h"
#include "lib/analysis/units.h"
#include "lib/base/err.h"
#include "lib/base/map.h"
#include "lib/base/str.h"

#include <math.h>

/*
 * This is kept for each node besides its distribution. How often a function is called varies with how often its callers are called. So all calls that came
 * from the same outermost call are one occasion.
 */
struct sample {
	struct batches batches;
	uint32_t slices[DIFF_SLICES]; /* the number of calls in each slice of the recording's time */
	double squares;		      /* the sum over all occasions of the squares of their numbers of calls */
	double calm, calm_squares;    /* the number of calls in calm occasions, and the sum over these occasions of the squares of their numbers of calls */
	uint32_t life;		      /* how often the place of the node was used for another node */
	uint64_t by_time;	      /* calls that interrupts, idle tasks or the scheduler made */
	uint32_t sources;	      /* diff_item.sources */
	uint8_t level;		      /* diff_item.level */
};

/*
 * This is kept for each node and each task that makes calls of it. Occasions of several tasks can go on at the same time. Whether an occasion is calm is known
 * when it is over. So .calls is added to sample.calm when the task's next occasion has a call, and at the end of the recording.
 */
struct share {
	uint64_t occasion, calls; /* the number of the task's last occasion, and how many calls it has */
	uint32_t node, life;	  /* the share is no longer valid if the .life of the node's sample is another one */
};

/* This is the payload of each frame. */
struct take_frame {
	uint64_t occasion;
	uint32_t sources; /* as in diff_item.sources */
	uint8_t level;	  /* as in diff_item.level */
	bool by_time;	  /* the call, or one of its callers, is of an interrupt, an idle task or the scheduler */
};

/* This is the payload of each task. */
struct take_task {
	unsigned int stirred; /* so many of the next outermost calls are not calm */
};

/*
 * After a wait or an interrupt, the kernel does further work before the task goes on with its own. In function_graph, this work is up to so many outermost
 * calls.
 */
enum { FOLLOWERS = 8 };

struct taking {
	struct handler handler;
	struct diff_run *run;
	struct reading *reading;
	struct paths *paths;
	struct calls_user user;
	struct timed_watch watch;
	uint64_t waits[DIFF_WAYS], interrupts[DIFF_WAYS];
	VEC(struct sample) samples; /* element i is for the node i of the graph */
	struct keys sharers;	    /* its numbers are indices into .shares */
	VEC(struct share) shares;
	uint64_t occasions;
	VEC(uint64_t) stirred; /* bit i % 64 of element i / 64 is set if the occasion with the number i is not calm: see diff_item.calm */
	uint64_t first, last;  /* ns */
	bool any;
	unsigned int shift; /* a slice is 1 << shift ns long */
};

/* --- calm occasions --------------------------------------------------------------------------------------------------------- */

/* Notes that an occasion is not calm. Returns 0 or -ENOMEM. */
static int stir(struct taking *t, uint64_t occasion)
{
	while (t->stirred.n <= occasion / 64)
		if (vec_push(&t->stirred, 0))
			return -ENOMEM;
	t->stirred.at[occasion / 64] |= 1ULL << occasion % 64;
	return 0;
}

/* Notes that the task waits or is interrupted: its outermost call is not calm, nor are the next ones. Returns 0 or -ENOMEM. */
static int stir_task(struct taking *t, struct call_task *task)
{
	((struct take_task *)call_task_of(&t->user, task))->stirred = FOLLOWERS;
	return task->depth ? stir(t, ((struct take_frame *)call_frame_of(&t->user, call_at(task, 0)))->occasion) : 0;
}

/*
 * A call has begun. @irq: it is the outermost function of an interrupt. @schedules: the task waits in it. Notes which occasions are not calm for this
 * reason, and that the call's own occasion is not calm, if the call follows a wait or an interrupt. Returns 0 or -ENOMEM.
 */
static int begin(struct taking *t, struct call_task *task, const struct take_frame *frame, bool irq, bool schedules)
{
	struct take_task *mine = call_task_of(&t->user, task);

	if ((irq || schedules) && stir_task(t, task))
		return -ENOMEM;
	if (irq || !task->pid)
		return stir(t, frame->occasion);
	if (schedules || task->depth > 1 || !mine->stirred)
		return 0;
	/* Calls of other sources, such as system calls, are the task's own work. */
	if (call_top(task)->source != CALL_SOURCE_GRAPH) {
		mine->stirred = 0;
		return 0;
	}
	mine->stirred--;
	return stir(t, frame->occasion);
}

/* A call has ended in which the task left the CPU, which its begin did not tell. Notes this as begin() does. Returns 0 or -ENOMEM. */
static int rescheduled(struct taking *t, struct call_task *task, const struct take_frame *frame)
{
	t->waits[DIFF_BY_CALLS]++;
	((struct take_task *)call_task_of(&t->user, task))->stirred = FOLLOWERS;
	return stir(t, frame->occasion);
}

/* Adds the calls of the last occasion of a share to those of calm occasions, if this occasion was calm. */
static void settle(struct taking *t, const struct share *share)
{
	struct sample *sample = &t->samples.at[share->node];
	const uint64_t word = share->occasion / 64;

	if (share->life != sample->life || (word < t->stirred.n && t->stirred.at[word] >> share->occasion % 64 & 1))
		return;
	sample->calm += (double)share->calls;
	sample->calm_squares += (double)share->calls * (double)share->calls;
}

/* --- calls ------------------------------------------------------------------------------------------------------------------ */

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, __unused const struct record *rec)
{
	struct taking *t = ctx;
	struct call_frame *caller = call_caller(task, frame);
	struct take_frame *mine = call_frame_of(&t->user, frame);

	const bool irq = timed_call_of(t->paths->timed, frame)->irq, schedules = timed_schedules(t->paths->timed, task, frame);
	const struct take_frame *outer = caller ? call_frame_of(&t->user, caller) : NULL;

	mine->occasion = outer && outer->occasion && !irq ? outer->occasion : ++t->occasions;
	mine->by_time = (outer && outer->by_time) || irq || schedules || !task->pid;
	mine->sources = 1u << frame->source;
	t->run->sources |= mine->sources;
	if (!task->aside)
		t->run->outer[frame->level] |= mine->sources;
	if (t->run->by_path && outer && !irq) {
		mine->sources |= outer->sources;
		mine->level = outer->level;
	} else if (t->run->by_path) {
		mine->level = irq || task->aside ? 0 : frame->level;
	}
	if (begin(t, task, mine, irq, schedules))
		return -ENOMEM;
	t->waits[DIFF_BY_CALLS] += schedules;
	t->interrupts[DIFF_BY_CALLS] += irq;
	if (!t->any)
		t->first = t->last = frame->ns;
	t->any = true;
	t->last = MAX(t->last, frame->ns);
	return 0;
}

/* Makes the slices long enough for a time that is @after ns after the first call. */
static void widen(struct taking *t, uint64_t after)
{
	for (; after >> t->shift >= DIFF_SLICES; t->shift++) {
		vec_each (&t->samples, sample) {
			for (size_t i = 0; i < DIFF_SLICES / 2; i++)
				sample->slices[i] = sample->slices[2 * i] + sample->slices[2 * i + 1];
			memset(sample->slices + DIFF_SLICES / 2, 0, sizeof(sample->slices) / 2);
		}
	}
}

static struct sample *sample_of(struct taking *t, uint32_t node)
{
	while (t->samples.n <= node)
		if (vec_push(&t->samples, (struct sample){ 0 }))
			return NULL;
	/* The place of a folded node may have been used for another node. Its first call shows that. */
	if (callgraph_calls(t->paths->graph, &t->paths->graph->nodes.at[node]) == 1)
		t->samples.at[node] = (struct sample){ .life = t->samples.at[node].life + 1 };
	return &t->samples.at[node];
}

/* Adds a call to the sum of the squares. Returns 0 or -ENOMEM. */
static int count(struct taking *t, uint32_t node, const struct call_task *task, uint64_t occasion)
{
	const struct key key = { node, (uint32_t)task->pid, (uint64_t)task->idle_cpu << 8 | task->file };
	const uint32_t life = t->samples.at[node].life;
	int64_t i = keys_element(&t->sharers, &t->shares, key, (struct share){ 0 });
	struct share *share;

	if (i < 0)
		return -ENOMEM;
	share = &t->shares.at[i];
	if (share->occasion != occasion || share->life != life) {
		settle(t, share);
		*share = (struct share){ .occasion = occasion, .node = node, .life = life };
	}
	share->calls++;
	t->samples.at[node].squares += (double)(2 * share->calls - 1);
	return 0;
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, __unused const struct call_end *end)
{
	struct taking *t = ctx;
	const struct timed_call *call = timed_call_of(t->paths->timed, frame);
	const struct take_frame *mine = call_frame_of(&t->user, frame);
	uint64_t after = frame->ns - MIN(frame->ns, t->first);
	uint32_t node = paths_node(t->paths, frame);
	struct sample *sample;

	if (timed_rescheduled(t->paths->timed, task, frame) && rescheduled(t, task, mine))
		return -ENOMEM;
	if (!node || call->cut)
		return 0;
	widen(t, after);
	sample = sample_of(t, node);
	if (!sample)
		return -ENOMEM;
	batches_add(&sample->batches, call->times.total);
	sample->slices[after >> t->shift]++;
	sample->by_time += mine->by_time;
	sample->sources |= mine->sources;
	sample->level = mine->level;
	return count(t, node, task, mine->occasion);
}

static int on_switch(void *ctx, const struct timed_switch *what)
{
	struct taking *t = ctx;
	const struct timed_person *prev = timed_person(t->paths->timed, what->prev);
	int err = 0;

	t->waits[DIFF_BY_EVENTS] += !what->again && prev->pid != 0;
	vec_each (&prev->tasks, task)
		err = err ? err : stir_task(t, *task);
	vec_each (&prev->asides, place)
		if (!err && timed_shares(*place))
			err = stir_task(t, *place);
	return err;
}

static int on_handler(void *ctx, struct call_task *task, const struct handler_run *run)
{
	struct taking *t = ctx;

	/* A handler is told once more for each call beside the task's stack. */
	t->interrupts[DIFF_BY_EVENTS] += !run->ends && !run->soft && !task->aside;
	return stir_task(t, task);
}

static const struct calls_ops ops = { .enter = on_enter, .leave = on_leave };

/* --- what it comes to ------------------------------------------------------------------------------------------------------ */

/* These are the keys of the items of a run. An item and its key have the same index. */
typedef MAP(struct text, uint8_t) item_map_t;

/* Adds the path of names from the root to the node. Returns false if a part of the path is not known. */
static bool add_path(const struct callgraph *graph, uint32_t at, struct str *out)
{
	const struct callgraph_node *node = &graph->nodes.at[at];
	bool owner = node->flags & CALLGRAPH_OWNER;

	if (node->flags & (CALLGRAPH_REST | CALLGRAPH_UNKNOWN) || node->name == CALLGRAPH_UNKNOWN_NAME)
		return false;
	/* The owner of interrupts stands in front of the path. Other owners are left out. */
	if (!owner && !add_path(graph, node->parent, out))
		return false;
	if (owner && !(node->flags & CALLGRAPH_IRQ))
		return true;
	if (out->len)
		str_addc(out, ';');
	str_add(out, graph->names.at[node->name]);
	return true;
}

/* Adds the figures of @more, except the distribution of its calls, to @to. */
static void merge_item(struct diff_item *to, const struct diff_item *more)
{
	to->total += more->total;
	to->self += more->self;
	to->off += more->off;
	to->irq += more->irq;
	to->unplaced += more->unplaced;
	for (size_t slice = 0; slice < DIFF_SLICES; slice++)
		to->slices[slice] += more->slices[slice];
	to->spread += more->spread;
	to->calm += more->calm;
	to->calm_spread += more->calm_spread;
	to->by_time += more->by_time;
	to->anytime |= more->anytime;
	to->sources |= more->sources;
	if (more->batches.n > to->batches.n)
		to->batches = more->batches;
}

static int add_item(struct taking *t, uint32_t at, item_map_t *map, const uint8_t *anytime)
{
	const struct callgraph *graph = t->paths->graph;
	const struct callgraph_node *node = &graph->nodes.at[at];
	const struct callgraph_figures figures = callgraph_figures(graph, node);
	const struct sample none = { 0 }, *sample = at < t->samples.n ? &t->samples.at[at] : &none;
	struct diff_item item = {
		.total = figures.calls.sum,
		.self = figures.self,
		.off = figures.off,
		.irq = figures.irq,
		.unplaced = figures.unplaced,
	};
	map_entry(map) entry;
	struct str key = { 0 };
	size_t i;

	/* A node of a path has no total that is a part of another total of the node. A function has such totals if it is recursive. */
	if (!t->run->by_path)
		item.total -= figures.nested;
	if (t->run->by_path ? !add_path(graph, at, &key) : node->name == CALLGRAPH_UNKNOWN_NAME || node->flags & CALLGRAPH_REST)
		return str_fini(&key), 0;
	if (!t->run->by_path)
		str_add(&key, graph->names.at[node->name]);
	if (str_ok(&key))
		return str_fini(&key), -ENOMEM;
	item.by_time = sample->by_time;
	item.anytime = anytime[node->name];
	item.sources = sample->sources;
	item.level = sample->level;
	item.batches = sample->batches;
	item.spread = sample->squares;
	item.calm = sample->calm;
	item.calm_spread = sample->calm_squares;
	memcpy(item.slices, sample->slices, sizeof(item.slices));
	item.key = str_take(&key);
	entry = item.key ? map_add_text(map, item.key, strlen(item.key)) : NULL;
	if (!entry)
		return free(item.key), -ENOMEM;
	/*
	 * Tasks and interrupts may call the same function. Names may have a ';' in them, so that two paths have the same text. What has the same key becomes
	 * one item.
	 */
	i = map_index(map, entry);
	if (i == t->run->items.n) {
		if (vec_push(&t->run->items, item))
			return free(item.key), -ENOMEM;
	} else {
		merge_item(&t->run->items.at[i], &item);
		free(item.key);
	}
	t->run->roots += item.self + item.off;
	return quantiles_merge(&t->run->items.at[i].calls, &figures.calls);
}

static int collect(struct taking *t)
{
	const struct callgraph *graph = t->paths->graph;
	item_map_t map = { 0 };
	uint8_t *anytime = calloc(graph->names.n + 1, 1); /* element i is for the name i */
	uint32_t node = 0;
	int err = anytime ? 0 : -ENOMEM;

	vec_each (&t->shares, share)
		settle(t, share);
	for (size_t i = 0; !err && i < t->samples.n; i++)
		anytime[graph->nodes.at[i].name] |= t->samples.at[i].by_time > 0;
	while (!err && callgraph_walk(graph, 0, &node)) {
		const struct callgraph_node *at = &graph->nodes.at[node];
		const struct callgraph_figures figures = callgraph_figures(graph, at);

		t->run->cut += figures.cut;
		t->run->timeless += figures.timeless;
		if (!(at->flags & CALLGRAPH_OWNER) && callgraph_calls(graph, at))
			err = add_item(t, node, &map, anytime);
	}
	vec_each (&graph->names, name)
		err = err ? err : strv_add(&t->run->names, *name);
	map_fini(&map);
	free(anytime);
	return err;
}

/* --- its life -------------------------------------------------------------------------------------------------------------- */

/* Can the waits be counted in this way? */
static bool waits_known(const struct taking *t, const struct timed_facts *facts, enum diff_way way)
{
	return way == DIFF_BY_EVENTS ? facts->switches : t->run->sources & 1u << CALL_SOURCE_GRAPH;
}

/* Can the interrupts be counted in this way? */
static bool interrupts_known(const struct taking *t, enum diff_way way)
{
	return way == DIFF_BY_EVENTS ? t->interrupts[way] > 0 : t->run->sources & 1u << CALL_SOURCE_GRAPH;
}

static void taking_free(struct handler *h)
{
	struct taking *t = container_of(h, struct taking, handler);

	paths_free(t->paths);
	keys_fini(&t->sharers);
	vec_fini(&t->shares);
	vec_fini(&t->stirred);
	vec_fini(&t->samples);
	free(t);
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct diff_run *run = options;
	struct paths_options paths = { .select = &reading->select, .flat = !run->by_path, .graph.most_bytes = run->most_bytes };
	struct taking *t = calloc(1, sizeof(*t));
	struct calls *calls = reading_calls(reading);
	int err = t && calls ? 0 : -ENOMEM;

	if (!err) {
		*t = (struct taking){ .handler.free = taking_free,
				      .run = run,
				      .reading = reading,
				      .user = { .ops = &ops, .ctx = t, .frame_size = sizeof(struct take_frame), .task_size = sizeof(struct take_task) } };
		err = paths_new(&t->paths, calls, &reading->inputs, &paths);
	}
	if (!err) {
		t->watch = (struct timed_watch){ .switched = on_switch, .handler = on_handler, .ctx = t };
		timed_watch(t->paths->timed, &t->watch);
	}
	err = err ? err : calls_add(calls, &t->user);
	if (!err)
		*out = &t->handler;
	else if (t)
		taking_free(&t->handler);
	return err;
}

static int show(struct handler *h, struct reading *reading, __unused void *options)
{
	struct taking *t = container_of(h, struct taking, handler);

	const struct timed_facts facts = timed_facts(t->paths->timed);

	for (unsigned int way = 0; way < DIFF_WAYS; way++) {
		t->run->waits[way] = waits_known(t, &facts, way) ? (double)t->waits[way] : NAN;
		t->run->interrupts[way] = interrupts_known(t, way) ? (double)t->interrupts[way] : NAN;
	}
	t->run->off_known = timed_off_known(&facts);
	for (unsigned int file = 0; file < reading->inputs.n; file++)
		t->run->lacking += paths_find_lacking(t->paths, file, NULL);
	t->run->unmeasured = facts.unmeasured;
	t->run->narrowed = reading->inputs.at[0].narrowed;
	t->run->span = t->last - t->first;
	t->run->ticks = reading->pass.seen && !input_in_ns(&reading->inputs.at[reading->pass.last.file], reading->pass.last.buffer);
	t->run->folded = t->paths->graph->folded_paths;
	t->run->lost = *calls_lost(reading->calls);
	t->run->deep = calls_deep(reading->calls);
	t->run->why_timeless = units_why_timeless(&reading->inputs);
	return collect(t);
}

const struct analysis diff_analysis = {
	.name = "diff",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_TIMES,
	.folds = calls_fold,
	.make = make,
	.show = show,
};

void diff_run_fini(struct diff_run *run)
{
	vec_each (&run->items, item) {
		free(item->key);
		quantiles_fini(&item->calls);
	}
	vec_fini(&run->items);
	strv_fini(&run->names);
}
