/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/meanwhile-inside.h"
#include "lib/analysis/stacks.h"

/* --- texts ------------------------------------------------------------------------------------------------------------- */

int64_t meanwhile_text_id(struct meanwhile *m, const char *text)
{
	size_t len = strlen(text);
	const char *mine;

	if (map_find_text(&m->text_ids, text, len))
		return map_find_text(&m->text_ids, text, len)->value;
	mine = strv_add(&m->texts, text) ? NULL : m->texts.at[m->texts.n - 1];
	if (!mine || !map_add_text(&m->text_ids, mine, len))
		return -ENOMEM;
	map_find_text(&m->text_ids, mine, len)->value = (uint32_t)(m->texts.n - 1);
	return (int64_t)m->texts.n - 1;
}

const char *meanwhile_text(const struct meanwhile *m, uint32_t text)
{
	return m->texts.at[text];
}

/* --- what is kept ------------------------------------------------------------------------------------------------------ */

struct cpu_runs *meanwhile_cpu(struct meanwhile *m, uint8_t file, uint16_t cpu)
{
	return stream_of(&m->cpus, &(struct record){ .file = file, .cpu = cpu });
}

struct history *meanwhile_history(struct meanwhile *m, uint32_t person)
{
	while (m->histories.n <= person)
		if (vec_push(&m->histories, (struct history){ .prio = -1 }))
			return NULL;
	return &m->histories.at[person];
}

static struct history *history_of(struct meanwhile *m, uint32_t person, uint64_t ns)
{
	struct history *history = meanwhile_history(m, person);

	if (!history)
		return NULL;
	if (!history->is_known)
		history->known = ns;
	history->is_known = true;
	return history;
}

static int keep_run(struct cpu_runs *cpu, const struct run *run)
{
	if (!cpu->ring)
		cpu->ring = calloc(RUNS, sizeof(*cpu->ring));
	if (!cpu->ring)
		return -ENOMEM;
	cpu->ring[cpu->n++ % RUNS] = *run;
	return 0;
}

static int keep_episode(struct history *history)
{
	/* Most tasks live for a short time, so the ring grows only when it is full. */
	if (history->n == history->cap && history->cap < (history->longer ? MORE_EPISODES : EPISODES)) {
		size_t cap = history->cap ? history->cap * 2 : 2;
		struct episode *ring = realloc(history->ring, cap * sizeof(*ring));

		if (!ring)
			return -ENOMEM;
		history->ring = ring;
		history->cap = cap;
	}
	if (history->n >= history->cap && past_keep(&history->past, &history->ring[history->n % history->cap]))
		return -ENOMEM;
	history->ring[history->n++ % history->cap] = history->now;
	return 0;
}

/* --- where a task is --------------------------------------------------------------------------------------------------- */

/* Returns the index of a text with the functions that are open in the person's task, the innermost first. Returns -ENOMEM when memory runs out. */
static int64_t open_functions(struct meanwhile *m, uint32_t person)
{
	const struct timed_person *who = timed_person(m->timed, person);
	struct stack_text text = { 0 };

	vec_each (&who->tasks, task) {
		char buf[CALL_NAME];

		if (text.n)
			break;
		for (size_t i = (*task)->depth; i-- > 0 && !stack_full(&text);) {
			const struct call_frame *frame = call_at(*task, i);

			if (frame->func)
				stack_add(&text, call_name((*task)->trace, frame->source, frame->func, buf, NULL));
		}
	}
	return meanwhile_text_id(m, text.at);
}

/* Returns the value of a field that has a small number, such as a priority or a CPU. Returns -1 if it is not recorded. */
static int small_of(const struct meanwhile *m, const struct record *rec, const struct field *field)
{
	uint64_t value;

	if (!field->found || !field_get(field, rec->data, rec->size, m->inputs->at[rec->file].trace->swap, &value))
		return -1;
	return (int)value;
}

static int comes_back(struct meanwhile *m, const struct timed_switch *what, int prio)
{
	const struct timed_person *who = timed_person(m->timed, what->next);
	struct history *history = history_of(m, what->next, what->ns);
	struct episode *now;

	if (!history)
		return -ENOMEM;
	now = &history->now;
	history->prio = prio;
	if (!now->off || (!now->fresh && (!who->off.why || now->since != who->off.since)))
		return now->off = SCHED_NOT_OFF, 0;
	now->back = what->ns;
	now->prio = prio;
	if (!now->fresh)
		now->woken = sched_off_woken(&who->off) >= now->since && sched_off_woken(&who->off) <= what->ns ? sched_off_woken(&who->off) : 0;
	if (!now->has_waited)
		now->waited = what->rec->cpu;
	if (keep_episode(history))
		return -ENOMEM;
	now->off = SCHED_NOT_OFF;
	return 0;
}

