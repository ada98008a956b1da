/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/pair-match.h"
#include "lib/analysis/doubts.h"
#include "lib/analysis/profile-pairs.h"
#include "lib/analysis/streams.h"

/* tidy() is called when more than this many pairs in the map have ended. */
enum { LEAST_TIDY = 1024 };

struct begun {
	uint64_t ns;
	uint64_t mark;	 /* pair_events_mark() */
	uint64_t doubts; /* the result of doubts_mark(), if the pair is inside of a task */
	int pid;
	bool open;
	struct text data;
};

struct matcher {
	const inputs_t *inputs;
	VEC(struct pair_events *) pairs;
	MAP(struct key, struct begun) begun; /* .c of a key has the file, the pair and the buffer */
	struct reuse reuse;
	struct doubts *doubts;	 /* NULL: no pair is inside of a task */
	struct streams gaps;	 /* has a bool for each CPU of each buffer: events are being lost there */
	VEC(uint32_t) open_gaps; /* element i: on how many CPUs the file i is losing events */
	bool copies;
	char *ended; /* the copy that belongs to the pair that ended last */
	size_t left; /* how many entries of .begun are of pairs that have ended */
	uint64_t backwards;
	pairs_t own; /* the pairs of hooks */
};

/* Makes the map anew without the pairs that have ended, because a map cannot remove entries. Returns 0 or -ENOMEM. */
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

/* Forgets all open pairs of the file. Pairs inside of a task are kept, because it is known better which of them may have lost something. */
static void forget_all(struct matcher *m, uint8_t file)
{
	map_each (&m->begun, entry)
		if ((uint8_t)entry->key.c == file && !pair_events_inside(m->pairs.at[(entry->key.c >> 8) & 0xffffff], file))
			forget(m, &entry->value);
}

/*
 * Is there room for a pair with this key? Returns 1, 0 or -ENOMEM. After a loss, all pairs in the map have ended, but no end of a pair comes that would call
 * tidy(). So this calls it.
 */
static int has_room(struct matcher *m, struct key key)
{
	if (map_count(&m->begun) < MATCH_MOST || map_find(&m->begun, key))
		return 1;
	return m->left > MATCH_MOST / 8 ? tidy(m) ?: 1 : 0;
}

