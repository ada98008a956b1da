/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out which records begin and end a pair. */
#include "lib/analysis/lacking.h"
#include "lib/analysis/pair-match.h"
#include "lib/analysis/syscall-match.h"
#include "lib/base/err.h"
#include "lib/event/filter.h"
#include "lib/event/syscalls.h"
#include "lib/event/tep.h"

struct side_key {
	const struct value_field *field; /* NULL: the key is the task or the CPU */
	bool cpu;
	bool switched; /* .field is the pid of a task that a sched_switch switches to or from */
};

/* This is one of the two events of a pair in an input. */
struct side {
	const struct event *event; /* NULL: the input does not have the event */
	struct filter *filter;	   /* NULL: all records */
	struct side_key keys[PAIR_MOST_KEYS];
	const struct value_field *pid; /* for the beginning: the key that is the pid of a task; NULL: there is none */
};

struct pair_input {
	struct side sides[2];	       /* the beginning, the end */
	bool tasks[PAIR_MOST_KEYS];    /* element i: the key i is the pid of a task in both events */
	int task;		       /* the key that names the task which the pair is about; negative: there is none */
	bool inside;		       /* a key is the task in which both events happen */
	bool of_syscalls;	       /* the pair is a system call of a task */
	const struct lacking *lacking; /* if the pair needs all switches of a task: which tasks lack some; otherwise NULL */
	struct field numbers[2];       /* if .of_syscalls is true: the fields with the number of the system call */
	struct field result;	       /* if .has_result is true: the field with what the system call returns */
	bool has_result;
};

struct pair_events {
	const struct pair *pair;
	VEC(struct pair_input) inputs;
	int switch_key; /* pair_switch_key() */
	bool found;
};

static int find_key(struct side_key *out, struct event *event, const char *option, const char *name)
{
	const struct values *values;
	int err = values_of(&values, event);

	out->field = err ? NULL : values_field(values, name);
	if (out->field && out->field->common && pair_key_is_pid(name))
		out->field = NULL;
	else if (!err && !out->field && !pair_key_is_pid(name) && !pair_key_is_cpu(name))
		return fail(EINVAL, "%s %s: %s:%s has no such field; `ringside report --events` shows which there are", option, name, event->system,
			    event->name);
	out->cpu = !out->field && pair_key_is_cpu(name);
	out->switched = out->field && value_is_number(out->field) && pair_key_is_switched(event->name, name);
	return err;
}

/* Makes the filter as -F does, for this event only. Returns 0 or -errno. */
static int find_filter(struct side *side, struct trace *trace, const char *text)
{
	__cleanup(free_ptr) char *whole = str_printf("%s/%s : %s", side->event->system, side->event->name, text);
	struct tep_handle *tep = whole ? trace_tep(trace) : NULL;
	int err = tep ? tep_prepare_all(trace) : -ENOMEM;

	err = err ? err : filter_new(&side->filter, tep, trace->comms, trace->symbols);
	return err ? err : filter_add(side->filter, whole, false);
}

static int find_side(struct side *side, struct trace *trace, const struct pair *pair, const struct pair_side *what)
{
	struct event *event = trace_find_said(trace, what->event);
	int err = 0;

	side->event = event;
	for (size_t i = 0; !err && event && i < pair->nkeys; i++) {
		err = find_key(&side->keys[i], event, pair->option, what->keys[i]);
		if (!err && side->keys[i].field && value_is_number(side->keys[i].field) && pair_key_names_task(what->keys[i]))
			side->pid = side->keys[i].field;
	}
	return err || !event || !what->filter ? err : find_filter(side, trace, what->filter);
}

static bool is_own(const struct side_key *key)
{
	return !key->field && !key->cpu;
}

/* Can the key be a pid? */
static bool is_number(const struct side_key *key)
{
	return key->field ? value_is_number(key->field) : !key->cpu;
}

