/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/bpf/laps.h"
#include "lib/base/io.h"
#include "lib/bpf/condition.h"
#include "lib/bpf/program.h"

#include <fcntl.h>
#include <unistd.h>

/* Where programs jump to. TRUE are several labels for a condition, and STEP several for a logarithm. */
enum { END, OTHER, KEYS, TIME, COUNT, SHORT, TRUE, STEP = TRUE + CONDITION_PARTS };

/*
 * What the first event leaves for the second one. All slots are in one element of a map, as programs find them fastest there, and the kernel allows 4 MB for
 * it (KMALLOC_MAX_SIZE). With one key a slot has room for no second one.
 */
struct slot {
	uint64_t began_ns; /* 0: nothing */
	uint64_t keys[LAPS_MOST_KEYS], unused;
};

/* Stacks of threads are so far apart, or further (THREAD_SIZE of the kernel). */
enum { STACK_BITS = 14 };

enum { SLOT_BITS = 5, SMALL_SLOT_BITS = 4, SLOTS_SIZE = 1 << 22 };

_Static_assert(sizeof(struct slot) == 1 << SLOT_BITS && offsetof(struct slot, keys[1]) == 1 << SMALL_SLOT_BITS, "slots are found by a shift");

struct kept {
	const char *name;
	struct bpf_field field;
	size_t at;
};

/* A side, and how its keys and its condition are read. */
struct side {
	const struct laps_side *said;
	const char *tracepoint;
	struct bpf_field keys[LAPS_MOST_KEYS]; /* the first one is a task or a CPU */
	struct bpf_condition filter;	       /* without parts: there is none */
	bool typed;
};

struct laps {
	const struct laps_options *options;
	struct bpf_types types;
	struct side from, to;
	struct kept kept[LAPS_NUMBERS + LAPS_TEXTS];
	size_t nkept;
	struct bpf_program begin, end;
	int slots, times; /* the maps: the slots, and a struct laps_times for each CPU */
	unsigned int slot_bits;
	bool syscalls; /* the keys are those of bpf_field_of_syscall(), which stand for the task */
	size_t nkeys, nslots, cpus;
};

/* --- what is read -------------------------------------------------------------------------------------------------- */

/* So many bytes of a condition a message tells: -p makes long ones of processes with many threads. */
enum { MOST_TOLD = 80 };

static int find_filter(struct laps *l, struct side *side, char **why_not)
{
	if (!side->said->filter || bpf_condition_parse(&side->filter, &l->types, side->said->event, side->said->filter))
		return 0;
	*why_not = str_printf("BPF programs do not know the condition '%.*s%s' of %s", MOST_TOLD, side->said->filter,
			      strlen(side->said->filter) > MOST_TOLD ? "…" : "", side->said->event);
	return -EOPNOTSUPP;
}

/* Is it a small number, of which each has a slot? */
static bool is_index(const struct bpf_field *field, const char *name)
{
	return field->kind == BPF_FIELD_TASK || field->kind == BPF_FIELD_CPU || (field->kind == BPF_FIELD_MEMBER && str_ends(name, "pid"));
}

static int find_keys(struct laps *l, struct side *side, char **why_not)
{
	for (size_t i = 0; i < l->options->nkeys; i++) {
		if (!bpf_field_find(&l->types, side->said->event, side->said->keys[i], &side->keys[i]) || side->keys[i].kind == BPF_FIELD_TEXT) {
			*why_not = str_printf("BPF programs do not read the field %s of %s", side->said->keys[i], side->said->event);
			return -EOPNOTSUPP;
		}
	}
	return 0;
}

/* The task or the CPU is the first key of both sides. */
static int order_keys(struct laps *l, char **why_not)
{
	const size_t n = l->options->nkeys;

	for (size_t i = 0; i < n; i++) {
		if (!is_index(&l->from.keys[i], l->from.said->keys[i]) || !is_index(&l->to.keys[i], l->to.said->keys[i]))
			continue;
		swap(l->from.keys[0], l->from.keys[i]);
		swap(l->to.keys[0], l->to.keys[i]);
		return 0;
	}
	*why_not = str_printf("BPF programs pair events by a task or a CPU");
	return -EOPNOTSUPP;
}

