/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/pair-match.h"
#include "lib/analysis/profile-pairs.h"
#include "lib/analysis/streams.h"
#include "lib/base/err.h"
#include "lib/event/filter.h"
#include "lib/event/syscalls.h"
#include "lib/event/tep.h"

/* Made room for again when so many have ended. */
enum { LEAST_TIDY = 1024 };

/* --- which records ------------------------------------------------------------------------------------------------ */

struct side_key {
	const struct value_field *field; /* NULL: the task or the CPU */
	bool cpu;
};

/* A side in an input. */
struct side {
	const struct event *event; /* NULL: it is not there */
	struct filter *filter;	   /* NULL: all records */
	struct side_key keys[PAIR_MOST_KEYS];
	const struct value_field *pid; /* of the beginning: the key that is the number of a task; NULL: there is none */
};

struct pair_events {
	const struct pair *pair;
	VEC(struct pair_input { struct side sides[2]; }) inputs; /* the beginning, the end */
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
	return err;
}

/* The filter as -F has it: of this event alone. */
static int find_filter(struct side *side, struct trace *trace, const char *text)
{
	__cleanup(free_ptr) char *whole = str_printf("%s/%s : %s", side->event->system, side->event->name, text);
	struct tep_handle *tep = whole ? trace_tep(trace) : NULL;
	int err = tep ? tep_prepare_all(trace) : -ENOMEM;

	err = err ? err : filter_new(&side->filter, tep, trace->comms, trace->symbols);
	return err ? err : filter_add(side->filter, whole, false);
}

static bool names_task(const char *key)
{
	return strcmp(key, "pid") == 0 || strcmp(key, "next_pid") == 0 || strcmp(key, "prev_pid") == 0;
}

static int find_side(struct side *side, struct trace *trace, const struct pair *pair, const struct pair_side *what)
{
	struct event *event = trace_find_said(trace, what->event);
	int err = 0;

	side->event = event;
	for (size_t i = 0; !err && event && i < pair->nkeys; i++) {
		err = find_key(&side->keys[i], event, pair->option, what->keys[i]);
		if (!err && side->keys[i].field && value_is_number(side->keys[i].field) && names_task(what->keys[i]))
			side->pid = side->keys[i].field;
	}
	return err || !event || !what->filter ? err : find_filter(side, trace, what->filter);
}

static int find_input(struct pair_events *events, const struct input *input)
{
	const struct pair *pair = events->pair;
	struct side *sides;
	int err = vec_push(&events->inputs, (struct pair_input){ 0 });

	if (err)
		return err;
	sides = events->inputs.at[events->inputs.n - 1].sides;
	err = find_side(&sides[0], input->trace, pair, &pair->from);
	if (!err && pair->by_number && !syscalls_of(input->trace->meta).n)
		return fail(EINVAL, "%s is of a machine whose numbers of system calls are not known here", input->path);
	err = err ? err : find_side(&sides[1], input->trace, pair, &pair->to);
	events->found |= sides[0].event && sides[1].event;
	return err;
}

