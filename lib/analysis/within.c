/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/within.h"
#include "lib/analysis/calls.h"
#include "lib/analysis/streams.h"
#include "lib/base/err.h"
#include "lib/base/map.h"
#include "lib/base/parse.h"
#include "lib/event/graph.h"

#define MARKS_BITS 16	/* of the numbers of records that one block of marks is for */

/* Functions by address. */
struct wanted {
	bool known, wanted;
};
typedef MAP(uint64_t, struct wanted) wanted_t;

struct within {
	struct stage stage;
	const struct within_options *opt;
	const inputs_t *inputs;
	strv_t globs;
	MAP(uint64_t, uint32_t) tasks;	/* 1 + the depth of the wanted call that the task is in; 0: in none */
	wanted_t *wanted;	/* by file: is the function at this address wanted? */
	struct streams shown;	/* of bool: was the last event kept? */
	uint64_t number;	/* of the present record */
	VEC(uint64_t *) marks;	/* a bit for each entry whose call lasts long enough; NULL: none in the block */
	struct handler scan;
	struct calls *calls;
	struct calls_user user;	/* of scanned_call */
};

/* Of an open call in the pass before. */
struct scanned_call {
	uint64_t number;	/* of its entry, + 1; 0: that is not recorded */
};

static bool name_wanted(const struct within *w, const char *name)
{
	vec_each (&w->globs, glob)
		if (glob_match(*glob, name))
			return true;
	return false;
}

/* 1, 0, or -ENOMEM. */
static int func_wanted(struct within *w, const struct record *rec, uint64_t addr)
{
	map_entry(w->wanted) function;
	const struct symbol *sym;

	if (!w->globs.n)
		return 1;
	function = map_add(&w->wanted[rec->file], addr);
	if (!function)
		return -ENOMEM;
	if (!function->value.known) {
		sym = symbols_find(w->inputs->at[rec->file].trace->symbols, addr);
		function->value.known = true;
		function->value.wanted = sym && name_wanted(w, sym->name);
	}
	return function->value.wanted;
}

static int mark(struct within *w, uint64_t number)
{
	size_t block = (size_t)(number >> MARKS_BITS);
	uint64_t bit = number & ((1U << MARKS_BITS) - 1);

	while (w->marks.n <= block)
		if (vec_push(&w->marks, NULL))
			return -ENOMEM;
	if (!w->marks.at[block])
		w->marks.at[block] = calloc((1U << MARKS_BITS) / 64, sizeof(uint64_t));
	if (!w->marks.at[block])
		return -ENOMEM;
	w->marks.at[block][bit / 64] |= 1ULL << bit % 64;
	return 0;
}

static bool is_marked(const struct within *w)
{
	size_t block = (size_t)(w->number >> MARKS_BITS);
	uint64_t bit = w->number & ((1U << MARKS_BITS) - 1);

	return block < w->marks.n && w->marks.at[block] && w->marks.at[block][bit / 64] >> bit % 64 & 1;
}

/* --- the pass before: which calls last long enough? ------------------------------------------------- */

static int enter(void *ctx, __unused struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	const struct within *w = ctx;
	struct scanned_call *mine = call_frame_of(&w->user, frame);

	mine->number = rec ? w->number + 1 : 0;
	return 0;
}

static int leave(void *ctx, __unused struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct within *w = ctx;
	const struct scanned_call *mine = call_frame_of(&w->user, frame);
	uint64_t duration = end->duration == CALL_UNKNOWN ? end->ns - frame->ns : end->duration;

	return mine->number && duration >= w->opt->min_duration ? mark(w, mine->number - 1) : 0;
}

static const struct calls_ops scan_ops = { .enter = enter, .leave = leave };

static int scan_records(struct handler *h, const struct batch *batch)
{
	struct within *w = container_of(h, struct within, scan);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		err = calls_record(w->calls, &batch->records[i]);
		w->number++;
	}
	return err;
}

static int scan_end(struct handler *h)
{
	struct within *w = container_of(h, struct within, scan);
	int err = calls_end(w->calls);

	calls_free(take(w->calls));
	w->number = 0;
	return err;
}

struct handler *within_scan(struct within *w)
{
	return w->opt->min_duration && !w->opt->live ? &w->scan : NULL;
}

/* --- the pass itself ------------------------------------------------------------------------------- */

