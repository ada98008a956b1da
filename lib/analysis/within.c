/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/within.h"
#include "lib/analysis/stack-owner.h"
#include "lib/analysis/calls.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/scheduling.h"
#include "lib/analysis/streams.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"

#define MARKS_BITS 16 /* a block of marks is for 2^MARKS_BITS numbers of records */

struct within {
	struct stage stage;
	const struct within_options *opt;
	const inputs_t *inputs;
	strv_t globs;
	VEC(struct sched_events) scheduling; /* element i is for the input i */
	struct keys keys;		     /* the keys of called functions: the number, the file and the source */
	VEC(bool) wanted;		     /* element i: is the function of key i wanted? */
	struct streams shown;		     /* has a struct within_stream for each CPU of each buffer */
	struct calls *calls;
	struct calls_user user; /* has a struct within_call for each frame, and a struct waiting for each task */
	bool keep;		/* keep the present record */
	uint64_t number;	/* the number of the present record */
	struct record last;	/* in the separate pass: the last record so far, without its data */
	VEC(uint64_t *) marks;	/* a set bit says that the call of this entry lasts long enough; NULL: no bit of the block is set */
	struct handler scan;
	struct calls *scanned;
	struct calls_user scan_user; /* has a struct scanned_call for each frame, and a struct waiting for each task */
};

/* This is the state of a CPU of a buffer. */
struct within_stream {
	struct stack_owners owners;
	bool shown[STACK_LEVELS]; /* was the last event of this context kept? */
	int who;		  /* the task of the last record, + 1; 0: there was none */
	const void *told;	  /* the exit that is folded into the last record, if that was kept; NULL: there is none */
};

/* This is the payload of an open call in the main pass. */
struct within_call {
	bool inside; /* everything that the task does inside of the call is wanted */
	bool kept;   /* its entry was kept */
};

/* This is the payload of an open call in the separate pass (within_scan()). */
struct scanned_call {
	uint64_t number; /* the number of its entry + 1; 0: the entry is not recorded */
	bool has_long;	 /* a call inside of it lasted long enough */
};

/* This is the payload of a task: the entries of its calls that wait to be entered. */
struct waiting {
	VEC(uint64_t) entries; /* the numbers of the records + 1; 0: the entry is not recorded */
};

static int keep_waiting(struct waiting *waiting, uint64_t entry)
{
	return vec_push(&waiting->entries, entry);
}

/* Returns the entry of the call that is entered now, as in struct waiting. @now is the number of the record at hand + 1, or 0 if it is no entry. */
static uint64_t entry_of(struct waiting *waiting, const struct call_frame *frame, uint64_t now)
{
	uint64_t first;

	if (!frame->waited || !waiting->entries.n)
		return now;
	first = waiting->entries.at[0];
	memmove(waiting->entries.at, waiting->entries.at + 1, --waiting->entries.n * sizeof(first));
	return first;
}

/* Is @func of this source one of the wanted functions? Returns 1, 0, or -ENOMEM. */
static int func_wanted(struct within *w, const struct trace *trace, size_t file, unsigned int source, uint64_t func)
{
	char buf[CALL_NAME];
	int64_t i;

	if (!w->globs.n)
		return 1;
	i = keys_index(&w->keys, (struct key){ func, file, source });
	if (i < 0 || (i == (int64_t)w->wanted.n && vec_push(&w->wanted, globs_match(&w->globs, call_name(trace, source, func, buf, NULL)))))
		return -ENOMEM;
	return w->wanted.at[i];
}

static int frame_wanted(struct within *w, const struct call_task *task, const struct call_frame *frame)
{
	return frame->func ? func_wanted(w, task->trace, task->file, frame->source, frame->func) : !w->globs.n;
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

static bool is_marked(const struct within *w, uint64_t number)
{
	size_t block = (size_t)(number >> MARKS_BITS);
	uint64_t bit = number & ((1U << MARKS_BITS) - 1);

	return block < w->marks.n && w->marks.at[block] && w->marks.at[block][bit / 64] >> bit % 64 & 1;
}

/* --- the pass before: which calls last long enough? ------------------------------------------------- */

static int enter(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	const struct within *w = ctx;
	struct scanned_call *mine = call_frame_of(&w->scan_user, frame);

	mine->number = entry_of(call_task_of(&w->scan_user, task), frame, rec ? w->number + 1 : 0);
	return 0;
}

static int begin(void *ctx, struct call_task *task, __unused const struct call_frame *frame, const struct record *rec)
{
	const struct within *w = ctx;

	return keep_waiting(call_task_of(&w->scan_user, task), rec ? w->number + 1 : 0);
}

static void gone(void *ctx, struct call_task *task)
{
	const struct within *w = ctx;

	vec_fini(&((struct waiting *)call_task_of(&w->scan_user, task))->entries);
}

/* Returns the time when a call ended, in ns. A call that is still open when the recording ends lasts to the end of the records. */
static uint64_t end_of(const struct within *w, const struct call_end *end)
{
	const struct input *input = &w->inputs->at[w->last.file];

	return end->open && input_in_ns(input, w->last.buffer) ? input_time(input, &w->last) : end->ns;
}

/* If the clock's ticks have an unknown length, a call's length is unknown. Then the call counts as long enough if a call inside of it lasted long enough. */
static int leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct within *w = ctx;
	const struct scanned_call *mine = call_frame_of(&w->scan_user, frame);
	struct call_frame *caller = call_caller(task, frame);
	bool is_long = mine->has_long;

	if (end->duration != CALL_UNKNOWN)
		is_long = end->duration >= w->opt->min_duration;
	else if (task->in_ns)
		is_long = end_of(w, end) >= frame->ns + w->opt->min_duration;
	if (is_long && caller)
		((struct scanned_call *)call_frame_of(&w->scan_user, caller))->has_long = true;
	return mine->number && is_long ? mark(w, mine->number - 1) : 0;
}