/*
 * A task leaves its CPU, although no record shows that it came there. If it slept before, it was off its CPU at least until it was woken. If it left the
 * same CPU before, it was off at least until the last recorded switch there. Returns 0 or -ENOMEM.
 */
static int came_unseen(struct meanwhile *m, const struct timed_switch *what, uint64_t since)
{
	struct history *history = history_of(m, what->prev, what->ns);
	struct episode *now;

	if (!history)
		return -ENOMEM;
	now = &history->now;
	if (!now->off)
		return 0;
	since = MAX(now->cpu == what->rec->cpu && !now->fresh ? since : 0, now->off == SCHED_ASLEEP ? now->woken : 0);
	if (since <= now->since)
		return 0;
	now->back = since;
	if (!now->has_waited)
		now->waited = what->rec->cpu;
	now->lost = true;
	return keep_episode(history);
}

static int goes(struct meanwhile *m, const struct timed_switch *what)
{
	struct history *history = history_of(m, what->prev, what->ns);
	int64_t where = open_functions(m, what->prev);

	if (!history || where < 0)
		return -ENOMEM;
	m->told_by.at[what->rec->file] = what->rec->buffer;
	history->now = (struct episode){ .since = what->ns,
					 .unsure = what->dead || timed_losing(m->timed, what->rec),
					 .off = what->why,
					 .where = (uint32_t)where,
					 .cpu = what->rec->cpu,
					 .waker.person = MEANWHILE_NOBODY,
					 .prio = -1 };
	return 0;
}

/* Notes which stack is expected for this record. */
static void expect(struct meanwhile *m, struct cpu_runs *cpu, const struct record *rec, struct expected expected)
{
	const enum call_irq level = stack_level(m->inputs->at[rec->file].trace, rec);

	stack_owner_begin(&cpu->owners, level);
	cpu->expected[level] = expected;
}

int meanwhile_switched(struct meanwhile *m, const struct timed_switch *what, uint64_t *missing)
{
	const struct known_fields *fields = &m->fields.at[what->rec->file];
	struct cpu_runs *cpu = meanwhile_cpu(m, what->rec->file, what->rec->cpu);
	struct run ended = { .person = what->prev, .to = what->ns, .prio = small_of(m, what->rec, &fields->prev) };
	int prio = small_of(m, what->rec, &fields->next), err;

	*missing = UINT64_MAX;
	if (!cpu)
		return -ENOMEM;
	/* The buffer that tells of the switch once more may have the stack that the other buffer lacks. */
	expect(m, cpu, what->rec, (struct expected){ .who = what->prev + 1 });
	if (what->again)
		return 0;
	if (cpu->known && cpu->now.person != what->prev)
		*missing = cpu->now.from;
	if (*missing != UINT64_MAX && came_unseen(m, what, *missing))
		return -ENOMEM;
	if (cpu->known && cpu->now.person == what->prev) {
		ended.from = cpu->now.from;
		if (keep_run(cpu, &ended))
			return -ENOMEM;
	}
	cpu->known = true;
	cpu->now = (struct run){ .from = what->ns, .person = what->next, .prio = prio };
	err = comes_back(m, what, prio);
	return err ? err : goes(m, what);
}

/* --- who woke it ------------------------------------------------------------------------------------------------------- */

/*
 * Returns the name of the interrupt handler on this CPU. It comes from the handler's events, or else from the outermost function of the interrupt that is
 * recorded. Returns "" if there is none.
 */
static const char *interrupt_at(struct meanwhile *m, const struct record *rec, uint32_t current, char buf[CALL_NAME])
{
	const struct timed_person *who = timed_person(m->timed, current);
	const char *name = handlers_open(timed_handlers(m->timed), rec);

	if (name)
		return name;
	vec_each (&who->tasks, task) {
		for (size_t i = 0; i < (*task)->depth; i++) {
			const struct call_frame *frame = call_at(*task, i);

			if (frame->irq && frame->func)
				return call_name((*task)->trace, frame->source, frame->func, buf, NULL);
		}
	}
	return "";
}

