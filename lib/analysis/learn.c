/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/learn.h"

/* This is a name that was noted. It may not have been given to its task yet. */
struct told {
	struct record at; /* the record that told the name, without its data */
	int pid;
	char name[64];
};

struct learn {
	struct stage stage;
	const inputs_t *inputs;
	VEC(struct told) told;
	size_t given; /* how many elements of .told were given to their tasks */
};

/* This is the context of note_name(): the record whose names are noted. */
struct teller {
	struct learn *learn;
	const struct comms *comms;
	const struct record *rec;
	int err;
};

static void note_name(void *ctx, int pid, const char *name, size_t n)
{
	struct teller *teller = ctx;
	struct told told = { .at = *teller->rec, .pid = pid };

	/* A task keeps its first name. Nearly all tasks have a name already, and then nothing is noted. */
	if (teller->err || comms_has(teller->comms, pid))
		return;
	told.at.data = NULL;
	memcpy(told.name, name, MIN(n, sizeof(told.name) - 1));
	teller->err = vec_push(&teller->learn->told, told);
}

static int on_batch(struct stage *stage, struct batch *batch)
{
	struct learn *learn = container_of(stage, struct learn, stage);

	learn_all(learn);
	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		const struct trace *trace = learn->inputs->at[rec->file].trace;
		struct teller teller = { .learn = learn, .comms = trace->comms, .rec = rec };
		const struct event *event = rec->flags & RECORD_NODATA ? NULL : trace_event(trace, record_id(trace, rec));

		if (!event || event->kind < EVENT_SCHED_SWITCH)
			continue;
		trace_names(trace, event, rec, note_name, &teller);
		if (teller.err)
			return teller.err;
	}
	return 0;
}

static void give(struct learn *learn, const struct told *told)
{
	comms_learn(learn->inputs->at[told->at.file].trace->comms, told->pid, told->name, sizeof(told->name));
	learn->given++;
}

void learn_until(struct learn *learn, const struct record *rec)
{
	uint64_t now;

	if (!learn || learn->given == learn->told.n)
		return;
	now = input_time(&learn->inputs->at[rec->file], rec);
	while (learn->given < learn->told.n) {
		const struct told *told = &learn->told.at[learn->given];

		if (input_time(&learn->inputs->at[told->at.file], &told->at) > now)
			return;
		give(learn, told);
	}
}

void learn_all(struct learn *learn)
{
	if (!learn)
		return;
	while (learn->given < learn->told.n)
		give(learn, &learn->told.at[learn->given]);
	learn->told.n = learn->given = 0;
}

static void on_free(struct stage *stage)
{
	struct learn *learn = container_of(stage, struct learn, stage);

	vec_fini(&learn->told);
	free(learn);
}

static bool tells_names(const struct trace *trace)
{
	vec_each (&trace->events, event)
		if ((*event)->kind >= EVENT_SCHED_SWITCH)
			return true;
	return false;
}

int learn_new(struct learn **out, const inputs_t *inputs)
{
	bool any = false;

	*out = NULL;
	vec_each (inputs, input)
		any |= tells_names(input->trace);
	if (!any)
		return 0;
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	**out = (struct learn){ .stage = { .batch = on_batch, .free = on_free }, .inputs = inputs };
	return 0;
}

struct stage *learn_stage(struct learn *learn)
{
	return &learn->stage;
}