static const struct calls_ops scan_ops = { .enter = enter, .wait = begin, .leave = leave, .gone = gone };

static int scan_records(struct handler *h, const struct batch *batch)
{
	struct within *w = container_of(h, struct within, scan);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		err = calls_record(w->scanned, &batch->records[i]);
		if (!(batch->records[i].flags & RECORD_NODATA))
			w->last = batch->records[i];
		w->number++;
	}
	return err;
}

static int scan_end(struct handler *h)
{
	struct within *w = container_of(h, struct within, scan);
	int err = calls_end(w->scanned);

	calls_free(take(w->scanned));
	w->number = 0;
	return err;
}

bool within_hides_switches(const struct within_options *opt, const struct input *input)
{
	struct sched_events events;

	if (!within_selects(opt) || opt->scheduling)
		return false;
	sched_events_find(&events, input);
	return events.kinds[SCHED_SWITCH].event;
}

struct handler *within_scan(struct within *w)
{
	return w->opt->min_duration && !w->opt->live ? &w->scan : NULL;
}

/* --- the pass itself ------------------------------------------------------------------------------- */

/* If records come live and calls must have a minimum duration, only the ends of calls are kept, because only an end tells the duration. */
static bool only_ends(const struct within *w)
{
	return w->opt->live && w->opt->min_duration;
}

/* Is the call with this entry wanted? Returns 1, 0, or -ENOMEM. */
static int entry_wanted(struct within *w, const struct call_task *task, const struct call_frame *frame, uint64_t entry)
{
	return entry && (!w->opt->min_duration || is_marked(w, entry - 1)) ? frame_wanted(w, task, frame) : 0;
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	struct within *w = ctx;
	struct within_call *mine = call_frame_of(&w->user, frame);
	struct call_frame *caller = call_caller(task, frame);
	const uint64_t entry = entry_of(call_task_of(&w->user, task), frame, rec ? w->number + 1 : 0);
	const int wanted = entry_wanted(w, task, frame, entry);

	if (wanted < 0)
		return wanted;
	if (only_ends(w))
		return 0;
	mine->inside = w->globs.n && (wanted || (caller && ((struct within_call *)call_frame_of(&w->user, caller))->inside));
	mine->kept = entry && (wanted || mine->inside);
	w->keep |= rec && mine->kept;
	return 0;
}

/* The entry of a call that has to wait comes only now, so this decides whether to keep it. An outer call may be on the stack or may wait, too. */
static int on_wait(void *ctx, struct call_task *task, const struct call_frame *frame, const struct record *rec)
{
	struct within *w = ctx;
	const uint64_t entry = rec ? w->number + 1 : 0;
	const int wanted = only_ends(w) ? 0 : entry_wanted(w, task, frame, entry);

	if (wanted < 0)
		return wanted;
	w->keep |= wanted || (rec && task->depth && ((struct within_call *)call_frame_of(&w->user, call_top(task)))->inside);
	return keep_waiting(call_task_of(&w->user, task), entry);
}

static void on_gone(void *ctx, struct call_task *task)
{
	const struct within *w = ctx;

	vec_fini(&((struct waiting *)call_task_of(&w->user, task))->entries);
}

/* The call has ended. The record at hand is its exit, or the entry of a leaf. */
static int on_over(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct within *w = ctx;
	const struct within_call *mine = call_frame_of(&w->user, frame);
	/* If the length is unknown, the exit is kept if the entry was kept. */
	bool enough = !w->opt->min_duration || (end->duration == CALL_UNKNOWN ? mine->kept : end->duration >= w->opt->min_duration);
	int wanted = 0;

	if (end->rec || (end->leaf && only_ends(w)))
		wanted = enough ? frame_wanted(w, task, frame) : 0;
	if (wanted < 0)
		return wanted;
	w->keep |= wanted || (end->rec && mine->inside);
	return 0;
}

