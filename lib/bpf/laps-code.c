/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/bpf/laps-code.h"

#include <unistd.h>

/*
 * Each event runs one of these programs, so every instruction on the usual way through them counts. The programs are made with this in mind:
 * - Each of the registers 6 to 9 that a program uses anywhere is saved and restored each time. So is the stack pointer if the program uses the stack.
 * - The first end of a program needs no jump.
 * - Some kernels know that BPF_FUNC_get_smp_processor_id leaves register 1 alone (bpf_fastcall). They remove a store of this register before the call and
 *   a load after it.
 * - Some kernels know how large the number of a CPU can be. They remove a comparison of it whose jump goes to instructions that nothing else reaches.
 */

/* The labels to which programs jump. TRUE stands for several labels, which a condition uses, and STEP for several labels of a logarithm. */
enum { END, DONE, NEVER, OTHER, KEYS, TIME, COUNT, SHORT, LONG, LIMIT, TRUE, STEP = TRUE + CONDITION_PARTS };

#define SLOT(member) ((int16_t)offsetof(struct slot, member))
#define COUNTED(member) ((int16_t)offsetof(struct counted, member))

/* The offset of those 4 bytes of 8 that have the sign. */
enum { SIGN_AT = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 4 : 0 };

/* --- events and slots ------------------------------------------------------------------------------------------------ */

/* Returns true if the program asks in which task the event happens. */
static bool asks(const struct laps *l, const struct side *side)
{
	bool asks = side->said->without_us && !l->syscalls;

	for (size_t i = 0; i < l->options->nkeys; i++)
		asks |= side->keys[i].kind == BPF_FIELD_TASK;
	for (size_t i = 0; i < side->filter.n; i++)
		asks |= side->filter.parts[i].field.kind == BPF_FIELD_TASK;
	return asks;
}

/*
 * Ends the program if this event is not wanted. Otherwise register 6 becomes the context, 7 the first key, and 8 the second key if there are two. For system
 * calls no key is read here, and our own calls are left out later, when they would take a slot.
 */
static void choose_event(const struct laps *l, const struct side *side, struct bpf_code *c)
{
	code_move(c, BPF_REG_6, BPF_REG_1);
	if (asks(l, side))
		bpf_task_ask(c);
	bpf_condition_check(c, &side->filter, BPF_REG_6, TRUE, END);
	if (l->syscalls)
		return;
	if (side->said->without_us) {
		bpf_task_process(c, BPF_REG_7);
		code_jump_imm(c, BPF_JEQ, BPF_REG_7, (int)getpid(), END);
	}
	bpf_field_read(c, &side->keys[0], BPF_REG_6, BPF_REG_7);
	if (l->options->nkeys > 1)
		bpf_field_read(c, &side->keys[1], BPF_REG_6, BPF_REG_8);
}

/*
 * Sets the register @slot to the address of the slot for the first key. The first key is in the register @key. Register 1 is changed.
 *
 * For system calls the key is the address of the thread's registers, which lie at the end of its stack. The kernel lets programs use the lower half of this
 * address as a number, which is enough. The lowest bits, as many as a stack needs, have the same value in all threads. They mostly lie at the upper end of
 * the stack, and an offset of 1 then aligns the slots.
 */
static void find_slot(const struct laps *l, struct bpf_code *c, int key, int slot)
{
	if (l->syscalls) {
		code_move32(c, slot, key);
		if (l->half)
			code_alu_imm(c, BPF_AND, slot, INT32_MAX);
		code_alu_imm(c, BPF_RSH, slot, STACK_BITS - SMALL_SLOT_BITS);
	} else {
		code_move(c, slot, key);
		code_alu_imm(c, BPF_AND, slot, (int32_t)(l->nslots - 1));
		code_alu_imm(c, BPF_LSH, slot, (int32_t)l->slot_bits);
	}
	code_value(c, BPF_REG_1, l->slots, l->syscalls);
	code_alu(c, BPF_ADD, slot, BPF_REG_1);
}

