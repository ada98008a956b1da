/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/sched-inside.h"
#include "lib/base/parse.h"

/* This is the state of a CPU of a file. */
struct sched_cpu {
	uint32_t on;	     /* 1 + the index of the task that is running; 0: not known */
	bool seen, switched; /* a record, or a switch, was seen since the beginning or since the last loss */
	uint64_t first;	     /* the time of the first such record */
};

/* This is the record that is being taken in. */
struct at {
	struct sched *sched;
	struct sched_input *in;
	const struct record *rec;
	struct sched_cpu *cpu;
	uint64_t now;
};

/* --- tasks and their parts ---------------------------------------------------------------------------------------- */

static int64_t task_index(const struct at *at, int pid)
{
	const uint16_t cpu = pid ? 0 : at->rec->cpu;

	return keys_element(&at->sched->task_keys, &at->sched->tasks, ((struct key){ at->rec->file, (uint32_t)pid, cpu }),
			    (struct sched_task){ .pid = pid, .file = at->rec->file, .cpu = cpu });
}

static bool cpu_wanted(const struct sched *sched, uint16_t cpu)
{
	return cpuset_wants(sched->opt.cpus, cpu);
}

/* Returns the sums of the task on @cpu, or NULL when memory runs out. The pointer is valid until the next call. */
static struct sched_sums *sums_of(struct sched *sched, uint32_t task, uint16_t cpu)
{
	const uint16_t there = sched->opt.by_cpu ? cpu : 0;
	int64_t i;

	if (!cpu_wanted(sched, cpu))
		return &sched->elsewhere;
	i = keys_element(&sched->part_keys, &sched->parts, ((struct key){ task, there, 0 }), (struct sched_part){ .task = task, .cpu = there });
	return i < 0 ? NULL : &sched->parts.at[i].sums;
}

static int add_cut(struct sched *sched, uint32_t task)
{
	struct sched_sums *sums = sums_of(sched, task, sched->tasks.at[task].cpu);

	if (sums)
		sums->cut++;
	return sums ? 0 : -ENOMEM;
}

static int add_delay(struct quantiles *q, uint64_t *worst, uint64_t *worst_ts, uint64_t took, uint64_t now)
{
	if (!q->n || took > *worst) {
		*worst = took;
		*worst_ts = now;
	}
	return quantiles_add(q, took);
}

/* If events were lost since the task was last seen, this forgets where the task is, because it may have run meanwhile. Returns 0 or -errno. */
static int settle(struct sched *sched, uint32_t index)
{
	struct sched_task *task = &sched->tasks.at[index];
	const bool off = task->where == SCHED_OFF;

	if (task->where == SCHED_ON || task->losses == sched->inputs.at[task->file].losses)
		return 0;
	task->losses = sched->inputs.at[task->file].losses;
	task->where = SCHED_NOWHERE;
	task->woken = false;
	task->off = (struct sched_off){ 0 };
	task->preempted = task->waked = task->waking = 0;
	task->cut |= off;
	return off ? add_cut(sched, index) : 0;
}

/* --- pairs ---------------------------------------------------------------------------------------------------------- */

/* Counts the pair once more. Returns 1 + its index, 0 if it is not wanted, or -ENOMEM. */
static int64_t pair_of(const struct at *at, struct sched_pairs *pairs, uint32_t task, uint32_t by, enum sched_from from)
{
	struct sched *sched = at->sched;
	int64_t i;

	if (!sched->opt.pairs || !cpu_wanted(sched, at->rec->cpu))
		return 0;
	i = keys_element(&pairs->keys, &pairs->all, ((struct key){ task, from == SCHED_BY_TASK ? by + 1 : 0, from }),
			 (struct sched_pair){ .task = task, .by = by, .from = from });
	if (i < 0)
		return i;
	pairs->all.at[i].count++;
	return i + 1;
}