/* Finds out which keys are pids. Both events are in the input. */
static void find_tasks(struct pair_input *in, const struct pair *pair)
{
	const struct side_key *from = in->sides[0].keys, *to = in->sides[1].keys;
	int begun = -1, ended = -1;
	struct syscall_event begins, ends;

	for (size_t i = 0; i < pair->nkeys; i++) {
		const bool named = is_own(&from[i]) || is_own(&to[i]) || pair_key_names_task(pair->from.keys[i]) || pair_key_names_task(pair->to.keys[i]);

		if (is_number(&from[i]) && is_number(&to[i])) {
			begun = from[i].field && pair_key_names_task(pair->from.keys[i]) ? (int)i : begun;
			ended = to[i].field && pair_key_names_task(pair->to.keys[i]) ? (int)i : ended;
		}
		in->tasks[i] = named && is_number(&from[i]) && is_number(&to[i]);
		in->inside |= is_own(&from[i]) && is_own(&to[i]);
	}
	in->task = begun >= 0 ? begun : ended;
	in->of_syscalls = in->inside && pair_is_syscall(pair) && syscall_event_find(in->sides[0].event, &begins) &&
			  syscall_event_find(in->sides[1].event, &ends) && !begins.leave && ends.leave;
	if (in->of_syscalls) {
		in->numbers[0] = begins.number;
		in->numbers[1] = ends.number;
		in->has_result = format_field(in->sides[1].event->format, "ret", &in->result);
	}
}

static int find_input(struct pair_events *events, const struct input *input)
{
	const struct pair *pair = events->pair;
	struct pair_input *in;
	int err = vec_push(&events->inputs, (struct pair_input){ 0 });

	if (err)
		return err;
	in = &events->inputs.at[events->inputs.n - 1];
	err = find_side(&in->sides[0], input->trace, pair, &pair->from);
	if (!err && pair->by_number && !input->trace->calls.n)
		return fail(EINVAL, "%s is of a machine whose numbers of system calls are not known here", input->path);
	err = err ? err : find_side(&in->sides[1], input->trace, pair, &pair->to);
	if (err || !in->sides[0].event || !in->sides[1].event)
		return err;
	find_tasks(in, pair);
	in->lacking = events->switch_key < 0 ? NULL : input->lacking;
	events->found = true;
	return 0;
}

int pair_events_new(struct pair_events **out, const inputs_t *inputs, const struct pair *pair)
{
	struct pair_events *events = calloc(1, sizeof(*events));
	int err = events ? 0 : -ENOMEM;

	*out = NULL;
	if (err)
		return err;
	events->pair = pair;
	events->switch_key = pair_switch_key(pair);
	vec_each (inputs, input)
		err = err ? err : find_input(events, input);
	if (err)
		pair_events_free(events);
	else
		*out = events;
	return err;
}

void pair_events_free(struct pair_events *events)
{
	if (!events)
		return;
	vec_each (&events->inputs, input) {
		filter_free(input->sides[0].filter);
		filter_free(input->sides[1].filter);
	}
	vec_fini(&events->inputs);
	free(events);
}

const struct pair *pair_events_pair(const struct pair_events *events)
{
	return events->pair;
}

int pair_not_found(const struct pair *pair, const inputs_t *inputs)
{
	const bool several = inputs->n > 1;

	return fail(ENOENT, "%s: %s %s both events, %s and %s", pair->name, several ? "none of the files" : inputs->at[0].path,
		    several ? "has" : "does not have", pair->from.event, pair->to.event);
}

bool pair_events_found(const struct pair_events *events)
{
	return events->found;
}

static bool is_side(const struct side *side, uint16_t id)
{
	return side->event && side->event->id == id;
}

bool pair_events_has(const struct pair_events *events, uint8_t file, uint16_t id)
{
	const struct side *sides = events->inputs.at[file].sides;

	return is_side(&sides[0], id) || is_side(&sides[1], id);
}

bool pair_events_inside(const struct pair_events *events, uint8_t file)
{
	return events->inputs.at[file].inside;
}

static void mix_bytes(struct key *key, const uint8_t *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		key_mix(&key->a, &key->b, at[i]);
	/* The size is mixed in, so that the next key is not taken for a part of this one. */
	key_mix(&key->a, &key->b, UINT64_MAX - size);
}

/* Each CPU has an idle task of its own. */
static void mix_task(struct key *key, uint64_t pid, uint16_t cpu)
{
	key_mix(&key->a, &key->b, pid ? pid : 1ULL << 32 | cpu);
}

static int pid_of(const struct side_key *key, const struct record *rec, const struct common *common)
{
	struct value value;

	if (!key->field)
		return common->pid;
	return value_get(key->field, rec->data, rec->size, &value) ? (int)value.number : 0;
}

