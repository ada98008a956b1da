/* SPDX-License-Identifier: GPL-2.0 */
/* Turns the kernel's histograms into counts: each entry is a record that happened many times. */
#include "cmd/count-bpf.h"
#include "cmd/kernel-names.h"
#include "lib/analysis/keys.h"
#include "lib/base/err.h"
#include "lib/event/trace.h"

#include <stdio.h>

/* The state while the entries of one event are added. */
struct filling {
	struct count_kernel *k;
	struct counts *counts;
	const struct input *input;
	const struct kernel_event *from;
	struct event *event;
	const struct values *values;
	struct keys *tasks; /* the tasks that are followed */
	struct str data;    /* the record that is made of an entry */
	struct str stack;   /* the call path of the record */
};

/* --- tasks ------------------------------------------------------------------------------------------------------- */

static int add_task(struct keys *tasks, uint64_t pid, bool *added)
{
	size_t before = map_count(&tasks->all);
	int64_t i = keys_index(tasks, (struct key){ pid, 0, 0 });

	*added |= i >= (int64_t)before;
	return i < 0 ? (int)i : 0;
}

/* Adds the descendants of the followed tasks. */
static int add_children(const struct count_kernel *k, struct keys *tasks)
{
	static const char *const names[] = { "common_pid", "child_pid" };
	bool added = true;
	int err = 0;

	while (added && !err) {
		struct text rest = k->forks;
		struct hist_entry entry;

		added = false;
		while (!err && hist_next(&rest, names, 2, &entry))
			if (keys_find(tasks, (struct key){ strtoull(entry.keys[0].at, NULL, 10), 0, 0 }) >= 0)
				err = add_task(tasks, strtoull(entry.keys[1].at, NULL, 10), &added);
	}
	return err;
}

static int find_tasks(const struct count_kernel *k, struct keys *tasks)
{
	bool added;
	int err = 0;

	vec_each (&k->tasks, pid)
		err = err ? err : add_task(tasks, strtoull(*pid, NULL, 10), &added);
	return err || !k->forks.at ? err : add_children(k, tasks);
}

