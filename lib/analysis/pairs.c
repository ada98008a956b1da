/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/pairs.h"
#include "lib/base/err.h"
#include "lib/base/map.h"
#include "lib/event/syscalls.h"

const struct pair_preset pair_presets[] = {
	{ "wakeup", "sched:sched_waking", "sched:sched_switch", "pid=next_pid", "next_comm", "next_pid", "from waking a task until it runs" },
	{ "migrate", "sched:sched_migrate_task", "sched:sched_switch", "pid=next_pid", "next_comm", "next_pid", "from moving a task to another CPU until it runs" },
	{ "syscall", "raw_syscalls:sys_enter", "raw_syscalls:sys_exit", "common_pid", NULL, NULL, "system calls; syscall:NAME is one of them" },
	{ "irq", "irq:irq_handler_entry", "irq:irq_handler_exit", "common_cpu,irq", NULL, NULL, "handlers of interrupts" },
	{ "softirq", "irq:softirq_entry", "irq:softirq_exit", "common_cpu,vec", NULL, NULL, "soft interrupts" },
	{ "block", "block:block_rq_issue", "block:block_rq_complete", "dev,sector", NULL, NULL, "requests of block devices, from the driver until they are done" },
	{ "lock", "lock:contention_begin", "lock:contention_end", "common_pid,lock_addr", NULL, NULL, "waiting for locks of the kernel that others hold" },
	{ NULL },
};