/* From one system call's event to the other in a task. */
static void use_registers(struct laps *l)
{
	const bool tasks = l->options->nkeys == 1 && l->from.keys[0].kind == BPF_FIELD_TASK && l->to.keys[0].kind == BPF_FIELD_TASK;
	struct bpf_field from[LAPS_MOST_KEYS], to[LAPS_MOST_KEYS];

	if (!tasks || strcmp(l->from.said->event, "raw_syscalls:sys_enter") || strcmp(l->to.said->event, "raw_syscalls:sys_exit") ||
	    !bpf_field_of_syscall(&l->types, l->from.said->event, &from[0], &from[1]) || !bpf_field_of_syscall(&l->types, l->to.said->event, &to[0], &to[1]))
		return;
	memcpy(l->from.keys, from, sizeof(from));
	memcpy(l->to.keys, to, sizeof(to));
	l->to.typed |= bpf_field_typed(&to[1]);
	l->syscalls = true;
	l->nkeys = LAPS_MOST_KEYS;
}

static int find_side(struct laps *l, const char *dynamic, struct side *side, char **why_not)
{
	int err;

	side->tracepoint = bpf_tracepoint(dynamic, side->said->event);
	if (!side->tracepoint) {
		*why_not = str_printf("%s is no tracepoint of the kernel", side->said->event);
		return -EOPNOTSUPP;
	}
	err = find_filter(l, side, why_not);
	err = err ? err : find_keys(l, side, why_not);
	side->typed = bpf_condition_typed(&side->filter);
	for (size_t i = 0; i < l->options->nkeys; i++)
		side->typed |= bpf_field_typed(&side->keys[i]);
	return err;
}

/* What a program can read of the event that ends a time is kept of the longest one. */
static void find_kept(struct laps *l)
{
	size_t numbers = 0, texts = 0;
	const char *name;

	for (size_t i = 0; (name = bpf_field_name(l->to.said->event, i)); i++) {
		struct kept kept = { .name = name };

		if (!bpf_field_find(&l->types, l->to.said->event, name, &kept.field))
			continue;
		if (kept.field.kind == BPF_FIELD_TEXT ? texts == LAPS_TEXTS : numbers == LAPS_NUMBERS)
			continue;
		kept.at = kept.field.kind == BPF_FIELD_TEXT ? texts++ : numbers++;
		l->to.typed |= bpf_field_typed(&kept.field);
		l->kept[l->nkept++] = kept;
	}
}

/* --- programs ------------------------------------------------------------------------------------------------------ */

/* Does the program ask whose event it is? */
static bool asks(const struct laps *l, const struct side *side)
{
	bool asks = side->said->without_us && !l->syscalls;

	for (size_t i = 0; i < l->nkeys; i++)
		asks |= side->keys[i].kind == BPF_FIELD_TASK;
	for (size_t i = 0; i < side->filter.n; i++)
		asks |= side->filter.parts[i].field.kind == BPF_FIELD_TASK;
	return asks;
}

/* Ends the program unless this event is one that is wanted. Then register 6 is the context, 7 is the first key, and 8 the second one, if there are two. */
static void begin_program(const struct laps *l, const struct side *side, struct bpf_code *c)
{
	code_move(c, BPF_REG_6, BPF_REG_1);
	if (asks(l, side))
		bpf_task_ask(c);
	bpf_condition_check(c, &side->filter, BPF_REG_6, TRUE, END);
	/* Of system calls those of other processes are told apart when they have a slot. */
	if (side->said->without_us && !l->syscalls) {
		bpf_task_process(c, BPF_REG_7);
		code_jump_imm(c, BPF_JEQ, BPF_REG_7, (int)getpid(), END);
	}
	bpf_field_read(c, &side->keys[0], BPF_REG_6, BPF_REG_7);
	if (l->nkeys > 1)
		bpf_field_read(c, &side->keys[1], BPF_REG_6, BPF_REG_8);
}

/* Register 9 becomes the address of the slot. */
static void find_slot(const struct laps *l, struct bpf_code *c)
{
	/* Of an address the kernel lets programs have the lower half as a number. It is enough. */
	if (l->syscalls) {
		code_move32(c, BPF_REG_1, BPF_REG_7);
		code_alu_imm(c, BPF_RSH, BPF_REG_1, STACK_BITS);
	} else {
		code_move(c, BPF_REG_1, BPF_REG_7);
	}
	code_alu_imm(c, BPF_AND, BPF_REG_1, (int32_t)(l->nslots - 1));
	code_alu_imm(c, BPF_LSH, BPF_REG_1, (int32_t)l->slot_bits);
	code_value(c, BPF_REG_9, l->slots);
	code_alu(c, BPF_ADD, BPF_REG_9, BPF_REG_1);
}

