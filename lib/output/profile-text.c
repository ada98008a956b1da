/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/profile-text.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/reading.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/event/text.h"
#include "lib/output/branches.h"
#include "lib/output/reading-meta.h"

#include <stdio.h>

/* The arguments are the number of pairs and either " of events is" or "s of events are". */
#define UNTIMED "%llu pair%s not timed: events between them were lost, or are missing"

/* The arguments are those of LACKING_OF(). */
#define LACKING "the times of %llu task%s on and off the CPU can be wrong, because " LACKING_WHY
#define LACKING_OF(n) (unsigned long long)(n), (n) == 1 ? "" : "s"

struct row {
	const struct profile_owner *owner;
	const struct profile_item *item;
	uint32_t index; /* of .item */
};

struct view {
	const struct profile *p;
	const struct profile_facts *facts;
	const struct reading *reading;
	const struct profile_at_stack **stacks; /* by item */
	size_t nstacks;
	struct str *out;
};

static int by_owner(const struct profile_owner *a, const struct profile_owner *b)
{
	int order = ORDER(a->file, b->file);

	order = order ? order : ORDER(a->buffer, b->buffer);
	order = order ? order : ORDER(a->kind, b->kind);
	order = order ? order : ORDER(a->pid, b->pid);
	order = order ? order : strcmp(a->comm ? a->comm : "", b->comm ? b->comm : "");
	return order ? order : ORDER(a->cpu, b->cpu);
}

static int by_row(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = by_owner(x->owner, y->owner);

	order = order ? order : ORDER(x->item->kind, y->item->kind);
	order = order ? order : ORDER(x->item->pair, y->item->pair);
	order = order ? order : ORDER(y->item->times.total, x->item->times.total);
	order = order ? order : ORDER(y->item->times.count, x->item->times.count);
	return order ? order : ORDER(x->index, y->index);
}

static int by_stack(const void *a, const void *b)
{
	const struct profile_at_stack *x = *(const struct profile_at_stack *const *)a;
	const struct profile_at_stack *y = *(const struct profile_at_stack *const *)b;
	int order = ORDER(x->item, y->item);

	return order ? order : ORDER(x->stack, y->stack);
}

/* --- who ----------------------------------------------------------------------------------------------------- */

static const char *comm_of(const struct view *v, const struct profile_owner *owner)
{
	return owner->comm ? owner->comm : comms_find(v->p->inputs->at[owner->file].trace->comms, owner->pid);
}

static bool wanted(const struct view *v, const struct profile_owner *owner)
{
	const struct select_options *show = &v->reading->select;

	if (owner->kind == OWNER_CPU)
		return !show->comms.n && !show->pids.n && !show->tids.n;
	return select_task(show, comm_of(v, owner), owner->pid);
}

static void add_owner(struct view *v, const struct profile_owner *owner)
{
	const struct input *input = &v->p->inputs->at[owner->file];
	const char *buffer = owner->buffer < input->file->buffers.n ? input->file->buffers.at[owner->buffer].name : "";

	str_addc(v->out, '\n');
	if (input->name)
		str_addf(v->out, "%s: ", input->name);
	if (buffer && *buffer)
		str_addf(v->out, "%s: ", buffer);
	if (owner->kind == OWNER_CPU)
		str_addf(v->out, "Global CPU[%u] Events\n", owner->cpu);
	else if (owner->pid)
		str_addf(v->out, "task: %s-%d\n", comm_of(v, owner), owner->pid);
	else if (owner->kind == OWNER_GROUP && owner->comm)
		str_addf(v->out, "group: %s\n", owner->comm);
	else if (owner->kind == OWNER_GROUP)
		str_addf(v->out, "group: swapper/%u\n", owner->cpu);
	else
		str_addf(v->out, "task: swapper/%u-0\n", owner->cpu);
}

/* --- what ---------------------------------------------------------------------------------------------------- */

/* Adds the letters of a task state, as in kernels since 4.14. R+ is a task that was preempted. */
static void add_state(uint64_t state, struct str *out)
{
	static const char letters[] = "SDTtXZPI";
	bool any = false;

	for (size_t i = 0; i < sizeof(letters) - 1; i++) {
		if (!(state & 1ULL << i))
			continue;
		str_addf(out, "%s%c", any ? "|" : "", letters[i]);
		any = true;
	}
	if (!any)
		str_addc(out, 'R');
	if (state & 0x100)
		str_addc(out, '+');
}

