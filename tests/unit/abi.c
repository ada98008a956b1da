/* SPDX-License-Identifier: GPL-2.0 */
/* lib/probe/abi: the places of parameters as the two conventions' documents give them. */
#include "lib/probe/abi.h"
#include "tests/unit/unit.h"

#include <elf.h>

/* A type as it is needed here. */
struct fake {
	enum ctype_kind kind;
	uint64_t size;
	enum ctype_passing passing;
	struct {
		const struct fake *type;
		uint64_t byte;
	} members[4];
};

static void info(const struct ctype *type, struct ctype_info *out)
{
	const struct fake *f = type->source;

	*out = (struct ctype_info){ .kind = f->kind, .size = f->size };
}

static int members(const struct ctype *type, ctype_member_fn each, void *ctx)
{
	const struct fake *f = type->source;
	int ret = 0;

	for (size_t i = 0; !ret && i < ARRAY_LEN(f->members) && f->members[i].type; i++)
		ret = each(ctx, &(struct cmember){ "m", { type->ops, f->members[i].type, 1 }, f->members[i].byte * 8, 0, 0 });
	return ret;
}

static enum ctype_passing passing(const struct ctype *type)
{
	return ((const struct fake *)type->source)->passing;
}

static const struct ctype_ops ops = { .info = info, .members = members, .passing = passing };

static const struct fake nothing = { .kind = CTYPE_VOID };
static const struct fake i4 = { .kind = CTYPE_INT, .size = 4 }, i8 = { .kind = CTYPE_POINTER, .size = 8 };
static const struct fake i16 = { .kind = CTYPE_INT, .size = 16 };
static const struct fake f4 = { .kind = CTYPE_FLOAT, .size = 4 }, f8 = { .kind = CTYPE_FLOAT, .size = 8 };
static const struct fake s8 = { CTYPE_STRUCT, 8, CTYPE_BY_VALUE, { { &i4, 0 }, { &i4, 4 } } };
static const struct fake s12 = { CTYPE_STRUCT, 12, CTYPE_BY_VALUE, { { &i4, 0 }, { &i4, 4 }, { &i4, 8 } } };
static const struct fake s16 = { CTYPE_STRUCT, 16, CTYPE_BY_VALUE, { { &i8, 0 }, { &i8, 8 } } };
static const struct fake s24 = { CTYPE_STRUCT, 24, CTYPE_BY_VALUE, { { &i8, 0 }, { &i8, 8 }, { &i8, 16 } } };
static const struct fake mix = { CTYPE_STRUCT, 16, CTYPE_BY_VALUE, { { &f8, 0 }, { &i8, 8 } } };
static const struct fake torn = { CTYPE_STRUCT, 5, CTYPE_BY_VALUE, { { &i4, 1 } } };
static const struct fake hfa = { CTYPE_STRUCT, 16, CTYPE_BY_VALUE, { { &f4, 0 }, { &f4, 4 }, { &f4, 8 }, { &f4, 12 } } };
static const struct fake hfa8 = { CTYPE_STRUCT, 32, CTYPE_BY_VALUE, { { &f8, 0 }, { &f8, 8 }, { &f8, 16 }, { &f8, 24 } } };
static const struct fake wide = { CTYPE_STRUCT, 16, CTYPE_BY_VALUE, { { &i16, 0 } } };
static const struct fake class = { CTYPE_STRUCT, 4, CTYPE_BY_REFERENCE, { { &i4, 0 } } };
static const struct fake vague = { CTYPE_STRUCT, 4, CTYPE_UNSURE, { { &i4, 0 } } };
static const struct fake empty = { CTYPE_STRUCT, 1, CTYPE_BY_VALUE, { { NULL, 0 } } };

#define MOST 12
/*
 * What is expected: i3 the third general register, v1 the first of the vectors, s8 eight bytes from the first argument on the stack, & of
 * the address, several with +, - nothing, ? not certain.
 */
