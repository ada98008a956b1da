/* SPDX-License-Identifier: GPL-2.0 */
/* Follows from call to call which files the descriptors of tasks are. */
#include "lib/analysis/syscalls-inside.h"
#include "lib/base/str.h"

enum { CLONE_FS = 0x200, CLONE_FILES = 0x400, CLONE_NEWNS = 0x20000, CLOEXEC = 0x80000 };

/* This is a change that a call makes, with the task and the time. */
struct change {
	struct syscall_reader *reader;
	const struct record *rec;
	struct task *task;
	const struct syscall_open *call;
	const struct deed_row *row;
	uint64_t ns;
	int64_t result;
};

/* --- who has which table ---------------------------------------------------------------------------------- */

void files_end(struct task *task)
{
	if (task->awaited)
		descriptors_unseen(task->files, -1);
	descriptors_drop(task->files);
	descriptors_drop(task->place);
	task->files = task->place = NULL;
	task->call.files = task->call.place = NULL;
	task->awaited = task->told = false;
}

/* This is the context of take_look(). The names were asked for while the task ran, so they are valid from .ns on. */
struct look {
	struct task *task;
	uint64_t ns;
};

static int take_look(void *to, int fd, const char *name, bool kept)
{
	const struct look *look = to;

	return descriptors_set(fd < 0 ? look->task->place : look->task->files, fd, name, kept, look->ns);
}

static int look_at(struct syscall_reader *r, struct task *task, int pid, int fd, uint64_t ns)
{
	const struct descriptor_source *source = r->wanted.source;
	struct look look = { task, ns };

	return source ? source->look(source->ctx, pid, fd, take_look, &look) : 0;
}

static int new_tables(struct task *task)
{
	if (!task->files)
		task->files = descriptors_new();
	if (!task->place)
		task->place = descriptors_new();
	return task->files && task->place ? 0 : -ENOMEM;
}

/* A task is seen for the first time, and only its pid is known. It may share its descriptors with others. Returns 0 or -ENOMEM. */
static int meet(struct syscall_reader *r, const struct record *rec, struct task *task, int pid)
{
	const struct descriptor_source *source = r->wanted.source;
	bool whole = true;
	int process = source ? source->process(source->ctx, pid, &whole) : 0;
	struct task *first = process && process != pid ? task_of(&r->tasks, rec, process) : NULL;
	int err;

	if (process && process != pid && !first)
		return -ENOMEM;
	task->told = process;
	if (first && first->files) {
		task->files = descriptors_share(first->files);
		task->place = descriptors_share(first->place);
		return 0;
	}
	err = new_tables(task);
	if (!err && !whole)
		descriptors_unseen(task->files, 1);
	if (!err && first) {
		first->files = descriptors_share(task->files);
		first->place = descriptors_share(task->place);
		first->told = true;
	}
	return err || !source ? err : look_at(r, task, pid, DESCRIPTOR_ALL, source->now(source->ctx));
}

int files_inherit(struct syscall_reader *r, struct task *task)
{
	int err = 0;

	if (!r->wanted.descriptors)
		return 0;
	if (!task->files)
		err = new_tables(task);
	task->told = true;
	return err ? err : look_at(r, task, 0, DESCRIPTOR_ALL, 0);
}

/* Gives @child the descriptors of @parent, or shares them. @child begins to live. Returns 0 or -ENOMEM. */
static int hand_down(const struct task *parent, struct task *child, uint64_t flags)
{
	const uint64_t ns = parent->call.open ? parent->call.ns : UINT64_MAX;

	child->files = flags & CLONE_FILES ? descriptors_share(parent->files) : descriptors_copy(parent->files, ns);
	child->place = flags & CLONE_FS ? descriptors_share(parent->place) : descriptors_copy(parent->place, ns);
	if (!child->files || !child->place)
		return -ENOMEM;
	child->awaited = flags & CLONE_FILES;
	child->told = parent->told || !child->awaited;
	if (child->awaited)
		descriptors_unseen(child->files, 1);
	return 0;
}

int files_birth(struct syscall_reader *r, const struct task *parent, struct task *child, uint64_t flags)
{
	if (!r->wanted.descriptors)
		return 0;
	r->births = true;
	files_end(child);
	if (parent->files && parent != child)
		return hand_down(parent, child, flags);
	/* Nothing is known of its parent. */
	child->told = !(flags & CLONE_FILES);
	return child->told ? new_tables(child) : 0;
}

void files_lost(struct syscall_reader *r)
{
	r->births = false;
	vec_each (&r->tasks.all, state) {
		struct task *task = *state;

		if (!task->files)
			continue;
		descriptors_forget(task->files);
		descriptors_forget(task->place);
	}
}

/* --- what calls do ---------------------------------------------------------------------------------------- */

/* Appends the name without empty and "." parts. Keeps ".." parts: there may be links, so only the kernel knows which folder they mean. */
static void add_steps(struct str *out, const char *name)
{
	while (*name) {
		const size_t n = strcspn(name, "/");

		if (n && !(n == 1 && *name == '.')) {
			str_addc(out, '/');
			str_addn(out, name, n);
		}
		name += n + (name[n] == '/');
	}
}

