/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/reuse.h"
#include "lib/analysis/syscall-match.h"

/* Several events tell of a birth. The kernel writes them in this order. */
enum kind { NOTHING, NEWTASK, FORK, WAKEUP_NEW, SWITCH, EXIT, FREE, EXEC, SYSCALL, KINDS };

enum state { ALIVE, BORN, EXITING, DEAD }; /* BORN: the task's birth is the last that was recorded of it */

static const struct {
	const char *system, *name, *pid, *more;
	enum kind kind;
} events[] = {
	{ "task", "task_newtask", "pid", NULL, NEWTASK },	  { "sched", "sched_process_fork", "child_pid", NULL, FORK },
	{ "sched", "sched_wakeup_new", "pid", NULL, WAKEUP_NEW }, { "sched", "sched_process_exit", "pid", NULL, EXIT },
	{ "sched", "sched_process_free", "pid", NULL, FREE },	  { "sched", "sched_process_exec", "pid", "old_pid", EXEC },
};

static struct reuse_kind kind_of(const struct reuse_input *in, const struct event *event)
{
	struct reuse_kind out = { 0 };
	struct syscall_event call;

	if (event == in->events.kinds[SCHED_SWITCH].event)
		return (struct reuse_kind){ .kind = SWITCH };
	if (syscall_event_find(event, &call))
		return (struct reuse_kind){ .kind = SYSCALL, .syscall = true };
	for (size_t i = 0; i < ARRAY_LEN(events); i++)
		if (strcmp(event->system, events[i].system) == 0 && strcmp(event->name, events[i].name) == 0 &&
		    format_field(event->format, events[i].pid, &out.pid) && (!events[i].more || format_field(event->format, events[i].more, &out.more)))
			out.kind = events[i].kind;
	return out;
}

int reuse_init(struct reuse *reuse, const inputs_t *inputs)
{
	vec_each (inputs, input) {
		struct reuse_input *in;

		if (vec_push(&reuse->inputs, (struct reuse_input){ .input = input }))
			return -ENOMEM;
		in = &reuse->inputs.at[reuse->inputs.n - 1];
		sched_events_find(&in->events, input);
		in->kinds = calloc(MAX(input->trace->nids, (size_t)1), sizeof(*in->kinds));
		in->tellers = calloc(KINDS, sizeof(*in->tellers));
		if (!in->kinds || !in->tellers)
			return -ENOMEM;
		in->nkinds = input->trace->nids;
		vec_each (&input->trace->events, event)
			in->kinds[(*event)->id] = kind_of(in, *event);
	}
	return 0;
}

void reuse_fini(struct reuse *reuse)
{
	vec_each (&reuse->inputs, in) {
		free(in->kinds);
		free(in->tellers);
	}
	vec_fini(&reuse->inputs);
	map_fini(&reuse->lives);
}

static uint64_t key_of(uint8_t file, int pid)
{
	return (uint64_t)file << 32 | (uint32_t)pid;
}

uint32_t reuse_life(const struct reuse *reuse, uint8_t file, int pid)
{
	const map_entry(&reuse->lives) life = map_find(&reuse->lives, key_of(file, pid));

	return life ? life->value.number : 0;
}

/* This is the record that is being taken in, and what it tells. */
struct news {
	struct reuse *reuse;
	const struct reuse_input *in;
	const struct record *rec;
	struct reuse_end *ends;
	int n; /* how many of .ends are filled in, or -ENOMEM */
};

static bool is_over(const struct reuse_life *life)
{
	return life->state == EXITING || life->state == DEAD;
}

static void set_state(struct news *news, struct reuse_life *life, enum state state)
{
	const bool was = is_over(life);

	life->state = (uint8_t)state;
	if (was != is_over(life))
		news->reuse->ended += was ? -1UL : 1;
	if (is_over(life) && (!was || state == DEAD) && !life->freed) {
		life->ts = news->rec->ts;
		life->ns = input_time(news->in->input, news->rec);
	}
}

bool reuse_is_over(const struct reuse *reuse, uint8_t file, int pid, struct reuse_end *out)
{
	const map_entry(&reuse->lives) life = reuse->ended ? map_find(&reuse->lives, key_of(file, pid)) : NULL;

	if (!life || !is_over(&life->value))
		return false;
	*out = (struct reuse_end){ .pid = pid, .ts = life->value.ts, .ns = life->value.ns };
	return true;
}

/* Notes that the pid belongs to another task now. */
static void renew(struct news *news, int pid, struct reuse_life *life, enum state state)
{
	news->ends[news->n++] = (struct reuse_end){ .pid = pid, .ts = life->ts, .ns = life->ns };
	life->number++;
	life->births = 0;
	life->unfreed = !life->freed;
	life->freed = false;
	life->ts = life->ns = 0;
	set_state(news, life, state);
}

