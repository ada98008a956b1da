/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/learn.h"

/* This is a name that was noted. It may not have been given to its task yet. */
struct told {
	struct record at; /* the record that told the name, without its data */
	int pid;
	char name[64];
};

struct learner {
	struct learn head;
	const inputs_t *inputs;
	/* For each input: element i tells whether the event with the id i tells names. All ids have an element, so that the id of a record need not be checked. */
	VEC(bool *) tells;
	VEC(struct told) told;
	size_t given; /* how many elements of .told were given to their tasks */
};

/* This is the context of note_name(): the record whose names are noted. */
struct teller {
	struct learner *learn;
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

static int note_names(struct learner *learn, const struct record *rec)
{
	const struct trace *trace = learn->inputs->at[rec->file].trace;
	struct teller teller = { .learn = learn, .comms = trace->comms, .rec = rec };

	trace_names(trace, trace_event(trace, record_id(trace, rec)), rec, note_name, &teller);
	learn->head.waits = learn->told.n > 0;
	return teller.err;
}

/* Returns the first record after @rec that is of another file, or @end. */
static const struct record *end_of_file(const struct learner *learn, const struct record *rec, const struct record *end)
{
	const uint8_t file = rec->file;

	if (learn->inputs->n == 1)
		return end;
	while (rec < end && rec->file == file)
		rec++;
	return rec;
}

/* Nearly all records tell no names. For them, only what is necessary is done here. */
static int on_batch(struct stage *stage, struct batch *batch)
{
	struct learner *learn = container_of(stage, struct learner, head.stage);
	const struct record *rec = batch->records, *end = rec + batch->n;

	learn_all(&learn->head);
	while (rec < end) {
		const struct trace *trace = learn->inputs->at[rec->file].trace;
		const bool *tells = learn->tells.at[rec->file];

		for (const struct record *other = end_of_file(learn, rec, end); rec < other; rec++) {
			if (unlikely(rec->flags & RECORD_NODATA) || likely(!tells[record_id(trace, rec)]))
				continue;
			if (note_names(learn, rec))
				return -ENOMEM;
		}
	}
	return 0;
}

static void give(struct learner *learn, const struct told *told)
{
	comms_learn(learn->inputs->at[told->at.file].trace->comms, told->pid, told->name, sizeof(told->name));
	learn->given++;
}

void learn_waiting(struct learn *head, const struct record *rec)
{
	struct learner *learn = container_of(head, struct learner, head);
	const uint64_t now = input_time(&learn->inputs->at[rec->file], rec);

	while (learn->given < learn->told.n) {
		const struct told *told = &learn->told.at[learn->given];

		if (input_time(&learn->inputs->at[told->at.file], &told->at) > now)
			return;
		give(learn, told);
	}
	head->waits = false;
}

void learn_all(struct learn *head)
{
	struct learner *learn;

	if (!head)
		return;
	learn = container_of(head, struct learner, head);
	while (learn->given < learn->told.n)
		give(learn, &learn->told.at[learn->given]);
	learn->told.n = learn->given = 0;
	head->waits = false;
}

static void learn_free(struct learner *learn)
{
	vec_each (&learn->tells, tells)
		free(*tells);
	vec_fini(&learn->tells);
	vec_fini(&learn->told);
	free(learn);
}

static void on_free(struct stage *stage)
{
	learn_free(container_of(stage, struct learner, head.stage));
}

/* Notes which events of an input tell names. Returns 0 or -ENOMEM. */
static int add_input(struct learner *learn, const struct trace *trace, bool *any)
{
	bool *tells = calloc(UINT16_MAX + 1, sizeof(*tells));

	if (!tells || vec_push(&learn->tells, tells)) {
		free(tells);
		return -ENOMEM;
	}
	vec_each (&trace->events, event) {
		tells[(*event)->id] = trace_event(trace, (*event)->id) == *event && (*event)->kind >= EVENT_SCHED_SWITCH;
		*any |= tells[(*event)->id];
	}
	return 0;
}

int learn_new(struct learn **out, const inputs_t *inputs)
{
	struct learner *learn = calloc(1, sizeof(*learn));
	bool any = false;
	int err = learn ? 0 : -ENOMEM;

	*out = NULL;
	if (err)
		return err;
	*learn = (struct learner){ .head.stage = { .batch = on_batch, .free = on_free }, .inputs = inputs };
	vec_each (inputs, input)
		err = err ? err : add_input(learn, input->trace, &any);
	if (err || !any)
		learn_free(learn);
	else
		*out = &learn->head;
	return err;
}

struct stage *learn_stage(struct learn *learn)
{
	return &learn->stage;
}