static int find_waker(struct meanwhile *m, const struct timed_wakeup *what, struct waker *waker)
{
	const struct common common = record_common(m->inputs->at[what->rec->file].trace, what->rec);
	uint32_t current = timed_person_at(m->timed, what->rec, common.pid);
	char buf[CALL_NAME];
	int64_t from;

	*waker = (struct waker){ .person = MEANWHILE_NOBODY, .irq = (uint8_t)call_context_of(common_context(&common)), .cpu = what->rec->cpu };
	if (current == MEANWHILE_NOBODY)
		return -ENOMEM;
	/* sched_wakeup may come from another CPU than the waker's: from an interrupt there, or from an idle CPU. */
	if (!what->waking && (waker->irq || !common.pid))
		return 0;
	waker->known = true;
	if (!waker->irq)
		waker->person = current;
	from = waker->irq ? meanwhile_text_id(m, interrupt_at(m, what->rec, current, buf)) : open_functions(m, current);
	waker->from = (uint32_t)MAX(from, (int64_t)0);
	return from < 0 ? (int)from : 0;
}

/*
 * A task is woken that is new, or of which nothing was known. It waits for a CPU from now on. The pid of a new task may have belonged to another task, which has
 * ended. Returns 0 or -ENOMEM.
 */
static int appears(struct history *history, const struct timed_wakeup *what)
{
	struct episode *now = &history->now;

	if (now->fresh && now->off)
		return 0;
	now->back = what->ns;
	now->unsure = true;
	if (now->off && keep_episode(history))
		return -ENOMEM;
	*now = (struct episode){ .since = what->ns, .woken = what->ns, .off = SCHED_ASLEEP, .waker.person = MEANWHILE_NOBODY, .fresh = true, .prio = -1 };
	return 0;
}

int meanwhile_woken(struct meanwhile *m, const struct timed_wakeup *what)
{
	struct known_fields *fields = &m->fields.at[what->rec->file];
	struct cpu_runs *cpu = meanwhile_cpu(m, what->rec->file, what->rec->cpu);
	struct history *history = meanwhile_history(m, what->who);
	const bool fresh = history && (what->is_new || (!history->is_known && !history->now.off));
	int on = what->waking ? -1 : small_of(m, what->rec, &fields->target), err;

	history = history_of(m, what->who, what->ns);
	if (!cpu || !history || (fresh && appears(history, what)))
		return -ENOMEM;
	expect(m, cpu, what->rec, (struct expected){ 0 });
	if (!history->now.off)
		return 0;
	fields->told |= on >= 0;
	if (on >= 0) {
		history->now.waited = (uint16_t)on;
		history->now.has_waited = true;
	}
	if (!what->first)
		return 0;
	history->now.woken = sched_off_woken(&timed_person(m->timed, what->who)->off);
	err = find_waker(m, what, &history->now.waker);
	if (history->now.waker.known)
		expect(m, cpu, what->rec, (struct expected){ .who = what->who + 1, .of_waker = true });
	return err;
}

/* A task is migrated. If it is off its CPU, it waits on another CPU from now on. Returns 0 or -ENOMEM. */
static int on_migrate(struct meanwhile *m, const struct known_fields *fields, const struct record *rec)
{
	const int pid = small_of(m, rec, &fields->pid), from = small_of(m, rec, &fields->from), to = small_of(m, rec, &fields->to);
	const uint32_t person = pid > 0 && from >= 0 && to >= 0 ? timed_person_at(m->timed, rec, pid) : MEANWHILE_NOBODY;
	struct history *history = person == MEANWHILE_NOBODY ? NULL : meanwhile_history(m, person);
	struct episode *now = history ? &history->now : NULL;

	if (!now)
		return pid > 0 && from >= 0 && to >= 0 ? -ENOMEM : 0;
	/* Several buffers may tell of the same migration. */
	if (!now->off || (now->moved && now->waited == to))
		return 0;
	/* While the kernel wakes a task, between sched_waking and sched_wakeup, it chooses a CPU for the task. The task does not wait before that. */
	if (now->off == SCHED_RUNNABLE || now->has_waited || !fields->told) {
		now->before = (uint16_t)from;
		now->moved = input_time(&m->inputs->at[rec->file], rec);
	}
	now->waited = (uint16_t)to;
	now->has_waited = true;
	return 0;
}

/* --- stacks ------------------------------------------------------------------------------------------------------------ */

