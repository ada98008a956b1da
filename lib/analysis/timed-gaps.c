/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out for lib/analysis/timed.h what is uncertain because events were lost: which calls are cut, and when it is unknown where a task is. */
#include "lib/analysis/timed-inside.h"

static void cut_stack(struct timed *timed, struct call_task *task, uint64_t ns)
{
	((struct timed_task *)call_task_of(&timed->user, task))->early = (struct timed_early){ 0 };
	for (size_t i = 0; i < task->depth; i++) {
		struct timed_call *call = timed_call_of(timed, call_at(task, i));

		call->cut = true;
		call->early = (struct timed_early){ 0 };
	}
	call_gap(task, ns);
}

void timed_cut(struct timed *timed, struct call_task *task, uint64_t ns)
{
	struct timed_task *mine = call_task_of(&timed->user, task);

	mine->doubts++;
	cut_stack(timed, task, ns);
	vec_each (&timed->persons.at[mine->person].asides, place)
		if ((*place)->inside && (*place)->beside == task)
			cut_stack(timed, *place, ns);
}

struct timed_buffer *timed_buffer_of(struct timed *timed, const struct record *rec)
{
	return stream_of(&timed->buffers, &(struct record){ .file = rec->file, .buffer = rec->buffer });
}

bool timed_losing(struct timed *timed, const struct record *rec)
{
	const struct timed_buffer *buffer = timed_buffer_of(timed, rec);

	return !buffer || buffer->open;
}

/*
 * Does a loss in this buffer affect the tasks of all buffers of its file? It does if the buffer has events of scheduling or of interrupt handlers, because
 * the other buffers need them.
 */
static bool is_shared(const struct timed *timed, unsigned int file, unsigned int buffer)
{
	const struct timed_input *in = &timed->inputs.at[file];

	return (in->telling | in->handling) & timed_buffer_bit(buffer);
}

/*
 * A loss in @buffer, which began at @ns and has the number @loss, may hide something of what the task did. So its open calls are cut. If the buffer is
 * shared (is_shared()), the calls of the same person in the other buffers are cut, too.
 */
static void forget(struct timed *timed, struct call_task *task, unsigned int buffer, uint64_t loss, uint64_t ns)
{
	struct timed_task *mine = call_task_of(&timed->user, task);
	struct timed_person *person = &timed->persons.at[mine->person];

	mine->losses = timed->losses;
	memset(mine->handlers, 0, sizeof(mine->handlers));
	timed_cut(timed, task, ns);
	if (task->aside || !is_shared(timed, task->file, buffer))
		return;
	if (timed->inputs.at[task->file].telling & timed_buffer_bit(buffer))
		person->off = (struct sched_off){ 0 };
	vec_each (&person->tasks, other) {
		struct timed_task *theirs = call_task_of(&timed->user, *other);

		/* If the task was seen in that buffer after the loss, the loss has been handled already. */
		if (theirs->losses < loss)
			timed_cut(timed, *other, ns);
		theirs->losses = MAX(theirs->losses, loss);
	}
}

/*
 * Could the task do something on the CPU of @there that is lost from now on? A task that is off its CPU may come there later. This is found out when its
 * next record comes (timed_seen()).
 */
static bool is_there(const struct timed *timed, struct call_task *task, const struct record *there, const struct call_task *last)
{
	const struct timed_task *mine = call_task_of(&timed->user, task);

	if (task->file != there->file || (task->buffer != there->buffer && !is_shared(timed, there->file, there->buffer)))
		return false;
	if (task->aside)
		return !task->inside;
	if (task == last)
		return true;
	return task->cpu == there->cpu && timed->persons.at[mine->person].off.why == SCHED_NOT_OFF;
}

/* Later events of the same waking may be lost, and so may the switch by which the task came to its CPU. So it is not known any more whether a waking was early. */
static void forget_early(struct timed *timed)
{
	vec_each (&timed->persons, person)
		person->off.early = false;
}

static int gap_begins(struct timed *timed, struct timed_stream *stream, const struct record *there, struct call_task *last, uint64_t ns)
{
	int err = handlers_lost(timed->handlers, there);

	if (err)
		return err;
	stream->loss = ++timed->losses;
	stream->open = true;
	forget_early(timed);
	for (size_t i = 0; i < calls_ntasks(timed->calls); i++) {
		struct call_task *task = calls_task(timed->calls, i);

		if (is_there(timed, task, there, last))
			forget(timed, task, there->buffer, stream->loss, ns);
	}
	return 0;
}