/* Register 8 becomes the address of this CPU's times. */
static void find_times(const struct laps *l, struct bpf_code *c)
{
	code_call(c, BPF_FUNC_get_smp_processor_id);
	code_element(c, l->times, BPF_REG_0, END);
	code_move(c, BPF_REG_8, BPF_REG_0);
}

#define SLOT(member) ((int16_t)offsetof(struct slot, member))
#define TIMES(member) ((int16_t)offsetof(struct laps_times, member))

/* Goes to the label @other unless the slot has the first @n keys. */
static void compare_keys(struct bpf_code *c, size_t n, unsigned int other)
{
	code_load(c, BPF_DW, BPF_REG_1, BPF_REG_9, SLOT(keys[0]));
	code_jump(c, BPF_JNE, BPF_REG_1, BPF_REG_7, other);
	if (n < 2)
		return;
	code_load(c, BPF_DW, BPF_REG_1, BPF_REG_9, SLOT(keys[1]));
	code_jump(c, BPF_JNE, BPF_REG_1, BPF_REG_8, other);
}

/*
 * A slot of another task is taken; if that has left a time, which now is lost, this is counted. Our own tasks leave no time there, and a first key that is
 * nobody's: they come by here each time.
 */
static void take_slot(const struct laps *l, struct bpf_code *c)
{
	if (l->syscalls && l->from.said->without_us) {
		code_call(c, BPF_FUNC_get_current_pid_tgid);
		code_alu_imm(c, BPF_RSH, BPF_REG_0, 32);
		code_jump_imm(c, BPF_JNE, BPF_REG_0, (int)getpid(), KEYS);
		code_clear(c, BPF_DW, BPF_REG_9, SLOT(keys[0]));
		code_clear(c, BPF_DW, BPF_REG_9, SLOT(began_ns));
		code_go(c, END);
		code_label(c, KEYS);
	}
	code_store(c, BPF_DW, BPF_REG_9, SLOT(keys[0]), BPF_REG_7);
	if (l->nkeys > 1)
		code_store(c, BPF_DW, BPF_REG_9, SLOT(keys[1]), BPF_REG_8);
	code_load(c, BPF_DW, BPF_REG_1, BPF_REG_9, SLOT(began_ns));
	code_jump_imm(c, BPF_JEQ, BPF_REG_1, 0, TIME);
	find_times(l, c);
	code_set(c, BPF_REG_1, 1);
	code_atomic(c, BPF_ADD, BPF_REG_8, TIMES(dropped), BPF_REG_1);
	code_go(c, TIME);
}

/* Keeps the time. A slot mostly has the keys from the last time. */
static void write_begin(const struct laps *l, struct bpf_code *c)
{
	begin_program(l, &l->from, c);
	find_slot(l, c);
	compare_keys(c, l->syscalls ? 1 : l->nkeys, OTHER);
	if (l->syscalls)
		code_store(c, BPF_DW, BPF_REG_9, SLOT(keys[1]), BPF_REG_8);
	code_label(c, TIME);
	code_call(c, BPF_FUNC_ktime_get_ns);
	code_store(c, BPF_DW, BPF_REG_9, SLOT(began_ns), BPF_REG_0);
	code_go(c, END);
	code_label(c, OTHER);
	take_slot(l, c);
	code_end(c, END);
}

/* The bucket of the number in register 7 becomes register 4, as bucket_of() of lib/analysis/quantiles.c finds it. */
static void find_bucket(struct bpf_code *c)
{
	code_move(c, BPF_REG_4, BPF_REG_7);
	code_jump_imm(c, BPF_JLT, BPF_REG_7, 128, SHORT);
	code_move(c, BPF_REG_1, BPF_REG_7);
	code_set(c, BPF_REG_2, 0);
	/* Register 2 becomes the logarithm to the base 2. A number below 2^16 needs only the last four steps. */
	code_jump_imm(c, BPF_JLT, BPF_REG_7, 1 << 16, STEP + 1);
	for (int bits = 32, label = STEP; bits; bits /= 2, label++) {
		code_move(c, BPF_REG_3, BPF_REG_1);
		code_alu_imm(c, BPF_RSH, BPF_REG_3, bits);
		code_jump_imm(c, BPF_JEQ, BPF_REG_3, 0, (unsigned int)label);
		code_move(c, BPF_REG_1, BPF_REG_3);
		code_alu_imm(c, BPF_ADD, BPF_REG_2, bits);
		code_label(c, (unsigned int)label);
	}
	code_alu_imm(c, BPF_SUB, BPF_REG_2, 6);
	code_alu(c, BPF_RSH, BPF_REG_4, BPF_REG_2);
	code_alu_imm(c, BPF_LSH, BPF_REG_2, 6);
	code_alu(c, BPF_ADD, BPF_REG_4, BPF_REG_2);
	code_label(c, SHORT);
}

