/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/asked.h"
#include "lib/event/trace.h"

struct asked {
	struct stage stage;
	const inputs_t *inputs;
	const struct select_options *opt;
	bool *found;
	bool any; /* a record has come; .file and .pid are those of the last record */
	uint8_t file;
	int pid;
};

static bool is_asked(struct asked *asked, const struct record *rec)
{
	struct trace *trace = asked->inputs->at[rec->file].trace;
	const struct common common = record_common(trace, rec);
	const struct event *event = trace_event(trace, common.id);
	const int pid = common.pid;

	/* The handlers learn this, too, but only after the whole batch has been looked at here. */
	if (event && event->kind >= EVENT_SCHED_SWITCH)
		trace_learn(trace, event, rec);
	/* Most records are of the same task as the record before. */
	if (asked->any && asked->file == rec->file && asked->pid == pid)
		return false;
	asked->any = true;
	asked->file = rec->file;
	asked->pid = pid;
	return select_task(asked->opt, comms_find(trace->comms, pid), pid);
}

static int on_batch(struct stage *stage, struct batch *batch)
{
	struct asked *asked = container_of(stage, struct asked, stage);

	for (size_t i = 0; !*asked->found && i < batch->n; i++)
		if (!(batch->records[i].flags & RECORD_NODATA))
			*asked->found = is_asked(asked, &batch->records[i]);
	return 0;
}

static void on_free(struct stage *stage)
{
	free(container_of(stage, struct asked, stage));
}

int asked_new(struct stage **out, const inputs_t *inputs, const struct select_options *opt, bool *found)
{
	struct asked *asked;

	*out = NULL;
	if (!opt->pids.n && !opt->tids.n && !opt->comms.n)
		return 0;
	asked = calloc(1, sizeof(*asked));
	if (!asked)
		return -ENOMEM;
	*asked = (struct asked){ .stage = { .batch = on_batch, .free = on_free }, .inputs = inputs, .opt = opt, .found = found };
	*out = &asked->stage;
	return 0;
}
