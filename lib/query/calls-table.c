/* SPDX-License-Identifier: GPL-2.0 */
/* The table of calls: one row for each call, in the order in which they were entered. */
#ifdef RINGSIDE_SQLITE
#include "lib/analysis/lacking.h"
#include "lib/base/err.h"
#include "lib/export/callers.h"
#include "lib/query/wants.h"

enum {
	ID,
	PARENT,
	DEPTH,
	FUNCTION,
	TS,
	END,
	CPU,
	PID,
	COMM,
	BUFFER,
	TOTAL,
	SELF,
	CALLEES,
	IRQ,
	OFF,
	BLOCKED,
	PREEMPTED,
	QUEUED,
	RETVAL,
	CALLER,
	CUT,
	MODULE,
};

static const char *const columns[] = {
	"id",	   "parent", "depth", "function TEXT", "ts",	    "end",    "cpu",	"pid",	       "comm TEXT", "buffer TEXT", "total", "self",
	"callees", "irq",    "off",   "blocked",       "preempted", "queued", "retval", "caller TEXT", "cut TEXT",  "module TEXT", NULL,
};

struct name_ids {
	uint32_t text, module;
	bool fits; /* a condition of the query lets calls of this function through */
};

/* A call of the table that was off the CPU for some time, as far as the recording tells. */
struct off_row {
	uint32_t row;
	uint64_t off;
};

/* The state while the table is filled. The timeline passes it on as its format's own data. */
struct calls_fill {
	struct relation *table;
	struct store *store;
	uint32_t calls;		    /* how many calls came so far; only the chosen ones are in the store */
	VEC(struct name_ids) names; /* parallel to timeline.names from its second name on */
	struct callers callers;
	VEC(uint16_t) files;	  /* the file of each row; empty if there is only one file */
	VEC(uint32_t) persons;	  /* the number of the person whose call it is, for each row; NO_PERSON: its times do not depend on a task */
	VEC(struct off_row) offs; /* used only if the column self is kept */
};

#define NO_PERSON UINT32_MAX

/* The memory that the timeline keeps for its format, which has only a pointer to the state. */
struct mine {
	struct calls_fill *fill;
};

static uint32_t text_id(struct store *store, const char *text, struct str *room)
{
	struct cell cell;

	if (!text)
		return UINT32_MAX;
	cell_text(&cell, text, strlen(text), room);
	return store_text_id(store, cell.text, cell.size);
}

static bool name_fits(const struct calls_fill *fill, const char *text, struct str *room)
{
	struct cell cell;

	if (!text)
		return true;
	cell_text(&cell, text, strlen(text), room);
	return choice_fits(fill->table->choice, FUNCTION, &cell);
}

static bool call_fits(const struct calls_fill *fill, const struct call_task *task, const struct call_frame *frame, uint32_t called)
{
	const struct choice *choice = fill->table->choice;
	const struct cell pid = { .kind = CELL_INTEGER, .number = (task->aside ? task->beside : task)->pid };
	const struct cell ts = { .kind = CELL_INTEGER, .number = (int64_t)frame->ns };

	if (likely(!choice))
		return true;
	if (called && called <= fill->names.n && !fill->names.at[called - 1].fits)
		return false;
	return choice_fits(choice, PID, &pid) && choice_fits(choice, TS, &ts);
}

/* What an open call remembers: its number and its row, which both begin at 1. Row 0 means that it is not in the store. */
static uint64_t call_id(uint32_t number, uint32_t row)
{
	return (uint64_t)row << 32 | number;
}

static void name(struct timeline *t, __unused uint32_t index, const char *text, const char *module, struct str *out)
{
	struct calls_fill *fill = ((struct mine *)t->mine)->fill;
	struct name_ids ids;

	/* The first name is added before the format has its data. */
	str_addc(out, '-');
	if (!fill)
		return;
	ids.fits = name_fits(fill, text, &t->scratch);
	ids.text = text_id(fill->store, text, &t->scratch);
	ids.module = text_id(fill->store, module, &t->scratch);
	out->oom |= vec_push(&fill->names, ids) != 0;
}

static int enter(struct timeline *t, struct call_task *task, struct call_frame *frame, uint32_t called, __unused const struct plan *plan,
		 __unused const struct record *rec)
{
	struct calls_fill *fill = ((struct mine *)t->mine)->fill;
	uint32_t row;

	timeline_frame_of(t, frame)->id = call_id(++fill->calls, 0);
	if (!call_fits(fill, task, frame, called))
		return 0;
	row = store_row(fill->store);
	if (row == UINT32_MAX)
		return fill->store->err;
	if ((t->reading->inputs.n > 1 && vec_push(&fill->files, task->file)) || vec_push(&fill->persons, NO_PERSON))
		return -ENOMEM;
	timeline_frame_of(t, frame)->id = call_id(fill->calls, row + 1);
	store_number(fill->store, row, TS, frame->ns);
	return 0;
}

