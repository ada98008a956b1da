/* SPDX-License-Identifier: GPL-2.0 */
/* Live output: the names of tasks and functions that appear while it runs. */
#include "cmd/live.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/map.h"
#include "lib/base/now.h"
#include "lib/tracefs/meta.h"
#include <stdio.h>
#include <sys/prctl.h>

/* The shortest times between two looks at the kernel's list of names, at the name of one task, and at the functions of modules. */
#define LIST_NS (5000 * NSEC_PER_USEC)
#define TASK_NS (50000 * NSEC_PER_USEC)
#define SYMBOLS_NS NSEC_PER_SEC

/*
 * The kernel's list can be long, and the kernel notes no new names while it is read. So reading it takes at most 1 / LIST_SHARE of the time. It may take 1 /
 * UNKNOWN_SHARE while there are tasks without any name, because they have ended and the kernel soon forgets their names.
 */
enum { LIST_SHARE = 10, UNKNOWN_SHARE = 2 };

/* The name of a task in the newest event that tells it. */
struct told {
	char name[WORKLOAD_NAME];
};

struct live_names {
	struct stage stage;
	struct trace *trace;
	const struct tracedir *top;
	int (*maps)(void *ctx, strv_t *blocks); /* of struct live_source */
	void *maps_ctx;
	const struct event *user_stack;
	uint64_t list_ns;    /* when the list may be read again */
	uint64_t unknown_ns; /* when it may be read for tasks without any name */
	uint64_t symbols_ns; /* when functions were last read */
	uint64_t asked_ns;
	VEC(uint64_t) asked;		/* a bit for each task that was asked for since .asked_ns */
	MAP(int, struct told) told;	/* by process id: names in events since .asked_ns that were not the known names */
	char own[16];			/* ringside's own name, which the command has until it executes its program */
	const struct workload *command; /* NULL: there is no command */
	struct text modules;
	VEC(struct text *) kallsyms; /* texts newer than the trace's, which the symbols borrow */
};

/* Must the task's name be looked up? It must once in a while, because the task may execute another program, or another task may get its number. */
static bool is_due(struct live_names *names, int pid)
{
	size_t word = (size_t)pid / 64;
	uint64_t bit = 1ULL << pid % 64;

	while (names->asked.n <= word)
		if (vec_push(&names->asked, 0))
			return false;
	if (names->asked.at[word] & bit)
		return false;
	names->asked.at[word] |= bit;
	return true;
}

/* Looks up the present name of a task, or the last name of the command. Returns false if the task has ended. */
static bool ask_task(const struct live_names *names, int pid)
{
	__cleanup(free_ptr) char *memory = NULL;
	struct text text = { 0 };
	char path[32], last[WORKLOAD_NAME];

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (!io_slurp(path, &text)) {
		memory = text.at;
		comms_rename(names->trace->comms, pid, text.at, text.size && text.at[text.size - 1] == '\n' ? text.size - 1 : text.size);
		return true;
	}
	if (!names->command || pid != workload_pid(names->command) || !workload_last_name(names->command, last))
		return false;
	comms_rename(names->trace->comms, pid, last, sizeof(last));
	return true;
}

/* Reads the names that the kernel keeps. It keeps those of ended tasks, too, but not those of tasks that never slept. */
static void read_names(struct live_names *names)
{
	uint64_t now = now_ns(), began = thread_cpu_ns(), took;
	__cleanup(free_ptr) char *memory = NULL;

	if (tracedir_read(names->top, "saved_cmdlines", &memory) == 0)
		comms_update(names->trace->comms, &(struct text){ memory, strlen(memory) });
	took = thread_cpu_ns() - began;
	names->list_ns = now + MAX(LIST_NS, LIST_SHARE * took);
	names->unknown_ns = now + UNKNOWN_SHARE * took;
}

/* Reads the functions of modules that were loaded since the last time. */
static void read_symbols(struct live_names *names, uint64_t now)
{
	struct text *text = malloc(sizeof(*text));

	names->symbols_ns = now;
	if (text && meta_kallsyms_again(&names->modules, text) && !vec_push(&names->kallsyms, text)) {
		symbols_renew(names->trace->symbols, text);
		return;
	}
	free(text);
}

