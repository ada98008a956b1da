/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/bpf/tally.h"
#include "lib/base/io.h"
#include "lib/bpf/program.h"

#include <unistd.h>

/* The kernel has no greater pid (PID_MAX_LIMIT of linux/threads.h). Each task has a bit. */
enum { PIDS = 4 * 1024 * 1024, PID_BYTES = PIDS / 8 };

/* The offset of an event's number in an element of a map must fit into 15 bits. */
enum { MOST_EVENTS = INT16_MAX / sizeof(uint64_t) };

/* The labels to which programs jump. */
enum { END, COUNT };

struct tally {
	const struct tally_options *options;
	struct bpf_types types;
	VEC(struct bpf_program) programs; /* first those of the events, then those that follow tasks */
	int on;				  /* a map of one number: not 0 while programs count */
	int pids;			  /* a map of one element, which has a bit for each pid; -1: no tasks are followed */
	uint64_t *bits;			  /* this element, in our memory */
	int counts;			  /* a map with an element for each CPU, which has a number for each event */
	size_t cpus;
};

/* Events that are also about another task than the one in which they happen, and the fields that name it. */
static const struct {
	const char *event, *field;
} about[] = {
	{ "sched:sched_switch", "next_pid" },
	{ "sched:sched_waking", "pid" },
	{ "sched:sched_wakeup", "pid" },
	{ "sched:sched_wakeup_new", "pid" },
};

static const char *about_field(const char *event)
{
	for (size_t i = 0; i < ARRAY_LEN(about); i++)
		if (strcmp(about[i].event, event) == 0)
			return about[i].field;
	return NULL;
}

/* --- programs ------------------------------------------------------------------------------------------------------ */

/* Finds the bit of the pid in register 7. Register 2 becomes the address of the 8 bytes with the bit, and register 7 the place of the bit in them. */
static void find_bit(struct bpf_code *c, int pids)
{
	code_move(c, BPF_REG_1, BPF_REG_7);
	code_alu_imm(c, BPF_RSH, BPF_REG_1, 3);
	code_alu_imm(c, BPF_AND, BPF_REG_1, PID_BYTES - 8);
	code_value(c, BPF_REG_2, pids, 0);
	code_alu(c, BPF_ADD, BPF_REG_2, BPF_REG_1);
	code_alu_imm(c, BPF_AND, BPF_REG_7, 63);
}

/* Jumps to @label if the task in register 7 is followed. */
static void jump_if_followed(struct bpf_code *c, int pids, unsigned int label)
{
	find_bit(c, pids);
	code_load(c, BPF_DW, BPF_REG_2, BPF_REG_2, 0);
	code_alu(c, BPF_RSH, BPF_REG_2, BPF_REG_7);
	code_alu_imm(c, BPF_AND, BPF_REG_2, 1);
	code_jump_imm(c, BPF_JNE, BPF_REG_2, 0, label);
}