static bool get(const struct trace *trace, const struct event *event, unsigned int field, const struct record *rec,
		uint64_t *out)
{
	return field_get(&event->field[field], rec->data, rec->size, trace->swap, out);
}

/* The record of an entry or exit at @depth, @wanted by itself, while *@inside says of which call the task is in. */
static int in_call(const struct within *w, bool is_exit, uint32_t depth, int wanted, uint32_t *inside)
{
	bool kept;

	if (wanted < 0)
		return wanted;
	/* The exit of the call that it was in has been lost. */
	if (*inside && depth + 1 < *inside + !is_exit)
		*inside = 0;
	if (!w->globs.n)
		return wanted;
	kept = *inside || wanted;
	if (is_exit && *inside == depth + 1)
		*inside = 0;
	else if (!is_exit && !*inside && wanted)
		*inside = depth + 1;
	return kept;
}

static int graph_wanted(struct within *w, const struct event *event, const struct record *rec, uint32_t *inside)
{
	const struct trace *trace = w->inputs->at[rec->file].trace;
	struct graph_exit ret;
	uint64_t func, depth;
	bool enough = true;
	int wanted;

	if (event->kind == EVENT_GRAPH_EXIT) {
		if (!graph_exit_get(event, rec->data, rec->size, &ret))
			return 0;
		func = ret.func;
		depth = ret.depth;
		enough = ret.rettime - ret.calltime >= w->opt->min_duration;
	} else {
		if (!get(trace, event, GRAPH_FUNC, rec, &func) || !get(trace, event, GRAPH_DEPTH, rec, &depth))
			return 0;
		enough = !w->opt->min_duration || is_marked(w);
	}
	wanted = enough ? func_wanted(w, rec, func) : 0;
	return in_call(w, event->kind == EVENT_GRAPH_EXIT, (uint32_t)depth, wanted, inside);
}

/* Live: does the record tell that a wanted call has lasted long enough? 1, 0, or -ENOMEM. */
static int lasted(struct within *w, const struct event *event, const struct record *rec)
{
	const struct trace *trace = w->inputs->at[rec->file].trace;
	struct graph_exit ret;
	bool is_exit = event && event->kind == EVENT_GRAPH_EXIT;

	if (!is_exit && (!event || event->kind != EVENT_GRAPH_ENTRY || !(rec->flags & RECORD_LEAF)))
		return 0;
	if (!is_exit)
		event = trace_event(trace, trace->graph.exit.id);
	if (!event || !graph_exit_get(event, is_exit ? rec->data : rec->exit, is_exit ? rec->size : rec->exit_size, &ret))
		return 0;
	return ret.rettime - ret.calltime >= w->opt->min_duration ? func_wanted(w, rec, ret.func) : 0;
}

/* What a task is known by; each CPU has an idle task of its own. */
static uint64_t task_key(const struct trace *trace, const struct record *rec)
{
	int pid = record_pid(trace, rec);

	return (uint64_t)rec->file << 48 | (uint64_t)rec->buffer << 32 | (pid ? (uint32_t)pid : 1U << 31 | rec->cpu);
}

/* 1, 0, or -ENOMEM. */
static int wanted(struct within *w, const struct event *event, const struct record *rec)
{
	const struct trace *trace = w->inputs->at[rec->file].trace;
	map_entry(&w->tasks) task;
	uint64_t func;

	if (w->opt->live && w->opt->min_duration)
		return lasted(w, event, rec);
	task = map_add(&w->tasks, task_key(trace, rec));
	if (!task)
		return -ENOMEM;
	if (event && (event->kind == EVENT_GRAPH_ENTRY || event->kind == EVENT_GRAPH_EXIT))
		return graph_wanted(w, event, rec, &task->value);
	if (task->value)
		return 1;
	if (event && event->kind == EVENT_FUNCTION && !w->opt->min_duration &&
	    get(trace, event, FUNCTION_IP, rec, &func))
		return func_wanted(w, rec, func);
	return 0;
}

static int one_record(struct within *w, const struct record *rec)
{
	const struct trace *trace = w->inputs->at[rec->file].trace;
	const struct event *event;
	bool *shown;
	int keep;

	if (rec->flags & RECORD_NODATA)
		return 1;
	event = trace_event(trace, record_id(trace, rec));
	shown = stream_of(&w->shown, rec);
	if (!shown)
		return -ENOMEM;
	if (event && event->kind == EVENT_STACK)
		return *shown;
	keep = wanted(w, event, rec);
	*shown = keep > 0;
	return keep;
}