int timed_gap(void *ctx, const struct record *there, struct call_task *last, uint64_t ns, bool over)
{
	struct timed *timed = ctx;
	struct timed_stream *stream = stream_of(&timed->streams, there);
	struct timed_buffer *buffer = timed_buffer_of(timed, there);
	struct timed_cpu *cpu = stream_of(&timed->cpus, &(struct record){ .file = there->file, .cpu = there->cpu });
	int err = stream && buffer && cpu ? 0 : -ENOMEM;

	/* A later switch between the same two tasks may be another one. */
	if (!err)
		cpu->tellers = 0;
	if (!err && timed->watch && timed->watch->lost)
		err = timed->watch->lost(timed->watch->ctx, there, ns, over);
	if (err)
		return err;
	buffer->open += over ? -1U : 1;
	timed->open += over ? -1U : 1;
	if (!over)
		return gap_begins(timed, stream, there, last, ns);
	/* A task may come to this CPU after the loss began and before it ended. So the end of the loss counts as a further loss. */
	stream->loss = ++timed->losses;
	stream->open = false;
	stream->until = ns;
	forget_early(timed);
	buffer->until = MAX(buffer->until, ns);
	return 0;
}

/*
 * Goes through the buffers that tell of the task: its own buffer, and the shared ones (is_shared()). Returns what was lost on @cpu in the next of them, or
 * NULL after the last one. *@i must be 0 at first. Afterwards it is the number of the returned buffer plus 1. If memory runs out, returns a loss that never
 * ends.
 */
static const struct timed_stream *next_stream(struct timed *timed, const struct call_task *task, uint16_t cpu, unsigned int *i)
{
	static const struct timed_stream unknown = { .loss = UINT64_MAX, .until = UINT64_MAX, .open = true };
	const uint64_t all = timed_tellers(timed, task) | timed_buffer_bit(task->buffer);

	for (; *i < 64 && all >> *i; ++*i) {
		const uint16_t buffer = (uint16_t)(timed_buffer_bit(task->buffer) == 1ULL << *i ? task->buffer : *i);
		const struct timed_stream *stream;

		if (!(all & 1ULL << *i))
			continue;
		++*i;
		stream = stream_of(&timed->streams, &(struct record){ .file = task->file, .buffer = buffer, .cpu = cpu });
		return stream ? stream : &unknown;
	}
	return NULL;
}

/* A record of the task came on @cpu. If @cpu has lost events since the task was last seen, this cuts its calls. */
int timed_seen(void *ctx, struct call_task *task, uint16_t cpu)
{
	struct timed *timed = ctx;
	struct timed_task *mine = call_task_of(&timed->user, task);
	const struct sched_off *off = &timed->persons.at[mine->person].off;
	const uint64_t before = mine->losses, telling = timed->inputs.at[task->file].telling;
	const struct timed_stream *stream;
	unsigned int i = 0;

	if (before == timed->losses && likely(!off->why))
		return 0;
	while ((stream = next_stream(timed, task, cpu, &i)))
		if (stream->loss > before || (off->why && telling & timed_buffer_bit(i - 1) && (stream->open || stream->until > off->since)))
			forget(timed, task, i - 1, stream->loss, 0);
	mine->losses = timed->losses;
	return 0;
}

void timed_find_losing(struct timed *timed, struct call_task *task, uint16_t cpu)
{
	struct timed_asked *asked = &((struct timed_task *)call_task_of(&timed->user, task))->asked;
	const struct timed_stream *stream;
	unsigned int i = 0;

	*asked = (struct timed_asked){ timed->losses, timed_tellers(timed, task), cpu, false };
	while ((stream = next_stream(timed, task, cpu, &i)))
		asked->losing |= stream->open;
}

uint64_t timed_doubts(struct timed *timed, struct call_task *task, uint16_t cpu)
{
	return unlikely(timed->open) && timed_begins_in_gap(timed, task, cpu) ? TIMED_DOUBTFUL
									      : ((struct timed_task *)call_task_of(&timed->user, task))->doubts;
}
