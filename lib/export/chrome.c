/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes Chrome's JSON trace events, which chrome://tracing, Perfetto and others open. A task is a process with one thread, and a further thread for each further
 * row of its calls (struct timeline_row). The CPUs are one more process, in which each CPU has two threads: one shows the tasks that ran, and one below it the
 * interrupts. Each buffer and file has its own processes. Calls are complete events (X), which are written when the calls have ended.
 */
#include "lib/base/digits.h"
#include "lib/export/exporter.h"
#include "lib/export/timeline.h"

#include <inttypes.h>
#include <stdio.h>

/* What is added to process ids. The kernel's process ids are below 4,194,304, so the numbers of groups and CPUs are free. */
enum { GROUP = 10000000, CPUS = 9000000 };

/* What is added to the thread id of a task for each further row (struct timeline_row). Process ids are below this number. */
#define ROW ((int64_t)1 << 22)

/* What happens on a CPU. */
struct chrome_cpu {
	struct timeline_run run;
	unsigned int irqs, softirqs; /* how many are open */
	bool named;
};

struct chrome {
	bool any; /* an event has been written, so a comma comes before the next one */
};

/* --- pieces of JSON --------------------------------------------------------------------------------------------- */

static void add_text(struct str *out, const char *text)
{
	plan_text(text, strlen(text), PLAN_JSON, out);
}

/* Puts a time in microseconds. */
static char *put_us(char *at, uint64_t ns)
{
	at = put_u64(at, ns / 1000);
	*at++ = '.';
	return put_3(at, (unsigned int)(ns % 1000));
}

#define PUT(at, text) put_bytes(at, text, sizeof(text) - 1)

/* Begins an event: {"ph":"X","pid":1,"tid":1,"ts":1.000 */
static void begin_event(struct timeline *t, char phase, int64_t pid, int64_t tid, uint64_t ns)
{
	struct chrome *chrome = t->mine;
	struct str *out = &t->out;
	char *at;

	if (!str_room(out, 128))
		return;
	at = out->at + out->len;
	if (chrome->any)
		*at++ = ',';
	chrome->any = true;
	at = PUT(at, "\n{\"ph\":\"");
	*at++ = phase;
	at = put_s64(PUT(at, "\",\"pid\":"), pid);
	at = put_s64(PUT(at, ",\"tid\":"), tid);
	at = put_us(PUT(at, ",\"ts\":"), ns);
	out->len = (size_t)(at - out->at);
}

static void add_duration(struct str *out, uint64_t ns)
{
	if (str_room(out, 48))
		out->len = (size_t)(put_us(PUT(out->at + out->len, ",\"dur\":"), ns) - out->at);
}

/* Names a process or a thread. */
static void add_meta(struct timeline *t, const char *kind, int64_t pid, int64_t tid, const char *name, const char *more)
{
	begin_event(t, 'M', pid, tid, 0);
	str_addf(&t->out, ",\"name\":\"%s\",\"args\":{\"name\":", kind);
	str_clear(&t->scratch);
	str_add(&t->scratch, name);
	str_add(&t->scratch, more);
	plan_text(str_text(&t->scratch), t->scratch.len, PLAN_JSON, &t->out);
	str_add(&t->out, "}}");
}

/* --- whose ------------------------------------------------------------------------------------------------------ */

/* Returns what is added to all process ids of a buffer; it is 0 for the first buffer of the first file. */
static int64_t group_of(unsigned int file, unsigned int buffer)
{
	return ((int64_t)file * 256 + buffer) * GROUP;
}

static int64_t pid_of(const struct call_task *task)
{
	return group_of(task->file, task->buffer) + task->pid;
}

static int64_t tid_of(const struct call_task *task)
{
	return task->pid ? task->pid : -1 - (int64_t)task->idle_cpu;
}

static void on_task(struct timeline *t, struct call_task *task)
{
	const char *comm = timeline_comm(task), *buffer = timeline_buffer(t, task->file, task->buffer);
	__cleanup(free_ptr) char *more = NULL;
	char label[32];

	if (!task->pid)
		snprintf(label, sizeof(label), "idle/%u", task->idle_cpu);
	else
		snprintf(label, sizeof(label), "task %d", task->pid);
	str_clear(&t->scratch);
	if (buffer)
		str_addf(&t->scratch, " (%s)", buffer);
	more = str_take(&t->scratch);
	add_meta(t, "process_name", pid_of(task), tid_of(task), !task->pid ? "idle" : comm ? comm : label, more ? more : "");
	add_meta(t, "thread_name", pid_of(task), tid_of(task), task->pid && comm ? comm : label, more ? more : "");
}

