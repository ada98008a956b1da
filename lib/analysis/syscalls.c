/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/syscalls-inside.h"
#include "lib/base/str.h"

static void drop_strings(struct syscall_open *call)
{
	for (unsigned int i = 0; i < SYSCALL_ARGS; i++)
		free(take(call->strings[i]));
}

static void free_task(void *state)
{
	struct task *task = state;

	drop_strings(&task->call);
	life_fini(&task->life);
	files_end(task);
}

/* --- which event is what ---------------------------------------------------------------------------------- */

struct field syscalls_field(const struct event *event, const char *name)
{
	struct field field = { 0 };

	if (!format_field(event->format, name, &field))
		field.found = false;
	return field;
}

static int fill_name(struct event *event, struct kind_of *kind)
{
	const struct values *values;
	int err = values_of(&values, event);

	if (err)
		return err;
	kind->uptr = values_field(values, "uptr");
	kind->name = values_field(values, "path");
	if (kind->uptr && value_is_number(kind->uptr) && kind->name && kind->name->kind == VALUE_STRING)
		kind->kind = NAME;
	return 0;
}

/* Finds the fields of sched_process_exec, which comes when a program was loaded. Returns 0 or -errno. */
static int fill_exec(struct event *event, struct kind_of *kind)
{
	const struct values *values;
	int err = values_of(&values, event);

	if (err)
		return err;
	kind->name = values_field(values, "filename");
	kind->told[0] = syscalls_field(event, "old_pid");
	if (kind->name && kind->name->kind == VALUE_STRING)
		kind->kind = EXEC;
	return 0;
}

static int fill(struct event *event, struct kind_of *kind)
{
	struct syscall_event call;

	if (str_starts(event->name, SYSCALLS_PROBE))
		return fill_name(event, kind);
	if (strcmp(event->system, "sched") == 0 && strcmp(event->name, "sched_process_exec") == 0)
		return fill_exec(event, kind);
	lives_fill(event, kind);
	if (!syscall_event_find(event, &call))
		return 0;
	*kind = (struct kind_of){
		.kind = call.leave ? EXIT : ENTER,
		.teller = (uint8_t)call.teller,
		.number = call.number,
		.more = syscalls_field(event, call.leave ? "ret" : "args"),
	};
	if (call.leave && !kind->more.found)
		kind->kind = OTHER;
	return 0;
}

static void free_source(struct source *source)
{
	free(source->kinds);
	free(source->deeds);
}

static int open_source(struct syscall_reader *r, const struct input *input)
{
	struct source source = { .input = input, .trace = input->trace, .buffer = -1 };
	int err;

	source.kinds = calloc(MAX(input->trace->nids, (size_t)1), sizeof(*source.kinds));
	source.deeds = r->wanted.descriptors ? deeds_of(&input->trace->calls) : NULL;
	err = source.kinds && (source.deeds || !r->wanted.descriptors) ? vec_push(&r->sources, source) : -ENOMEM;
	if (err) {
		free_source(&source);
		return err;
	}
	vec_each (&input->trace->events, event) {
		struct kind_of *kind = &source.kinds[(*event)->id];

		err = err ? err : fill(*event, kind);
		r->facts.strings |= kind->kind == NAME;
		r->facts.programs |= kind->kind == EXEC;
		r->facts.any |= kind->kind == ENTER || kind->kind == EXIT;
	}
	return err;
}

/* --- records ---------------------------------------------------------------------------------------------- */

/* Returns how many arguments the call has: as many as the table says, or all recorded ones if the table does not know the call. */
static unsigned int known_args(const struct syscall_open *call, unsigned int recorded)
{
	unsigned int n = 0;

	if (!call->call || !call->call->known)
		return recorded;
	while (n < recorded && call->call->args[n].name)
		n++;
	return n;
}

