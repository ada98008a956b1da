/* SPDX-License-Identifier: GPL-2.0 */
/* Follows which signals tasks take between system calls, and how tasks end. */
#include "lib/analysis/syscalls-inside.h"

/* These are the events that tell of the lives of tasks, with their fields in the order of kind_of.told. */
static const struct {
	const char *system, *name, *fields[TOLD];
	enum kind kind;
} life_events[] = {
	{ "signal", "signal_generate", { "sig", "errno", "code", "pid", "result" }, SENT },
	{ "signal", "signal_deliver", { "sig", "errno", "code", "sa_handler" }, DELIVERED },
	{ "task", "task_newtask", { "pid", "clone_flags" }, BIRTH },
	{ "sched", "sched_process_exit", { "pid" }, END },
};

/* Fills in @kind if the event is one of the lives of tasks and has all its fields. */
void lives_fill(const struct event *event, struct kind_of *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(life_events); i++) {
		bool all = true;

		if (strcmp(event->system, life_events[i].system) != 0 || strcmp(event->name, life_events[i].name) != 0)
			continue;
		for (unsigned int n = 0; n < TOLD && life_events[i].fields[n]; n++) {
			kind->told[n] = syscalls_field(event, life_events[i].fields[n]);
			all &= kind->told[n].found;
		}
		kind->kind = all ? life_events[i].kind : OTHER;
	}
}

/* Returns the life of the task's process, or NULL when memory runs out. */
static struct life *group_of(struct syscall_reader *r, const struct record *rec, struct task *task)
{
	struct task *first = task->life.tgid ? task_of(&r->tasks, rec, task->life.tgid) : task;

	return first ? &first->life : NULL;
}

int lives_enter(struct syscall_reader *r, const struct record *rec, struct task *task)
{
	const struct syscall_open *call = &task->call;
	const bool execs = syscalls_is_exec(call), ends = syscall_is(call, "exit_group");
	struct life *group = execs || ends ? group_of(r, rec, task) : NULL;

	if ((execs || ends) && !group)
		return -ENOMEM;
	if (syscall_is(call, "exit"))
		task->life.own = (struct ending){ ENDING_EXITED, call->args[0] & 0xff };
	else if (ends)
		life_end_group(group, ENDING_EXITED, call->args[0] & 0xff);
	else if (execs)
		life_executes(group, call->pid);
	return 0;
}

int lives_leave(struct syscall_reader *r, const struct record *rec, struct task *task)
{
	struct life *group = syscalls_is_exec(&task->call) ? group_of(r, rec, task) : NULL;

	if (group && group->executing == task->call.pid)
		group->executing = 0;
	return group || !syscalls_is_exec(&task->call) ? 0 : -ENOMEM;
}

int lives_execute(struct syscall_reader *r, const struct record *rec, struct task *task, int old, int pid)
{
	struct task *first = task;
	int err = 0;

	if (old != pid) {
		task = task_of(&r->tasks, rec, old);
		err = task ? 0 : -ENOMEM;
		if (!err && r->ops->renumbered && task->call.chosen)
			err = r->ops->renumbered(r->ctx, &task->call);
		if (err)
			return err;
		tasks_swap(&r->tasks, rec, old, pid);
		task->call.pid = pid;
	}
	life_execute(&task->life, &first->life, pid);
	task->life.whole &= !r->losses.losing;
	return 0;
}

int lives_tell_held(struct syscall_reader *r, struct task *task, uint64_t ns)
{
	int err = 0;

	vec_each (&task->life.held, signal)
		err = err || !signal->chosen ? err : r->ops->signal(r->ctx, task->call.input, signal, ns);
	task->life.held.n = 0;
	return err;
}

/* Returns one of the event's numbers, with its sign. The event's format has the field. */
static int told(const struct source *in, const struct kind_of *kind, const struct record *rec, unsigned int i)
{
	uint64_t value = 0;

	field_get(&kind->told[i], rec->data, rec->size, in->trace->swap, &value);
	return (int)(int64_t)value;
}