/* Names the thread that stands for a row of a task (struct timeline_row). */
static void name_row(struct timeline *t, struct call_task *task, uint32_t row)
{
	struct timeline_task *mine = call_task_of(&t->user, task);
	const char *comm = task->pid ? timeline_comm(task) : "idle";

	if (mine->rows.at[row - 1].id)
		return;
	mine->rows.at[row - 1].id = 1;
	add_meta(t, "thread_name", pid_of(task), tid_of(task) + ROW * row, comm ? comm : "task", ", overlapping calls");
}

static struct chrome_cpu *cpu_of(struct timeline *t, const struct record *rec)
{
	struct chrome_cpu *cpu = stream_of(&t->streams, rec);
	const int64_t pid = group_of(rec->file, rec->buffer) + CPUS;
	const char *buffer = timeline_buffer(t, rec->file, rec->buffer);
	char name[32];

	if (!cpu) {
		t->out.oom = true;
		return NULL;
	}
	if (cpu->named)
		return cpu;
	cpu->named = true;
	add_meta(t, "process_name", pid, 0, "CPUs of ", buffer ? buffer : "the trace");
	snprintf(name, sizeof(name), "CPU %u", rec->cpu);
	add_meta(t, "thread_name", pid, 2 * rec->cpu, name, "");
	add_meta(t, "thread_name", pid, 2 * rec->cpu + 1, name, ", interrupts");
	return cpu;
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

static void name(__unused struct timeline *t, __unused uint32_t index, const char *text, const char *module, struct str *out)
{
	str_add(out, ",\"name\":");
	add_text(out, text);
	if (module) {
		str_add(out, ",\"cat\":");
		add_text(out, module);
	}
}

static void add_args(struct timeline *t, const struct plan *plan, const struct record *rec)
{
	str_add(&t->out, ",\"args\":");
	if (plan->fields.n)
		plan_write(plan, rec, PLAN_JSON, &t->scratch, &t->out);
	else
		str_add(&t->out, "{}");
}

/* Begins to write the beginning of an asynchronous call. */
static void begin_aside(struct timeline *t, const struct call_task *task, uint32_t id, uint64_t ns, uint32_t called)
{
	begin_event(t, 'b', pid_of(task), tid_of(task), ns);
	str_addf(&t->out, ",\"cat\":\"async\",\"id\":%u", id);
	str_addn(&t->out, t->names.at[called].text, t->names.at[called].len);
}

/* Writes the beginning of an asynchronous call, which can overlap with others. All other calls are written as a whole when they end. */
static int enter(struct timeline *t, struct call_task *task, struct call_frame *frame, uint32_t called, const struct plan *plan, const struct record *rec)
{
	if (likely(!task->aside))
		return 0;
	begin_aside(t, task->beside, timeline_frame_of(t, frame)->aside, frame->ns, called);
	if (plan)
		add_args(t, plan, rec);
	str_addc(&t->out, '}');
	return 0;
}

/* Writes the arguments of a call. @entry is the record with which the call began, or NULL. */
static void add_call_args(struct timeline *t, const struct call_task *task, const struct call_frame *frame, const struct timeline_entry *entry,
			  const struct call_end *end)
{
	struct str *out = &t->out;
	const struct symbol *caller = frame->retaddr ? symbols_find(task->trace->symbols, frame->retaddr) : NULL;
	const bool fields = entry && entry->plan->fields.n;
	char *at;

	if (unlikely(fields)) {
		add_args(t, entry->plan, &entry->rec);
		/* The other arguments follow in the same object. */
		out->len -= out->len != 0;
	}
	if (!str_room(out, 128))
		return;
	at = fields ? PUT(out->at + out->len, ",\"total\":") : PUT(out->at + out->len, ",\"args\":{\"total\":");
	at = end->duration == CALL_UNKNOWN || end->cut ? PUT(at, "null") : put_u64(at, end->duration);
	out->len = (size_t)(at - out->at);
	if (unlikely(end->has_retval))
		str_addf(out, ",\"retval\":%" PRId64, (int64_t)end->retval);
	if (unlikely(frame->retaddr)) {
		str_add(out, ",\"caller\":");
		if (caller)
			plan_text(caller->name, caller->name_len, PLAN_JSON, out);
		else
			str_addf(out, "\"0x%" PRIx64 "\"", frame->retaddr);
	}
	if (unlikely(end->cut))
		str_addf(out, ",\"cut\":\"%s\"", timeline_cut(end->cut));
	str_addc(out, '}');
}

static int leave(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct timeline_frame *mine, const struct call_end *end,
		 uint32_t called)
{
	const uint64_t ns = timeline_end_ns(frame, end);
	const struct timeline_name *named = &t->names.at[called];
	struct str *out = &t->out;

	if (unlikely(task->aside)) {
		begin_event(t, 'e', pid_of(task->beside), tid_of(task->beside), ns);
		str_addf(out, ",\"cat\":\"async\",\"id\":%u", mine->aside);
	} else if (unlikely(mine->row == TIMELINE_NO_ROW)) {
		begin_aside(t, task, ++t->aside, frame->ns, called);
		str_addc(out, '}');
		begin_event(t, 'e', pid_of(task), tid_of(task), ns);
		str_addf(out, ",\"cat\":\"async\",\"id\":%u", t->aside);
	} else {
		if (unlikely(mine->row))
			name_row(t, task, mine->row);
		begin_event(t, 'X', pid_of(task), tid_of(task) + ROW * mine->row, frame->ns);
		add_duration(out, ns - frame->ns);
	}
	if (str_room(out, named->len + SHORT_ROOM))
		out->len = (size_t)(put_short(out->at + out->len, named->text, named->len) - out->at);
	add_call_args(t, task, frame, mine->entry, end);
	str_addc(out, '}');
	return 0;
}

/* --- CPUs ------------------------------------------------------------------------------------------------------- */

/* Shows the task that ran since the last switch. For the first switch of a CPU, and after a loss, it is not known since when. */
static void on_switch(struct timeline *t, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	struct chrome_cpu *cpu = cpu_of(t, rec);
	struct timeline_run ran;

	if (!cpu || !timeline_switch(t, &cpu->run, plan, rec, ns, &ran))
		return;
	begin_event(t, 'X', group_of(rec->file, rec->buffer) + CPUS, 2 * rec->cpu, ran.since);
	add_duration(&t->out, ns - ran.since);
	str_add(&t->out, ",\"cat\":\"sched\",\"name\":");
	add_text(&t->out, ran.comm);
	add_args(t, plan, rec);
	str_addc(&t->out, '}');
}

/* Events that begin or end an interrupt on a CPU. */
static const struct {
	const char *name, *label; /* .label: the field that has the interrupt's name */
	bool leave, soft;
} irqs[] = {
	{ "irq_handler_entry", "name", false, false },
	{ "irq_handler_exit", NULL, true, false },
	{ "softirq_entry", "vec", false, true },
	{ "softirq_exit", NULL, true, true },
};

static bool on_irq(struct timeline *t, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	struct chrome_cpu *cpu;
	size_t i = 0;

	while (i < ARRAY_LEN(irqs) && strcmp(irqs[i].name, plan->event->name))
		i++;
	if (i == ARRAY_LEN(irqs) || strcmp(plan->event->system, "irq"))
		return false;
	cpu = cpu_of(t, rec);
	if (!cpu)
		return true;
	/* An exit without a recorded entry would end another interrupt. */
	if (irqs[i].leave) {
		unsigned int *open = irqs[i].soft ? &cpu->softirqs : &cpu->irqs;

		if (!*open || (irqs[i].soft && cpu->irqs))
			return false;
		--*open;
	} else {
		cpu->irqs += !irqs[i].soft;
		cpu->softirqs += irqs[i].soft;
	}
	begin_event(t, irqs[i].leave ? 'E' : 'B', group_of(rec->file, rec->buffer) + CPUS, 2 * rec->cpu + 1, ns);
	if (!irqs[i].leave) {
		struct str label = { 0 };
		const struct value_field *field = plan->event->values ? values_field(plan->event->values, irqs[i].label) : NULL;

		if (field)
			value_text(field, rec->data, rec->size, &label);
		str_addf(&t->out, ",\"cat\":\"%s\",\"name\":", irqs[i].soft ? "softirq" : "irq");
		plan_text(str_text(&label), label.len, PLAN_JSON, &t->out);
		str_fini(&label);
	}
	add_args(t, plan, rec);
	str_addc(&t->out, '}');
	return true;
}

/* --- all other events ------------------------------------------------------------------------------------------- */

static void add_counter(struct timeline *t, int64_t pid, uint64_t ns, const char *label, size_t n, int64_t value)
{
	begin_event(t, 'C', pid, 0, ns);
	str_add(&t->out, ",\"name\":");
	plan_text(label, n, PLAN_JSON, &t->out);
	str_addf(&t->out, ",\"args\":{\"value\":%" PRId64 "}}", value);
}

static bool on_frequency(struct timeline *t, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	uint64_t state, cpu;
	char label[40];

	if (strcmp(plan->event->name, "cpu_frequency") || !timeline_number(plan, "state", rec, &state) || !timeline_number(plan, "cpu_id", rec, &cpu))
		return false;
	snprintf(label, sizeof(label), "CPU %u frequency", (unsigned int)cpu);
	add_counter(t, group_of(rec->file, rec->buffer) + CPUS, ns, label, strlen(label), (int64_t)state);
	return true;
}

static int event(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	struct text label;
	int64_t value;

	if (plan->event->kind == EVENT_SCHED_SWITCH)
		on_switch(t, plan, rec, ns);
	if (timeline_counter(plan, rec, &label, &value)) {
		add_counter(t, pid_of(task), ns, label.at, label.size, value);
		return 0;
	}
	if (on_irq(t, plan, rec, ns) || on_frequency(t, plan, rec, ns))
		return 0;
	begin_event(t, 'i', pid_of(task), tid_of(task), ns);
	str_add(&t->out, ",\"s\":\"t\",\"cat\":");
	add_text(&t->out, plan->event->system);
	str_add(&t->out, ",\"name\":");
	add_text(&t->out, plan->event->name);
	add_args(t, plan, rec);
	str_addc(&t->out, '}');
	return 0;
}

static int lost(struct timeline *t, const struct record *rec, uint64_t ns)
{
	struct chrome_cpu *cpu = cpu_of(t, rec);

	if (!cpu)
		return 0;
	cpu->run.known = false;
	for (; cpu->irqs + cpu->softirqs; cpu->irqs ? cpu->irqs-- : cpu->softirqs--) {
		begin_event(t, 'E', group_of(rec->file, rec->buffer) + CPUS, 2 * rec->cpu + 1, ns);
		str_add(&t->out, ",\"args\":{\"cut\":\"no exit, lost\"}}");
	}
	begin_event(t, 'i', group_of(rec->file, rec->buffer) + CPUS, 2 * rec->cpu, ns);
	str_add(&t->out, ",\"s\":\"t\",\"name\":\"lost_events\",\"args\":{\"count\":");
	if (rec->lost == LOST_UNKNOWN)
		str_add(&t->out, "null}}");
	else
		str_addf(&t->out, "%" PRId64 "}}", rec->lost);
	return 0;
}

/* --- the document ----------------------------------------------------------------------------------------------- */

static int begin(struct timeline *t)
{
	str_add(&t->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	return 0;
}

static int end(struct timeline *t)
{
	str_add(&t->out, "\n],\"otherData\":{\"file\":");
	add_text(&t->out, t->reading->inputs.at[0].path);
	str_addf(&t->out, ",\"time_unit\":\"%s\"}}\n", input_in_ns(&t->reading->inputs.at[0], 0) ? "ns" : "ticks");
	return 0;
}

/* clang-format off */
static const struct timeline_format format = {
	.style = PLAN_JSON, .mine = sizeof(struct chrome), .stream = sizeof(struct chrome_cpu), .runs = true, .rows = true,
	.begin = begin, .name = name, .task = on_task, .enter = enter, .leave = leave, .event = event, .lost = lost, .end = end,
};
/* clang-format on */

static int make(struct handler **out, struct reading *reading, __unused void *options)
{
	return timeline_make(out, reading, &format);
}

const struct analysis chrome_analysis = { .name = "chrome",
					  .needs = ANALYSIS_SWITCHES | ANALYSIS_STAYS | ANALYSIS_SUMS | ANALYSIS_LEARN,
					  .folds = calls_fold,
					  .make = make };