/* *@out becomes the whole name of a file, which the caller frees, or NULL if it is not known. Returns 0 or -ENOMEM. */
static int whole_name(const struct change *c, char **out)
{
	const struct deed_row *row = c->row;
	const char *name = row->name >= 0 ? c->call->strings[row->name] : NULL, *dir = "";
	const int from = row->dir >= 0 ? (int32_t)c->call->args[row->dir] : DESCRIPTOR_CWD;
	struct str text = { 0 };

	*out = NULL;
	if (!name || descriptors_made(c->task->place, DESCRIPTOR_ROOT, UINT64_MAX))
		return 0;
	if (*name != '/')
		dir = from == DESCRIPTOR_CWD ? descriptors_at(c->task->place, from, c->call->ns) : descriptors_at(c->task->files, from, c->call->ns);
	if (!dir)
		return 0;
	add_steps(&text, dir);
	add_steps(&text, name);
	if (!text.len)
		str_addc(&text, '/');
	*out = str_take(&text);
	return *out ? 0 : -ENOMEM;
}

/* May the two tasks share descriptors? If births are recorded and it is known with whom a task shares, it does not share with others. */
static bool may_share(const struct change *c, const struct task *other)
{
	return c->reader->births ? !other->told && !c->task->told : !other->told || !c->task->told;
}

/* Other tasks may share these descriptors, and it is not known whether they do. So they forget the descriptors from @first to @last, too. */
static void tell_others(const struct change *c, int64_t first, int64_t last)
{
	vec_each (&c->reader->tasks.all, state) {
		struct task *other = *state;

		if (other->files && other->files != c->task->files && may_share(c, other))
			descriptors_close(other->files, first, last, c->ns);
	}
}

static int set(const struct change *c, int64_t fd, const char *name, bool kept)
{
	if (fd < 0 || fd > INT32_MAX)
		return 0;
	tell_others(c, fd, fd);
	return descriptors_set(c->task->files, (int)fd, name, kept, c->ns);
}

static void close_them(const struct change *c, int64_t first, int64_t last)
{
	tell_others(c, first, last);
	descriptors_close(c->task->files, first, last, c->ns);
}

static bool is_kept(const struct change *c)
{
	return c->row->flags == FLAGS_KEPT || (c->row->flags >= 0 && !(c->call->args[c->row->flags] & CLOEXEC));
}

static int copy_to(const struct change *c, int from, bool kept)
{
	const char *name = descriptors_at(c->task->files, from, c->call->ns);
	__cleanup(free_ptr) char *copy = name ? strdup(name) : NULL;

	return name && !copy ? -ENOMEM : set(c, c->result, copy, kept);
}

static int control(const struct change *c)
{
	enum { DUPFD = 0, SETFD = 2, DUPFD_CLOEXEC = 1030, FD_CLOEXEC = 1 };
	const uint32_t command = (uint32_t)c->call->args[1];
	const int fd = (int32_t)c->call->args[0];

	if (command == DUPFD || command == DUPFD_CLOEXEC)
		return copy_to(c, fd, command == DUPFD);
	if (command == SETFD)
		descriptors_keep(c->task->files, fd, !(c->call->args[2] & FD_CLOEXEC), c->ns);
	return 0;
}

/* From now on the task has a table of its own. Returns 0 or -ENOMEM. */
static int own(struct descriptors **table, uint64_t ns)
{
	struct descriptors *copy = descriptors_sole(*table) ? *table : descriptors_copy(*table, ns);

	if (!copy)
		return -ENOMEM;
	if (copy != *table)
		descriptors_drop(*table);
	*table = copy;
	return 0;
}

static int close_range(const struct change *c)
{
	enum { UNSHARE = 2, ONLY_CLOEXEC = 4 };
	const uint32_t first = (uint32_t)c->call->args[0], last = (uint32_t)c->call->args[1];
	int err = c->call->args[2] & UNSHARE ? own(&c->task->files, c->call->ns) : 0;

	if (err)
		return err;
	/* This also drops descriptors that only get the flag close-on-exec. So less is known than could be known. */
	close_them(c, first, last);
	return 0;
}

static int execute(const struct change *c)
{
	int err = own(&c->task->files, c->call->ns);

	if (err)
		return err;
	c->task->told = true;
	descriptors_exec(c->task->files, c->ns);
	return 0;
}

static int go(const struct change *c)
{
	__cleanup(free_ptr) char *name = NULL;
	const char *to = NULL;
	int err = 0;

	if (c->row->deed == GOES_TO)
		to = descriptors_at(c->task->files, (int32_t)c->call->args[0], c->call->ns);
	else
		err = whole_name(c, &name);
	return err ? err : descriptors_set(c->task->place, DESCRIPTOR_CWD, name ? name : to, true, c->ns);
}

static int unshare(const struct change *c)
{
	const uint64_t flags = c->call->args[0];
	int err = flags & CLONE_FILES ? own(&c->task->files, c->call->ns) : 0;

	return err || !(flags & (CLONE_FS | CLONE_NEWNS)) ? err : own(&c->task->place, c->call->ns);
}