static void add_value(enum profile_value how, uint64_t value, struct str *out)
{
	static const char *const softirqs[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };

	if (how == VALUE_SOFTIRQ && value < ARRAY_LEN(softirqs))
		str_add(out, softirqs[value]);
	else if (how == VALUE_HEX)
		str_addf(out, "0x%llx", (unsigned long long)value);
	else
		str_addf(out, "%lld", (long long)value);
}

static void add_label(const struct view *v, const struct profile_item *item)
{
	const struct symbol *sym;

	switch (item->kind) {
	case PROFILE_RUN:
		str_add(v->out, "sched_switch:running");
		break;
	case PROFILE_OFF:
		str_add(v->out, "sched_switch:");
		add_state(item->value, v->out);
		break;
	case PROFILE_PAIR:
		str_addf(v->out, "%s:", item->pair->start.event);
		add_value(item->pair->value, item->value, v->out);
		break;
	case PROFILE_FUNC:
		sym = symbols_find(v->p->inputs->at[item->file].trace->symbols, item->value);
		if (sym)
			str_addf(v->out, "func: %s()", sym->name);
		else
			str_addf(v->out, "func: 0x%llx()", (unsigned long long)item->value);
		break;
	case PROFILE_CALL:
		str_addf(v->out, "func: %s()", item->event->name);
		break;
	case PROFILE_COUNT:
		str_add(v->out, item->event->name);
		break;
	}
}

static void add_at(const struct view *v, const struct profile_item *item, uint64_t ts)
{
	const struct input *in = &v->p->inputs->at[item->file];
	struct str text = { 0 };

	text_time(ts, input_in_seconds(in, v->p->owners.at[item->owner].buffer), v->reading->exact, &text);
	str_addf(v->out, "(ts:%s)", str_text(&text) + strspn(str_text(&text), " "));
	str_fini(&text);
}

static void add_place(const struct view *v, const struct profile_item *item, uint64_t addr)
{
	const struct symbol *sym = symbols_find(v->p->inputs->at[item->file].trace->symbols, addr);

	str_addf(v->out, "%s (0x%llx)\n", sym ? sym->name : "??", (unsigned long long)addr);
}

static void add_share(const struct view *v, const struct profile_item *item, const struct branch *on, const struct branch *branch)
{
	const struct times *t = &branch->times;
	uint64_t all = 0, part = on->times.total ? t->total : t->count;

	all = MAX(on->times.total ? on->times.total : on->times.count, (uint64_t)1);
	str_addf(v->out, "%.0f%% (%llu)", (double)part * 100 / (double)all, (unsigned long long)t->count);
	if (t->total) {
		str_addf(v->out, " time:%llu max:%llu", (unsigned long long)t->total, (unsigned long long)t->max);
		add_at(v, item, t->max_at);
		str_addf(v->out, " min:%llu", (unsigned long long)t->min);
		add_at(v, item, t->min_at);
		str_addf(v->out, " avg:%llu", (unsigned long long)(t->total / t->count));
	}
	str_addc(v->out, '\n');
}

/* Adds the branches above @on. Each line begins with @front. */
static void add_branches(const struct view *v, const struct profile_item *item, const struct branches *b, const struct branch *on, struct str *front)
{
	size_t len = front->len;

	for (uint32_t i = 0; i < on->n; i++) {
		const struct branch *branch = branch_on(b, on, i), *next;

		str_addf(v->out, "%s|\n%s+ ", str_text(front), str_text(front));
		add_place(v, item, branch->what);
		str_add(front, i + 1 < on->n ? "|   " : "    ");
		str_addf(v->out, "%s", str_text(front));
		add_share(v, item, on, branch);
		while ((next = branch_next(b, branch))) {
			str_addf(v->out, "%s ", str_text(front));
			add_place(v, item, next->what);
			branch = next;
		}
		str_add(front, "  ");
		add_branches(v, item, b, branch, front);
		front->len = len;
		if (front->at)
			front->at[len] = '\0';
	}
}