static void put_times(struct store *store, uint32_t row, const struct call_times *times, bool irq_known, bool off_known)
{
	store_number(store, row, TOTAL, times->total);
	store_number(store, row, SELF, times->self);
	store_number(store, row, CALLEES, times->callees);
	if (irq_known)
		store_number(store, row, IRQ, times->irq);
	if (!off_known)
		return;
	store_number(store, row, OFF, times->off);
	store_number(store, row, BLOCKED, times->blocked);
	store_number(store, row, PREEMPTED, times->preempted);
	store_number(store, row, QUEUED, times->queued);
}

/* Remembers what is needed if it turns out at the end that the call's task lacks switches. Returns 0 or -ENOMEM. */
static int note_person(struct timeline *t, struct calls_fill *fill, uint32_t row, struct call_task *task, const struct timed_call *timed)
{
	if (!timed_depends(task))
		return 0;
	fill->persons.at[row] = timed_person_of(t->timed, task);
	return timed->times.off && fill->store->columns[SELF].kept ? vec_push(&fill->offs, (struct off_row){ row, timed->times.off }) : 0;
}

/* Fills columns that need more than the frame. They are found only if the query uses them. */
static void put_names(struct timeline *t, const struct calls_fill *fill, uint32_t row, const struct call_task *task, const struct call_frame *frame)
{
	const struct call_task *whose = task->aside ? task->beside : task;
	struct store *store = fill->store;

	if (store->columns[COMM].kept)
		store_id(store, row, COMM, text_id(store, timeline_comm(whose), &t->scratch));
	if (store->columns[BUFFER].kept)
		store_id(store, row, BUFFER, text_id(store, timeline_buffer(t, task->file, task->buffer), &t->scratch));
	if (store->columns[CALLER].kept && frame->retaddr) {
		const struct symbol *from = symbols_find(task->trace->symbols, frame->retaddr);

		store_id(store, row, CALLER, text_id(store, from ? from->name : NULL, &t->scratch));
	}
	relation_put_file(fill->table, store, row, task->file);
}

static int leave(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct timeline_frame *own, const struct call_end *end,
		 uint32_t called)
{
	struct calls_fill *fill = ((struct mine *)t->mine)->fill;
	const struct timed_call *timed = timed_call_of(t->timed, (struct call_frame *)frame);
	/* With --cpu, a caller that began on another CPU is not in the table, so it has no id. */
	const uint64_t caller = timeline_caller_id(t, task, (struct call_frame *)frame);
	const uint32_t parent = (uint32_t)caller;
	const struct call_task *whose = task->aside ? task->beside : task;
	struct store *store = fill->store;
	const uint32_t row = (uint32_t)(own->id >> 32) - 1;

	if (callers_leave(&fill->callers, task, frame, end, own->id, row == UINT32_MAX ? 0 : caller, row))
		return -ENOMEM;
	if (row == UINT32_MAX)
		return 0;
	store_number(store, row, ID, (uint32_t)own->id);
	if (parent)
		store_number(store, row, PARENT, parent);
	store_number(store, row, DEPTH, task->depth - 1);
	if (called && called <= fill->names.n) {
		store_id(store, row, FUNCTION, fill->names.at[called - 1].text);
		store_id(store, row, MODULE, fill->names.at[called - 1].module);
	}
	store_number(store, row, END, timeline_exit_ns(task, frame, end));
	store_number(store, row, CPU, frame->cpu);
	store_number(store, row, PID, (uint64_t)(int64_t)whose->pid);
	if (!end->cut && !timed->timeless && note_person(t, fill, row, task, timed))
		return -ENOMEM;
	if (!end->cut && !timed->timeless)
		put_times(store, row, &timed->times, !timed_is_async(task), timed_call_off_known(timed, task));
	if (end->has_retval)
		store_number(store, row, RETVAL, end->retval);
	if (end->cut && store->columns[CUT].kept)
		store_id(store, row, CUT, text_id(store, timeline_cut(end->cut), &t->scratch));
	put_names(t, fill, row, task, frame);
	return store->err;
}

static int event(__unused struct timeline *t, __unused struct call_task *task, __unused const struct plan *plan, __unused const struct record *rec,
		 __unused uint64_t ns)
{
	return 0;
}

static void forget(struct store *store, uint32_t row, const struct timed_facts *facts)
{
	if (!facts->irq)
		store_forget(store, row, IRQ);
	if (!timed_off_known(facts))
		store_forget(store, row, OFF);
	if (!facts->switches)
		store_forget(store, row, PREEMPTED);
	if (!timed_waits_known(facts)) {
		store_forget(store, row, BLOCKED);
		store_forget(store, row, QUEUED);
	}
}

