// SPDX-License-Identifier: GPL-2.0
#include "lib/event/filter-program.h"
#include <byteswap.h>
#include <stdio.h>

/* Loads by memcpy(), because a payload is aligned only to 4 bytes, and some events are packed. */
#define LOAD(type, at) \
	({ \
		type value_; \
		memcpy(&value_, (at), sizeof(value_)); \
		value_; \
	})

static inline bool inside(const struct record *rec, uint64_t offset, uint64_t size)
{
	return offset + size <= rec->size;
}

static inline bool load(const struct record *rec, unsigned int how, uint32_t offset, uint64_t *out)
{
	static const uint8_t sizes[] = { 1, 1, 2, 2, 4, 4, 8, 1, 1, 2, 2, 4, 4, 8, 0 };
	const char *at = (const char *)rec->data + offset;

	if (unlikely(how == LOAD_CPU)) {
		*out = rec->cpu;
		return true;
	}
	if (unlikely(!inside(rec, offset, sizes[how])))
		return false;
	switch (how) {
	case LOAD_U8:
	case LOAD_U8 + LOAD_SWAPPED:
		*out = LOAD(uint8_t, at);
		break;
	case LOAD_S8:
	case LOAD_S8 + LOAD_SWAPPED:
		*out = (int64_t)LOAD(int8_t, at);
		break;
	case LOAD_U16:
		*out = LOAD(uint16_t, at);
		break;
	case LOAD_S16:
		*out = (int64_t)LOAD(int16_t, at);
		break;
	case LOAD_U32:
		*out = LOAD(uint32_t, at);
		break;
	case LOAD_S32:
		*out = (int64_t)LOAD(int32_t, at);
		break;
	case LOAD_64:
		*out = LOAD(uint64_t, at);
		break;
	case LOAD_U16 + LOAD_SWAPPED:
		*out = bswap_16(LOAD(uint16_t, at));
		break;
	case LOAD_S16 + LOAD_SWAPPED:
		*out = (int64_t)(int16_t)bswap_16(LOAD(uint16_t, at));
		break;
	case LOAD_U32 + LOAD_SWAPPED:
		*out = bswap_32(LOAD(uint32_t, at));
		break;
	case LOAD_S32 + LOAD_SWAPPED:
		*out = (int64_t)(int32_t)bswap_32(LOAD(uint32_t, at));
		break;
	default:
		*out = bswap_64(LOAD(uint64_t, at));
		break;
	}
	return true;
}

static bool divide(uint64_t a, uint64_t b, bool remainder, uint64_t *out)
{
	if (!b)
		return false;
	if (b == UINT64_MAX) /* b is -1, for which the machine's division can overflow */
		*out = remainder ? 0 : -a;
	else if (remainder)
		*out = (int64_t)a % (int64_t)b;
	else
		*out = (int64_t)a / (int64_t)b;
	return true;
}

bool step_binary(enum step_kind kind, uint64_t a, uint64_t b, uint64_t *out)
{
	switch (kind) {
	case STEP_ADD:
		*out = a + b;
		return true;
	case STEP_SUB:
		*out = a - b;
		return true;
	case STEP_MUL:
		*out = a * b;
		return true;
	case STEP_DIV:
		return divide(a, b, false, out);
	case STEP_MOD:
		return divide(a, b, true, out);
	case STEP_UDIV:
		*out = b ? a / b : 0;
		return b;
	case STEP_UMOD:
		*out = b ? a % b : 0;
		return b;
	case STEP_SHL:
		*out = b < 64 ? a << b : 0;
		return true;
	case STEP_SHR:
		*out = (uint64_t)((int64_t)a >> MIN(b, 63));
		return true;
	case STEP_USHR:
		*out = b < 64 ? a >> b : 0;
		return true;
	case STEP_AND:
		*out = a & b;
		return true;
	case STEP_OR:
		*out = a | b;
		return true;
	default:
		*out = a ^ b;
		return true;
	}
}

static bool test_values(const struct programs *programs, const struct test *test, const struct record *rec)
{
	uint64_t stack[STACK_MAX], *top = stack; /* *top is the first free place */

	for (const struct step *s = programs->steps.at + test->steps, *end = s + test->n; s < end; s++) {
		switch (s->kind) {
		case STEP_NUMBER:
			*top++ = s->number;
			break;
		case STEP_LOAD:
			if (!load(rec, s->load, s->offset, top++))
				return false;
			break;
		case STEP_NEG:
			top[-1] = -top[-1];
			break;
		case STEP_FLIP:
			top[-1] = ~top[-1];
			break;
		default:
			top--;
			if (!step_binary(s->kind, top[-1], top[0], &top[-1]))
				return false;
		}
	}
	return compare_numbers(test->compare, stack[0], stack[1]);
}

static bool test_pattern(const struct test *test, const char *at, size_t n)
{
	return pattern_match(test->pattern, at, n) != test->negate;
}

/* Tests the text at @offset, which has at most @size characters and ends with the record. */
static bool test_chars(const struct test *test, const struct record *rec, uint64_t offset, uint64_t size)
{
	const char *at = (const char *)rec->data + offset;

	if (offset > rec->size)
		return false;
	return test_pattern(test, at, strnlen(at, MIN(size, rec->size - offset)));
}

static bool test_located(const struct test *test, const struct record *rec)
{
	uint64_t where, offset;

	if (!load(rec, test->load, test->offset, &where))
		return false;
	offset = where & 0xffff;
	if (test->kind == TEST_RELATIVE)
		offset += test->offset + 4; /* the offset counts from the end of the field */
	return test_chars(test, rec, offset, where >> 16);
}

static bool test_digits(const struct test *test, uint64_t value)
{
	char digits[24];

	return test_pattern(test, digits, snprintf(digits, sizeof(digits), "0x%llx", (unsigned long long)value));
}

static bool test_symbol(const struct filter *filter, const struct test *test, uint64_t addr)
{
	const struct symbol *sym = symbols_find(filter->symbols, addr);

	return sym ? test_pattern(test, sym->name, sym->name_len) : test_digits(test, addr);
}

static bool test_comm(const struct filter *filter, const struct test *test, int pid)
{
	const char *comm = filter->comms ? comms_find(filter->comms, pid) : "<...>";

	return test_pattern(test, comm, strlen(comm));
}

static bool test_text(const struct filter *filter, const struct test *test, const struct record *rec)
{
	uint64_t value;

	switch (test->kind) {
	case TEST_STRING:
		return test_chars(test, rec, test->offset, test->size ? test->size : UINT32_MAX);
	case TEST_DYNAMIC:
	case TEST_RELATIVE:
		return test_located(test, rec);
	}
	if (!load(rec, test->load, test->offset, &value))
		return false;
	if (test->kind == TEST_COMM)
		return test_comm(filter, test, value);
	if (test->kind == TEST_SYMBOL)
		return test_symbol(filter, test, value);
	return test_digits(test, value);
}

bool filter_match(const struct filter *filter, uint16_t event_id, const struct record *rec)
{
	const struct programs *programs = &filter->programs;
	int32_t at = event_id < programs->entries.n ? programs->entries.at[event_id] : programs->others;

	while (at >= 0) {
		const struct test *test = programs->tests.at + at;
		uint64_t value;
		bool yes;

		if (likely(test->kind == TEST_FIELD))
			yes = load(rec, test->load, test->offset, &value) && compare_numbers(test->compare, value, test->number);
		else if (test->kind == TEST_VALUES)
			yes = test_values(programs, test, rec);
		else
			yes = test_text(filter, test, rec);
		at = yes ? test->yes : test->no;
	}
	return at == TARGET_PASS;
}