/* If there are no events of births, clone() and fork() tell from whom the child has its descriptors, unless the child was seen before. */
static int is_born(const struct change *c)
{
	struct task *child = c->result > 0 && c->result <= INT32_MAX ? task_of(&c->reader->tasks, c->rec, (int)c->result) : NULL;

	if (!child)
		return c->result > 0 ? -ENOMEM : 0;
	if (child->files || child->told || child == c->task)
		return 0;
	if (c->row->flags == FLAGS_UNKNOWN) {
		descriptors_unseen(c->task->files, 1);
		return 0;
	}
	return hand_down(c->task, child, c->row->flags == FLAGS_KEPT ? 0 : c->call->args[c->row->flags]);
}

static int open_file(const struct change *c)
{
	enum { O_TMPFILE = 0x400000 }; /* with this flag, the name is the name of the directory */
	const bool nameless = c->row->flags >= 0 && c->call->args[c->row->flags] & O_TMPFILE;
	__cleanup(free_ptr) char *name = NULL;
	int err = nameless ? 0 : whole_name(c, &name);

	return err ? err : set(c, c->result, name, is_kept(c));
}

static int do_deed(const struct change *c)
{
	switch (c->row->deed) {
	case OPENS:
		return open_file(c);
	case MAKES:
		return set(c, c->result, c->row->is, is_kept(c));
	case COPIES:
		return copy_to(c, (int32_t)c->call->args[0], true);
	case DUPLICATES:
		return (int32_t)c->call->args[0] == (int32_t)c->call->args[1] ? 0 : copy_to(c, (int32_t)c->call->args[0], is_kept(c));
	case CONTROLS:
		return control(c);
	case CLOSES:
		return close_them(c, (int32_t)c->call->args[0], (int32_t)c->call->args[0]), 0;
	case CLOSES_RANGE:
		return close_range(c);
	case EXECUTES:
		return execute(c);
	case GOES:
	case GOES_TO:
		return go(c);
	case CHANGES_ROOT:
		return descriptors_set(c->task->place, DESCRIPTOR_ROOT, "elsewhere", true, c->ns);
	case UNSHARES:
		return unshare(c);
	case IS_BORN:
		return is_born(c);
	default:
		return descriptors_forget(c->task->files), 0;
	}
}

static bool makes(const struct syscall_open *call, const struct deed_row *row)
{
	enum { DUPFD = 0, DUPFD_CLOEXEC = 1030 };
	const uint32_t command = (uint32_t)call->args[1];

	return row->deed >= OPENS && row->deed <= CONTROLS && (row->deed != CONTROLS || command == DUPFD || command == DUPFD_CLOEXEC);
}

/* --- calls ------------------------------------------------------------------------------------------------ */

static int see(struct syscall_reader *r, const struct record *rec, struct task *task)
{
	int err = 0;

	if (!task->files)
		err = meet(r, rec, task, task->call.pid);
	if (task->awaited)
		descriptors_unseen(task->files, -1);
	task->awaited = false;
	task->call.files = task->files;
	task->call.place = task->place;
	return err;
}

/* Asks now for descriptors that are not known yet, for the calls that come later. Returns 0 or -errno. */
int files_enter(struct syscall_reader *r, const struct record *rec, struct task *task)
{
	const struct syscall_open *call = &task->call;
	int err;

	if (!r->wanted.descriptors)
		return 0;
	err = see(r, rec, task);
	for (unsigned int i = 0; !err && r->wanted.source && call->call && call->call->known && i < call->nargs; i++) {
		int fd = (int32_t)call->args[i];

		if (call->call->args[i].kind == ARG_FD && fd >= 0 && descriptors_wanted(task->files, fd))
			err = look_at(r, task, call->pid, fd, r->wanted.source->now(r->wanted.source->ctx));
	}
	return err;
}

int files_leave(struct syscall_reader *r, const struct record *rec, struct task *task, uint64_t ns, int64_t result)
{
	struct syscall_open *call = &task->call;
	struct change change = { r, rec, task, call, NULL, ns, result };
	int err;

	if (!r->wanted.descriptors)
		return 0;
	change.row = deeds_row(r->sources.at[rec->file].deeds, call->number);
	err = see(r, rec, task);
	if (err || !change.row)
		return err;
	call->made_ns = makes(call, change.row) && result >= 0 ? ns : 0;
	/* The arguments of the call are not known. */
	if (!call->has_entry || call->cut)
		return descriptors_forget(task->files), descriptors_forget(task->place), tell_others(&change, 0, INT32_MAX), 0;
	/* close() closes the descriptor even if it fails, except with EBADF. */
	if (result < 0 && !(change.row->deed == CLOSES && result != -EBADF))
		return 0;
	err = do_deed(&change);
	call->files = task->files;
	call->place = task->place;
	if (!err && r->wanted.source && call->made_ns && result <= INT32_MAX && descriptors_wanted(task->files, (int)result))
		err = look_at(r, task, call->pid, (int)result, r->wanted.source->now(r->wanted.source->ctx));
	return err;
}