/* Adds the stacks of an item as a tree that begins at the functions called last. v->stacks is in the order of items. */
static int add_stacks(const struct view *v, uint32_t item)
{
	struct branches branches;
	struct str front = { 0 };
	size_t low = 0, high = v->nstacks;
	int err;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (v->stacks[middle]->item < item)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == v->nstacks || v->stacks[low]->item != item)
		return 0;
	err = branches_init(&branches);
	for (; !err && low < v->nstacks && v->stacks[low]->item == item; low++) {
		const struct profile_stack *stack = &v->p->stacks.at[v->stacks[low]->stack];

		branches_begin(&branches, &v->stacks[low]->times);
		for (size_t i = 0; !err && i < stack->n; i++)
			err = branches_add(&branches, v->p->addresses.at[stack->first + i]);
	}
	err = err ? err : branches_sort(&branches);
	str_add(&front, "       ");
	if (!err)
		add_branches(v, &v->facts->items.at[item], &branches, &branches.all.at[0], &front);
	branches_fini(&branches);
	err = err ? err : str_ok(&front);
	str_fini(&front);
	return err;
}

static int add_item(const struct view *v, const struct row *row)
{
	const struct times *t = &row->item->times;

	str_add(v->out, "  Event: ");
	add_label(v, row->item);
	str_addf(v->out, " (%llu)", (unsigned long long)t->count);
	if (t->max) {
		str_addf(v->out, " Total: %llu Avg: %llu Max: %llu", (unsigned long long)t->total, (unsigned long long)(t->total / t->count),
			 (unsigned long long)t->max);
		add_at(v, row->item, t->max_at);
		str_addf(v->out, " Min:%llu", (unsigned long long)t->min);
		add_at(v, row->item, t->min_at);
	}
	str_addc(v->out, '\n');
	return add_stacks(v, row->index);
}

static int add_items(struct view *v)
{
	const struct profile_facts *facts = v->facts;
	__cleanup(free_ptr) struct row *rows = calloc(MAX(facts->items.n, (size_t)1), sizeof(*rows));
	__cleanup(free_ptr) const struct profile_at_stack **stacks = calloc(MAX(facts->at_stacks.n, (size_t)1), sizeof(*stacks));
	const struct profile_owner *last = NULL;
	int err = 0;

	if (!rows || !stacks)
		return -ENOMEM;
	for (uint32_t i = 0; i < facts->items.n; i++)
		rows[i] = (struct row){ &v->p->owners.at[facts->items.at[i].owner], &facts->items.at[i], i };
	for (size_t i = 0; i < facts->at_stacks.n; i++)
		stacks[i] = &facts->at_stacks.at[i];
	qsort(rows, facts->items.n, sizeof(*rows), by_row);
	qsort(stacks, facts->at_stacks.n, sizeof(const struct profile_at_stack *), by_stack);
	v->stacks = stacks;
	v->nstacks = facts->at_stacks.n;
	for (size_t i = 0; !err && i < facts->items.n; i++) {
		if (!wanted(v, rows[i].owner))
			continue;
		if (rows[i].owner != last)
			add_owner(v, rows[i].owner);
		last = rows[i].owner;
		err = add_item(v, &rows[i]);
	}
	return err;
}

/* --- a table ------------------------------------------------------------------------------------------------- */

enum { BUFFER, COMM, TID, CPU, EVENT, COUNT, TOTAL, MEAN, MIN_, MAX_ };

static const struct table_column columns[] = {
	[BUFFER] = { "buffer", TABLE_TEXT, .more = true },
	[COMM] = { "comm", TABLE_TEXT },
	[TID] = { "tid", TABLE_ID },
	[CPU] = { "cpu", TABLE_ID },
	[EVENT] = { "event", TABLE_TEXT },
	[COUNT] = { "count", TABLE_COUNT },
	[TOTAL] = { "total", TABLE_NS },
	[MEAN] = { "mean", TABLE_NS },
	[MIN_] = { "min", TABLE_NS },
	[MAX_] = { "max", TABLE_NS },
	{ NULL },
};
static const struct table_spec spec = { .columns = columns };

/* Returns how many tasks lack switches. If a filter leaves out records of sched_switch, there are no times that could be wrong. */
static uint64_t lacking(const struct reading *reading)
{
	uint64_t n = 0;

	for (size_t i = 0; lacking_some(reading) && i < reading->inputs.n; i++)
		n += reading->inputs.at[i].some_switches ? 0 : reading->lacking->files.at[i].n;
	return n;
}