static int begin(struct matcher *m, struct key key, const struct record *rec, struct begun begun)
{
	map_entry(&m->begun) entry;
	int room = has_room(m, key);

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

/* Ends a pair. @now has the time and the mark of the end. Returns 0 or -ENOMEM. */
static int end(struct matcher *m, struct key key, const struct begun *now, const struct pair *pair, struct match *out)
{
	map_entry(&m->begun) entry = map_find(&m->begun, key);
	struct begun *begun = entry && entry->value.open ? &entry->value : NULL;

	if (!begun)
		return 0;
	if (pair_marks_fit(begun->mark, now->mark) && !doubts_between(begun->doubts, now->doubts)) {
		m->backwards += now->ns < begun->ns;
		if (now->ns >= begun->ns && !out->pair) {
			free(m->ended);
			m->ended = begun->data.at;
			*out = (struct match){ .pair = pair, .ns = begun->ns, .took = now->ns - begun->ns, .pid = begun->pid, .data = begun->data };
			begun->data.at = NULL;
		}
	}
	forget(m, begun);
	return m->left > LEAST_TIDY && m->left > map_count(&m->begun) / 2 ? tidy(m) : 0;
}

static int take_pair(struct matcher *m, size_t i, const struct record *rec, const struct common *common, struct match *out)
{
	const struct pair_events *events = m->pairs.at[i];
	const uint64_t where = (uint64_t)i << 8 | (uint64_t)rec->buffer << 32;
	struct begun now = { .ns = input_time(&m->inputs->at[rec->file], rec), .pid = common->pid, .open = true };
	const bool inside = pair_events_inside(events, rec->file);
	struct key key;
	int err = 0;

	if (inside)
		now.doubts = doubts_mark(m->doubts, rec, common->pid);

	if (pair_events_key(events, rec, common, true, &key)) {
		key.c |= where;
		now.mark = pair_events_mark(events, &m->reuse, rec, common, true);
		err = end(m, key, &now, pair_events_pair(events), out);
		if (out->pair == pair_events_pair(events))
			out->task = pair_events_task(events, rec, common);
	}
	/* While events are being lost, the end of the pair or another beginning may be among them. */
	if (!err && (inside || !m->open_gaps.at[rec->file]) && pair_events_key(events, rec, common, false, &key)) {
		key.c |= where;
		now.mark = pair_events_mark(events, &m->reuse, rec, common, false);
		err = begin(m, key, rec, now);
	}
	return err;
}

/* What the task has begun in a buffer under the pid that it had before execve goes on under the one that it has got. */
static int move_pair(struct matcher *m, size_t i, uint8_t file, const struct reuse_end *exec, uint64_t buffer)
{
	const struct pair_events *events = m->pairs.at[i];
	const uint64_t where = (uint64_t)i << 8 | buffer << 32;
	struct key from, to;
	map_entry(&m->begun) old;
	map_entry(&m->begun) new;
	struct begun begun;

	if (!pair_events_task_key(events, file, exec->old, &from) || !pair_events_task_key(events, file, exec->pid, &to))
		return 0;
	from.c |= where;
	to.c |= where;
	old = map_find(&m->begun, from);
	if (!old || !old->value.open)
		return 0;
	begun = old->value;
	begun.mark = pair_mark_under(begun.mark, &m->reuse, file, exec->pid);
	old->value.data.at = NULL;
	forget(m, &old->value);
	new = map_add(&m->begun, to);
	if (!new) {
		free(begun.data.at);
		return -ENOMEM;
	}
	forget(m, &new->value);
	new->value = begun;
	return 0;
}

static int move_pairs(struct matcher *m, const struct record *rec, const struct reuse_end *ends, int n)
{
	const uint64_t buffers = input_buffers(&m->inputs->at[rec->file]);
	int err = MIN(n, 0);

	for (int e = 0; e < n; e++)
		for (size_t i = 0; ends[e].old && i < m->pairs.n; i++)
			for (uint64_t buffer = 0; !err && buffer < buffers; buffer++)
				err = move_pair(m, i, rec->file, &ends[e], buffer);
	return err;
}

/* Events are lost on the record's CPU. If @over is false, the loss begins after the record. If @over is true, it ends at the record. Returns 0 or -ENOMEM. */
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
	int err = m->doubts ? doubts_take(m->doubts, rec) : 0;
	struct reuse_end ends[REUSE_MOST];
	struct common common;

	*out = (struct match){ 0 };
	if (!err && rec->flags & RECORD_LOST)
		err = on_gap(m, rec, true);
	if (!err && !(rec->flags & RECORD_NODATA)) {
		common = record_common(m->inputs->at[rec->file].trace, rec);
		err = move_pairs(m, rec, ends, reuse_take(&m->reuse, rec, &common, ends));
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

	err = err ? err : pair_events_new(&m->pairs.at[m->pairs.n - 1], m->inputs, pair);
	for (size_t i = 0; !err && i < m->inputs->n && !m->doubts; i++)
		if (pair_events_inside(m->pairs.at[m->pairs.n - 1], (uint8_t)i))
			err = doubts_new(&m->doubts, m->inputs);
	return err;
}

int matcher_new(struct matcher **out, const inputs_t *inputs, const struct pair *pairs, size_t n, bool copies)
{
	struct matcher *m = calloc(1, sizeof(*m));
	int err = m ? 0 : -ENOMEM;

	*out = NULL;
	if (err)
		return err;
	*m = (struct matcher){ .inputs = inputs, .copies = copies, .gaps.size = sizeof(bool) };
	err = reuse_init(&m->reuse, inputs);
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
	/* The first pairs are built in, and the user has not asked for them. */
	for (size_t i = parsed.all.n - MIN(parsed.all.n, hooks->n); !err && i < parsed.all.n; i++)
		err = add_hook(&pairs, &parsed.all.at[i]);
	profile_pairs_fini(&parsed);
	err = err ? err : matcher_new(out, inputs, pairs.at, pairs.n, true);
	if (err) {
		pairs_fini(&pairs);
		return err;
	}
	(*out)->own = pairs;
	return 0;
}

void matcher_free(struct matcher *m)
{
	if (!m)
		return;
	map_each (&m->begun, entry)
		free(entry->value.data.at);
	map_fini(&m->begun);
	reuse_fini(&m->reuse);
	doubts_free(m->doubts);
	free(m->ended);
	vec_each (&m->pairs, events)
		pair_events_free(*events);
	vec_fini(&m->pairs);
	vec_fini(&m->open_gaps);
	streams_fini(&m->gaps, NULL);
	pairs_fini(&m->own);
	free(m);
}