/* Goes to the label @other if the slot has other keys. The first key is in the register @key, and the second key in register 8. */
static void compare_keys(const struct laps *l, struct bpf_code *c, int key, int slot, unsigned int other)
{
	code_load(c, BPF_DW, BPF_REG_1, slot, SLOT(keys[0]));
	code_jump(c, BPF_JNE, BPF_REG_1, key, other);
	if (l->options->nkeys < 2)
		return;
	code_load(c, BPF_DW, BPF_REG_1, slot, SLOT(keys[1]));
	code_jump(c, BPF_JNE, BPF_REG_1, BPF_REG_8, other);
}

/*
 * Removes the time from the slot. The number that it leaves there is so large that the time until now is negative. So one comparison finds both a missing
 * time and a time that is not short.
 */
static void forget_begin(struct bpf_code *c, int slot)
{
	code_put32(c, slot, SLOT(began_ns) + SIGN_AT, INT32_MIN);
}

/*
 * Sets register 0 to the address of what is counted on this CPU. Register 1 does not change. The program must end with the label NEVER, to which nothing
 * else jumps.
 */
static void find_counted(const struct laps *l, struct bpf_code *c)
{
	/* code_element() uses the last bytes of the stack. */
	const int16_t at = l->apart ? -16 : -8;

	code_store(c, BPF_DW, BPF_REG_10, at, BPF_REG_1);
	code_call(c, BPF_FUNC_get_smp_processor_id);
	if (l->apart)
		code_element(c, l->times, BPF_REG_0, NEVER);
	code_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, at);
	if (l->apart)
		return;
	code_jump_imm(c, BPF_JGE, BPF_REG_0, (int32_t)l->cpus, NEVER);
	code_alu_imm(c, BPF_MUL, BPF_REG_0, sizeof(struct counted));
	code_value(c, BPF_REG_2, l->times, 0);
	code_alu(c, BPF_ADD, BPF_REG_0, BPF_REG_2);
}

/* --- the first event ------------------------------------------------------------------------------------------------- */

/*
 * Takes over the slot of another task. If that task has left a time there, this time is lost and counted as dropped. Our own tasks set a first key that no
 * task has, and leave no time. So they come here at each call.
 */
static void take_slot(const struct laps *l, struct bpf_code *c, int key, int slot)
{
	code_store(c, BPF_DW, slot, SLOT(keys[0]), key);
	if (l->options->nkeys > 1)
		code_store(c, BPF_DW, slot, SLOT(keys[1]), BPF_REG_8);
	if (l->syscalls && l->from.said->without_us) {
		code_call(c, BPF_FUNC_get_current_pid_tgid);
		code_alu_imm(c, BPF_RSH, BPF_REG_0, 32);
		code_jump_imm(c, BPF_JNE, BPF_REG_0, (int)getpid(), KEYS);
		code_clear(c, BPF_DW, slot, SLOT(keys[0]));
		forget_begin(c, slot);
		code_end(c, DONE);
		code_label(c, KEYS);
	}
	code_load(c, BPF_DW, BPF_REG_1, slot, SLOT(began_ns));
	code_jump_imm(c, BPF_JSLE, BPF_REG_1, 0, TIME);
	find_counted(l, c);
	code_set(c, BPF_REG_1, 1);
	code_atomic(c, BPF_ADD, BPF_REG_0, COUNTED(times.dropped), BPF_REG_1);
	code_go(c, TIME);
	code_end(c, NEVER);
}

/* Writes the program of the first event, which keeps the time. A slot mostly has the right keys from the last time. */
void laps_code_begin(const struct laps *l, struct bpf_code *c)
{
	const int key = l->syscalls ? BPF_REG_2 : BPF_REG_7, slot = l->syscalls ? BPF_REG_6 : BPF_REG_9;
	int context = BPF_REG_1;

	if (!l->syscalls || l->from.filter.n) {
		choose_event(l, &l->from, c);
		context = BPF_REG_6;
	}
	if (l->syscalls)
		code_load(c, BPF_DW, key, context, 0);
	find_slot(l, c, key, slot);
	compare_keys(l, c, key, slot, OTHER);
	code_label(c, TIME);
	code_call(c, BPF_FUNC_ktime_get_ns);
	code_store(c, BPF_DW, slot, SLOT(began_ns), BPF_REG_0);
	code_end(c, END);
	code_label(c, OTHER);
	take_slot(l, c, key, slot);
}