int pair_events_new(struct pair_events **out, const inputs_t *inputs, const struct pair *pair)
{
	struct pair_events *events = calloc(1, sizeof(*events));
	int err = events ? 0 : -ENOMEM;

	*out = NULL;
	if (err)
		return err;
	events->pair = pair;
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

static void mix_bytes(struct key *key, const uint8_t *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		key_mix(&key->a, &key->b, at[i]);
	/* What follows is not taken for more of it. */
	key_mix(&key->a, &key->b, UINT64_MAX - size);
}

bool pair_events_key(const struct pair_events *events, const struct record *rec, const struct common *common, bool ends, struct key *key)
{
	const struct side *side = &events->inputs.at[rec->file].sides[ends];

	if (!is_side(side, common->id) || (side->filter && !filter_match(side->filter, common->id, rec)))
		return false;
	*key = (struct key){ KEY_MIX, KEY_MIX, rec->file };
	for (size_t i = 0; i < events->pair->nkeys; i++) {
		const struct side_key *what = &side->keys[i];
		struct value value;

		if (!what->field) {
			/* Each CPU's idle task is its own. */
			const uint64_t idle = 1ULL << 32 | rec->cpu;

			key_mix(&key->a, &key->b, what->cpu ? rec->cpu : common->pid ? (uint32_t)common->pid : idle);
		} else if (!value_get(what->field, rec->data, rec->size, &value)) {
			return false;
		} else if (value_is_number(what->field)) {
			key_mix(&key->a, &key->b, value.number);
		} else {
			mix_bytes(key, value.at, value.size);
		}
	}
	return true;
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

/* --- what has begun ----------------------------------------------------------------------------------------------- */

struct begun {
	uint64_t ns;
	int pid;
	bool open;
	struct text data;
};

struct matcher {
	const inputs_t *inputs;
	VEC(struct pair_events *) pairs;
	MAP(struct key, struct begun) begun; /* .c of a key: the file, the pair, the buffer + 1 */
	struct streams gaps;		     /* of bool: events are being lost there */
	VEC(uint32_t) open_gaps;	     /* by file: on so many CPUs */
	bool copies, apart;		     /* .apart: events of different buffers do not belong together */
	char *ended;			     /* the copy that belongs to what ended last */
	size_t left;			     /* so many have ended: their room is wanted back some day */
	uint64_t backwards;
	pairs_t own; /* of hooks */
};

/* Makes room by what has ended: the map itself gives nothing back. */
static int tidy(struct matcher *m)
{
	__typeof__(m->begun) old = m->begun;
	int err = 0;

	memset(&m->begun, 0, sizeof(m->begun));
	map_each (&old, entry) {
		map_entry(&m->begun) kept = entry->value.open && !err ? map_add(&m->begun, entry->key) : NULL;

		if (kept) {
			kept->value = entry->value;
		} else if (entry->value.open) {
			free(entry->value.data.at);
			err = -ENOMEM;
		}
	}
	map_fini(&old);
	m->left = 0;
	return err;
}

static void forget(struct matcher *m, struct begun *begun)
{
	m->left += begun->open;
	begun->open = false;
	free(take(begun->data.at));
}

static void forget_all(struct matcher *m, uint8_t file)
{
	map_each (&m->begun, entry)
		if ((uint8_t)entry->key.c == file)
			forget(m, &entry->value);
}

/* Is there room for a pair with that key? 1, 0 or -ENOMEM. After a loss all pairs have ended, and no end makes room. */
static int has_room(struct matcher *m, struct key key)
{
	if (map_count(&m->begun) < MATCH_MOST || map_find(&m->begun, key))
		return 1;
	return m->left > MATCH_MOST / 8 ? tidy(m) ?: 1 : 0;
}

static int begin(struct matcher *m, struct key key, const struct record *rec, struct begun begun)
{
	map_entry(&m->begun) entry;
	int room;

	/* Another one, or its end, may be among what is being lost. */
	if (m->open_gaps.at[rec->file])
		return 0;
	room = has_room(m, key);
	if (room <= 0)
		return room;
	entry = map_add(&m->begun, key);
	if (!entry)
		return -ENOMEM;
	forget(m, &entry->value);
	if (m->copies) {
		begun.data = (struct text){ malloc(MAX(rec->size, 1U)), rec->size };
		if (!begun.data.at)
			return -ENOMEM;
		memcpy(begun.data.at, rec->data, rec->size);
	}
	entry->value = begun;
	return 0;
}

static int end(struct matcher *m, struct key key, uint64_t ns, const struct pair *pair, struct match *out)
{
	map_entry(&m->begun) entry = map_find(&m->begun, key);
	struct begun *begun = entry && entry->value.open ? &entry->value : NULL;

	if (!begun)
		return 0;
	m->backwards += ns < begun->ns;
	if (ns >= begun->ns && !out->pair) {
		free(m->ended);
		m->ended = begun->data.at;
		*out = (struct match){ .pair = pair, .ns = begun->ns, .took = ns - begun->ns, .pid = begun->pid, .data = begun->data };
		begun->data.at = NULL;
	}
	forget(m, begun);
	return m->left > LEAST_TIDY && m->left > map_count(&m->begun) / 2 ? tidy(m) : 0;
}

static int take_pair(struct matcher *m, size_t i, const struct record *rec, const struct common *common, struct match *out)
{
	const struct pair_events *events = m->pairs.at[i];
	const struct input *input = &m->inputs->at[rec->file];
	const uint64_t where = (uint64_t)i << 8 | (m->apart ? rec->buffer + 1ULL : 0) << 32;
	struct key key;
	int err = 0;

	if (pair_events_key(events, rec, common, true, &key)) {
		key.c |= where;
		err = end(m, key, input_time(input, rec), events->pair, out);
	}
	if (!err && pair_events_key(events, rec, common, false, &key)) {
		key.c |= where;
		err = begin(m, key, rec, (struct begun){ .ns = input_time(input, rec), .pid = common->pid, .open = true });
	}
	return err;
}

/* Events are lost on the record's CPU: behind it, or, @over, up to it. */
static int on_gap(struct matcher *m, const struct record *rec, bool over)
{
	bool *gap = stream_of(&m->gaps, rec);

	if (!gap)
		return -ENOMEM;
	m->open_gaps.at[rec->file] += over ? -(uint32_t)*gap : !*gap;
	*gap = !over;
	forget_all(m, rec->file);
	return 0;
}

int matcher_record(struct matcher *m, const struct record *rec, struct match *out)
{
	int err = rec->flags & RECORD_LOST ? on_gap(m, rec, true) : 0;
	struct common common;

	*out = (struct match){ 0 };
	if (!err && !(rec->flags & RECORD_NODATA)) {
		common = record_common(m->inputs->at[rec->file].trace, rec);
		for (size_t i = 0; !err && i < m->pairs.n; i++)
			if (pair_events_has(m->pairs.at[i], rec->file, common.id))
				err = take_pair(m, i, rec, &common, out);
	}
	return !err && rec->flags & RECORD_GAP ? on_gap(m, rec, false) : err;
}

bool matcher_found(const struct matcher *m)
{
	vec_each (&m->pairs, events)
		if (!pair_events_found(*events))
			return false;
	return true;
}

uint64_t matcher_backwards(const struct matcher *m)
{
	return m->backwards;
}

static int add_pair(struct matcher *m, const struct pair *pair)
{
	int err = vec_push(&m->pairs, NULL);

	return err ? err : pair_events_new(&m->pairs.at[m->pairs.n - 1], m->inputs, pair);
}

int matcher_new(struct matcher **out, const inputs_t *inputs, const struct pair *pairs, size_t n, bool copies)
{
	struct matcher *m = calloc(1, sizeof(*m));
	int err = m ? 0 : -ENOMEM;

	*out = NULL;
	if (err)
		return err;
	*m = (struct matcher){ .inputs = inputs, .copies = copies, .gaps.size = sizeof(bool) };
	for (size_t i = 0; !err && i < inputs->n; i++)
		err = vec_push(&m->open_gaps, 0);
	for (size_t i = 0; !err && i < n; i++)
		err = add_pair(m, &pairs[i]);
	if (err)
		matcher_free(m);
	else
		*out = m;
	return err;
}

static int add_hook(pairs_t *pairs, const struct profile_pair *hook)
{
	const struct profile_side *sides[] = { &hook->start, &hook->end };
	__cleanup(free_ptr) char *on = str_printf("%s=%s%s", hook->start.match, hook->end.match, hook->pinned ? ",common_cpu" : "");
	char *names[2] = { 0 };
	int err = on ? vec_push(pairs, (struct pair){ 0 }) : -ENOMEM;

	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		names[i] = str_printf("%s%s%s", sides[i]->system ? sides[i]->system : "", sides[i]->system ? ":" : "", sides[i]->event);
		err = err || names[i] ? err : -ENOMEM;
	}
	err = err ? err : pair_parse(&pairs->at[pairs->n - 1], names[0], names[1], on);
	if (!err)
		pairs->at[pairs->n - 1].option = "-H";
	free(names[0]);
	free(names[1]);
	return err;
}

int matcher_new_hooks(struct matcher **out, const inputs_t *inputs, const strv_t *hooks)
{
	struct profile_pairs parsed;
	pairs_t pairs = { 0 };
	int err = profile_pairs_init(&parsed, hooks);

	*out = NULL;
	/* The first ones are built in, and nobody has asked for them. */
	for (size_t i = parsed.all.n - MIN(parsed.all.n, hooks->n); !err && i < parsed.all.n; i++)
		err = add_hook(&pairs, &parsed.all.at[i]);
	profile_pairs_fini(&parsed);
	err = err ? err : matcher_new(out, inputs, pairs.at, pairs.n, true);
	if (err) {
		pairs_fini(&pairs);
		return err;
	}
	(*out)->own = pairs;
	(*out)->apart = true;
	return 0;
}

void matcher_free(struct matcher *m)
{
	if (!m)
		return;
	map_each (&m->begun, entry)
		free(entry->value.data.at);
	map_fini(&m->begun);
	free(m->ended);
	vec_each (&m->pairs, events)
		pair_events_free(*events);
	vec_fini(&m->pairs);
	vec_fini(&m->open_gaps);
	streams_fini(&m->gaps, NULL);
	pairs_fini(&m->own);
	free(m);
}
