/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/doubts.h"
#include "lib/analysis/calls-inside.h"

struct doubts {
	struct calls *calls;
	struct timed *timed;
	struct record gap; /* the last record, if events were lost after it: this loss is taken in with the next record */
};

int doubts_new(struct doubts **out, const inputs_t *inputs)
{
	struct doubts *doubts = calloc(1, sizeof(*doubts));
	int err = doubts ? calls_new(&doubts->calls, inputs) : -ENOMEM;

	*out = NULL;
	err = err ? err : timed_new(&doubts->timed, doubts->calls, inputs);
	if (err) {
		doubts_free(doubts);
		return err;
	}
	/* The calls of functions are taken in, because they tell a task that only waits in the kernel from a task that may have done something. */
	calls_functions_only(doubts->calls, false);
	*out = doubts;
	return 0;
}

void doubts_free(struct doubts *doubts)
{
	if (!doubts)
		return;
	calls_free(doubts->calls);
	timed_free(doubts->timed);
	free(doubts);
}

/*
 * Takes in a record that only tells where its task is. Returns false if the record tells more, and must be taken in the ordinary way. A record tells no more
 * if all of these are true:
 * - nothing has been lost yet;
 * - the task was the last one on this CPU;
 * - the event is one of system calls, which tell nothing of the calls of functions, of the scheduler or of the ends of tasks.
 */
static bool quick(struct doubts *doubts, const struct record *rec)
{
	struct calls *calls = doubts->calls;
	struct call_stream *stream;
	struct common common;

	if (calls->any_gaps || doubts->gap.flags || rec->flags & ~RECORD_PAGE || calls->reuse.ended)
		return false;
	common = record_common(calls->inputs->at[rec->file].trace, rec);
	if (!reuse_is_syscall(&calls->reuse, rec->file, common.id))
		return false;
	stream = stream_of(&calls->streams, rec);
	if (!stream || !stream->last || stream->last->pid != common.pid)
		return false;
	stream->ts = rec->ts;
	stream->told = NULL;
	stream->last->cpu = rec->cpu;
	return true;
}

int doubts_take(struct doubts *doubts, const struct record *rec)
{
	struct record now = *rec;
	int err = 0;

	if (likely(quick(doubts, rec)))
		return 0;
	if (unlikely(doubts->gap.flags)) {
		err = calls_record(doubts->calls, &doubts->gap);
		doubts->gap.flags = 0;
	}
	if (likely(!(rec->flags & RECORD_GAP)))
		return err ? err : calls_record(doubts->calls, rec);
	now.flags &= (uint16_t)~RECORD_GAP;
	doubts->gap = (struct record){
		.ts = rec->ts,
		.cpu = rec->cpu,
		.buffer = rec->buffer,
		.file = rec->file,
		.flags = RECORD_GAP | RECORD_NODATA,
	};
	return err ? err : calls_record(doubts->calls, &now);
}

uint64_t doubts_mark(struct doubts *doubts, const struct record *rec, int pid)
{
	const struct call_stream *stream = stream_of(&doubts->calls->streams, rec);
	struct call_task *task = stream ? stream->last : NULL;

	/* In most cases it is the task that ran last on this CPU. */
	if (!task || task->pid != pid)
		task = calls_find(doubts->calls, rec, pid);
	return task ? timed_doubts(doubts->timed, task, rec->cpu) : TIMED_DOUBTFUL;
}