static void read_args(const struct source *in, const struct kind_of *kind, const struct record *rec, struct syscall_open *call)
{
	unsigned int size = 8, at = kind->number.offset + 8, n = 0;

	if (kind->teller == SYSCALL_BY_NUMBER) {
		size = kind->more.size / SYSCALL_ARGS;
		at = kind->more.offset;
	}
	if (size != 4 && size != 8)
		return;
	for (; n < SYSCALL_ARGS && at + (n + 1) * size <= rec->size; n++)
		call->args[n] = load((const char *)rec->data + at + n * size, size, in->trace->swap);
	call->nargs = known_args(call, n);
}

int syscalls_cut(struct syscall_reader *r, struct syscall_open *call)
{
	call->open = false;
	return r->ops->cut && call->chosen ? r->ops->cut(r->ctx, call) : 0;
}

/* Begins a new call of the task and frees the strings of the old one. */
static void begin(const struct syscall_reader *r, struct source *in, struct syscall_open *call, const struct record *rec, int pid, uint64_t number)
{
	drop_strings(call);
	*call = (struct syscall_open){
		.input = in->input,
		.file = rec->file,
		.buffer = rec->buffer,
		.chosen = syscalls_chosen(r, rec),
		.cpu = rec->cpu,
		.pid = pid,
		.number = number,
		.call = syscall_find(&in->trace->calls, number),
		.ns = input_time(in->input, rec),
	};
}

/* Marks the open call as cut if events of the task may have been lost since it began. Then it is not known what the call did. */
static void doubt(const struct syscall_reader *r, const struct record *rec, struct task *task, int pid)
{
	if (task->call.open && !task->call.cut)
		task->call.cut = doubts_between(task->doubts, doubts_mark(r->doubts, rec, pid));
}

static int on_enter(struct syscall_reader *r, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *task, int pid)
{
	struct syscall_open *call = &task->call;
	uint64_t number;
	int err = 0;

	if (!field_get(&kind->number, rec->data, rec->size, in->trace->swap, &number))
		return 0;
	task->every_entry |= kind->teller == SYSCALL_BY_NUMBER;
	task->outside = false;
	if (!call->open)
		task->open = (struct syscall_told){ 0 };
	if (syscall_enters(&task->open, &task->last, (uint32_t)number, kind->teller) == SYSCALL_AGAIN)
		return 0;
	if (call->open)
		err = syscalls_cut(r, call);
	begin(r, in, call, rec, pid, number);
	call->open = call->has_entry = true;
	task->doubts = doubts_mark(r->doubts, rec, pid);
	/* The task may come to a CPU that is losing events now, and may be in another call when it comes back. */
	call->cut = task->doubts == TIMED_DOUBTFUL;
	read_args(in, kind, rec, call);
	if (r->wanted.from_exec && !syscalls_is_exec(call)) {
		call->open = false;
		return err;
	}
	if (r->wanted.from_exec)
		err = err ? err : files_inherit(r, task);
	r->wanted.from_exec = false;
	task->life.seen = true;
	err = err ? err : lives_enter(r, rec, task);
	err = err ? err : files_enter(r, rec, task);
	return err || !call->chosen ? err : r->ops->enter(r->ctx, call);
}

/*
 * Have seccomp filters refused the call? The kernel asks them before its events record the entry. So a refused call has only an exit, and the task was in no
 * call. Results such as -ERESTARTSYS, from -512 down, come only from calls that have begun.
 */
static bool is_refused(const struct task *task, int64_t result)
{
	return task->every_entry && task->outside && result < 0 && result > -512;
}

static int on_exit_of(struct syscall_reader *r, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *task, int pid)
{
	struct syscall_open *call = &task->call;
	uint64_t number, result, ns = input_time(in->input, rec), took = SYSCALL_UNKNOWN;
	enum syscall_step step;
	int err = 0;

	if (!field_get(&kind->number, rec->data, rec->size, in->trace->swap, &number) ||
	    !field_get(&kind->more, rec->data, rec->size, in->trace->swap, &result) || r->wanted.from_exec)
		return 0;
	if (!call->open)
		task->open = (struct syscall_told){ 0 };
	step = syscall_leaves(&task->open, &task->last, (uint32_t)number, kind->teller);
	if (step == SYSCALL_AGAIN)
		return 0;
	if (call->open && step == SYSCALL_ENDS_UNSEEN)
		err = syscalls_cut(r, call);
	if (!call->open) {
		if (syscall_is_birth(syscall_find(&in->trace->calls, number), (int64_t)result))
			return err;
		begin(r, in, call, rec, pid, number);
		call->refused = !r->wanted.holes && !r->losses.losing && is_refused(task, (int64_t)result);
	} else if (!call->cut && ns >= call->ns) {
		took = ns - call->ns;
	}
	call->open = false;
	task->outside = task->life.seen = true;
	err = err ? err : lives_leave(r, rec, task);
	err = err ? err : files_leave(r, rec, task, ns, (int64_t)result);
	err = err || !call->chosen ? err : r->ops->leave(r->ctx, call, ns, (int64_t)result, took);
	return err ? err : lives_tell_held(r, task, ns);
}