static void add_row(struct view *v, const struct row *row, struct table *table)
{
	const struct profile_owner *owner = row->owner;
	const struct datfile *file = v->p->inputs->at[owner->file].file;
	const struct times *t = &row->item->times;

	table_row(table, TABLE_ROOT);
	table_text(table, BUFFER, owner->buffer < file->buffers.n ? file->buffers.at[owner->buffer].name : NULL);
	if (owner->kind != OWNER_CPU)
		table_text(table, COMM, owner->kind == OWNER_GROUP && !owner->comm ? "<idle>" : comm_of(v, owner));
	if (owner->kind == OWNER_TASK)
		table_id(table, TID, owner->pid);
	if (owner->kind == OWNER_CPU || !owner->pid)
		table_id(table, CPU, owner->cpu);
	str_clear(v->out);
	add_label(v, row->item);
	table_copy(table, EVENT, str_text(v->out));
	table_count(table, COUNT, t->count);
	if (!t->max)
		return;
	table_count(table, TOTAL, t->total);
	table_count(table, MEAN, t->total / t->count);
	table_count(table, MIN_, t->min);
	table_count(table, MAX_, t->max);
}

static int show_table(struct view *v, struct reading *reading, const struct table_show *how)
{
	const struct profile_facts *facts = v->facts;
	__cleanup(free_ptr) struct row *rows = calloc(MAX(facts->items.n, (size_t)1), sizeof(*rows));
	struct table_meta meta;
	struct table *table;
	strv_t files = { 0 };
	int err = table_new(&table, &spec, how);

	if (err)
		return err;
	for (uint32_t i = 0; rows && i < facts->items.n; i++)
		rows[i] = (struct row){ &v->p->owners.at[facts->items.at[i].owner], &facts->items.at[i], i };
	if (rows)
		qsort(rows, facts->items.n, sizeof(*rows), by_row);
	for (uint32_t i = 0; rows && i < facts->items.n; i++)
		if (wanted(v, rows[i].owner))
			add_row(v, &rows[i], table);
	if (v->p->untimed)
		table_note(table, UNTIMED, (unsigned long long)v->p->untimed, v->p->untimed == 1 ? " of events is" : "s of events are");
	if (lacking(reading))
		table_note(table, LACKING, LACKING_OF(lacking(reading)));
	err = rows ? reading_meta(reading, &meta, &files) : -ENOMEM;
	if (!err) {
		meta.lost = v->p->losses.events;
		meta.lost_more = v->p->losses.more;
	}
	err = err ? fail(-err, "%m") : table_show(table, &meta, reading->out);
	table_free(table);
	strv_fini(&files);
	return err;
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	const struct profile_view *how = options;
	struct profile *p = container_of(h, struct profile, handler);
	struct profile_facts grouped = { 0 };
	struct str text = { 0 };
	struct view v = { .p = p, .facts = p->by_comm ? &grouped : &p->facts, .reading = reading, .out = &text };
	int err = p->by_comm ? profile_by_comm(p, &grouped) : 0;

	if (!err && how->as_table) {
		err = show_table(&v, reading, &how->table);
		goto out;
	}
	err = err ? err : add_items(&v);
	if (p->untimed)
		str_addf(&text, "\n" UNTIMED "\n", (unsigned long long)p->untimed, p->untimed == 1 ? " of events is" : "s of events are");
	if (lacking(reading))
		str_addf(&text, "\n" LACKING "\n", LACKING_OF(lacking(reading)));
	err = err ? err : reading_write(reading, &text);
out:
	profile_facts_fini(&grouped);
	str_fini(&text);
	return err;
}

/* Makes the profile. It uses the hooks that are in the recording, too. */
static int make(struct handler **out, struct reading *reading, void *options)
{
	struct profile_view *view = options;
	struct profile_options *opt = &view->opt;
	struct profile *profile;
	struct table *table;
	int err = view->as_table ? table_new(&table, &spec, &view->table) : 0;

	if (err)
		return err;
	if (view->as_table)
		table_free(table);
	vec_each (&reading->inputs, input)
		vec_each (&input->file->meta.hooks, hook)
			if (!err && !strv_has(&opt->hooks, *hook))
				err = strv_add(&opt->hooks, *hook);
	opt->cpus = reading_cpus(reading);
	err = err ? err : lacking_find(reading);
	err = err ? err : profile_new(&profile, &reading->inputs, opt);
	if (!err)
		*out = &profile->handler;
	return err;
}

const struct analysis profile_analysis = {
	.name = "profile",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_ALL_CPUS | ANALYSIS_STAYS,
	.make = make,
	.show = show,
};