/* Writes the program for the end of a thread. The thread's last system call has left a time that no second event ends. */
void laps_code_gone(const struct laps *l, struct bpf_code *c)
{
	code_call(c, BPF_FUNC_get_current_task_btf);
	code_move(c, BPF_REG_1, BPF_REG_0);
	code_call(c, BPF_FUNC_task_pt_regs);
	code_move(c, BPF_REG_2, BPF_REG_0);
	find_slot(l, c, BPF_REG_2, BPF_REG_3);
	compare_keys(l, c, BPF_REG_2, BPF_REG_3, END);
	forget_begin(c, BPF_REG_3);
	code_end(c, END);
}

/* --- the second event ------------------------------------------------------------------------------------------------ */

/* Sets register 4 to the bucket of the number in register 0, as bucket_of() in lib/analysis/quantiles.c finds it. */
static void find_bucket(struct bpf_code *c)
{
	code_move(c, BPF_REG_4, BPF_REG_0);
	code_jump_imm(c, BPF_JLT, BPF_REG_0, 128, SHORT);
	code_move(c, BPF_REG_1, BPF_REG_0);
	code_set(c, BPF_REG_2, 0);
	/* Register 2 becomes the logarithm to the base 2. A number below 2^16 needs only the last four steps. */
	code_jump_imm(c, BPF_JLT, BPF_REG_0, 1 << 16, STEP + 1);
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

/* Keeps the fields of the event. Register 5 has the address of what is counted on this CPU. A helper copies texts, and changes this register. */
static void keep_fields(const struct laps *l, struct bpf_code *c)
{
	bool texts = false;

	for (size_t i = 0; i < l->nkept; i++) {
		const struct kept *kept = &l->kept[i];

		texts |= kept->field.kind == BPF_FIELD_TEXT;
		if (kept->field.kind == BPF_FIELD_TEXT)
			continue;
		bpf_field_read(c, &kept->field, BPF_REG_6, BPF_REG_1);
		code_store(c, BPF_DW, BPF_REG_5, (int16_t)(offsetof(struct counted, times.numbers) + kept->at * sizeof(uint64_t)), BPF_REG_1);
	}
	if (texts)
		code_move(c, BPF_REG_8, BPF_REG_5);
	for (size_t i = 0; i < l->nkept; i++) {
		const struct kept *kept = &l->kept[i];
		const size_t at = offsetof(struct counted, times.texts) + kept->at * LAPS_TEXT_SIZE;

		if (kept->field.kind == BPF_FIELD_TEXT)
			bpf_field_text(c, &kept->field, BPF_REG_6, BPF_REG_8, (int32_t)at);
	}
}

/* Counts a short time that is not the longest one. Register 1 has the negative time, and register 0 the address of what is counted on this CPU. */
static void count_short(struct bpf_code *c)
{
	code_load(c, BPF_DW, BPF_REG_2, BPF_REG_0, COUNTED(limit));
	code_jump(c, BPF_JLE, BPF_REG_1, BPF_REG_2, LONG);
	code_alu_imm(c, BPF_AND, BPF_REG_1, LAPS_SHORTS - 1);
	code_alu_imm(c, BPF_LSH, BPF_REG_1, 3);
	code_alu(c, BPF_ADD, BPF_REG_0, BPF_REG_1);
	code_atomic(c, BPF_ADD, BPF_REG_0, COUNTED(times.shorts), BPF_REG_1);
	code_end(c, END);
	code_label(c, LONG);
}

/* Counts any time. The registers are those of count_short(). */
static void count_time(const struct laps *l, struct bpf_code *c, unsigned int end)
{
	code_move(c, BPF_REG_5, BPF_REG_0);
	code_set(c, BPF_REG_0, 0);
	code_alu(c, BPF_SUB, BPF_REG_0, BPF_REG_1);
	code_jump_imm(c, BPF_JSLT, BPF_REG_0, 0, end);
	if (l->options->over_ns) {
		code_set64(c, BPF_REG_1, l->options->over_ns);
		code_jump(c, BPF_JLT, BPF_REG_0, BPF_REG_1, end);
	}
	code_atomic(c, BPF_ADD, BPF_REG_5, COUNTED(times.sum), BPF_REG_0);
	find_bucket(c);
	code_alu_imm(c, BPF_AND, BPF_REG_4, LAPS_BUCKETS - 1);
	code_alu_imm(c, BPF_LSH, BPF_REG_4, 3);
	code_move(c, BPF_REG_3, BPF_REG_5);
	code_alu(c, BPF_ADD, BPF_REG_3, BPF_REG_4);
	code_set(c, BPF_REG_1, 1);
	code_atomic(c, BPF_ADD, BPF_REG_3, COUNTED(times.buckets), BPF_REG_1);
	code_move(c, BPF_REG_1, BPF_REG_0);
	code_alu_imm(c, BPF_XOR, BPF_REG_1, -1);
	code_load(c, BPF_DW, BPF_REG_2, BPF_REG_5, COUNTED(times.least));
	code_jump(c, BPF_JLE, BPF_REG_1, BPF_REG_2, COUNT);
	code_store(c, BPF_DW, BPF_REG_5, COUNTED(times.least), BPF_REG_1);
	code_label(c, COUNT);
	code_load(c, BPF_DW, BPF_REG_1, BPF_REG_5, COUNTED(times.most));
	code_jump(c, BPF_JLE, BPF_REG_0, BPF_REG_1, end);
	code_store(c, BPF_DW, BPF_REG_5, COUNTED(times.most), BPF_REG_0);
	code_jump_imm(c, BPF_JLT, BPF_REG_0, LAPS_SHORTS, LIMIT);
	code_set(c, BPF_REG_0, LAPS_SHORTS - 1);
	code_label(c, LIMIT);
	code_alu_imm(c, BPF_XOR, BPF_REG_0, -1);
	code_store(c, BPF_DW, BPF_REG_5, COUNTED(limit), BPF_REG_0);
	keep_fields(l, c);
	code_end(c, end);
}

/* Sets register 1 to the negative time between the two events. The end of a system call is nearly always wanted, so the time is asked for first. */
static void find_time(const struct laps *l, struct bpf_code *c)
{
	const int key = l->syscalls ? BPF_REG_2 : BPF_REG_7, slot = l->syscalls ? BPF_REG_3 : BPF_REG_9;

	if (l->syscalls) {
		code_call(c, BPF_FUNC_ktime_get_ns);
		code_load(c, BPF_DW, key, BPF_REG_6, 0);
	}
	find_slot(l, c, key, slot);
	compare_keys(l, c, key, slot, END);
	if (l->syscalls) {
		code_load(c, BPF_DW, BPF_REG_1, slot, SLOT(began_ns));
		forget_begin(c, slot);
	} else {
		/* A new slot holds zeros, which can be the keys of an event. */
		code_load(c, BPF_DW, BPF_REG_7, slot, SLOT(began_ns));
		code_jump_imm(c, BPF_JSLE, BPF_REG_7, 0, END);
		forget_begin(c, slot);
		code_call(c, BPF_FUNC_ktime_get_ns);
		code_move(c, BPF_REG_1, BPF_REG_7);
	}
	code_alu(c, BPF_SUB, BPF_REG_1, BPF_REG_0);
}

void laps_code_end(const struct laps *l, struct bpf_code *c)
{
	choose_event(l, &l->to, c);
	find_time(l, c);
	find_counted(l, c);
	if (!l->options->over_ns)
		count_short(c);
	count_time(l, c, l->options->over_ns ? END : DONE);
	code_end(c, NEVER);
}