/* Learns what tasks were called when they were first seen, and then their later names. */
static int learn_names(const struct count_kernel *k, struct comms *comms)
{
	struct hist_entry entry;
	struct str lines = { 0 };
	int err;

	vec_each (&k->events, event) {
		const char *keys[HIST_MOST_KEYS];
		struct text rest = event->text;

		for (size_t i = 0; i < event->nkeys; i++)
			keys[i] = event->keys[i].name;
		while (rest.at && hist_next(&rest, keys, event->nkeys, &entry))
			for (size_t i = 0; i < event->nkeys; i++)
				if (event->keys[i].what == KERNEL_PID)
					kernel_names_first(&lines, &entry.keys[i]);
	}
	err = kernel_names_learn(comms, &lines, &k->names);
	str_fini(&lines);
	return err;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void put_number(struct str *data, const struct field *at, uint64_t number)
{
	if ((size_t)at->offset + at->size > data->len)
		return;
	if (at->size == 1)
		*(uint8_t *)(data->at + at->offset) = (uint8_t)number;
	else if (at->size == 2)
		memcpy(data->at + at->offset, &(uint16_t){ (uint16_t)number }, 2);
	else if (at->size == 4)
		memcpy(data->at + at->offset, &(uint32_t){ (uint32_t)number }, 4);
	else if (at->size == 8)
		memcpy(data->at + at->offset, &number, 8);
}

/* Puts a text into its array or, if the field is dynamic, after all fields. */
static void put_text(struct str *data, const struct value_field *field, const struct text *text)
{
	const struct field *at = &field->at;

	if (at->dynamic) {
		uint32_t offset = (uint32_t)(field->relative ? data->len - at->offset - at->size : data->len);

		put_number(data, at, offset | (uint32_t)(text->size + 1) << 16);
		str_addn(data, text->at, text->size);
		str_addc(data, '\0');
	} else if ((size_t)at->offset + at->size <= data->len) {
		memcpy(data->at + at->offset, text->at, MIN(text->size, (size_t)at->size));
	}
}

static void put_field(struct filling *f, const char *name, const struct text *text)
{
	const struct value_field *field = values_field(f->values, name);

	if (field && value_is_number(field))
		put_number(&f->data, &field->at, strtoull(text->at, NULL, 10));
	else if (field)
		put_text(&f->data, field, text);
}

/* Makes the record as large as all fields of the event. */
static void make_room(struct filling *f)
{
	size_t size = 0;

	vec_each (&f->values->fields, field)
		size = MAX(size, (size_t)field->at.offset + field->at.size);
	str_clear(&f->data);
	for (size_t i = 0; i < size; i++)
		str_addc(&f->data, '\0');
}

static bool is_followed(const struct filling *f, const struct text *key)
{
	return keys_find(f->tasks, (struct key){ strtoull(key->at, NULL, 10), 0, 0 }) >= 0;
}

/* Reduces *@hits and *@sum to what the entry has counted since the last look. The histogram is not cleared, so nothing is lost between two periods. */
static int since_before(struct filling *f, const struct hist_entry *entry, uint64_t *hits, uint64_t *sum)
{
	struct count_kernel *k = f->k;
	struct kernel_before now = { *hits, *sum };
	map_entry(&k->before) before;
	struct str name = { 0 };
	int err;

	str_addn(&name, &f->from, sizeof(f->from));
	for (size_t i = 0; i < f->from->nkeys; i++) {
		str_addn(&name, entry->keys[i].at, entry->keys[i].size);
		str_addc(&name, '\0');
	}
	err = str_ok(&name);
	before = err ? NULL : map_find_text(&k->before, name.at, name.len);
	if (!err && !before) {
		const size_t n = name.len;
		char *text = str_take(&name);

		err = strv_own(&k->entries, text);
		before = err ? NULL : map_add_text(&k->before, text, n);
		err = before ? 0 : -ENOMEM;
	}
	if (before) {
		*hits -= before->value.hits;
		*sum -= before->value.sum;
		before->value = now;
	}
	str_fini(&name);
	return err;
}

/* The frames above the function that has the probe belong to the probe itself, so they are removed. */
static void drop_probe(const strv_t *functions, strv_t *stack)
{
	size_t n = 0;

	while (n < stack->n && !strv_has(functions, stack->at[n]))
		n++;
	for (size_t i = 0; n < stack->n && i < n; i++)
		free(stack->at[i]);
	if (n == stack->n)
		return;
	memmove(stack->at, stack->at + n, (stack->n - n) * sizeof(*stack->at));
	stack->n -= n;
}

/* Puts the path of a stack key. */
static int put_stack(struct filling *f, struct text stack)
{
	struct text function;
	strv_t names = { 0 };
	int err = 0;

	while (!err && hist_stack_next(&stack, &function))
		err = strv_own(&names, strndup(function.at, function.size));
	if (f->from->as)
		drop_probe(&f->k->functions, &names);
	str_clear(&f->stack);
	count_stack_path(&names, &f->stack);
	strv_fini(&names);
	return err ? err : str_ok(&f->stack);
}

static int fill_entry(struct filling *f, const struct hist_entry *entry)
{
	const struct value_field *pid_field = values_field(f->values, "common_pid"), *type = values_field(f->values, "common_type");
	struct record rec = { 0 };
	bool ours = !f->k->follows;
	uint64_t pid = 0, sum = 0, hits = entry->hits;
	struct text comm;
	char text[24];
	int err = 0;

	make_room(f);
	if (type)
		put_number(&f->data, &type->at, f->event->id);
	for (size_t i = 0; i < f->from->nkeys; i++) {
		const struct text *key = &entry->keys[i];

		switch (f->from->keys[i].what) {
		case KERNEL_PID:
			if (!hist_task(key, &comm, &pid))
				return 0;
			snprintf(text, sizeof(text), "%llu", (unsigned long long)pid);
			ours |= is_followed(f, &(struct text){ text, strlen(text) });
			break;
		case KERNEL_CPU:
			rec.cpu = (uint16_t)strtoul(key->at, NULL, 10);
			break;
		case KERNEL_TO:
			ours |= is_followed(f, key);
			/* fall through */
		case KERNEL_FIELD:
			put_field(f, f->from->keys[i].field ? f->from->keys[i].field : f->from->keys[i].name, key);
			break;
		case KERNEL_STACK:
			err = put_stack(f, *key);
			break;
		}
	}
	if (!ours)
		return 0;
	if (pid_field)
		put_number(&f->data, &pid_field->at, pid);
	if (f->from->sums)
		hist_number(entry, f->k->spec->sum, &sum);
	rec.data = f->data.at;
	rec.size = (uint32_t)f->data.len;
	err = err ? err : str_ok(&f->data);
	if (!err && f->k->every_ns)
		err = since_before(f, entry, &hits, &sum);
	return err || !hits ? err : counts_add(f->counts, &rec, f->stack.len ? f->stack.at : NULL, hits, sum);
}

static int fill_event(struct filling *f)
{
	const char *names[HIST_MOST_KEYS];
	struct text rest = f->from->text;
	struct hist_entry entry;
	int err;

	f->event = trace_find_said(f->input->trace, f->from->as ? f->from->as : f->from->name);
	if (!f->event || !rest.at)
		return 0;
	err = values_of(&f->values, f->event);
	for (size_t i = 0; i < f->from->nkeys; i++)
		names[i] = f->from->keys[i].name;
	while (!err && hist_next(&rest, names, f->from->nkeys, &entry)) {
		f->k->counted += entry.hits;
		err = fill_entry(f, &entry);
	}
	f->counts->dropped += hist_dropped(&f->from->text);
	return err;
}

static int fill_histograms(struct count_kernel *k, struct reading *reading, struct counts *counts)
{
	struct keys tasks = { 0 };
	struct filling f = { .k = k, .counts = counts, .input = &reading->inputs.at[0], .tasks = &tasks };
	int err = find_tasks(k, &tasks);

	err = err ? err : learn_names(k, f.input->trace->comms);
	vec_each (&k->events, event) {
		f.from = event;
		err = err ? err : fill_event(&f);
	}
	counts->dropped += k->forks.at ? hist_dropped(&k->forks) : 0;
	str_fini(&f.data);
	str_fini(&f.stack);
	keys_fini(&tasks);
	return err;
}

int count_kernel_fill(void *ctx, struct reading *reading, struct counts *counts)
{
	struct count_kernel *k = ctx;
	int err;

	if (k->filled)
		return 0;
	k->filled = true;
	k->counted = 0;
	counts->dropped = 0;
	if (k->failed)
		return -EIO;
	err = k->tally ? count_bpf_fill(k, reading, counts) : fill_histograms(k, reading, counts);
	counts->since_ns = k->began_ns;
	counts->span_ns = MAX(k->span_ns, (uint64_t)1);
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}