static void on_name(const struct kind_of *kind, const struct record *rec, struct syscall_open *call)
{
	struct value uptr, name;

	if (!call->open || !value_get(kind->uptr, rec->data, rec->size, &uptr) || !value_get(kind->name, rec->data, rec->size, &name))
		return;
	for (unsigned int i = 0; i < call->nargs; i++)
		if (uptr.number && call->args[i] == uptr.number && !call->strings[i])
			call->strings[i] = strndup((const char *)name.at, name.size);
}

/* Handles sched_process_exec. The kernel keeps the name with which execve() was called, and tells it when the program is loaded. Returns 0 or -errno. */
static int on_exec(struct syscall_reader *r, struct source *in, const struct kind_of *kind, const struct record *rec, struct task *task, int pid)
{
	uint64_t old = (uint64_t)pid;
	struct syscall_open *call;
	struct value name;
	int err;

	field_get(&kind->told[0], rec->data, rec->size, in->trace->swap, &old);
	err = lives_execute(r, rec, task, (int)old, pid);
	task = err ? NULL : task_of(&r->tasks, rec, pid);
	if (!task)
		return err ? err : -ENOMEM;
	call = &task->call;
	if (call->open && syscall_is(call, "execve") && call->nargs && !call->strings[0] && value_get(kind->name, rec->data, rec->size, &name))
		call->strings[0] = strndup((const char *)name.at, name.size);
	return 0;
}

/* Forgets what may have changed, because events are being lost or were lost up to now. */
static void forget(struct syscall_reader *r)
{
	vec_each (&r->tasks.all, state) {
		struct task *task = *state;

		task->outside = false;
		life_lost(&task->life);
	}
	files_lost(r);
}

static int on_lost(struct syscall_reader *r, const struct record *rec)
{
	forget(r);
	if (rec->lost > 0)
		r->facts.lost += (uint64_t)rec->lost;
	else
		r->facts.lost_more = true;
	return r->ops->lost ? r->ops->lost(r->ctx, rec->cpu, rec->lost) : 0;
}

/*
 * The task @pid of a buffer has ended, and another task with the same pid has begun. Nothing is known of the new task. @execs says that the old task goes on
 * in it, because it has got the pid by execve(). Returns 0 or -errno.
 */
static int end_life(struct syscall_reader *r, const struct record *there, int pid, bool execs)
{
	struct task *task = task_known(&r->tasks, there, pid);
	int err = task && task->call.open ? syscalls_cut(r, &task->call) : 0;

	if (!task || execs)
		return err;
	files_end(task);
	life_fini(&task->life);
	task->life = (struct life){ 0 };
	task->open = task->last = (struct syscall_told){ 0 };
	task->outside = false;
	return err;
}

static int end_lives(struct syscall_reader *r, const struct source *in, const struct record *rec, const struct common *common)
{
	struct reuse_end ends[REUSE_MOST];
	const int n = reuse_take(&r->reuse, rec, common, ends);
	struct record there = { .file = rec->file, .cpu = rec->cpu };
	int err = MIN(n, 0);

	for (int i = 0; i < n; i++)
		for (there.buffer = 0; !err && there.buffer < input_buffers(in->input); there.buffer++)
			err = end_life(r, &there, ends[i].pid, in->kinds[common->id].kind == EXEC);
	return err;
}