static void keep_fields(const struct laps *l, struct bpf_code *c)
{
	for (size_t i = 0; i < l->nkept; i++) {
		const struct kept *kept = &l->kept[i];

		if (kept->field.kind == BPF_FIELD_TEXT) {
			bpf_field_text(c, &kept->field, BPF_REG_6, BPF_REG_8, (int32_t)(offsetof(struct laps_times, texts) + kept->at * LAPS_TEXT_SIZE));
			continue;
		}
		bpf_field_read(c, &kept->field, BPF_REG_6, BPF_REG_9);
		code_store(c, BPF_DW, BPF_REG_8, (int16_t)(offsetof(struct laps_times, numbers) + kept->at * sizeof(uint64_t)), BPF_REG_9);
	}
}

/* Register 7 has the time, and register 8 the address of the CPU's times. */
static void count_time(const struct laps *l, struct bpf_code *c)
{
	code_atomic(c, BPF_ADD, BPF_REG_8, TIMES(sum), BPF_REG_7);
	find_bucket(c);
	code_alu_imm(c, BPF_AND, BPF_REG_4, LAPS_BUCKETS - 1);
	code_alu_imm(c, BPF_LSH, BPF_REG_4, 3);
	code_move(c, BPF_REG_3, BPF_REG_8);
	code_alu(c, BPF_ADD, BPF_REG_3, BPF_REG_4);
	code_set(c, BPF_REG_1, 1);
	code_atomic(c, BPF_ADD, BPF_REG_3, TIMES(buckets), BPF_REG_1);
	code_move(c, BPF_REG_1, BPF_REG_7);
	code_alu_imm(c, BPF_XOR, BPF_REG_1, -1);
	code_load(c, BPF_DW, BPF_REG_2, BPF_REG_8, TIMES(least));
	code_jump(c, BPF_JLE, BPF_REG_1, BPF_REG_2, COUNT);
	code_store(c, BPF_DW, BPF_REG_8, TIMES(least), BPF_REG_1);
	code_label(c, COUNT);
	code_load(c, BPF_DW, BPF_REG_1, BPF_REG_8, TIMES(most));
	code_jump(c, BPF_JLE, BPF_REG_7, BPF_REG_1, END);
	code_store(c, BPF_DW, BPF_REG_8, TIMES(most), BPF_REG_7);
	keep_fields(l, c);
}

/* When rt_sigreturn ends, the thread's registers are those that the signal interrupted, and the number is -1. The thread alone must do then. */
static void allow_no_number(struct bpf_code *c)
{
	code_jump_imm(c, BPF_JNE, BPF_REG_8, -1, KEYS);
	compare_keys(c, 1, END);
	code_go(c, OTHER);
	code_label(c, KEYS);
}

static void write_end(const struct laps *l, struct bpf_code *c)
{
	begin_program(l, &l->to, c);
	find_slot(l, c);
	if (l->syscalls)
		allow_no_number(c);
	compare_keys(c, l->nkeys, END);
	code_label(c, OTHER);
	code_load(c, BPF_DW, BPF_REG_7, BPF_REG_9, SLOT(began_ns));
	code_jump_imm(c, BPF_JEQ, BPF_REG_7, 0, END);
	code_clear(c, BPF_DW, BPF_REG_9, SLOT(began_ns));
	code_call(c, BPF_FUNC_ktime_get_ns);
	code_alu(c, BPF_SUB, BPF_REG_0, BPF_REG_7);
	code_move(c, BPF_REG_7, BPF_REG_0);
	if (l->options->over_ns) {
		code_set64(c, BPF_REG_1, l->options->over_ns);
		code_jump(c, BPF_JLT, BPF_REG_7, BPF_REG_1, END);
	}
	find_times(l, c);
	count_time(l, c);
	code_end(c, END);
}

/* --- all together ---------------------------------------------------------------------------------------------------- */

