/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes Perfetto's tracks: of threads, of what runs asynchronously beside them, and of counters, with groups for other buffers and files. Also writes the
 * clocks of all.
 */
#include "lib/export/perfetto.h"

#include <stdio.h>

static void add_name(struct str *out, uint32_t field, const char *text)
{
	pb_text(out, field, text, strlen(text));
}

uint64_t perfetto_add_track(struct timeline *t, uint64_t parent, const char *text, size_t n, bool counter)
{
	struct perfetto *p = t->mine;
	struct str *out = &t->out;
	size_t packet = pb_begin(out, TRACE_PACKET), track = pb_begin(out, PACKET_TRACK_DESCRIPTOR);

	pb_uint(out, TRACK_UUID, ++p->tracks);
	if (parent)
		pb_uint(out, TRACK_PARENT, parent);
	pb_text(out, TRACK_NAME, text, n);
	if (counter)
		pb_bytes(out, TRACK_COUNTER, "", 0);
	pb_end(out, track);
	pb_end(out, packet);
	return p->tracks;
}

uint64_t perfetto_group(struct timeline *t, unsigned int file, unsigned int buffer)
{
	struct perfetto *p = t->mine;
	map_entry(&p->groups) entry;
	const char *text = timeline_buffer(t, file, buffer);

	if (!(file | buffer) && !text)
		return 0;
	entry = map_add(&p->groups, (uint64_t)file << 16 | buffer);
	if (!entry) {
		t->out.oom = true;
		return 0;
	}
	if (!entry->value) {
		uint64_t made = perfetto_add_track(t, 0, text ? text : "top", strlen(text ? text : "top"), false);

		entry->value = made;
	}
	return entry->value;
}

static void add_thread(struct timeline *t, const struct call_task *task, const char *comm)
{
	struct perfetto *p = t->mine;
	struct str *out = &t->out;
	size_t packet = pb_begin(out, TRACE_PACKET), track = pb_begin(out, PACKET_TRACK_DESCRIPTOR), thread;

	pb_uint(out, TRACK_UUID, ++p->tracks);
	thread = pb_begin(out, TRACK_THREAD);
	/* The process of a thread is not recorded, so each thread is a process of its own. */
	pb_uint(out, THREAD_PID, (uint64_t)task->pid);
	pb_uint(out, THREAD_TID, (uint64_t)task->pid);
	if (comm)
		add_name(out, THREAD_NAME, comm);
	pb_end(out, thread);
	pb_end(out, track);
	pb_end(out, packet);
	if (!comm)
		return;
	packet = pb_begin(out, TRACE_PACKET);
	track = pb_begin(out, PACKET_TRACK_DESCRIPTOR);
	pb_uint(out, TRACK_UUID, (uint64_t)1 << 32 | (uint64_t)task->pid);
	thread = pb_begin(out, TRACK_PROCESS);
	pb_uint(out, PROCESS_PID, (uint64_t)task->pid);
	add_name(out, PROCESS_NAME, comm);
	pb_end(out, thread);
	pb_end(out, track);
	pb_end(out, packet);
}

void perfetto_task(struct timeline *t, struct call_task *task)
{
	struct timeline_task *mine = call_task_of(&t->user, task);
	const char *comm = timeline_comm(task);
	uint64_t group = perfetto_group(t, task->file, task->buffer);
	struct perfetto *p = t->mine;
	char text[64];

	if (task->pid && !group) {
		add_thread(t, task, comm);
		mine->id = p->tracks;
		return;
	}
	if (task->pid)
		snprintf(text, sizeof(text), "%s %d", comm ? comm : "task", task->pid);
	else
		snprintf(text, sizeof(text), "idle/%u", task->idle_cpu);
	mine->id = perfetto_add_track(t, group, text, strlen(text), false);
}

uint64_t perfetto_track(struct timeline *t, struct call_task *task)
{
	struct timeline_task *mine = call_task_of(&t->user, task);

	if (unlikely(!mine->id && task->aside))
		mine->id = perfetto_add_track(t, ((struct timeline_task *)call_task_of(&t->user, task->beside))->id, "asynchronous", 12, false);
	return mine->id;
}

uint64_t perfetto_row(struct timeline *t, struct call_task *task, uint32_t row)
{
	static const char name[] = "overlapping calls";
	struct timeline_task *mine = call_task_of(&t->user, task);

	if (likely(!row))
		return perfetto_track(t, task);
	if (unlikely(row == TIMELINE_NO_ROW))
		return perfetto_add_track(t, mine->id, "asynchronous", 12, false);
	if (!mine->rows.at[row - 1].id)
		mine->rows.at[row - 1].id = perfetto_add_track(t, mine->id, name, strlen(name), false);
	return mine->rows.at[row - 1].id;
}

void perfetto_clocks(struct timeline *t)
{
	static const uint8_t ids[] = { CLOCK_REALTIME_ID, CLOCK_BOOTTIME_ID };
	const struct input *in = &t->reading->inputs.at[0];
	struct str *out = &t->out;
	size_t packet, snapshot;

	if (!in->file->meta.has_date || t->reading->no_date || !t->any)
		return;
	packet = pb_begin(out, TRACE_PACKET);
	snapshot = pb_begin(out, PACKET_CLOCK_SNAPSHOT);
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		size_t at = pb_begin(out, SNAPSHOT_CLOCK);

		pb_uint(out, CLOCK_ID, ids[i]);
		pb_uint(out, CLOCK_TIMESTAMP, input_time(&t->reading->inputs.at[t->first.file], &t->first));
		pb_end(out, at);
	}
	pb_end(out, snapshot);
	pb_end(out, packet);
}
