/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/select.h"
#include "lib/analysis/kept-entry.h"
#include "lib/analysis/stack-owner.h"
#include "lib/analysis/streams.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/event/filter.h"
#include "lib/event/tep.h"

/* These are the fields of an event that name tasks other than the current one. */
enum { NAMES_PID, NAMES_NEXT, NAMES_CHILD, TASK_FIELDS };

struct task_fields {
	struct field field[TASK_FIELDS];
	bool looked;
};

/* This is kept for each input file. */
struct part {
	struct trace *trace;
	/*
	 * The names that tasks have for .keep, .drop and --comm: those in trace->comms, and those that the records told so far. The handlers have not taken in
	 * these records yet, and a handler may print the name that a task had before its record told another. NULL: trace->comms is used.
	 */
	struct comms *names;
	struct filter *keep, *drop; /* NULL: none */
	bool *wanted;		    /* element i is for the event with the id i; NULL: all events are wanted */
	struct task_fields *tasks;  /* element i is for the event with the id i */
};

typedef VEC(int) pids_t;

/* This is the state of a CPU of a buffer. */
struct select_stream {
	struct stack_owners owners;
	bool shown[STACK_LEVELS]; /* was the last event of this context kept? */
	int who;		  /* the task of the last record, + 1; 0: there was none */
	struct kept_entry entry;  /* used if .calls of the struct select is true */
};

struct select {
	struct stage stage;
	struct part *parts;
	size_t n;
	bool by_task, by_comm, by_thread, switches, live, calls;
	const char *events_cure;
	pids_t pids, tids; /* sorted */
	strv_t comm_words;
	uint8_t bad_flags; /* records with one of these are dropped */
	bool empty;
	struct streams streams; /* has a struct select_stream for each CPU of each buffer */
};