static void forget_parent(void *store, uint64_t row)
{
	store_forget(store, (uint32_t)row, PARENT);
}

static const uint8_t off_columns[] = { OFF, BLOCKED, PREEMPTED, QUEUED };

/* Says for how many tasks of each file it is not known how long their calls were off the CPU, if the query uses a column with such a time. */
static void tell_lacking(struct timeline *t, const struct calls_fill *fill, const bool *lacking)
{
	struct query *query = fill->table->query;
	bool used = fill->store->columns[SELF].kept;

	for (size_t i = 0; i < ARRAY_LEN(off_columns); i++)
		used |= fill->store->columns[off_columns[i]].kept;
	for (unsigned int file = 0; used && !query->tells_off && !t->reading->quiet && file < t->reading->inputs.n; file++) {
		uint64_t n = 0;

		for (uint32_t i = 0; i < timed_persons(t->timed); i++)
			n += lacking[i] && timed_person(t->timed, i)->file == file;
		if (n)
			note(LACKING_CALLS, LACKING_CALLS_ARGS(n, t->reading->inputs.at[file].path));
	}
	query->tells_off |= used;
}

/* If a task lacks switches, it is not known how long its calls were off the CPU. This time is part of self then. Returns 0 or -ENOMEM. */
static int forget_lacking(struct timeline *t, const struct calls_fill *fill)
{
	__cleanup(free_ptr) bool *lacking = calloc(timed_persons(t->timed) + 1, sizeof(*lacking));
	uint64_t n = 0, self;

	if (!lacking)
		return -ENOMEM;
	for (unsigned int file = 0; file < t->reading->inputs.n; file++)
		n += timed_find_lacking(t->timed, file, NULL, NULL);
	for (uint32_t row = 0; n && row < fill->store->n; row++) {
		const uint32_t person = fill->persons.at[row];

		if (person == NO_PERSON || !timed_lacks(t->timed, person))
			continue;
		lacking[person] = true;
		for (size_t i = 0; i < ARRAY_LEN(off_columns); i++)
			store_forget(fill->store, row, off_columns[i]);
	}
	vec_each (&fill->offs, of)
		if (lacking[fill->persons.at[of->row]] && store_get(fill->store, of->row, SELF, &self))
			store_number(fill->store, of->row, SELF, self + of->off);
	if (n)
		tell_lacking(t, fill, lacking);
	return 0;
}

/* Sets columns that the recording cannot tell to NULL, so that they are not shown as 0. */
static int end(struct timeline *t)
{
	const struct calls_fill *fill = ((struct mine *)t->mine)->fill;
	const unsigned int n = t->reading->inputs.n;
	__cleanup(free_ptr) struct timed_facts *facts = calloc(n, sizeof(*facts));
	bool all_known = true;

	if (!facts)
		return -ENOMEM;
	callers_each(&fill->callers, forget_parent, fill->store);
	for (unsigned int file = 0; file < n; file++) {
		facts[file] = timed_facts_of(t->timed, file);
		all_known &= facts[file].irq && timed_waits_known(&facts[file]);
	}
	for (uint32_t row = 0; !all_known && row < fill->store->n; row++)
		forget(fill->store, row, &facts[fill->files.n ? fill->files.at[row] : 0]);
	return forget_lacking(t, fill);
}

/* clang-format off */
static const struct timeline_format format = {
	.style = PLAN_JSON, .mine = sizeof(struct mine), .table = true, .name = name, .enter = enter, .leave = leave, .event = event, .end = end,
};
/* clang-format on */

static int make(struct handler **out, struct reading *reading, void *options)
{
	int err = timeline_make(out, reading, &format);

	if (!err)
		((struct mine *)((struct timeline *)*out)->mine)->fill = options;
	return err;
}

static const struct analysis calls_analysis = { .name = "calls",
						.needs = ANALYSIS_SWITCHES | ANALYSIS_STAYS | ANALYSIS_TIMES,
						.folds = calls_fold,
						.make = make };

static int fill_calls(struct relation *table, struct store *store)
{
	struct calls_fill fill = { .table = table, .store = store };
	int err = relation_pass(table, &calls_analysis, &fill);

	callers_fini(&fill.callers);
	vec_fini(&fill.names);
	vec_fini(&fill.files);
	vec_fini(&fill.persons);
	vec_fini(&fill.offs);
	return err;
}

const struct relation_kind kind_calls = { .name = "calls", .columns = columns, .fill = fill_calls, .chooses = 1 << FUNCTION | 1 << TS | 1 << PID };
#endif