static int pair_took(struct sched_pairs *pairs, uint32_t index, uint64_t took, uint64_t now)
{
	struct sched_pair *pair = index ? &pairs->all.at[index - 1] : NULL;

	return pair ? add_delay(&pair->times, &pair->worst, &pair->worst_ts, took, now) : 0;
}

/* --- switches ------------------------------------------------------------------------------------------------------- */

/* From here on it is not known where the task is. Returns 0 or -errno. */
static int give_up(struct sched *sched, uint32_t index)
{
	struct sched_task *task = &sched->tasks.at[index];

	task->where = SCHED_NOWHERE;
	task->losses = sched->inputs.at[task->file].losses;
	task->woken = task->has_wait = task->has_delay = false;
	task->off = (struct sched_off){ 0 };
	task->cut = true;
	return add_cut(sched, index);
}

/* The task that was believed to run on this CPU cannot have been there all the time. So this gives the task up. Returns 0 or -errno. */
static int give_up_cpu(const struct at *at)
{
	const uint32_t on = at->cpu->on;

	at->cpu->on = 0;
	if (!on || at->sched->tasks.at[on - 1].where != SCHED_ON || at->sched->tasks.at[on - 1].cpu != at->rec->cpu)
		return 0;
	return give_up(at->sched, on - 1);
}

static int tell_stay(const struct at *at, uint32_t index, const struct sched_fact *fact, bool known)
{
	struct sched *sched = at->sched;
	struct sched_task *task = &sched->tasks.at[index];
	const struct sched_stay stay = {
		.task = task,
		.ts = at->now,
		.cpu = at->rec->cpu,
		.state = &fact->state,
		.run = known ? at->now - task->since : 0,
		.has_run = known,
		.index = index,
	};

	if (!sched->opt.stay || !cpu_wanted(sched, at->rec->cpu) || !sched_is_wanted(sched, task))
		return 0;
	return sched->opt.stay(sched->opt.ctx, &stay);
}

/* The task @index leaves the CPU, and the task @next comes to it. Returns 0 or -errno. */
static int leave(const struct at *at, uint32_t index, uint32_t next, const struct sched_fact *fact)
{
	struct sched *sched = at->sched;
	struct sched_task *task = &sched->tasks.at[index];
	const bool known = at->cpu->on == index + 1 && task->where == SCHED_ON && task->cpu == at->rec->cpu && at->now >= task->since;
	struct sched_sums *sums;
	int err = known ? 0 : give_up_cpu(at);
	int64_t pair = 0;

	err = err ? err : tell_stay(at, index, fact, known);
	sums = err ? NULL : sums_of(sched, index, at->rec->cpu);
	if (!sums)
		return err ? err : -ENOMEM;
	task = &sched->tasks.at[index];
	if (known) {
		sums->run += at->now - task->since;
	} else {
		sums->cut += !task->cut;
		sums->least += !at->cpu->switched && at->now > at->cpu->first ? at->now - at->cpu->first : 0;
	}
	if (fact->state.runnable && task->pid)
		pair = pair_of(at, &sched->preempts, index, next, SCHED_BY_TASK);
	if (task->pid)
		task->cpu = at->rec->cpu;
	task->was_on = true;
	task->where = fact->state.dead || !task->pid ? SCHED_NOWHERE : SCHED_OFF;
	task->off.early &= task->losses == at->in->losses;
	task->losses = at->in->losses;
	task->woken = task->has_wait = task->has_delay = task->cut = false;
	task->preempted = (uint32_t)MAX(pair, (int64_t)0);
	if (task->where == SCHED_OFF)
		sched_off_begin(&task->off, &fact->state, at->now);
	else
		task->off = (struct sched_off){ 0 };
	if (!task->off.early)
		task->waked = 0;
	return pair < 0 ? (int)pair : 0;
}