static const struct {
	unsigned int machine;
	const struct fake *result, *types[MOST];
	const char *places;
} rows[] = {
	{ EM_X86_64, &nothing, { &i4, &f8, &i8, &f4 }, "i1 v1 i2 v2" },
	{ EM_X86_64, &nothing, { &i4, &i4, &i4, &i4, &i4, &i4, &i4, &i4 }, "i1 i2 i3 i4 i5 i6 s0 s8" },
	{ EM_X86_64, &nothing, { &i4, &i4, &i4, &i4, &i4, &s16, &i4, &i4 }, "i1 i2 i3 i4 i5 s0 i6 s16" },
	{ EM_X86_64, &nothing, { &i4, &i16, &i4, &i4, &i16, &i4, &i16, &i4 }, "i1 i2+i3 i4 i5 s0 i6 s16 s32" },
	{ EM_X86_64, &nothing, { &i4, &i4, &i4, &i4, &i4, &i4, &i4, &i16, &wide, &i4 }, "i1 i2 i3 i4 i5 i6 s0 s16 s32 s48" },
	{ EM_X86_64, &nothing, { &s8, &s12, &mix, &hfa, &s24, &i4 }, "i1 i2+i3 v1+i4 v2+v3 s0 i5" },
	{ EM_X86_64, &nothing, { &torn, &empty, &class, &i4 }, "s0 - &i1 i2" },
	{ EM_X86_64, &s16, { &i4 }, "i1" },
	{ EM_X86_64, &s24, { &i4 }, "i2" },
	{ EM_X86_64, &class, { &i4 }, "i2" },
	{ EM_X86_64, &vague, { &i4 }, "?" },
	{ EM_X86_64, &nothing, { &i4, &vague, &i4 }, "i1 ? ?" },

	{ EM_AARCH64, &nothing, { &i4, &f8, &i8, &f4 }, "i1 v1 i2 v2" },
	{ EM_AARCH64, &nothing, { &i4, &i16, &i4, &wide }, "i1 i3+i4 i5 i7+i8" },
	{ EM_AARCH64, &nothing, { &s8, &s12, &s16, &mix, &i4, &s16, &i4 }, "i1 i2+i3 i4+i5 i6+i7 i8 s0 s16" },
	{ EM_AARCH64, &nothing, { &i4, &i4, &i4, &i4, &i4, &i4, &i4, &s16, &i4 }, "i1 i2 i3 i4 i5 i6 i7 s0 s16" },
	{ EM_AARCH64, &nothing, { &s24, &i4, &class, &i4 }, "&i1 i2 &i3 i4" },
	{ EM_AARCH64, &nothing, { &hfa, &hfa8, &f4, &i4 }, "v1+v2+v3+v4 v5+v6+v7+v8 s0 i1" },
	{ EM_AARCH64, &nothing, { &i4, &f8, &hfa8, &hfa8, &f4 }, "i1 v1 v2+v3+v4+v5 s0 s32" },
	{ EM_AARCH64, &s24, { &i4 }, "i1" },
	{ EM_AARCH64, &class, { &i4 }, "i1" },

	/* another processor */
	{ EM_NONE, &nothing, { &i4, &i8, &s8, &i4 }, "i1 i2 ? ?" },
};

static void spell(const struct abi_place *p, struct str *out)
{
	str_add(out, out->len ? " " : "");
	str_add(out, p->reference ? "&" : "");
	if (p->kind == ABI_STACK)
		str_addf(out, "s%llu", (unsigned long long)p->stack);
	else if (p->kind != ABI_REGISTERS)
		str_add(out, p->kind == ABI_NOTHING ? "-" : "?");
	for (unsigned int i = 0; i < p->n; i++)
		str_addf(out, "%s%c%u", i ? "+" : "", p->parts[i].class == ABI_INTEGER ? 'i' : 'v', p->parts[i].number);
	ck_assert(p->kind != ABI_UNSURE || p->why);
}

START_TEST(parameters)
{
	struct ctype type = { &ops, rows[_i].result, 1 };
	struct str got = { 0 };
	struct abi_call call;

	abi_begin(&call, rows[_i].machine, &type);
	for (size_t i = 0; i < MOST && rows[_i].types[i]; i++) {
		struct abi_place place;

		type.source = rows[_i].types[i];
		abi_next(&call, &type, ABI_BY_TYPE, &place);
		spell(&place, &got);
	}
	ck_assert_str_eq(str_text(&got), rows[_i].places);
	str_fini(&got);
}
END_TEST

static const struct {
	unsigned int machine;
	const struct fake *type;
	const char *place;
} results[] = {
	{ EM_X86_64, &nothing, "-" },  { EM_X86_64, &i4, "i1" },     { EM_X86_64, &f8, "v1" },	    { EM_X86_64, &i16, "i1+i2" },
	{ EM_X86_64, &s12, "i1+i2" },  { EM_X86_64, &mix, "v1+i1" }, { EM_X86_64, &s24, "&i1" },    { EM_X86_64, &torn, "&i1" },
	{ EM_X86_64, &class, "&i1" },  { EM_X86_64, &vague, "?" },   { EM_AARCH64, &s16, "i1+i2" }, { EM_AARCH64, &hfa, "v1+v2+v3+v4" },
	{ EM_AARCH64, &mix, "i1+i2" }, { EM_AARCH64, &s24, "?" },    { EM_AARCH64, &class, "?" },
};

START_TEST(results_of_calls)
{
	struct ctype type = { &ops, results[_i].type, 1 };
	struct abi_place place;
	struct str got = { 0 };

	abi_result(results[_i].machine, &type, &place);
	spell(&place, &got);
	ck_assert_str_eq(str_text(&got), results[_i].place);
	str_fini(&got);
}
END_TEST

Suite *abi_suite(void)
{
	Suite *suite = suite_create("abi");
	TCase *tc = tcase_create("abi");

	tcase_add_loop_test(tc, parameters, 0, ARRAY_LEN(rows));
	tcase_add_loop_test(tc, results_of_calls, 0, ARRAY_LEN(results));
	suite_add_tcase(suite, tc);
	return suite;
}