static int compare_pids(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

static bool in_pids(const pids_t *pids, int pid)
{
	return pids->n && bsearch(&pid, pids->at, pids->n, sizeof(pid), compare_pids);
}

static int add_to(pids_t *pids, int pid)
{
	if (in_pids(pids, pid))
		return 0;
	if (vec_push(pids, pid))
		return -ENOMEM;
	qsort(pids->at, pids->n, sizeof(pid), compare_pids);
	return 0;
}

static bool has_pid(const struct select *sel, int pid)
{
	return in_pids(&sel->pids, pid);
}

static int add_pid(struct select *sel, int pid)
{
	return add_to(&sel->pids, pid);
}

/* Splits all texts at their commas and calls @each for each word. Stops at the first error and returns it, otherwise 0. */
static int each_word(const strv_t *texts, int (*each)(struct select *sel, const char *word), struct select *sel)
{
	strv_t words = { 0 };
	int err = 0;

	/* A text without words is wrong. It is given to @each as it is, so that @each reports it. */
	vec_each (texts, text) {
		const size_t before = words.n;

		err = err ? err : strv_split(&words, *text, ",");
		err = err || words.n > before ? err : strv_add(&words, *text);
	}
	for (size_t i = 0; !err && i < words.n; i++)
		err = each(sel, words.at[i]);
	strv_fini(&words);
	return err;
}

static int add_number(pids_t *pids, const char *option, const char *word)
{
	int64_t pid;

	if (parse_s64(word, &pid) || pid < 0 || pid > INT32_MAX)
		return fail(EINVAL, "%s %s: not a process number", option, word);
	return add_to(pids, (int)pid);
}

static int pid_word(struct select *sel, const char *word)
{
	return add_number(&sel->pids, "--pid", word);
}

static int tid_word(struct select *sel, const char *word)
{
	return add_number(&sel->tids, "--tid", word);
}

static bool comm_wanted(const struct select *sel, const char *name)
{
	return globs_match(&sel->comm_words, name);
}

static int comm_word(struct select *sel, const char *word)
{
	return strv_add(&sel->comm_words, word);
}

static void add_if_wanted(void *ctx, int pid, const char *name)
{
	if (comm_wanted(ctx, name))
		add_pid(ctx, pid);
}

/* Does @word name this event? @word is "SYSTEM:EVENT", "SYSTEM:", "EVENT", or the name of a system. */
static bool event_named(const char *word, const struct event *event)
{
	size_t n = strcspn(word, ":/");
	__cleanup(free_ptr) char *system = strndup(word, n);

	if (!system)
		return false;
	if (!word[n])
		return glob_match(word, event->name) || glob_match(word, event->system);
	return (!system[0] || glob_match(system, event->system)) && (!word[n + 1] || glob_match(word + n + 1, event->name));
}

static int event_word(struct select *sel, const char *word)
{
	strv_t names = { 0 };
	__cleanup(free_ptr) char *near = NULL;
	bool found = false;

	for (size_t i = 0; i < sel->n; i++) {
		struct part *part = &sel->parts[i];

		vec_each (&part->trace->events, at) {
			if (!event_named(word, *at))
				continue;
			part->wanted[(*at)->id] = true;
			found = true;
		}
	}
	if (found)
		return 0;
	for (size_t i = 0; i < sel->n; i++)
		trace_event_names(sel->parts[i].trace, &names);
	near = did_you_mean(word, &names, "");
	return fail(EINVAL, "%s: no event of that name in the file%s", *word ? word : "''",
		    sel->events_cure ? sel->events_cure
		    : near && *near  ? near
		    : sel->live	     ? ""
				     : "; `ringside report --events` lists those that it has");
}

static int add_filters(struct part *part, struct filter **filter, const strv_t *texts)
{
	struct tep_handle *tep;
	int err;

	if (!texts->n)
		return 0;
	tep = trace_tep(part->trace);
	err = tep ? tep_prepare_all(part->trace) : -ENOMEM;
	if (!err)
		err = filter_new(filter, tep, part->names ? part->names : part->trace->comms, part->trace->symbols);
	for (size_t i = 0; !err && i < texts->n; i++)
		err = filter_add(*filter, texts->at[i], false);
	return err;
}

/* May a filter compare the names of tasks? */
static bool names_matter(const strv_t *filters)
{
	vec_each (filters, text)
		if (strstr(*text, "COMM"))
			return true;
	return false;
}

static int fill_part(struct part *part, struct trace *trace, const struct select_options *opt)
{
	int err = 0;

	part->trace = trace;
	if (!opt->live && (opt->comms.n || names_matter(&opt->keep) || names_matter(&opt->drop)))
		err = comms_over(&part->names, trace->comms);
	if (err)
		return err;
	if (opt->events.n) {
		part->wanted = calloc(trace->nids + 1, sizeof(part->wanted[0]));
		if (!part->wanted)
			return -ENOMEM;
	}
	if (opt->pids.n || opt->comms.n || opt->tids.n) {
		part->tasks = calloc(trace->nids + 1, sizeof(part->tasks[0]));
		if (!part->tasks)
			return -ENOMEM;
	}
	err = add_filters(part, &part->keep, &opt->keep);
	return err ? err : add_filters(part, &part->drop, &opt->drop);
}

static int fill(struct select *sel, const inputs_t *inputs, const struct select_options *opt)
{
	int err = 0;

	sel->parts = calloc(MAX(sel->n, (size_t)1), sizeof(sel->parts[0]));
	if (!sel->parts)
		return -ENOMEM;
	for (size_t i = 0; !err && i < sel->n; i++)
		err = fill_part(&sel->parts[i], inputs->at[i].trace, opt);
	sel->events_cure = opt->events_cure;
	sel->live = opt->live;
	if (!err)
		err = each_word(&opt->events, event_word, sel);
	for (size_t i = 0; i < sel->n && opt->all_events; i++)
		free(take(sel->parts[i].wanted));
	if (!err)
		err = each_word(&opt->pids, pid_word, sel);
	if (!err)
		err = each_word(&opt->tids, tid_word, sel);
	if (!err)
		err = each_word(&opt->comms, comm_word, sel);
	if (err)
		return err;
	sel->by_task = opt->pids.n || opt->comms.n;
	sel->by_thread = opt->tids.n;
	sel->switches = opt->switches;
	sel->by_comm = opt->comms.n;
	for (size_t i = 0; i < sel->n && opt->comms.n && !opt->live; i++)
		comms_each(inputs->at[i].trace->comms, add_if_wanted, sel);
	sel->bad_flags = (opt->no_hardirq ? FLAG_HARDIRQ : 0) | (opt->no_softirq ? FLAG_SOFTIRQ : 0);
	sel->calls = opt->calls && sel->bad_flags;
	sel->empty = (!opt->events.n || opt->all_events) && !sel->by_task && !sel->by_thread && !opt->keep.n && !opt->drop.n && !sel->bad_flags;
	return 0;
}

int select_new(struct select **out, const inputs_t *inputs, const struct select_options *opt)
{
	struct select *sel = calloc(1, sizeof(*sel));
	int err;

	if (!sel)
		return -ENOMEM;
	sel->n = inputs->n;
	sel->streams.size = sizeof(struct select_stream);
	err = fill(sel, inputs, opt);
	if (err) {
		select_free(sel);
		return err;
	}
	*out = sel;
	return 0;
}

bool select_some_switches(const struct select *sel, size_t input)
{
	const struct part *part = &sel->parts[input];

	for (size_t id = 0; id < part->trace->nids; id++) {
		const struct event *event = trace_event(part->trace, (uint16_t)id);

		if (!event || event->kind != EVENT_SCHED_SWITCH)
			continue;
		if ((part->keep && filter_event(part->keep, event->id) == FILTER_SOMETIMES) ||
		    (part->drop && filter_event(part->drop, event->id) == FILTER_SOMETIMES))
			return true;
	}
	return false;
}

void select_free(struct select *sel)
{
	if (!sel)
		return;
	for (size_t i = 0; sel->parts && i < sel->n; i++) {
		struct part *part = &sel->parts[i];

		filter_free(part->keep);
		filter_free(part->drop);
		free(part->wanted);
		free(part->tasks);
		comms_free(part->names);
	}
	free(sel->parts);
	streams_fini(&sel->streams, NULL);
	vec_fini(&sel->pids);
	vec_fini(&sel->tids);
	strv_fini(&sel->comm_words);
	free(sel);
}

bool select_is_empty(const struct select *sel)
{
	return sel->empty;
}

bool select_event(const struct select *sel, const struct event *event)
{
	const struct part *part = &sel->parts[event->trace->index];

	return !part->wanted || part->wanted[event->id];
}

int select_filter_text(const struct select *sel, strv_t *out)
{
	int err = 0;

	for (size_t i = 0; !err && i < sel->n; i++) {
		err = sel->parts[i].keep ? filter_text(sel->parts[i].keep, out) : 0;
		if (!err && sel->parts[i].drop)
			err = filter_text(sel->parts[i].drop, out);
	}
	return err;
}

struct learning {
	struct select *sel;
	struct comms *names;
};

/* Learns a name of a task from an event of scheduling. If the name is wanted, the pid becomes wanted, too. Live records are asked for the name instead. */
static void learn(void *ctx, int pid, const char *told, size_t n)
{
	const struct learning *to = ctx;

	if (!pid)
		return;
	comms_learn(to->names, pid, told, n);
	if (!to->sel->live && comm_wanted(to->sel, comms_find(to->names, pid)))
		add_pid(to->sel, pid);
}

/* Learns the names that a record tells, whether it is selected or not. */
static void learn_names(struct select *sel, const struct part *part, const struct event *event, const struct record *rec)
{
	if (part->names || (sel->live && sel->by_comm))
		trace_names(part->trace, event, rec, learn, &(struct learning){ sel, part->names ? part->names : part->trace->comms });
}

static bool pid_wanted(const struct select *sel, const struct trace *trace, int pid)
{
	return has_pid(sel, pid) || (sel->live && pid > 0 && comm_wanted(sel, comms_find(trace->comms, pid)));
}

static bool tid_wanted(const struct select *sel, __unused const struct trace *trace, int tid)
{
	return in_pids(&sel->tids, tid);
}

/*
 * Does the field "pid" or "next_pid" of the event name a task for which @asked returns true? sched_process_fork names the new task in child_pid, which matters
 * where switches do.
 */
static bool names_task(const struct select *sel, struct part *part, const struct event *event, const struct record *rec,
		       bool (*asked)(const struct select *sel, const struct trace *trace, int pid))
{
	static const char *const names[TASK_FIELDS] = { [NAMES_PID] = "pid", [NAMES_NEXT] = "next_pid", [NAMES_CHILD] = "child_pid" };
	struct task_fields *fields = &part->tasks[event->id];
	const struct trace *trace = part->trace;
	uint64_t v;

	if (!fields->looked) {
		const unsigned int n = sel->switches && strcmp(event->system, "sched") == 0 ? TASK_FIELDS : NAMES_CHILD;

		for (unsigned int i = 0; i < n; i++)
			format_field(event->format, names[i], &fields->field[i]);
		fields->looked = true;
	}
	for (unsigned int i = 0; i < TASK_FIELDS; i++)
		if (fields->field[i].found && field_get(&fields->field[i], rec->data, rec->size, trace->swap, &v) && asked(sel, trace, (int)v))
			return true;
	return false;
}

/* Is the current task wanted, or does the field "pid" or "next_pid" name a wanted task? */
static bool task_wanted(struct select *sel, struct part *part, const struct event *event, const struct record *rec)
{
	const struct trace *trace = part->trace;

	return pid_wanted(sel, trace, record_pid(trace, rec)) || (event && names_task(sel, part, event, rec, pid_wanted));
}

/* Is it a record of a wanted thread? If .switches is set, an event of the scheduler that names such a thread is wanted, too. */
static bool thread_wanted(const struct select *sel, struct part *part, const struct event *event, const struct record *rec)
{
	if (in_pids(&sel->tids, record_pid(part->trace, rec)))
		return true;
	return sel->switches && event && strcmp(event->system, "sched") == 0 && names_task(sel, part, event, rec, tid_wanted);
}

/* Have the options asked for stacks themselves? If not, a stack is kept if the event is kept to which it belongs. */
static bool stack_asked_for(const struct part *part, uint16_t id)
{
	return (part->wanted && part->wanted[id]) || (part->keep && filter_event(part->keep, id) != FILTER_NEVER);
}

/* Is the record wanted? @owner: if it is a stack, is the event wanted to which it belongs? */
static bool wanted(struct select *sel, struct part *part, const struct event *event, const struct record *rec, const struct common *common, bool owner)
{
	uint16_t id = event ? event->id : common->id;

	if (part->drop && filter_match(part->drop, id, rec))
		return false;
	if (event && event->kind == EVENT_STACK && !stack_asked_for(part, id))
		return owner;
	if (sel->by_thread && !thread_wanted(sel, part, event, rec))
		return false;
	if (sel->by_task && !task_wanted(sel, part, event, rec))
		return false;
	if (part->wanted && !(event && part->wanted[id]))
		return false;
	return !part->keep || filter_match(part->keep, id, rec);
}

int select_batch(struct select *sel, struct batch *batch)
{
	size_t kept = 0;

	for (size_t i = 0; i < batch->n; i++) {
		struct record *rec = &batch->records[i];
		struct part *part = &sel->parts[rec->file];
		struct select_stream *stream = stream_of(&sel->streams, rec);
		const struct event *event;
		struct common common;
		bool keep;
		int at;

		if (!stream)
			return -ENOMEM;
		if (rec->flags & RECORD_NODATA) {
			stack_owner_lost(&stream->owners);
			record_follows(rec, stream->who - 1);
			batch->records[kept++] = *rec;
			continue;
		}
		common = record_common(part->trace, rec);
		event = trace_event(part->trace, common.id);
		if (event && event->kind >= EVENT_SCHED_SWITCH)
			learn_names(sel, part, event, rec);
		at = stack_owner_at(&stream->owners, call_context_of(common_context(&common)), event, rec);
		keep = likely(!(sel->bad_flags & common_context(&common))) || kept_entry_ends(&stream->entry, event, rec);
		keep = keep && wanted(sel, part, event, rec, &common, at >= 0 && stream->shown[at]);
		if (unlikely(keep && sel->calls))
			kept_entry_note(&stream->entry, event, rec);
		if (!event || event->kind != EVENT_STACK)
			stream->shown[at] = keep;
		stream->who = common.pid + 1;
		if (keep || record_leaves_loss(rec, stream->who - 1))
			batch->records[kept++] = *rec;
	}
	batch->n = kept;
	return 0;
}

static int on_batch(struct stage *stage, struct batch *batch)
{
	return select_batch(container_of(stage, struct select, stage), batch);
}

struct stage *select_stage(struct select *sel)
{
	sel->stage = (struct stage){ .batch = on_batch };
	return &sel->stage;
}