/* Adds the time that the task was off its CPU until now. Returns 0 or -errno. */
static int add_took(const struct at *at, uint32_t index, struct sched_sums *sums)
{
	struct sched *sched = at->sched;
	struct sched_task *task = &sched->tasks.at[index];
	struct sched_took *took = &task->took;
	int err = 0;

	*took = (struct sched_took){ 0 };
	if (task->where == SCHED_OFF) {
		task->has_wait = sched_off_end(&task->off, at->now, took);
		task->has_delay = took->woken;
	} else if (task->woken && at->now >= task->off.woken) {
		/* Nothing is known of the time before it was woken, or the task is new. */
		took->queued = took->off = at->now - task->off.woken;
		task->has_delay = true;
	}
	sums->off += took->off;
	sums->blocked += took->blocked;
	sums->preempted += took->preempted;
	if (task->has_delay) {
		err = add_delay(&sums->delays, &sums->worst, &sums->worst_ts, took->queued, at->now);
		err = err ? err : pair_took(&sched->wakes, task->waked, took->queued, at->now);
	}
	if (!err && task->has_wait && task->preempted)
		err = pair_took(&sched->preempts, task->preempted, took->preempted, at->now);
	return err;
}

static int tell_come(const struct at *at, uint32_t index)
{
	struct sched *sched = at->sched;
	struct sched_task *task = &sched->tasks.at[index];

	if (!sched->opt.come || (!task->has_wait && !task->has_delay) || !cpu_wanted(sched, at->rec->cpu) || !sched_is_wanted(sched, task))
		return 0;
	return sched->opt.come(sched->opt.ctx, index, &task->took);
}

/* The task @index comes to the CPU. Returns 0 or -errno. */
static int enter(const struct at *at, uint32_t index)
{
	struct sched *sched = at->sched;
	int err = settle(sched, index);
	struct sched_sums *sums;
	struct sched_task *task;

	if (!err && sched->tasks.at[index].where == SCHED_ON)
		err = give_up(sched, index);
	sums = err ? NULL : sums_of(sched, index, at->rec->cpu);
	if (!sums)
		return err ? err : -ENOMEM;
	task = &sched->tasks.at[index];
	task->has_wait = task->has_delay = false;
	if (task->pid) {
		sums->cut += task->where == SCHED_NOWHERE && !task->cut && !(task->woken && task->is_new);
		sums->moves += task->was_on && task->cpu != at->rec->cpu;
		err = add_took(at, index, sums);
		task->cpu = at->rec->cpu;
		err = err ? err : tell_come(at, index);
	}
	sums->switches++;
	task->off = (struct sched_off){ 0 };
	task->where = SCHED_ON;
	task->since = at->now;
	task->woken = task->is_new = task->cut = false;
	task->preempted = task->waked = 0;
	at->cpu->on = index + 1;
	at->cpu->switched = true;
	return err;
}

static int on_switch(const struct at *at, const struct sched_fact *fact)
{
	int64_t prev = task_index(at, fact->pid), next = task_index(at, fact->next);
	int err = prev < 0 || next < 0 ? -ENOMEM : settle(at->sched, (uint32_t)prev);

	err = err || !at->sched->opt.whole ? err : sched_watch(at->sched, at->rec, at->cpu->on, (uint32_t)prev, (uint32_t)next);
	err = err ? err : leave(at, (uint32_t)prev, (uint32_t)next, fact);
	at->cpu->on = 0;
	return err ? err : enter(at, (uint32_t)next);
}

/* --- wakings -------------------------------------------------------------------------------------------------------- */

/*
 * Returns 1 + the index of the pair of @index and the task that wakes it, 0 if there is none, or -errno. The waker is taken from sched_waking, if it is
 * recorded, because sched_wakeup may come from the CPU on which the woken task is to run.
 */
static int64_t waker_of(const struct at *at, enum sched_kind kind, uint32_t index)
{
	struct sched_task *task = &at->sched->tasks.at[index];
	int64_t by, pair = task->waking;

	if (kind == SCHED_WAKEUP && at->in->buffer[SCHED_WAKING] >= 0) {
		task->waking = 0;
		return pair;
	}
	by = task_index(at, record_pid(at->in->input->trace, at->rec));
	pair = by < 0 ? by : pair_of(at, &at->sched->wakes, index, (uint32_t)by, sched_from(at->in, at->rec));
	if (kind == SCHED_WAKING && pair >= 0)
		at->sched->tasks.at[index].waking = (uint32_t)pair;
	return pair;
}