const struct pair_preset *pair_preset_find(const char *name)
{
	for (const struct pair_preset *p = pair_presets; p->name; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

/* --- as typed ----------------------------------------------------------------------------------------------------- */

static int parse_side(struct pair_side *side, const char *option, const char *text)
{
	const char *slash = strchr(text, '/');
	size_t n = slash ? (size_t)(slash - text) : strlen(text);

	if (!n)
		return fail(EINVAL, "%s '%s': an event is wanted, as in sched:sched_waking or sys_exit/id == 0/", option, text);
	side->event = strndup(text, n);
	if (!side->event)
		return -ENOMEM;
	if (!slash)
		return 0;
	n = strlen(slash + 1);
	if (n < 2 || slash[n] != '/')
		return fail(EINVAL, "%s '%s': behind the event a filter stands between two /, as in sys_exit/id == 0/", option, text);
	side->filter = strndup(slash + 1, n - 1);
	return side->filter ? 0 : -ENOMEM;
}

static int parse_key(struct pair *pair, const char *word)
{
	const char *equals = strchr(word, '=');

	if (pair->nkeys == PAIR_MOST_KEYS)
		return fail(EINVAL, "--on: at most %d keys", PAIR_MOST_KEYS);
	if (equals == word || (equals && !equals[1]))
		return fail(EINVAL, "--on %s: a field stands on both sides of =", word);
	pair->from.keys[pair->nkeys] = strndup(word, equals ? (size_t)(equals - word) : strlen(word));
	pair->to.keys[pair->nkeys] = strdup(equals ? equals + 1 : word);
	pair->nkeys++;
	return pair->from.keys[pair->nkeys - 1] && pair->to.keys[pair->nkeys - 1] ? 0 : -ENOMEM;
}

int pair_parse(struct pair *pair, const char *from, const char *to, const char *on)
{
	strv_t words = { 0 };
	int err = parse_side(&pair->from, "--from", from);

	err = err ? err : parse_side(&pair->to, "--to", to);
	err = err ? err : strv_split(&words, on, ",");
	if (!err && !words.n)
		err = fail(EINVAL, "--on '%s': by which field do the events belong together?", on);
	vec_each (&words, word)
		err = err ? err : parse_key(pair, *word);
	strv_fini(&words);
	return err;
}

void pair_fini(struct pair *pair)
{
	struct pair_side *sides[] = { &pair->from, &pair->to };

	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		free(sides[i]->event);
		free(sides[i]->filter);
		for (size_t k = 0; k < PAIR_MOST_KEYS; k++)
			free(sides[i]->keys[k]);
	}
}

/* --- matching ------------------------------------------------------------------------------------------------------ */

/* A side in an input. */
struct side {
	const struct event *event;	/* NULL: it is not there */
	const struct value_field *keys[PAIR_MOST_KEYS];	/* NULL: the task or the CPU */
};

struct pair_input {
	struct side from, to;
	const struct value_field *by;
};

struct pairs {
	const struct pair *pair;
	VEC(struct pair_input) inputs;
	MAP(struct text, uint64_t) open;	/* keys to 1 + the beginning in ns; 0: none */
	strv_t bytes;				/* what the map borrows */
};

static struct event *event_of(const struct input *input, const char *text)
{
	__cleanup(free_ptr) char *copy = strdup(text);
	char *colon = copy ? strchr(copy, ':') : NULL;

	if (colon)
		*colon = '\0';
	return copy ? trace_find(input->trace, colon ? copy : NULL, colon ? colon + 1 : copy) : NULL;
}

static int find_key(const struct value_field **out, struct event *event, const char *option, const char *name)
{
	const struct values *values;
	int err = values_of(&values, event);

	*out = err ? NULL : values_field(values, name);
	if (*out && (*out)->common && pair_key_is_pid(name))
		*out = NULL;
	else if (!err && !*out && !pair_key_is_pid(name) && !pair_key_is_cpu(name))
		return fail(EINVAL, "%s %s: %s:%s has no such field; `ringside report --events` shows which there are", option, name, event->system, event->name);
	return err;
}

static int find_side(struct side *side, const struct input *input, const struct pair *pair, const struct pair_side *what)
{
	struct event *event = event_of(input, what->event);
	int err = 0;

	side->event = event;
	for (size_t i = 0; !err && event && i < pair->nkeys; i++)
		err = find_key(&side->keys[i], event, "--on", what->keys[i]);
	return err;
}

/* The key of @dist by which it is told apart where that is a field of the end. */
static int find_by(struct pair_input *in, const struct input *input, const struct dist *dist, const struct pair *pair)
{
	struct event *event = event_of(input, pair->to.event);

	return event && dist->opt.by == DIST_FIELD ? find_key(&in->by, event, "--by", dist->opt.field) : 0;
}

static int add_input(struct dist *dist, const struct input *input, bool *found)
{
	struct pairs *pairs = dist->pairs;
	struct pair_input in = { 0 };
	int err = find_side(&in.from, input, pairs->pair, &pairs->pair->from);

	if (!err && pairs->pair->by_number && !syscalls_of(input->trace->meta).n)
		return fail(EINVAL, "%s is of a machine whose numbers of system calls are not known here", input->path);
	err = err ? err : find_side(&in.to, input, pairs->pair, &pairs->pair->to);
	err = err ? err : find_by(&in, input, dist, pairs->pair);
	*found |= in.from.event && in.to.event;
	return err ? err : vec_push(&pairs->inputs, in);
}

static void key_bytes(const struct dist *dist, const struct side *side, const struct record *rec, int pid, struct str *out)
{
	str_clear(out);
	for (size_t i = 0; i < dist->pairs->pair->nkeys; i++) {
		const char *name = side == &dist->pairs->inputs.at[rec->file].from ? dist->pairs->pair->from.keys[i] : dist->pairs->pair->to.keys[i];
		uint64_t number = pair_key_is_cpu(name) ? rec->cpu : (uint64_t)pid;
		struct value value;

		if (!side->keys[i])
			str_addn(out, &number, sizeof(number));
		else if (!value_get(side->keys[i], rec->data, rec->size, &value))
			str_addc(out, '\x7f');
		else if (value_is_number(side->keys[i]))
			str_addn(out, &value.number, sizeof(value.number));
		else
			str_addn(out, value.at, value.size);
		str_addc(out, '\0');
	}
	str_addf(out, "%u", rec->file);
}

static int begin(struct dist *dist, const struct str *key, uint64_t ns)
{
	struct pairs *pairs = dist->pairs;
	map_entry(&pairs->open) entry = map_find_text(&pairs->open, key->at, key->len);
	char *copy;

	if (!entry) {
		copy = malloc(key->len + 1);
		if (!copy)
			return -ENOMEM;
		memcpy(copy, key->at, key->len + 1);
		if (strv_own(&pairs->bytes, copy))
			return -ENOMEM;
		entry = map_add_text(&pairs->open, copy, key->len);
	}
	if (!entry)
		return -ENOMEM;
	entry->value = ns + 1;
	return 0;
}

static int end(struct dist *dist, const struct record *rec, int pid, const struct str *key, uint64_t ns)
{
	const struct pair_input *in = &dist->pairs->inputs.at[rec->file];
	const struct input *input = &dist->inputs->at[rec->file];
	map_entry(&dist->pairs->open) entry = map_find_text(&dist->pairs->open, key->at, key->len);
	struct str text = { 0 };
	const char *by;
	uint64_t from;
	int err;

	if (!entry || !entry->value)
		return 0;
	from = entry->value - 1;
	entry->value = 0;
	dist->backwards += ns < from;
	if (ns < from || ns - from < dist->opt.over_ns)
		return 0;
	by = dist_task_key(dist, input, pid, rec->cpu, &text);
	if (in->by) {
		value_text(in->by, rec->data, rec->size, &text);
		by = str_text(&text);
	} else if (dist->opt.by == DIST_FIELD) {
		str_addf(&text, "%d", pair_key_is_cpu(dist->opt.field) ? (int)rec->cpu : pid);
		by = str_text(&text);
	}
	err = dist_add(dist, by, &(struct dist_outlier){ .value = ns - from, .ns = ns, .input = input, .pid = pid, .cpu = rec->cpu });
	str_fini(&text);
	return err;
}

static int take_record(struct dist *dist, const struct record *rec, struct str *key)
{
	const struct pair_input *in = &dist->pairs->inputs.at[rec->file];
	const struct input *input = &dist->inputs->at[rec->file];
	struct common common = record_common(input->trace, rec);
	const bool ends = in->to.event && common.id == in->to.event->id, begins = in->from.event && common.id == in->from.event->id;
	const uint64_t ns = ends || begins ? input_time(input, rec) : 0;
	int err = 0;

	if (ends) {
		key_bytes(dist, &in->to, rec, common.pid, key);
		err = str_ok(key) ?: end(dist, rec, common.pid, key, ns);
	}
	if (begins && !err) {
		key_bytes(dist, &in->from, rec, common.pid, key);
		err = str_ok(key) ?: begin(dist, key, ns);
	}
	return err;
}

/* Nothing is put together across a loss. */
static void forget_all(struct pairs *pairs)
{
	map_each (&pairs->open, entry)
		entry->value = 0;
}

static int take_records(struct dist *dist, const struct batch *batch)
{
	struct str key = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		const struct record *rec = &batch->records[i];

		if (rec->flags & RECORD_LOST) {
			dist->lost += rec->lost > 0 ? (uint64_t)rec->lost : 0;
			dist->lost_more |= rec->lost <= 0;
			forget_all(dist->pairs);
		}
		if (!(rec->flags & RECORD_NODATA))
			err = take_record(dist, rec, &key);
	}
	str_fini(&key);
	return err;
}

static void pairs_free(struct pairs *pairs)
{
	if (!pairs)
		return;
	vec_fini(&pairs->inputs);
	map_fini(&pairs->open);
	strv_fini(&pairs->bytes);
	free(pairs);
}

static int open_pairs(struct dist *dist, const struct pair *pair, const char *path)
{
	bool found = false;
	int err = 0;

	dist->pairs = calloc(1, sizeof(*dist->pairs));
	if (!dist->pairs)
		return -ENOMEM;
	dist->pairs->pair = pair;
	dist->pairs_free = pairs_free;
	dist->take = take_records;
	dist->times = true;
	vec_each (dist->inputs, input)
		err = err ? err : add_input(dist, input, &found);
	return err || found ? err : fail(ENOENT, "%s has not both events, %s and %s", path, pair->from.event, pair->to.event);
}

int dist_new_pairs(struct dist **out, struct reading *reading, const struct dist_options *opt, const struct pair *pair)
{
	int err = dist_make(out, reading, opt);

	err = err ? err : open_pairs(*out, pair, reading->inputs.at[0].path);
	if (err)
		dist_free(take(*out));
	return err;
}