int meanwhile_other(struct meanwhile *m, const struct event *event, const struct record *rec)
{
	const struct trace *trace = m->inputs->at[rec->file].trace;
	struct stack_text text = { 0 };
	struct cpu_runs *cpu = meanwhile_cpu(m, rec->file, rec->cpu);
	struct expected expected;
	struct episode *now;
	int64_t id;
	int at;

	if (!cpu)
		return -ENOMEM;
	if (event->kind != EVENT_STACK) {
		if (event->kind != EVENT_SCHED_SWITCH && !str_starts(event->name, "sched_wak"))
			expect(m, cpu, rec, (struct expected){ 0 });
		return event == m->fields.at[rec->file].migrate ? on_migrate(m, &m->fields.at[rec->file], rec) : 0;
	}
	at = stack_owner(&cpu->owners, trace, event, rec);
	if (at < 0 || !cpu->expected[at].who || stack_is_user(event))
		return 0;
	expected = cpu->expected[at];
	cpu->expected[at].who = 0;
	now = &m->histories.at[expected.who - 1].now;
	m->addresses.n = 0;
	if (stack_get(event, rec, &m->addresses))
		return -ENOMEM;
	for (size_t i = 0; i < m->addresses.n && !stack_full(&text); i++) {
		const struct symbol *sym = symbols_function(trace->symbols, m->addresses.at[i]);

		if (sym)
			stack_add(&text, sym->name);
	}
	if (!text.n || !now->off)
		return 0;
	id = meanwhile_text_id(m, text.at);
	if (id < 0)
		return (int)id;
	if (!expected.of_waker)
		now->where = (uint32_t)id;
	else if (!now->waker.irq || !now->waker.from)
		now->waker.from = (uint32_t)id;
	return 0;
}

int meanwhile_lost(struct meanwhile *m, const struct record *there)
{
	struct cpu_runs *cpu = meanwhile_cpu(m, there->file, there->cpu);
	const int32_t told_by = m->told_by.at[there->file];

	if (!cpu)
		return -ENOMEM;
	cpu->n = 0;
	cpu->known = false;
	stack_owner_lost(&cpu->owners);
	/* Events of other tasks of this machine may be among the lost ones, too. So no sleep that has not ended is explained. */
	for (size_t i = 0; i < m->histories.n; i++) {
		struct history *history = &m->histories.at[i];

		if (timed_person(m->timed, (uint32_t)i)->file != there->file)
			continue;
		history->now.lost = true;
		history->now.unsure |= told_by < 0 || told_by == there->buffer;
		history->n = history->past.n = 0;
		history->is_known = false;
	}
	return 0;
}

/* --- its life ---------------------------------------------------------------------------------------------------------- */

static void find_field(const struct trace *trace, const char *event, const char *name, struct field *out)
{
	const struct event *found = trace_find(trace, "sched", event);

	if (!found || !format_field(found->format, name, out))
		*out = (struct field){ 0 };
}

int meanwhile_new(struct meanwhile **out, const inputs_t *inputs, struct timed *timed)
{
	struct meanwhile *m = calloc(1, sizeof(*m));
	int err = m ? 0 : -ENOMEM;

	if (err)
		return err;
	*m = (struct meanwhile){ .inputs = inputs, .timed = timed, .cpus.size = sizeof(struct cpu_runs) };
	vec_each (inputs, input) {
		struct known_fields fields = { 0 };

		find_field(input->trace, "sched_switch", "prev_prio", &fields.prev);
		find_field(input->trace, "sched_switch", "next_prio", &fields.next);
		find_field(input->trace, "sched_wakeup", "target_cpu", &fields.target);
		find_field(input->trace, "sched_migrate_task", "pid", &fields.pid);
		find_field(input->trace, "sched_migrate_task", "orig_cpu", &fields.from);
		find_field(input->trace, "sched_migrate_task", "dest_cpu", &fields.to);
		fields.migrate = trace_find(input->trace, "sched", "sched_migrate_task");
		err = err || vec_push(&m->fields, fields) ? -ENOMEM : vec_push(&m->told_by, -1);
	}
	err = err ? err : meanwhile_text_id(m, "") < 0 ? -ENOMEM : 0;
	if (err)
		meanwhile_free(m);
	else
		*out = m;
	return err;
}

static void free_runs(void *state)
{
	free(((struct cpu_runs *)state)->ring);
}

void meanwhile_free(struct meanwhile *m)
{
	if (!m)
		return;
	streams_fini(&m->cpus, free_runs);
	vec_each (&m->histories, history) {
		free(history->ring);
		vec_fini(&history->past);
	}
	vec_fini(&m->histories);
	vec_fini(&m->fields);
	vec_fini(&m->told_by);
	map_fini(&m->text_ids);
	strv_fini(&m->texts);
	vec_fini(&m->addresses);
	free(m);
}