static int on_wakeup(const struct at *at, enum sched_kind kind, const struct sched_fact *fact)
{
	int64_t index = task_index(at, fact->pid), pair;
	const uint8_t bit = (uint8_t)(1u << kind);
	struct sched_task *task;
	int err = index < 0 ? -ENOMEM : settle(at->sched, (uint32_t)index);

	pair = err ? 0 : waker_of(at, kind, (uint32_t)index);
	if (err || pair < 0)
		return err ? err : (int)pair;
	task = &at->sched->tasks.at[index];
	if (kind == SCHED_WAKEUP_NEW) {
		/* Another task may have had this pid before. */
		err = task->where == SCHED_NOWHERE ? 0 : give_up(at->sched, (uint32_t)index);
		task = &at->sched->tasks.at[index];
		task->where = SCHED_NOWHERE;
		task->woken = task->was_on = task->cut = false;
		task->is_new = true;
		task->off = (struct sched_off){ 0 };
	}
	if (sched_off_ran_unseen(&task->off, kind)) {
		err = give_up(at->sched, (uint32_t)index);
		task = &at->sched->tasks.at[index];
	}
	if (sched_off_wake(&task->off, kind, at->now)) {
		task->waked = (uint32_t)pair;
	} else if (task->where == SCHED_ON) {
		task->losses = at->in->losses;
		task->waked = task->off.early ? (uint32_t)pair : 0;
	} else if (task->where == SCHED_NOWHERE) {
		/* It is not known where the task is. If an event of this kind has told of its wakeup before, it has run unseen since then. */
		if (!task->woken || task->off.told & bit) {
			task->woken = true;
			task->off.woken = at->now;
			task->off.told = 0;
			task->waked = (uint32_t)pair;
		}
		task->off.told |= bit;
	}
	return err;
}

static int on_migrate(const struct at *at, const struct sched_fact *fact)
{
	int64_t index = task_index(at, fact->pid);
	struct sched_sums *sums = index < 0 ? NULL : sums_of(at->sched, (uint32_t)index, (uint16_t)fact->to);

	if (!sums)
		return -ENOMEM;
	sums->migrations++;
	return 0;
}

/* --- records -------------------------------------------------------------------------------------------------------- */

static int on_loss(const struct at *at)
{
	bool counts;
	int err = sched_gap_over(at->sched, at->rec, &counts);

	if (err || !counts)
		return err;
	err = give_up_cpu(at);
	*at->cpu = (struct sched_cpu){ 0 };
	return err;
}

static int take_record(struct sched *sched, const struct record *rec)
{
	const struct record there = { .file = rec->file, .cpu = rec->cpu };
	struct sched_input *in = &sched->inputs.at[rec->file];
	struct at at = { .sched = sched, .in = in, .rec = rec, .cpu = stream_of(&sched->cpus, &there) };
	const struct event *event;
	struct sched_fact fact;
	enum sched_kind kind;
	int err;

	if (!at.cpu)
		return -ENOMEM;
	err = rec->flags & RECORD_LOST ? on_loss(&at) : 0;
	if (err || rec->flags & RECORD_NODATA)
		return err;
	in->losses += in->gaps != 0;
	in->last = at.now = input_time(in->input, rec);
	if (!at.cpu->seen) {
		at.cpu->seen = true;
		at.cpu->first = at.now;
	}
	event = trace_event(in->input->trace, record_id(in->input->trace, rec));
	kind = !event ? SCHED_NONE : sched->opt.staged ? sched_kind(&in->events, event) : sched_kind_told(&in->events, event);
	if (event && event->kind >= EVENT_SCHED_SWITCH && !sched->opt.staged)
		trace_learn(in->input->trace, event, rec);
	if (kind == SCHED_NONE || kind == SCHED_HIDDEN)
		return 0;
	if (in->buffer[kind] < 0)
		in->buffer[kind] = rec->buffer;
	in->tellers[kind] |= 1ULL << MIN(rec->buffer, 63);
	in->several |= in->buffer[kind] != rec->buffer;
	if (in->buffer[kind] != rec->buffer || !sched_read(&in->events, kind, rec, &fact))
		return 0;
	return kind == SCHED_SWITCH ? on_switch(&at, &fact) : kind == SCHED_MIGRATE ? on_migrate(&at, &fact) : on_wakeup(&at, kind, &fact);
}

