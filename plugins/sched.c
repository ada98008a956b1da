// SPDX-License-Identifier: GPL-2.0
/* The scheduler: task states as the kernel of the trace has them, with R+ for a preempted task; priorities in words. */
#include "plugins/plugin.h"

/* Of the kernels whose print format could not be parsed. */
static const struct meaning usual_states[] = {
	{ 0x1, "S" }, { 0x2, "D" }, { 0x4, "T" }, { 0x8, "t" }, { 0x10, "X" }, { 0x20, "Z" }, { 0x40, "P" }, { 0x80, "I" }, { 0, NULL },
};

enum { PREV_COMM, PREV_PID, PREV_PRIO, PREV_STATE, NEXT_COMM, NEXT_PID, NEXT_PRIO };

/* 0-99 are the real-time priorities 99-0, 100-139 the nice values -20-19, -1 is the deadline class. */
static void put_priority(struct trace_seq *s, int64_t prio)
{
	if (prio < 0) {
		put_str(s, "[deadline]");
		return;
	}
	put_str(s, prio < 100 ? "[rt " : "[nice ");
	put_s64(s, prio < 100 ? 99 - prio : prio - 120);
	put_char(s, ']');
}

static void put_task(struct trace_seq *s, const struct shown *shown, unsigned int comm, const struct tep_record *record)
{
	put_string(s, shown, shown->fields[comm], record);
	put_char(s, ':');
	put_s64(s, number_of(shown, comm + 1, record));
	if (!shown->fields[comm + 2])
		return;
	put_char(s, ' ');
	put_priority(s, number_of(shown, comm + 2, record));
}

/* The bit above the highest state tells that the task was preempted, whatever its state. */
static void put_state(struct trace_seq *s, const struct meaning *states, uint64_t state)
{
	uint64_t above = 0, left;

	for (const struct meaning *m = states; m->name; m++)
		if (m->value << 1 > above)
			above = m->value << 1;
	left = state & (above - 1);
	if (left)
		put_flags(s, states, left);
	else
		put_char(s, 'R');
	if (state & above)
		put_char(s, '+');
}

static void print_switch(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	if (!shown->own)
		shown->own = kernel_flags(event);
	put_task(s, shown, PREV_COMM, record);
	put_char(s, ' ');
	put_state(s, shown->own ? shown->own : usual_states, number_of(shown, PREV_STATE, record));
	put_str(s, " ==> ");
	put_task(s, shown, NEXT_COMM, record);
}

enum { COMM, PID, PRIO, CPU };

static void print_wakeup(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	(void)event;
	put_task(s, shown, COMM, record);
	if (!shown->fields[CPU])
		return;
	put_str(s, " on CPU ");
	put_s64(s, number_of(shown, CPU, record));
}

static void show_priority(const struct cell *cell, const struct column *column)
{
	(void)column;
	put_priority(cell->s, cell->value);
}

static const struct column switch_fields[] = {
	[PREV_COMM] = { .field = "prev_comm" }, [PREV_PID] = { .field = "prev_pid" },
	[PREV_PRIO] = { .field = "prev_prio" }, [PREV_STATE] = { .field = "prev_state" },
	[NEXT_COMM] = { .field = "next_comm" }, [NEXT_PID] = { .field = "next_pid" },
	[NEXT_PRIO] = { .field = "next_prio" }, { .field = NULL },
};

static const struct column wakeup_fields[] = {
	[COMM] = { .field = "comm" }, [PID] = { .field = "pid" }, [PRIO] = { .field = "prio" }, [CPU] = { .field = "target_cpu" }, { .field = NULL },
};

static const struct printer printers[] = {
	{ "sched", "sched_switch", switch_fields, print_switch },
	{ "sched", "sched_wakeup", wakeup_fields, print_wakeup },
	{ "sched", "sched_wakeup_new", wakeup_fields, print_wakeup },
	{ "sched", "sched_waking", wakeup_fields, print_wakeup },
	{ "sched", "sched_migrate_task",
	  COLUMNS({ "", "comm", show_string, NULL }, { ":", "pid", show_dec, NULL }, { " ", "prio", show_priority, NULL },
		  { " from CPU ", "orig_cpu", show_dec, NULL }, { " to CPU ", "dest_cpu", show_dec, NULL }),
	  NULL },
	{ "sched", "sched_pi_setprio",
	  COLUMNS({ "", "comm", show_string, NULL }, { ":", "pid", show_dec, NULL }, { " ", "oldprio", show_priority, NULL },
		  { " ==> ", "newprio", show_priority, NULL }),
	  NULL },
};

PLUGIN("sched", "states with R+ for a preempted task, priorities as nice, real-time or deadline", printers)
