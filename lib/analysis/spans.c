/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/spans.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/profile-pairs.h"
#include "lib/base/err.h"

/* An event that begins or ends spans. */
struct side {
	uint8_t file;
	uint16_t id;
	uint32_t pair;
	bool ends;
	struct field match;
};

struct spans {
	const inputs_t *inputs;
	struct profile_pairs pairs;
	size_t built_in;		/* so many of the pairs are not asked for */
	VEC(struct side) sides;
	MAP(struct key, struct span) open;
	bool copies;
	char *ended;			/* the copy that belongs to the span that ended last */
	size_t left;			/* so many of them have ended: their room is wanted back some day */
};

static int add_side(struct spans *s, uint8_t file, uint32_t pair, const struct profile_side *from, bool ends)
{
	const struct event *event = trace_find(s->inputs->at[file].trace, from->system, from->event);
	struct side side = { .file = file, .pair = pair, .ends = ends };

	if (!event)
		return 0;
	side.id = event->id;
	if (!format_field(event->format, from->match, &side.match) || side.match.dynamic)
		return fail(EINVAL, "-H: %s:%s has no number %s; `ringside list -F -e %s:%s` shows its fields", event->system, event->name, from->match, event->system,
			    event->name);
	return vec_push(&s->sides, side);
}

int spans_new(struct spans **out, const inputs_t *inputs, const strv_t *hooks, bool copies)
{
	struct spans *s = calloc(1, sizeof(*s));
	int err = s ? profile_pairs_init(&s->pairs, hooks) : -ENOMEM;

	*out = NULL;
	if (s) {
		s->inputs = inputs;
		s->copies = copies;
		s->built_in = s->pairs.all.n - MIN(s->pairs.all.n, hooks->n);
	}
	for (size_t file = 0; !err && file < inputs->n; file++) {
		for (size_t i = s->built_in; !err && i < s->pairs.all.n; i++) {
			err = add_side(s, (uint8_t)file, (uint32_t)i, &s->pairs.all.at[i].start, false);
			err = err ? err : add_side(s, (uint8_t)file, (uint32_t)i, &s->pairs.all.at[i].end, true);
		}
	}
	if (err)
		spans_free(s);
	else
		*out = s;
	return err;
}

static void forget_all(struct spans *s)
{
	map_each (&s->open, entry)
		free(entry->value.data.at);
	map_clear(&s->open);
	s->left = 0;
}

void spans_free(struct spans *s)
{
	if (!s)
		return;
	forget_all(s);
	free(s->ended);
	profile_pairs_fini(&s->pairs);
	vec_fini(&s->sides);
	map_fini(&s->open);
	free(s);
}

/* Makes room by what has ended: the map itself gives nothing back. */
static int tidy(struct spans *s)
{
	__typeof__(s->open) old = s->open;
	int err = 0;

	memset(&s->open, 0, sizeof(s->open));
	map_each (&old, entry) {
		map_entry(&s->open) kept = entry->value.open && !err ? map_add(&s->open, entry->key) : NULL;

		if (kept) {
			kept->value = entry->value;
		} else if (entry->value.open) {
			free(entry->value.data.at);
			err = -ENOMEM;
		}
	}
	map_fini(&old);
	s->left = 0;
	return err;
}

static int begin(struct spans *s, struct key key, const struct record *rec, struct span span)
{
	map_entry(&s->open) entry;

	if (map_count(&s->open) >= SPANS_MOST && !map_find(&s->open, key))
		return SPAN_NONE;
	entry = map_add(&s->open, key);
	if (!entry)
		return -ENOMEM;
	free(entry->value.data.at);
	if (s->copies) {
		span.data = (struct text){ malloc(MAX(rec->size, 1U)), rec->size };
		if (span.data.at)
			memcpy(span.data.at, rec->data, rec->size);
	}
	entry->value = span;
	return s->copies && !span.data.at ? -ENOMEM : SPAN_BEGINS;
}

static int end(struct spans *s, struct key key, uint64_t ns, struct span *out)
{
	map_entry(&s->open) entry = map_find(&s->open, key);

	if (!entry || !entry->value.open || ns < entry->value.ns)
		return SPAN_NONE;
	entry->value.open = false;
	*out = entry->value;
	free(s->ended);
	s->ended = entry->value.data.at;
	entry->value.data.at = NULL;
	out->took = ns - out->ns;
	s->left++;
	if (s->left > 1024 && s->left > map_count(&s->open) / 2 && tidy(s))
		return -ENOMEM;
	return SPAN_ENDS;
}

int spans_record(struct spans *s, const struct record *rec, struct span *out)
{
	const struct input *input = &s->inputs->at[rec->file];
	uint64_t number;
	uint16_t id;

	if (rec->flags & RECORD_LOST)
		forget_all(s);
	if (rec->flags & RECORD_NODATA)
		return SPAN_NONE;
	id = record_id(input->trace, rec);
	vec_each (&s->sides, side) {
		struct key key = { side->pair, (uint64_t)rec->buffer << 8 | rec->file, 0 };

		if (side->id != id || side->file != rec->file || !field_get(&side->match, rec->data, rec->size, input->trace->swap, &number))
			continue;
		key.c = number;
		if (s->pairs.all.at[side->pair].pinned)
			key.a |= (uint64_t)(rec->cpu + 1) << 32;
		if (side->ends)
			return end(s, key, input_time(input, rec), out);
		return begin(s, key, rec, (struct span){ .ns = input_time(input, rec), .pid = record_pid(input->trace, rec), .open = true });
	}
	return SPAN_NONE;
}