/* Notes that there is a record of an event of system calls, and in which buffer. */
static void note_seen(struct syscall_reader *r, struct source *in, const struct record *rec)
{
	r->facts.seen |= syscalls_chosen(r, rec);
	if (in->buffer < 0)
		in->buffer = rec->buffer;
	if (unlikely(in->buffer != rec->buffer) && !r->facts.several)
		r->facts.several = in->input->path;
}

static int take_event(struct syscall_reader *r, struct source *in, const struct record *rec)
{
	const struct common common = record_common(in->trace, rec);
	const int pid = common.pid;
	const struct kind_of *kind;
	struct task *task;
	int err = end_lives(r, in, rec, &common);

	if (err || common.id >= in->trace->nids || in->kinds[common.id].kind == OTHER)
		return err;
	kind = &in->kinds[common.id];
	task = task_of(&r->tasks, rec, pid);
	if (!task)
		return -ENOMEM;
	doubt(r, rec, task, pid);
	switch (kind->kind) {
	case NAME:
		return on_name(kind, rec, &task->call), 0;
	case EXEC:
		return on_exec(r, in, kind, rec, task, pid);
	case ENTER:
		note_seen(r, in, rec);
		return on_enter(r, in, kind, rec, task, pid);
	case EXIT:
		note_seen(r, in, rec);
		return on_exit_of(r, in, kind, rec, task, pid);
	default:
		return lives_record(r, in, kind, rec, task, pid);
	}
}

int syscall_reader_record(struct syscall_reader *r, const struct record *rec)
{
	uint64_t number;
	int err = losses_take(&r->losses, rec, &number) ?: doubts_take(r->doubts, rec);

	/* This is done only now, because what the record before told still belongs to the call. */
	if (unlikely(r->last.flags & RECORD_GAP))
		forget(r);
	r->last = (struct record){ .file = rec->file, .buffer = rec->buffer, .flags = rec->flags };
	if (!err && rec->flags & RECORD_LOST)
		err = on_lost(r, rec);
	return err || rec->flags & RECORD_NODATA ? err : take_event(r, &r->sources.at[rec->file], rec);
}

int syscall_reader_end(struct syscall_reader *r)
{
	int err = 0;

	vec_each (&r->tasks.all, state) {
		struct syscall_open *call = &((struct task *)*state)->call;

		if (!err && call->open)
			err = syscalls_cut(r, call);
	}
	return err;
}

int syscall_reader_new(struct syscall_reader **out, const inputs_t *inputs, const struct syscalls_ops *ops, void *ctx, struct syscalls_wanted wanted)
{
	struct syscall_reader *r = calloc(1, sizeof(*r));
	int err = r ? 0 : -ENOMEM;

	*out = NULL;
	if (r)
		*r = (struct syscall_reader){ .ops = ops, .ctx = ctx, .tasks = { .size = sizeof(struct task) }, .wanted = wanted };
	if (r)
		losses_init(&r->losses, false);
	err = err ? err : reuse_init(&r->reuse, inputs);
	err = err ? err : doubts_new(&r->doubts, inputs);
	for (size_t i = 0; !err && i < inputs->n; i++)
		err = open_source(r, &inputs->at[i]);
	if (err)
		syscall_reader_free(r);
	else
		*out = r;
	return err;
}

void syscall_reader_free(struct syscall_reader *r)
{
	if (!r)
		return;
	vec_each (&r->sources, source)
		free_source(source);
	vec_fini(&r->sources);
	tasks_fini(&r->tasks, free_task);
	reuse_fini(&r->reuse);
	doubts_free(r->doubts);
	losses_fini(&r->losses);
	free(r);
}

const struct syscall_open *syscall_reader_call(struct syscall_reader *r, const struct record *rec)
{
	const int pid = record_pid(r->sources.at[rec->file].trace, rec);
	struct task *task = task_of(&r->tasks, rec, pid);

	if (task)
		doubt(r, rec, task, pid);
	return task && task->call.open && !task->call.cut ? &task->call : NULL;
}

const struct syscalls_facts *syscall_reader_facts(const struct syscall_reader *r)
{
	return &r->facts;
}