/* Returns the value of a field that is no int, such as an address or flags. */
static uint64_t told_wide(const struct source *in, const struct kind_of *kind, const struct record *rec, unsigned int i)
{
	uint64_t value = 0;

	field_get(&kind->told[i], rec->data, rec->size, in->trace->swap, &value);
	return value;
}

/* Handles signal_generate. The kernel drops an ignored signal, but keeps it for a tracer. So strace shows it, and so does this. Returns 0 or -errno. */
static int on_sent(struct syscall_reader *r, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *sender, int pid)
{
	enum { DELIVERED_LATER = 0, IGNORED = 1, HARDWARE = 128 }; /* SI_KERNEL */
	const int result = told(in, kind, rec, 4), number = told(in, kind, rec, 0), code = told(in, kind, rec, 2);
	struct task *target = task_of(&r->tasks, rec, told(in, kind, rec, 3));
	struct life *group = target ? group_of(r, rec, target) : NULL, *from = group_of(r, rec, sender);
	struct signal_taken signal = { .number = number, .error = told(in, kind, rec, 1), .code = code };

	if (!group || !from)
		return -ENOMEM;
	if (!target->life.seen && !group->seen)
		return 0;
	signal.pid = told(in, kind, rec, 3);
	signal.from = code != HARDWARE;
	signal.sender = sender->life.tgid ? sender->life.tgid : pid;
	signal.of_sender = life_group_ending(from); /* the kernel, too, takes it from the first task of the process */
	if (result == DELIVERED_LATER)
		return r->losses.losing ? 0 : life_sent(group, &signal);
	if (result != IGNORED || r->wanted.from_exec)
		return 0;
	signal.chosen = target->call.chosen;
	if (target->call.open)
		return vec_push(&target->life.held, signal);
	return syscalls_chosen(r, rec) ? r->ops->signal(r->ctx, in->input, &signal, input_time(in->input, rec)) : 0;
}

static int on_delivered(struct syscall_reader *r, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *task, int pid)
{
	struct signal_taken signal = { .pid = pid, .number = told(in, kind, rec, 0), .error = told(in, kind, rec, 1), .code = told(in, kind, rec, 2) };
	struct life *group = group_of(r, rec, task);

	if (!group)
		return -ENOMEM;
	if (!life_delivered(group, &signal, told_wide(in, kind, rec, 3) != 0) || r->wanted.from_exec)
		return 0;
	return syscalls_chosen(r, rec) ? r->ops->signal(r->ctx, in->input, &signal, input_time(in->input, rec)) : 0;
}

static int on_birth(struct syscall_reader *r, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *parent, int pid)
{
	enum { CLONE_THREAD = 0x10000 };
	const int tid = told(in, kind, rec, 0), process = parent->life.tgid ? parent->life.tgid : pid;
	struct task *task = task_of(&r->tasks, rec, tid);

	if (!task)
		return -ENOMEM;
	life_begin(&task->life, told_wide(in, kind, rec, 1) & CLONE_THREAD ? process : tid);
	/* The task may do something unseen while events are being lost. */
	task->life.whole &= !r->losses.losing;
	return files_birth(r, parent, task, told_wide(in, kind, rec, 1));
}

static int on_end(struct syscall_reader *r, struct source *in, const struct record *rec, struct task *task, int pid)
{
	const struct life *group = group_of(r, rec, task);
	const uint64_t ns = input_time(in->input, rec);
	int err = group ? 0 : -ENOMEM;

	if (r->wanted.from_exec)
		return err;
	if (!err && task->call.open)
		err = syscalls_cut(r, &task->call);
	err = err ? err : lives_tell_held(r, task, ns);
	files_end(task);
	return err ? err : r->ops->ended(r->ctx, in->input, pid, life_ending(&task->life, group, pid), ns, syscalls_chosen(r, rec));
}

int lives_record(struct syscall_reader *r, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *task, int pid)
{
	if (!r->ops->signal || !r->ops->ended)
		return 0;
	switch (kind->kind) {
	case SENT:
		return on_sent(r, in, kind, rec, task, pid);
	case DELIVERED:
		return on_delivered(r, in, kind, rec, task, pid);
	case BIRTH:
		return on_birth(r, in, kind, rec, task, pid);
	default:
		return on_end(r, in, rec, task, pid);
	}
}