/* If the batch has a user stack, whose functions need names, takes over what programs have mapped so far. */
static void read_maps(struct live_names *names, const struct batch *batch)
{
	strv_t blocks = { 0 };
	size_t i = 0;

	while (i < batch->n && (batch->records[i].flags & RECORD_NODATA || record_id(names->trace, &batch->records[i]) != names->user_stack->id))
		i++;
	if (i < batch->n && !names->maps(names->maps_ctx, &blocks) && blocks.n)
		(void)!usermaps_add(names->trace->usermaps, &blocks);
	strv_fini(&blocks);
}

static void note_told(void *ctx, int pid, const char *name, size_t n)
{
	struct live_names *names = ctx;
	const char *known = comms_known(names->trace->comms, pid);
	map_entry(&names->told) told;

	n = strnlen(name, n);
	if (pid <= 0 || n >= sizeof(told->value.name) || (known && strlen(known) == n && !memcmp(known, name, n) && !map_find(&names->told, pid)))
		return;
	told = map_add(&names->told, pid);
	if (!told)
		return;
	memcpy(told->value.name, name, n);
	told->value.name[n] = '\0';
}

/*
 * A task that executes another program and ends soon cannot be asked again: its name is the one that the last event told. A task that lives knows better
 * than an event that waited in a buffer.
 */
static void settle_told(struct live_names *names)
{
	map_each (&names->told, told)
		if (!ask_task(names, told->key))
			comms_rename(names->trace->comms, told->key, told->value.name, sizeof(told->value.name));
	map_fini(&names->told);
}

/* Finds the names of the tasks of a batch. The list is read only once, because all of the batch happened before. */
static void name_tasks(struct live_names *names, const struct batch *batch, uint64_t now)
{
	bool ended = false, unknown = false;
	int last = 0;

	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		const struct event *event = rec->flags & RECORD_NODATA ? NULL : trace_event(names->trace, record_id(names->trace, rec));
		int pid = rec->flags & RECORD_NODATA ? 0 : record_pid(names->trace, rec);

		if (event && event->kind >= EVENT_SCHED_SWITCH)
			trace_names(names->trace, event, rec, note_told, names);
		if (pid <= 0 || pid == last)
			continue;
		last = pid;
		if ((is_due(names, pid) || !strcmp(comms_find(names->trace->comms, pid), names->own)) && !ask_task(names, pid)) {
			ended = true;
			unknown |= !comms_has(names->trace->comms, pid);
		}
	}
	if ((ended && now > names->list_ns) || (unknown && now > names->unknown_ns))
		read_names(names);
}

static int look(struct stage *stage, struct batch *batch)
{
	struct live_names *names = container_of(stage, struct live_names, stage);
	uint64_t now = now_ns();

	if (now - names->symbols_ns > SYMBOLS_NS)
		read_symbols(names, now);
	if (now - names->asked_ns > TASK_NS) {
		settle_told(names);
		names->asked_ns = now;
		names->asked.n = 0;
	}
	if (names->maps && names->user_stack)
		read_maps(names, batch);
	name_tasks(names, batch, now);
	return 0;
}

void live_names_last(struct stage *stage)
{
	struct live_names *names = container_of(stage, struct live_names, stage);

	read_names(names);
	settle_told(names);
}

static void free_names(struct stage *stage)
{
	struct live_names *names = container_of(stage, struct live_names, stage);

	vec_each (&names->kallsyms, text) {
		free((*text)->at);
		free(*text);
	}
	vec_fini(&names->kallsyms);
	vec_fini(&names->asked);
	map_fini(&names->told);
	free(names->modules.at);
	free(names);
}

struct stage *live_names_new(struct trace *trace, const struct live_source *source)
{
	struct live_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	*names = (struct live_names){
		.stage = { .batch = look, .free = free_names },
		.trace = trace,
		.top = source->top,
		.maps = source->maps,
		.maps_ctx = source->maps_ctx,
		.command = source->command,
		.user_stack = trace_find(trace, "ftrace", "user_stack"),
	};
	prctl(PR_GET_NAME, names->own);
	meta_modules_changed(&names->modules);
	return &names->stage;
}