/* Does the record not count because of switches? Its buffer may not count, or its task may lack switches. */
static bool is_left_out(const struct pair_events *events, const struct side *side, const struct record *rec, const struct common *common)
{
	const struct lacking *lacking = events->inputs.at[rec->file].lacking;

	return lacking && (lacking->files.at[rec->file].buffer != rec->buffer ||
			   lacking_has(lacking, rec->file, pid_of(&side->keys[events->switch_key], rec, common), rec->cpu));
}

bool pair_events_key(const struct pair_events *events, const struct record *rec, const struct common *common, bool ends, struct key *key)
{
	const struct side *side = &events->inputs.at[rec->file].sides[ends];

	if (!is_side(side, common->id) || (side->filter && !filter_match(side->filter, common->id, rec)) || is_left_out(events, side, rec, common))
		return false;
	*key = (struct key){ KEY_MIX, KEY_MIX, rec->file };
	for (size_t i = 0; i < events->pair->nkeys; i++) {
		const struct side_key *what = &side->keys[i];
		struct value value;

		if (what->cpu) {
			key_mix(&key->a, &key->b, rec->cpu);
		} else if (!what->field) {
			mix_task(key, (uint32_t)common->pid, rec->cpu);
		} else if (!value_get(what->field, rec->data, rec->size, &value)) {
			return false;
		} else if (what->switched) {
			mix_task(key, value.number, rec->cpu);
		} else if (value_is_number(what->field)) {
			key_mix(&key->a, &key->b, value.number);
		} else {
			mix_bytes(key, value.at, value.size);
		}
	}
	return true;
}

bool pair_events_ends_alone(const struct pair_events *events, const struct record *rec)
{
	const struct pair_input *in = &events->inputs.at[rec->file];
	const struct trace *trace = in->sides[1].event->trace;
	uint64_t number, result;

	if (strcmp(pair_side_name(&events->pair->to), "sched_switch") == 0)
		return true;
	if (!in->has_result || !field_get(&in->numbers[1], rec->data, rec->size, trace->swap, &number) ||
	    !field_get(&in->result, rec->data, rec->size, trace->swap, &result))
		return false;
	return syscall_is_birth(syscall_find(&trace->calls, (uint32_t)number), (int64_t)result);
}

bool pair_events_task_key(const struct pair_events *events, uint8_t file, int pid, struct key *key)
{
	*key = (struct key){ KEY_MIX, KEY_MIX, file };
	key_mix(&key->a, &key->b, (uint32_t)pid);
	return events->pair->nkeys == 1 && events->inputs.at[file].inside;
}

/* The lives of a pid are numbered, and the numbers only grow. So the sum of several such numbers is the same only if each number is the same. */
uint64_t pair_events_mark(const struct pair_events *events, const struct reuse *reuse, const struct record *rec, const struct common *common, bool ends)
{
	const struct pair_input *in = &events->inputs.at[rec->file];
	const struct side *side = &in->sides[ends];
	uint64_t number = 0, lives = 0;

	for (size_t i = 0; i < events->pair->nkeys; i++)
		if (in->tasks[i])
			lives += reuse_life(reuse, rec->file, pid_of(&side->keys[i], rec, common));
	if (in->of_syscalls)
		field_get(&in->numbers[ends], rec->data, rec->size, side->event->trace->swap, &number);
	return lives << 32 | (uint32_t)number;
}

uint64_t pair_mark_under(uint64_t mark, const struct reuse *reuse, uint8_t file, int pid)
{
	return (uint64_t)reuse_life(reuse, file, pid) << 32 | (uint32_t)mark;
}

/* At an exit, a negative number does not tell which call ends. */
bool pair_marks_fit(uint64_t begin, uint64_t end)
{
	return begin >> 32 == end >> 32 && ((uint32_t)begin == (uint32_t)end || (int32_t)(uint32_t)end < 0);
}

bool pair_events_pid(const struct pair_events *events, const struct record *rec, int *pid)
{
	const struct side *side = &events->inputs.at[rec->file].sides[0];
	struct value value;

	if (!side->pid || !value_get(side->pid, rec->data, rec->size, &value))
		return false;
	*pid = (int)value.number;
	return true;
}

int pair_events_task(const struct pair_events *events, const struct record *rec, const struct common *common)
{
	const struct pair_input *in = &events->inputs.at[rec->file];

	return in->task < 0 ? common->pid : pid_of(&in->sides[1].keys[in->task], rec, common);
}
