/* SPDX-License-Identifier: GPL-2.0 */
/* Ends the calls of tasks that have ended, and all calls when the recording has ended. */
#include "lib/analysis/calls-inside.h"

struct call_losses *calls_losses(struct calls *calls, const struct record *rec)
{
	const struct record first = { .file = rec->file, .buffer = rec->buffer };

	return stream_of(&calls->losses, &first);
}

int calls_end_task(struct calls *calls, struct call_task *task, const struct reuse_end *when, unsigned int why)
{
	int err = 0;

	while (!err && task->depth) {
		const struct call_frame *frame = call_top(task);
		const bool later = when && when->ns > frame->ns;
		struct call_end end = { .ts = later ? when->ts : frame->ts,
					.ns = later ? when->ns : frame->ns,
					.duration = CALL_UNKNOWN,
					.open = why & CALL_EDGE,
					.cpu = task->cpu,
					.cut = (uint8_t)(frame->cut | CALL_NO_EXIT | why | (when && frame->gap ? CALL_LOSS : 0)) };

		err = calls_leave_top(calls, task, &end);
	}
	return err;
}

/*
 * The thread with the pid @when->old has called execve(), and so has got the pid @when->pid. The call of execve() began under the old pid and ends under
 * the new one. This notes in the task with the new pid that the open call is one of the old task. Does nothing if the old task was never seen. Returns 0
 * or -ENOMEM.
 */
static int take_over(struct calls *calls, const struct record *there, const struct reuse_end *when)
{
	struct call_task *old = task_known(&calls->tasks, there, when->old), *task;
	const struct call_losses *losses = calls->any_gaps ? calls_losses(calls, there) : NULL;
	struct call_at at = { .calls = calls, .stream = stream_of(&calls->streams, there), .rec = there };
	int err;

	if (!old)
		return 0;
	task = calls_find(calls, there, when->pid);
	if (!task || !at.stream || (calls->any_gaps && !losses))
		return -ENOMEM;
	task->exec = old;
	old->heir = task;
	task->exec_losses = losses ? losses->n : 0;
	at.task = task;
	at.ns = input_time(task->input, there);
	/* This finds what was lost under the old pid, while the calls still stand beside the old task. */
	err = calls->any_gaps ? calls_tell(calls, seen, old, there->cpu) : 0;
	err = err ? err : calls_pairs_execs(at, when);
	return err ? err : calls_tell(calls, execs, task, old, there->cpu);
}

/* The task that had the pid @when->pid has ended. This ends its calls in all buffers of the file. Returns 0 or -errno. */
static int end_life(struct calls *calls, const struct record *rec, const struct reuse_end *when)
{
	const struct input *input = &calls->inputs->at[rec->file];
	struct record there = { .file = rec->file, .cpu = rec->cpu, .ts = rec->ts };
	int err = 0;

	for (; !err && there.buffer < input_buffers(input); there.buffer++) {
		struct call_task *task = task_known(&calls->tasks, &there, when->pid);

		if (task) {
			err = calls_tell(calls, ended, task, input_time(input, rec));
			err = err ? err : calls_end_task(calls, task, when, 0);
			task->lowest = UINT32_MAX;
			task->syscall = (struct syscall_told){ 0 };
			task->exec = NULL;
			if (task->heir && task->heir->exec == task)
				task->heir->exec = NULL;
			task->heir = NULL;
		}
		if (!err && when->old)
			err = take_over(calls, &there, when);
	}
	return err;
}

int calls_end(struct calls *calls)
{
	int err = 0;

	for (size_t i = 0; !err && i < calls_ntasks(calls); i++) {
		struct call_task *task = calls_task(calls, i);
		/* A task that has got another pid by execve() lives on, and its calls are still open. */
		const bool lives = task->aside || (task->heir && task->heir->exec == task);
		struct reuse_end when;
		const bool over = !lives && reuse_is_over(&calls->reuse, task->file, task->pid, &when);

		err = calls_tell(calls, ended, task, UINT64_MAX);
		err = err ? err : calls_end_task(calls, task, over ? &when : NULL, over ? 0 : CALL_EDGE);
	}
	return err;
}

int calls_end_lives(struct calls *calls, const struct record *rec, const struct common *common)
{
	struct reuse_end ends[REUSE_MOST];
	const int n = reuse_take(&calls->reuse, rec, common, ends);
	int err = MIN(n, 0);

	for (int i = 0; !err && i < n; i++)
		err = end_life(calls, rec, &ends[i]);
	return err;
}
