/* SPDX-License-Identifier: GPL-2.0 */
/* Live output: the names of tasks and functions that appear while it runs. */
#include "cmd/live.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/map.h"
#include "lib/base/now.h"
#include "lib/tracefs/meta.h"
#include "lib/tracefs/process.h"
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

typedef VEC(uint64_t) pid_bits_t; /* a bit for each process id */

/* What is known of a task's name since .asked_ns of struct live_names. */
struct heard {
	bool asked;		 /* the task has told its name */
	char name[PROCESS_NAME]; /* another name, which sched_switch has told since the task was asked; empty: there is none */
};

struct live_names {
	struct stage stage;
	struct trace *trace;
	const struct tracedir *top;
	int (*maps)(void *ctx, strv_t *blocks); /* of struct live_source */
	void *maps_ctx;
	const struct event *user_stack, *sched_switch; /* NULL: the trace does not have it */
	uint64_t list_ns;			       /* when the list may be read again */
	uint64_t unknown_ns;			       /* when it may be read for tasks without any name */
	uint64_t symbols_ns;			       /* when functions were last read */
	uint64_t asked_ns;
	pid_bits_t asked;		/* a bit for each task that was asked for since .asked_ns */
	pid_bits_t switched;		/* a bit for each task that a record of sched_switch has named */
	MAP(int, struct heard) heard;	/* by process id */
	char own[16];			/* ringside's own name, which the command has until it executes its program */
	const struct workload *command; /* NULL: there is no command */
	struct text modules;
	VEC(struct text *) kallsyms; /* texts newer than the trace's, which the symbols borrow */
};

/* Sets the task's bit. Returns true if it was not set before. */
static bool set_bit(pid_bits_t *bits, int pid)
{
	size_t word = (size_t)pid / 64;
	uint64_t bit = 1ULL << pid % 64;

	while (bits->n <= word)
		if (vec_push(bits, 0))
			return false;
	if (bits->at[word] & bit)
		return false;
	bits->at[word] |= bit;
	return true;
}

static bool has_bit(const pid_bits_t *bits, int pid)
{
	return (size_t)pid / 64 < bits->n && bits->at[(size_t)pid / 64] & 1ULL << pid % 64;
}

/* Notes that the task has told its name. What the events of earlier moments told is forgotten. */
static void note_asked(struct live_names *names, int pid)
{
	map_entry(&names->heard) heard = map_add(&names->heard, pid);

	if (heard)
		heard->value = (struct heard){ .asked = true };
}

/* Looks up the present name of a task, or the last name of the command. Returns false if the task has ended. */
static bool ask_task(struct live_names *names, int pid)
{
	char name[PROCESS_NAME];

	if (process_name(pid, name)) {
		comms_rename(names->trace->comms, pid, name, sizeof(name));
		note_asked(names, pid);
		return true;
	}
	if (!names->command || pid != workload_pid(names->command) || !workload_last_name(names->command, name))
		return false;
	comms_rename(names->trace->comms, pid, name, sizeof(name));
	return true;
}

/* Gives tasks the names that sched_switch has told since the tasks were asked. A task that still lives is asked again, because it knows better. */
static void settle(struct live_names *names)
{
	map_each (&names->heard, heard) {
		struct heard last = heard->value;

		heard->value.name[0] = '\0';
		if (last.name[0] && !ask_task(names, heard->key))
			comms_rename(names->trace->comms, heard->key, last.name, sizeof(last.name));
	}
}

/* Is the task's name known better than from the kernel's list? At the end of tracing (@last) each task is asked. */
static bool knows_better(struct live_names *names, int pid, bool last)
{
	map_entry(&names->heard) heard = map_find(&names->heard, pid);

	return has_bit(&names->switched, pid) || (last ? ask_task(names, pid) : heard && heard->value.asked);
}

/*
 * Reads the names that the kernel keeps. It keeps those of ended tasks, too, but not those of tasks that never slept. The kernel does not note a name at each
 * switch, so a name in the list may be older than the one in the task's last record of sched_switch.
 */
static void read_names(struct live_names *names, bool last)
{
	uint64_t now = now_ns(), began = thread_cpu_ns(), took;
	__cleanup(free_ptr) char *memory = NULL;
	struct text rest, line;

	settle(names);
	if (tracedir_read(names->top, "saved_cmdlines", &memory) == 0) {
		rest = (struct text){ memory, strlen(memory) };
		while (text_line(&rest, &line))
			if (!knows_better(names, (int)strtol(line.at, NULL, 10), last))
				comms_update(names->trace->comms, &line);
	}
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
	map_entry(&names->heard) heard = map_find(&names->heard, pid);
	const char *known = comms_known(names->trace->comms, pid);

	n = strnlen(name, n);
	if (pid > 0)
		set_bit(&names->switched, pid);
	if (pid <= 0 || n >= sizeof(heard->value.name))
		return;
	if (known && strlen(known) == n && !memcmp(known, name, n)) {
		if (heard)
			heard->value.name[0] = '\0';
		return;
	}
	heard = heard ? heard : map_add(&names->heard, pid);
	if (!heard)
		return;
	memcpy(heard->value.name, name, n);
	heard->value.name[n] = '\0';
}

/* Finds the names of the tasks of a batch. The list is read only once, because all of the batch happened before. */
static void name_tasks(struct live_names *names, const struct batch *batch, uint64_t now)
{
	bool ended = false, unknown = false;
	int last = 0;

	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		int pid = rec->flags & RECORD_NODATA ? 0 : record_pid(names->trace, rec);

		if (pid <= 0 || pid == last)
			continue;
		last = pid;
		/* Names are asked for once in a while, because a task may execute another program, or another task may get its number. */
		if ((set_bit(&names->asked, pid) || !strcmp(comms_find(names->trace->comms, pid), names->own)) && !ask_task(names, pid)) {
			ended = true;
			unknown |= !comms_has(names->trace->comms, pid);
		}
	}
	if ((ended && now > names->list_ns) || (unknown && now > names->unknown_ns))
		read_names(names, false);
}

/* Notes the names in the records of sched_switch of a batch. What a task tells after this is newer. */
static void note_names(struct live_names *names, const struct batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];

		if (!(rec->flags & RECORD_NODATA) && record_id(names->trace, rec) == names->sched_switch->id)
			trace_names(names->trace, names->sched_switch, rec, note_told, names);
	}
}

static int look(struct stage *stage, struct batch *batch)
{
	struct live_names *names = container_of(stage, struct live_names, stage);
	uint64_t now = now_ns();

	if (now - names->symbols_ns > SYMBOLS_NS)
		read_symbols(names, now);
	if (now - names->asked_ns > TASK_NS) {
		settle(names);
		map_fini(&names->heard);
		names->asked_ns = now;
		names->asked.n = 0;
	}
	if (names->maps && names->user_stack)
		read_maps(names, batch);
	if (names->sched_switch)
		note_names(names, batch);
	name_tasks(names, batch, now);
	return 0;
}

void live_names_last(struct stage *stage)
{
	struct live_names *names = container_of(stage, struct live_names, stage);

	read_names(names, true);
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
	vec_fini(&names->switched);
	map_fini(&names->heard);
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
		.sched_switch = trace_find(trace, "sched", "sched_switch"),
	};
	prctl(PR_GET_NAME, names->own);
	meta_modules_changed(&names->modules);
	return &names->stage;
}