int sched_take(struct sched *sched, const struct record *rec)
{
	int err = take_record(sched, rec);

	return !err && unlikely(rec->flags & RECORD_GAP) ? sched_gap_begin(sched, rec) : err;
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct sched *sched = container_of(h, struct sched, handler);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		err = sched_take(sched, &batch->records[i]);
	return err;
}

int sched_open(struct sched *sched, sched_open_t *out)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < sched->tasks.n; i++) {
		err = settle(sched, i);
		if (!err && sched->tasks.at[i].where != SCHED_NOWHERE && !sums_of(sched, i, sched->tasks.at[i].cpu))
			err = -ENOMEM;
	}
	for (size_t i = 0; !err && i < sched->parts.n; i++)
		err = vec_push(out, (struct sched_open){ 0 });
	for (uint32_t i = 0; !err && i < sched->tasks.n; i++) {
		const struct sched_task *task = &sched->tasks.at[i];
		const uint64_t last = sched->inputs.at[task->file].last;
		const struct key key = { i, sched->opt.by_cpu ? task->cpu : 0, 0 };
		int64_t part = keys_find(&sched->part_keys, key);

		if (task->where == SCHED_NOWHERE || part < 0 || !cpu_wanted(sched, task->cpu))
			continue;
		out->at[part].cut++;
		if (task->where == SCHED_ON && last > task->since)
			out->at[part].least += last - task->since;
	}
	return err;
}

/* --- its life --------------------------------------------------------------------------------------------------------- */

static void pairs_fini(struct sched_pairs *pairs)
{
	vec_each (&pairs->all, pair)
		quantiles_fini(&pair->times);
	vec_fini(&pairs->all);
	keys_fini(&pairs->keys);
}

static void sched_free(struct handler *h)
{
	struct sched *sched = container_of(h, struct sched, handler);

	vec_each (&sched->parts, part)
		quantiles_fini(&part->sums.delays);
	quantiles_fini(&sched->elsewhere.delays);
	vec_fini(&sched->parts);
	vec_fini(&sched->tasks);
	vec_fini(&sched->inputs);
	keys_fini(&sched->task_keys);
	keys_fini(&sched->part_keys);
	whole_fini(&sched->whole);
	pairs_fini(&sched->preempts);
	pairs_fini(&sched->wakes);
	streams_fini(&sched->cpus, NULL);
	streams_fini(&sched->gaps, NULL);
	free(sched);
}

int sched_new(struct sched **out, const inputs_t *inputs, const struct sched_options *opt)
{
	struct sched *sched = calloc(1, sizeof(*sched));
	int err = sched ? 0 : -ENOMEM;

	if (err)
		return err;
	sched->handler = (struct handler){ .records = take_records, .free = sched_free };
	sched->opt = *opt;
	sched->cpus.size = sizeof(struct sched_cpu);
	sched->gaps.size = sizeof(bool);
	vec_each (inputs, input) {
		struct sched_input in = { .input = input };

		for (unsigned int kind = 0; kind < SCHED_KINDS; kind++)
			in.buffer[kind] = -1;
		sched_events_find(&in.events, input);
		err = err ? err : vec_push(&sched->inputs, in);
	}
	*out = sched;
	if (err)
		sched_free(&sched->handler);
	return err;
}