int within_batch(struct within *w, struct batch *batch)
{
	size_t kept = 0;

	for (size_t i = 0; i < batch->n; i++, w->number++) {
		int keep = one_record(w, &batch->records[i]);

		if (keep < 0)
			return keep;
		if (keep || record_leaves_loss(&batch->records[i]))
			batch->records[kept++] = batch->records[i];
	}
	batch->n = kept;
	return 0;
}

static int on_batch(struct stage *stage, struct batch *batch)
{
	return within_batch(container_of(stage, struct within, stage), batch);
}

static void on_free(struct stage *stage)
{
	within_free(container_of(stage, struct within, stage));
}

struct stage *within_stage(struct within *w)
{
	w->stage = (struct stage){ .batch = on_batch, .free = on_free };
	return &w->stage;
}

/* --- what is asked for ------------------------------------------------------------------------------ */

struct lookup {
	const char *glob;
	strv_t *names;	/* NULL: only whether there is one */
	bool found;
	int err;
};

static void look(void *ctx, const struct symbol *sym)
{
	struct lookup *lookup = ctx;

	lookup->found |= glob_match(lookup->glob, sym->name);
	if (lookup->names && !lookup->err)
		lookup->err = strv_add(lookup->names, sym->name);
}

static int no_function(const struct within *w, const char *word)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };
	struct lookup lookup = { .glob = word, .names = &names };

	vec_each (w->inputs, input)
		symbols_each(input->trace->symbols, look, &lookup);
	nearest_names(word, &names, 3, &best);
	near = join_names(&best, "; did you mean ", "?");
	if (!names.n && w->opt->live)
		fail(EINVAL, "--func %s: the kernel does not tell us the names of its functions (kernel.kptr_restrict)", word);
	else if (!names.n)
		fail(EINVAL, "--func %s: there are no names of functions in the file; --kallsyms takes them from elsewhere", word);
	else
		fail(EINVAL, "--func %s: no function of that name %s%s", word, w->opt->live ? "in this kernel" : "in the file", near ? near : "");
	strv_fini(&names);
	strv_fini(&best);
	return -EINVAL;
}

static int add_word(struct within *w, const char *word)
{
	struct lookup lookup = { .glob = word };

	for (size_t i = 0; i < w->inputs->n && !lookup.found; i++)
		symbols_each(w->inputs->at[i].trace->symbols, look, &lookup);
	return lookup.found ? strv_add(&w->globs, word) : no_function(w, word);
}

static int add_words(struct within *w, const char *text)
{
	strv_t words = { 0 };
	int err = strv_split(&words, text, ",");

	for (size_t i = 0; !err && i < words.n; i++)
		err = add_word(w, words.at[i]);
	strv_fini(&words);
	return err;
}

static int fill(struct within *w)
{
	int err;

	w->wanted = calloc(MAX(w->inputs->n, (size_t)1), sizeof(w->wanted[0]));
	if (!w->wanted)
		return -ENOMEM;
	w->user = (struct calls_user){ .ops = &scan_ops, .ctx = w, .frame_size = sizeof(struct scanned_call) };
	err = calls_new(&w->calls, w->inputs);
	if (!err)
		calls_functions_only(w->calls);
	err = err ? err : calls_add(w->calls, &w->user);
	for (size_t i = 0; !err && i < w->opt->funcs.n; i++)
		err = add_words(w, w->opt->funcs.at[i]);
	return err;
}

int within_new(struct within **out, const inputs_t *inputs, const struct within_options *opt)
{
	struct within *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return -ENOMEM;
	w->opt = opt;
	w->inputs = inputs;
	w->shown.size = sizeof(bool);
	w->scan = (struct handler){ .records = scan_records, .end = scan_end };
	err = fill(w);
	if (err) {
		within_free(w);
		return err;
	}
	*out = w;
	return 0;
}

void within_free(struct within *w)
{
	if (!w)
		return;
	for (size_t i = 0; w->wanted && i < w->inputs->n; i++)
		map_fini(&w->wanted[i]);
	free(w->wanted);
	map_fini(&w->tasks);
	vec_each (&w->marks, block)
		free(*block);
	vec_fini(&w->marks);
	strv_fini(&w->globs);
	streams_fini(&w->shown, NULL);
	calls_free(w->calls);
	free(w);
}
