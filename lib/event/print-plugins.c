/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Print programs for frequent events, which print the same text as libtraceevent's own plug-ins but need no lock. For an event that is not here, or that lacks
 * a field, the plug-in is called.
 */
#include "lib/event/print-program.h"
#include <traceevent/event-parse.h>

/* A part of the text. It is @format, which has one conversion for the field or none, or what @compile makes of the field. */
struct piece {
	const char *field;
	const char *format;
	void (*compile)(struct compiler *c, const struct tep_format_field *f);
	bool optional; /* left out if the event has no such field */
};

struct plugin_text {
	const char *system, *event;
	const struct piece *pieces;
	bool prefix; /* the kernel's own text follows */
};

static void add_symbol(struct compiler *c, const struct tep_format_field *f, enum symbol_style style)
{
	add_step(c, (struct step){ .code = STEP_SYMBOL, .flag = style, .size = (uint8_t)f->size, .offset = f->offset }, 0);
}

static void call_site(struct compiler *c, const struct tep_format_field *f)
{
	add_symbol(c, f, SYMBOL_CALL_SITE);
}

static void timer_function(struct compiler *c, const struct tep_format_field *f)
{
	add_symbol(c, f, SYMBOL_SLASH);
}

/* Prints a task state. The letters are those of kernels up to 4.13, even if the traced kernel has others. */
static void task_state(struct compiler *c, const struct tep_format_field *f)
{
	static const char letters[][2] = { "S", "D", "T", "t", "Z", "X", "x", "W" };
	struct step jump = { .code = STEP_JUMP_ZERO }, step = { .code = STEP_FLAGS };
	uint32_t at;

	compile_masked(c, &jump, f, 0xff, NULL);
	at = begin_jump(c, jump);
	step.table = c->program->entries.n;
	add_entry(c, 0, "|");
	for (size_t i = 0; i < ARRAY_LEN(letters); i++)
		add_entry(c, 1 << i, letters[i]);
	step.count = ARRAY_LEN(letters);
	compile_masked(c, &step, f, 0xff, NULL);
	add_step(c, step, 0);
	jump.table = begin_jump(c, (struct step){ .code = STEP_JUMP });
	end_jump(c, at);
	add_text(c, "R", 1);
	end_jump(c, jump.table);
}

static void flush_reason(struct compiler *c, const struct tep_format_field *f)
{
	static const char *const names[] = { "flush on task switch", "remote shootdown", "local shootdown", "local mm shootdown" };
	struct step step = { .code = STEP_SYMBOLIC,
			     .flag = true,
			     .table = c->program->entries.n,
			     .count = ARRAY_LEN(names),
			     .size = (uint8_t)f->size,
			     .offset = f->offset };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		add_entry(c, (int64_t)i, names[i]);
	add_step(c, step, 0);
}

/* The formats of a futex operation's arguments. Arguments that it does not use are not printed. */
struct futex_op {
	const char *name, *val, *utime, *uaddr2, *val3;
};

static void futex_arguments(struct compiler *c, const struct futex_op *op, const struct tep_format_field *flags)
{
	const struct piece pieces[] = {
		{ "uaddr", " uaddr=0x%08llx" }, { "val", op->val }, { "utime", op->utime }, { "uaddr2", op->uaddr2 }, { "val3", op->val3 },
	};
	struct step test = { .code = STEP_JUMP_ZERO };
	uint32_t jump;

	add_text(c, "op=", 3);
	add_text(c, op->name, strlen(op->name));
	compile_masked(c, &test, flags, 0x80, NULL);
	jump = begin_jump(c, test);
	add_text(c, "|FUTEX_PRIVATE_FLAG", 19);
	end_jump(c, jump);
	compile_masked(c, &test, flags, 0x100, NULL);
	jump = begin_jump(c, test);
	add_text(c, "|FUTEX_CLOCK_REALTIME", 21);
	end_jump(c, jump);
	for (size_t i = 0; i < ARRAY_LEN(pieces); i++)
		if (pieces[i].format)
			compile_one(c, pieces[i].format, named_field(c, pieces[i].field));
}

#define FUTEX_HEX(name) " " name "=0x%08llx"
#define FUTEX_DEC(name) " " name "=%llu"