static int on_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct within *w = ctx;
	uint64_t func;
	int wanted;

	if ((task->depth && ((struct within_call *)call_frame_of(&w->user, call_top(task)))->inside) ||
	    (w->opt->scheduling && sched_kind(&w->scheduling.at[rec->file], event) != SCHED_NONE)) {
		w->keep = true;
		return 0;
	}
	if (event->kind != EVENT_FUNCTION || w->opt->min_duration || !field_get(&event->field[FUNCTION_IP], rec->data, rec->size, task->trace->swap, &func))
		return 0;
	wanted = func_wanted(w, task->trace, task->file, CALL_SOURCE_GRAPH, func);
	w->keep = wanted > 0;
	return MIN(wanted, 0);
}

static const struct calls_ops ops = { .enter = on_enter, .wait = on_wait, .leave = on_over, .over = on_over, .other = on_other, .gone = on_gone };

static int one_record(struct within *w, struct record *rec)
{
	const struct trace *trace = w->inputs->at[rec->file].trace;
	const struct event *event;
	struct within_stream *stream;
	int err, at;

	w->keep = false;
	err = calls_record(w->calls, rec);
	stream = err ? NULL : stream_of(&w->shown, rec);
	if (!stream)
		return err ? err : -ENOMEM;
	if (rec->flags & RECORD_NODATA) {
		stack_owner_lost(&stream->owners);
		record_follows(rec, stream->who - 1);
		return 1;
	}
	stream->who = record_pid(trace, rec) + 1;
	event = trace_event(trace, record_id(trace, rec));
	at = stack_owner(&stream->owners, trace, event, rec);
	if (event && event->kind == EVENT_STACK)
		return at >= 0 && stream->shown[at];
	/* The calls have taken in this exit already with the entry of its leaf. */
	if (rec->flags & RECORD_FOLDED && stream->told == rec->data)
		w->keep = true;
	stream->told = w->keep && record_is_leaf(rec) ? rec->exit : NULL;
	return stream->shown[at] = w->keep;
}

int within_batch(struct within *w, struct batch *batch)
{
	size_t kept = 0;

	for (size_t i = 0; i < batch->n; i++, w->number++) {
		struct record *rec = &batch->records[i];
		int keep = one_record(w, rec);

		if (keep < 0)
			return keep;
		if (keep || record_leaves_loss(rec, record_pid(w->inputs->at[rec->file].trace, rec)))
			batch->records[kept++] = *rec;
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
	strv_t *names; /* NULL: only .found is wanted */
	bool found;
	int err;
};

static void look_name(void *ctx, const char *name)
{
	struct lookup *lookup = ctx;

	lookup->found |= glob_match(lookup->glob, name);
	if (lookup->names && !lookup->err)
		lookup->err = strv_add(lookup->names, name);
}

static void look(void *ctx, const struct symbol *sym)
{
	look_name(ctx, sym->name);
}

/* Looks through all names of functions and of other things that are called. */
static void look_all(const struct within *w, struct lookup *lookup)
{
	for (size_t i = 0; i < w->inputs->n; i++) {
		lookup->found |= calls_names(w->calls, i, look_name, lookup);
		if (!lookup->found || lookup->names)
			symbols_each(w->inputs->at[i].trace->symbols, look, lookup);
	}
}

static int no_function(const struct within *w, const char *word)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };
	struct lookup lookup = { .glob = word, .names = &names };

	look_all(w, &lookup);
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

	look_all(w, &lookup);
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

	w->user = (struct calls_user){ .ops = &ops, .ctx = w, .frame_size = sizeof(struct within_call), .task_size = sizeof(struct waiting) };
	w->scan_user = (struct calls_user){ .ops = &scan_ops, .ctx = w, .frame_size = sizeof(struct scanned_call), .task_size = sizeof(struct waiting) };
	err = calls_new(&w->calls, w->inputs);
	if (!err)
		calls_functions_only(w->calls, false);
	vec_each (w->inputs, input) {
		struct sched_events events;

		sched_events_find(&events, input);
		err = err ? err : vec_push(&w->scheduling, events);
	}
	err = err ? err : calls_add(w->calls, &w->user);
	if (!err && within_scan(w)) {
		err = calls_new(&w->scanned, w->inputs);
		err = err ? err : calls_add(w->scanned, &w->scan_user);
	}
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
	w->shown.size = sizeof(struct within_stream);
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
	keys_fini(&w->keys);
	vec_fini(&w->wanted);
	vec_each (&w->marks, block)
		free(*block);
	vec_fini(&w->marks);
	strv_fini(&w->globs);
	vec_fini(&w->scheduling);
	streams_fini(&w->shown, NULL);
	calls_free(w->calls);
	calls_free(w->scanned);
	free(w);
}