/* As many slots as there can be tasks or CPUs, but not too many. */
static size_t slots_of(const struct laps *l)
{
	__cleanup(close_fd) int fd = open("/proc/sys/kernel/pid_max", O_RDONLY | O_CLOEXEC);
	const uint64_t room = SLOTS_SIZE >> l->slot_bits;
	uint64_t most = room, n = 1;
	char text[32] = "";

	if (l->from.keys[0].kind == BPF_FIELD_CPU)
		most = l->cpus;
	else if (!l->syscalls && fd >= 0 && read(fd, text, sizeof(text) - 1) > 0)
		most = strtoull(text, NULL, 10);
	while (n < MIN(most, room))
		n *= 2;
	return n;
}

static int make_maps(struct laps *l, char **why_not)
{
	l->slot_bits = l->nkeys > 1 ? SLOT_BITS : SMALL_SLOT_BITS;
	l->nslots = slots_of(l);
	l->slots = bpf_array(l->nslots << l->slot_bits, 1, why_not);
	l->times = l->slots < 0 ? -1 : bpf_array(sizeof(struct laps_times), l->cpus, why_not);
	return l->times < 0 ? -EOPNOTSUPP : 0;
}

/* At the tracepoints they would measure at once, so they are taken from there until measuring begins. */
static int load(struct laps *l, const struct side *side, void (*write_)(const struct laps *, struct bpf_code *), struct bpf_program *out, char **why_not)
{
	struct bpf_code c = { 0 };
	int err;

	write_(l, &c);
	err = bpf_program_load(out, &c, side->tracepoint, side->typed ? &l->types : NULL, why_not);
	err = err ? err : bpf_program_attach(out, side->tracepoint, why_not);
	bpf_program_detach(out);
	code_fini(&c);
	return err;
}

int laps_open(struct laps **out, const struct tracedir *top, const struct laps_options *options, char **why_not)
{
	__cleanup(free_ptr) char *dynamic = NULL;
	struct laps *l = calloc(1, sizeof(*l));
	int err;

	*why_not = NULL;
	if (!l)
		return -ENOMEM;
	l->options = options;
	l->nkeys = options->nkeys;
	l->from.said = &options->from;
	l->to.said = &options->to;
	l->slots = l->times = -1;
	l->begin = l->end = (struct bpf_program)BPF_PROGRAM_NONE;
	l->cpus = bpf_cpus();
	tracedir_read(top, "dynamic_events", &dynamic);
	err = find_side(l, dynamic, &l->from, why_not);
	err = err ? err : find_side(l, dynamic, &l->to, why_not);
	err = err ? err : order_keys(l, why_not);
	if (!err) {
		use_registers(l);
		find_kept(l);
		err = make_maps(l, why_not);
	}
	err = err ? err : load(l, &l->to, write_end, &l->end, why_not);
	err = err ? err : load(l, &l->from, write_begin, &l->begin, why_not);
	if (err)
		laps_close(l);
	else
		*out = l;
	return !err ? 0 : *why_not ? 1 : -ENOMEM;
}

/* A time that began before there was somebody to see its end is not left behind. */
int laps_begin(struct laps *l)
{
	__cleanup(free_ptr) char *why_not = NULL;
	int err = bpf_program_attach(&l->end, l->to.tracepoint, &why_not);

	return err ? err : bpf_program_attach(&l->begin, l->from.tracepoint, &why_not);
}

void laps_end(struct laps *l)
{
	bpf_program_detach(&l->begin);
	bpf_program_detach(&l->end);
}

size_t laps_cpus(const struct laps *l)
{
	return l->cpus;
}

int laps_read(const struct laps *l, size_t cpu, struct laps_times *out)
{
	return bpf_array_get(l->times, (uint32_t)cpu, out);
}

const char *laps_field(const struct laps *l, size_t i, bool *text, size_t *at, size_t *size)
{
	if (i >= l->nkept)
		return NULL;
	*text = l->kept[i].field.kind == BPF_FIELD_TEXT;
	*at = l->kept[i].at;
	*size = l->kept[i].field.kind == BPF_FIELD_MEMBER ? l->kept[i].field.size : sizeof(uint64_t);
	return l->kept[i].name;
}

uint64_t laps_missed(const struct laps *l)
{
	return bpf_program_missed(&l->begin) + bpf_program_missed(&l->end);
}

void laps_close(struct laps *l)
{
	if (!l)
		return;
	bpf_program_close(&l->begin);
	bpf_program_close(&l->end);
	close_fd(&l->slots);
	close_fd(&l->times);
	bpf_types_fini(&l->types);
	free(l);
}