/* Prints a futex operation. One without a name is printed as the kernel prints it. */
static void futex(struct compiler *c, const struct tep_format_field *f)
{
	static const struct futex_op ops[] = {
		{ "FUTEX_WAIT", FUTEX_HEX("val"), FUTEX_HEX("utime"), NULL, NULL },
		{ "FUTEX_WAKE", FUTEX_DEC("val"), NULL, NULL, NULL },
		{ "FUTEX_FD", FUTEX_DEC("val"), NULL, NULL, NULL },
		{ "FUTEX_REQUEUE", FUTEX_DEC("val"), FUTEX_DEC("val2"), FUTEX_HEX("uaddr2"), NULL },
		{ "FUTEX_CMP_REQUEUE", FUTEX_DEC("val"), FUTEX_DEC("val2"), FUTEX_HEX("uaddr2"), FUTEX_HEX("val3") },
		{ "FUTEX_WAKE_OP", FUTEX_DEC("val"), FUTEX_DEC("val2"), FUTEX_HEX("uaddr2"), FUTEX_HEX("val3") },
		{ "FUTEX_LOCK_PI", NULL, FUTEX_HEX("utime"), NULL, NULL },
		{ "FUTEX_UNLOCK_PI", NULL, NULL, NULL, NULL },
		{ "FUTEX_TRYLOCK_PI", NULL, NULL, NULL, NULL },
		{ "FUTEX_WAIT_BITSET", FUTEX_HEX("val"), FUTEX_HEX("utime"), NULL, FUTEX_HEX("val3") },
		{ "FUTEX_WAKE_BITSET", FUTEX_DEC("val"), NULL, NULL, FUTEX_HEX("val3") },
		{ "FUTEX_WAIT_REQUEUE_PI", FUTEX_HEX("val"), FUTEX_HEX("utime"), FUTEX_HEX("uaddr2"), FUTEX_HEX("val3") },
		{ "FUTEX_CMP_REQUEUE_PI", FUTEX_DEC("val"), FUTEX_DEC("val2"), FUTEX_HEX("uaddr2"), FUTEX_HEX("val3") },
	};
	uint32_t ends[ARRAY_LEN(ops)];

	for (uint64_t i = 0; i < ARRAY_LEN(ops); i++) {
		struct step test = { .code = STEP_JUMP_ZERO };
		uint32_t next;

		compile_masked(c, &test, f, ~0x180ULL, &i);
		next = begin_jump(c, test);
		futex_arguments(c, &ops[i], f);
		ends[i] = begin_jump(c, (struct step){ .code = STEP_JUMP });
		end_jump(c, next);
	}
	compile_format(c);
	for (size_t i = 0; i < ARRAY_LEN(ops); i++)
		end_jump(c, ends[i]);
}

static const struct piece call_site_pieces[] = { { "call_site", .compile = call_site }, { NULL } };

static const struct piece wakeup_pieces[] = {
	{ "comm", "%s:", .optional = true },
	{ "pid", "%lld" },
	{ "prio", " [%lld]", .optional = true },
	{ "success", " success=%lld", .optional = true },
	{ "target_cpu", " CPU:%03llu", .optional = true },
	{ NULL },
};

static const struct piece switch_pieces[] = {
	{ "prev_comm", "%s:", .optional = true },
	{ "prev_pid", "%lld " },
	{ "prev_prio", "[%d] ", .optional = true },
	{ "prev_state", .compile = task_state, .optional = true },
	{ "next_pid", " ==> " },
	{ "next_comm", "%s:", .optional = true },
	{ "next_pid", "%lld" },
	{ "next_prio", " [%d]", .optional = true },
	{ NULL },
};

static const struct piece expire_pieces[] = {
	{ "hrtimer", "hrtimer=0x%llx" },
	{ "now", " now=%llu" },
	{ "function", .compile = timer_function },
	{ NULL },
};

static const struct piece start_pieces[] = {
	{ "hrtimer", "hrtimer=0x%llx" },
	{ "function", .compile = timer_function },
	{ "expires", " expires=%llu" },
	{ "softexpires", " softexpires=%llu" },
	{ NULL },
};

static const struct piece futex_pieces[] = {
	{ "uaddr", "" }, { "val", "" }, { "utime", "" }, { "uaddr2", "" }, { "val3", "" }, { "op", .compile = futex }, { NULL },
};

static const struct piece flush_pieces[] = {
	{ "pages", "pages=%ld" }, { "reason", " reason=" }, { "reason", .compile = flush_reason }, { "reason", " (%lld)" }, { NULL },
};

static const struct plugin_text texts[] = {
	{ "kmem", "kfree", call_site_pieces, true },
	{ "kmem", "kmalloc", call_site_pieces, true },
	{ "kmem", "kmalloc_node", call_site_pieces, true },
	{ "kmem", "kmem_cache_alloc", call_site_pieces, true },
	{ "kmem", "kmem_cache_alloc_node", call_site_pieces, true },
	{ "kmem", "kmem_cache_free", call_site_pieces, true },
	{ "sched", "sched_switch", switch_pieces, false },
	{ "sched", "sched_wakeup", wakeup_pieces, false },
	{ "sched", "sched_wakeup_new", wakeup_pieces, false },
	{ "timer", "hrtimer_expire_entry", expire_pieces, false },
	{ "timer", "hrtimer_start", start_pieces, false },
	{ "syscalls", "sys_enter_futex", futex_pieces, false },
	{ "tlb", "tlb_flush", flush_pieces, false },
};

/* Can the plug-in print the field without a complaint in its text? */
static bool plain_field(const struct piece *piece, const struct tep_format_field *f)
{
	bool text = piece->format && strstr(piece->format, "%s");

	if (text)
		return f->flags & TEP_FIELD_IS_ARRAY && !(f->flags & TEP_FIELD_IS_DYNAMIC);
	return f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8;
}

static const struct plugin_text *find_text(const struct tep_event *event)
{
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (!strcmp(texts[i].event, event->name) && !strcmp(texts[i].system, event->system))
			return &texts[i];
	return NULL;
}

void compile_plugin(struct compiler *c)
{
	const struct plugin_text *text = find_text(c->event);

	if (!text || (text->prefix && c->event->flags & TEP_EVENT_FL_FAILED)) {
		give_up(c, -ENOTSUP, "a plug-in prints it");
		return;
	}
	for (const struct piece *piece = text->pieces; piece->field && !c->err; piece++) {
		const struct tep_format_field *f = named_field(c, piece->field);

		if (!f && piece->optional)
			continue;
		if (!f || !plain_field(piece, f))
			give_up(c, -ENOTSUP, "a plug-in prints it, and a field is not as that one expects it");
		else if (piece->compile)
			piece->compile(c, f);
		else
			compile_one(c, piece->format, f);
	}
	if (text->prefix)
		compile_format(c);
}