static struct reuse_life *known(const struct news *news, int pid)
{
	map_entry(&news->reuse->lives) entry = news->reuse->ended ? map_find(&news->reuse->lives, key_of(news->rec->file, pid)) : NULL;

	return entry ? &entry->value : NULL;
}

static struct reuse_life *life_of(struct news *news, int pid)
{
	map_entry(&news->reuse->lives) entry = map_add(&news->reuse->lives, key_of(news->rec->file, pid));

	if (!entry)
		news->n = -ENOMEM;
	return entry ? &entry->value : NULL;
}

/* The task with this pid does something that a task in the state @over or a later one cannot do. If the state is that far, the pid belongs to a new task. */
static void lives(struct news *news, int pid, enum state over)
{
	struct reuse_life *life = pid ? known(news, pid) : NULL;

	if (life && life->state >= over)
		renew(news, pid, life, ALIVE);
}

static void on_switch(struct news *news)
{
	struct sched_events *read = &news->reuse->inputs.at[news->rec->file].events;
	struct sched_fact fact;
	struct reuse_life *life;

	if (!sched_read(read, SCHED_SWITCH, news->rec, &fact))
		return;
	lives(news, fact.next, DEAD);
	if (!fact.state.dead)
		lives(news, fact.pid, DEAD);
	life = fact.state.dead && fact.pid ? life_of(news, fact.pid) : NULL;
	if (life && life->state != DEAD)
		set_state(news, life, DEAD);
}

static void on_birth(struct news *news, int pid, enum kind kind)
{
	struct reuse_life *life = life_of(news, pid);

	if (!life)
		return;
	/* The further events of the same birth come later in the order. */
	if (life->state != BORN || life->births >= 1U << kind)
		renew(news, pid, life, BORN);
	life->births |= (uint8_t)(1U << kind);
}

static void on_exit_of(struct news *news, int pid)
{
	struct reuse_life *life = life_of(news, pid);

	if (life && is_over(life))
		renew(news, pid, life, ALIVE);
	if (life)
		set_state(news, life, EXITING);
}

/* Handles the event that a task is freed. It comes some time after the task's end, when the pid may already belong to another task. */
static void on_free(struct news *news, int pid)
{
	struct reuse_life *life = life_of(news, pid);

	if (!life || life->unfreed || life->state == BORN) {
		if (life)
			life->unfreed = false;
		return;
	}
	if (life->state != DEAD)
		set_state(news, life, DEAD);
	life->freed = true;
}

/* Handles execve(). The task @old that called it need not be the first task of its process. Then it takes over the pid of the first task, which has ended. */
static void on_exec(struct news *news, int pid, int old)
{
	struct reuse_life *life;

	if (old == pid) {
		lives(news, pid, EXITING);
		return;
	}
	life = life_of(news, pid);
	if (life) {
		renew(news, pid, life, ALIVE);
		news->ends[news->n - 1].old = old;
	}
	life = life ? life_of(news, old) : NULL;
	if (life)
		set_state(news, life, DEAD);
}

/* Does an event of this kind in this buffer count? The same events can be recorded in several buffers. Only the first buffer that has one counts. */
static bool counts(const struct reuse_input *in, enum kind kind, uint16_t buffer)
{
	if (!in->tellers[kind])
		in->tellers[kind] = buffer + 1;
	return in->tellers[kind] == buffer + 1;
}

int reuse_add(struct reuse *reuse, const struct record *rec, const struct common *common, struct reuse_end ends[REUSE_MOST])
{
	const struct reuse_input *in = &reuse->inputs.at[rec->file];
	const struct reuse_kind *what = &in->kinds[common->id];
	const bool swap = in->input->trace->swap;
	struct news news = { .reuse = reuse, .in = in, .rec = rec, .ends = ends };
	uint64_t pid, more = 0;

	if (what->kind == SYSCALL || what->kind == SWITCH) {
		if (what->kind == SYSCALL)
			lives(&news, common->pid, EXITING);
		else
			on_switch(&news);
		return news.n;
	}
	if (!counts(in, what->kind, rec->buffer) || !field_get(&what->pid, rec->data, rec->size, swap, &pid) || !(int)pid)
		return 0;
	if (what->kind == EXIT)
		on_exit_of(&news, (int)pid);
	else if (what->kind == FREE)
		on_free(&news, (int)pid);
	else if (what->kind == EXEC && field_get(&what->more, rec->data, rec->size, swap, &more))
		on_exec(&news, (int)pid, (int)more);
	else if (what->kind != EXEC)
		on_birth(&news, (int)pid, what->kind);
	return news.n;
}