static void jump_if_off(struct bpf_code *c, int on)
{
	code_value(c, BPF_REG_1, on, 0);
	code_load(c, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
	code_jump_imm(c, BPF_JEQ, BPF_REG_1, 0, END);
}

/* Goes on at COUNT if events of this task are counted, and otherwise ends. */
static void choose_task(const struct tally *t, struct bpf_code *c, const struct bpf_field *other)
{
	bpf_task_ask(c);
	if (!t->options->follows) {
		bpf_task_process(c, BPF_REG_7);
		code_jump_imm(c, BPF_JEQ, BPF_REG_7, (int)getpid(), END);
		return;
	}
	bpf_task_thread(c, BPF_REG_7);
	jump_if_followed(c, t->pids, COUNT);
	if (other) {
		bpf_field_read(c, other, BPF_REG_6, BPF_REG_7);
		jump_if_followed(c, t->pids, COUNT);
	}
	code_go(c, END);
}

static int attach(struct tally *t, struct bpf_code *c, const char *tracepoint, bool typed, char **why_not)
{
	struct bpf_program *program;
	int err = vec_push(&t->programs, (struct bpf_program)BPF_PROGRAM_NONE);

	if (err)
		return err;
	program = &t->programs.at[t->programs.n - 1];
	err = bpf_program_load(program, c, tracepoint, typed ? &t->types : NULL, why_not);
	return err ? err : bpf_program_attach(program, tracepoint, why_not);
}

static int count_event(struct tally *t, const char *event, size_t index, char **why_not)
{
	static const struct bpf_field cpu = { .kind = BPF_FIELD_CPU };
	const char *name = t->options->follows ? about_field(event) : NULL;
	struct bpf_field other;
	struct bpf_code c = { 0 };
	int err;

	if (name && !bpf_field_find(&t->types, event, name, &other)) {
		*why_not = str_printf("this kernel does not tell where %s has %s (CONFIG_DEBUG_INFO_BTF)", event, name);
		return -EOPNOTSUPP;
	}
	code_move(&c, BPF_REG_6, BPF_REG_1);
	jump_if_off(&c, t->on);
	choose_task(t, &c, name ? &other : NULL);
	code_label(&c, COUNT);
	bpf_field_read(&c, &cpu, BPF_REG_6, BPF_REG_7);
	code_element(&c, t->counts, BPF_REG_7, END);
	code_set(&c, BPF_REG_1, 1);
	code_atomic(&c, BPF_ADD, BPF_REG_0, (int16_t)(index * sizeof(uint64_t)), BPF_REG_1);
	code_end(&c, END);
	err = attach(t, &c, strchr(event, ':') + 1, name, why_not);
	code_fini(&c);
	return err;
}

/*
 * Makes programs that follow tasks. A child of a followed task is followed. A task that has ended is not followed any more, because another one may get its
 * number.
 */
static int follow_forks(struct tally *t, char **why_not)
{
	struct bpf_field parent, child;
	struct bpf_code c = { 0 };
	int err;

	if (!bpf_field_find(&t->types, "sched:sched_process_fork", "parent_pid", &parent) ||
	    !bpf_field_find(&t->types, "sched:sched_process_fork", "child_pid", &child)) {
		*why_not = str_printf("this kernel does not tell which task a fork makes (CONFIG_DEBUG_INFO_BTF)");
		return -EOPNOTSUPP;
	}
	code_move(&c, BPF_REG_6, BPF_REG_1);
	bpf_field_read(&c, &parent, BPF_REG_6, BPF_REG_7);
	jump_if_followed(&c, t->pids, COUNT);
	code_go(&c, END);
	code_label(&c, COUNT);
	bpf_field_read(&c, &child, BPF_REG_6, BPF_REG_7);
	find_bit(&c, t->pids);
	code_set(&c, BPF_REG_1, 1);
	code_alu(&c, BPF_LSH, BPF_REG_1, BPF_REG_7);
	code_atomic(&c, BPF_OR, BPF_REG_2, 0, BPF_REG_1);
	code_end(&c, END);
	err = attach(t, &c, "sched_process_fork", true, why_not);
	code_fini(&c);
	return err;
}

static int follow_ends(struct tally *t, char **why_not)
{
	struct bpf_field task;
	struct bpf_code c = { 0 };
	int err;

	if (!bpf_field_find(&t->types, "sched:sched_process_free", "pid", &task))
		return 0;
	code_move(&c, BPF_REG_6, BPF_REG_1);
	bpf_field_read(&c, &task, BPF_REG_6, BPF_REG_7);
	find_bit(&c, t->pids);
	code_set(&c, BPF_REG_1, 1);
	code_alu(&c, BPF_LSH, BPF_REG_1, BPF_REG_7);
	code_alu_imm(&c, BPF_XOR, BPF_REG_1, -1);
	code_atomic(&c, BPF_AND, BPF_REG_2, 0, BPF_REG_1);
	code_end(&c, END);
	err = attach(t, &c, "sched_process_free", true, why_not);
	code_fini(&c);
	return err;
}

/* --- maps and programs together -------------------------------------------------------------------------------------- */

static int make_maps(struct tally *t, char **why_not)
{
	t->on = bpf_array(sizeof(uint64_t), 1, why_not);
	t->counts = t->on < 0 ? -1 : bpf_array(MAX(t->options->events->n, (size_t)1) * sizeof(uint64_t), t->cpus, why_not);
	if (t->on < 0 || t->counts < 0)
		return -EOPNOTSUPP;
	if (!t->options->follows)
		return 0;
	t->pids = bpf_array_mapped(PID_BYTES, 1, (void **)&t->bits, why_not);
	return t->pids < 0 ? -EOPNOTSUPP : 0;
}

/* Checks all events, so that a message comes before programs are made for some of them. */
static int check_events(const struct tally *t, const struct tracedir *top, char **why_not)
{
	__cleanup(free_ptr) char *dynamic = NULL;

	if (t->options->events->n > MOST_EVENTS)
		*why_not = str_printf("these are %zu events, and BPF programs count at most %d", t->options->events->n, (int)MOST_EVENTS);
	tracedir_read(top, "dynamic_events", &dynamic);
	vec_each (t->options->events, event)
		if (!*why_not && !bpf_tracepoint(dynamic, *event))
			*why_not = str_printf("%s is no tracepoint of the kernel", *event);
	return *why_not ? -EOPNOTSUPP : 0;
}

static int make_programs(struct tally *t, char **why_not)
{
	const strv_t *events = t->options->events;
	int err = 0;

	for (size_t i = 0; !err && i < events->n; i++)
		err = count_event(t, events->at[i], i, why_not);
	if (!err && t->options->follows)
		err = follow_forks(t, why_not) ?: follow_ends(t, why_not);
	return err;
}

int tally_open(struct tally **out, const struct tracedir *top, const struct tally_options *options, char **why_not)
{
	struct tally *t = calloc(1, sizeof(*t));
	int err;

	*why_not = NULL;
	if (!t)
		return -ENOMEM;
	t->options = options;
	t->on = t->pids = t->counts = -1;
	t->cpus = bpf_cpus();
	err = check_events(t, top, why_not);
	err = err ? err : make_maps(t, why_not);
	err = err ? err : make_programs(t, why_not);
	if (err)
		tally_close(t);
	else
		*out = t;
	return !err ? 0 : *why_not ? 1 : -ENOMEM;
}

void tally_follow(struct tally *t, int pid)
{
	if (pid >= 0 && pid < PIDS)
		__atomic_fetch_or(&t->bits[pid / 64], 1ULL << pid % 64, __ATOMIC_RELAXED);
}

int tally_run(struct tally *t, bool on)
{
	return bpf_array_put(t->on, 0, &(uint64_t){ on });
}

void tally_detach(struct tally *t)
{
	vec_each (&t->programs, program)
		bpf_program_detach(program);
}

size_t tally_cpus(const struct tally *t)
{
	return t->cpus;
}

int tally_read(const struct tally *t, uint64_t *counts)
{
	const size_t n = t->options->events->n;
	__cleanup(free_ptr) uint64_t *row = calloc(MAX(n, (size_t)1), sizeof(*row));
	int err = row ? 0 : -ENOMEM;

	for (size_t cpu = 0; !err && cpu < t->cpus; cpu++) {
		err = bpf_array_get(t->counts, (uint32_t)cpu, row);
		for (size_t i = 0; i < n; i++)
			counts[i * t->cpus + cpu] = row[i];
	}
	return err;
}

uint64_t tally_missed(const struct tally *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->options->events->n && i < t->programs.n; i++)
		n += bpf_program_missed(&t->programs.at[i]);
	return n;
}

void tally_close(struct tally *t)
{
	if (!t)
		return;
	vec_each (&t->programs, program)
		bpf_program_close(program);
	vec_fini(&t->programs);
	bpf_array_unmap(t->bits, PID_BYTES);
	close_fd(&t->on);
	close_fd(&t->pids);
	close_fd(&t->counts);
	bpf_types_fini(&t->types);
	free(t);
}
