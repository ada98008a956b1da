/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the programs into which filters are compiled, one for each event. Only lib/event/filter*.c use this. A program is a chain of tests. Each test says
 * which test comes next if the test itself is true, and which test comes next if it is false. The tests of all programs lie in one table.
 */
#ifndef RINGSIDE_FILTER_PROGRAM_H
#define RINGSIDE_FILTER_PROGRAM_H

#include "lib/base/vec.h"
#include "lib/event/filter.h"
#include "lib/event/filter-ast.h"

struct tep_event;

/* These stand in place of the index of the next test. They end the program. With TARGET_PASS the record passes. With TARGET_DROP the record is dropped. */
enum { TARGET_PASS = -1, TARGET_DROP = -2 };

enum load {
	LOAD_U8,
	LOAD_S8,
	LOAD_U16,
	LOAD_S16,
	LOAD_U32,
	LOAD_S32,
	LOAD_64,
	LOAD_SWAPPED,		     /* added to one of the seven above: the number is not in this machine's byte order */
	LOAD_CPU = 2 * LOAD_SWAPPED, /* the CPU of the record, which is not in the payload */
};

enum compare {
	COMPARE_EQ,
	COMPARE_NE,
	COMPARE_LT,
	COMPARE_LE,
	COMPARE_GT,
	COMPARE_GE,
	COMPARE_UNSIGNED, /* added to COMPARE_LT, _LE, _GT or _GE: both numbers are unsigned */
};

enum test_kind {
	TEST_FIELD,    /* a field, compared with .number */
	TEST_VALUES,   /* two values, compared with each other; .n steps (struct step) calculate the values and leave them on the stack */
	TEST_STRING,   /* an array of characters; this test and all kinds that follow match a text with .pattern */
	TEST_DYNAMIC,  /* the string to which a __data_loc field points */
	TEST_RELATIVE, /* the string to which a __rel_loc field points */
	TEST_COMM,     /* the name of the task whose pid is in the field */
	TEST_SYMBOL,   /* the symbol at the address in the field; an address without a symbol is treated as in TEST_DIGITS */
	TEST_DIGITS,   /* 0x and the hexadecimal digits of the field */
};

struct test {
	uint8_t kind;	 /* enum test_kind */
	uint8_t load;	 /* enum load: how the number in the field is read; TEST_STRING and TEST_VALUES do not use it */
	uint8_t compare; /* enum compare; TEST_FIELD, TEST_VALUES */
	bool negate;	 /* only in a test with a .pattern: the test is true when the pattern does not match */
	uint32_t offset; /* where the field, or the element of an array, begins in the payload */
	uint32_t size;	 /* TEST_STRING: the size of the field in bytes; 0: the field reaches to the record's end */
	int32_t yes, no; /* the index of the next test, or TARGET_…: .yes is used if this test is true, and .no if it is false */
	union {
		uint64_t number;	       /* TEST_FIELD: the number that the field is compared with */
		const struct pattern *pattern; /* TEST_STRING and the kinds after it */
		struct {
			uint32_t steps; /* TEST_VALUES: the index of the first step in .steps of struct programs */
			uint32_t n;	/* TEST_VALUES: the number of steps */
		};
	};
};

enum step_kind {
	STEP_NUMBER,
	STEP_LOAD,
	STEP_NEG,
	STEP_FLIP,
	STEP_ADD,
	STEP_SUB,
	STEP_MUL,
	STEP_DIV,
	STEP_MOD,
	STEP_SHL,
	STEP_SHR,
	STEP_AND,
	STEP_OR,
	STEP_XOR,
	STEP_UDIV,
	STEP_UMOD,
	STEP_USHR, /* STEP_UDIV, STEP_UMOD and STEP_USHR take unsigned operands */
};

/* This is a step of a calculation on a stack of at most STACK_MAX values. */
struct step {
	uint8_t kind;	 /* enum step_kind */
	uint8_t load;	 /* STEP_LOAD: how the number is read (enum load) */
	uint32_t offset; /* STEP_LOAD: where the number begins in the payload */
	uint64_t number; /* STEP_NUMBER: the number itself */
};

enum { STACK_MAX = 64 };

static inline bool compare_numbers(enum compare how, uint64_t a, uint64_t b)
{
	switch ((int)how) {
	case COMPARE_EQ:
		return a == b;
	case COMPARE_NE:
		return a != b;
	case COMPARE_LT:
		return (int64_t)a < (int64_t)b;
	case COMPARE_LE:
		return (int64_t)a <= (int64_t)b;
	case COMPARE_GT:
		return (int64_t)a > (int64_t)b;
	case COMPARE_GE:
		return (int64_t)a >= (int64_t)b;
	case COMPARE_LT + COMPARE_UNSIGNED:
		return a < b;
	case COMPARE_LE + COMPARE_UNSIGNED:
		return a <= b;
	case COMPARE_GT + COMPARE_UNSIGNED:
		return a > b;
	default:
		return a >= b;
	}
}

/* Calculates a step with two operands. @kind is STEP_ADD or one of the kinds after it in enum step_kind. Returns false for a division by zero. */
bool step_binary(enum step_kind kind, uint64_t left, uint64_t right, uint64_t *out);

/* This is the filter of one option -F. */
struct clause {
	char *text;		  /* a copy of the text of the -F; owned */
	struct filter_node *root; /* NULL: the -F has no expression, and all records of .events match */
	VEC(uint16_t) events;	  /* the ids of the events that the -F names */
	bool without;		  /* -v: records that match are dropped */
};

struct programs {
	VEC(int32_t) entries; /* element i is for the event with the id i: the index of the first test, or TARGET_… */
	int32_t others;	      /* TARGET_…: what happens to records of events whose ids are behind the end of .entries */
	VEC(struct test) tests;
	VEC(struct step) steps;
};

void programs_fini(struct programs *programs);

/*
 * Compiles @root for @event and adds the tests to *@programs. After these tests the program goes on at @yes if @root is true, and at @no if it is false.
 * *@entry becomes the index of the test with which the program begins. If it is known without a record whether @root is true, no test is added, and
 * *@entry becomes @yes or @no. Sets .found of the names in @root. Returns 0, -EINVAL with *@fault set, or -ENOMEM.
 */
int filter_compile(struct programs *programs, struct tep_event *event, struct filter_node *root, int32_t yes, int32_t no, int32_t *entry,
		   struct filter_fault *fault);

struct filter {
	struct tep_handle *tep;
	const struct comms *comms;
	const struct symbols *symbols;
	VEC(struct clause) clauses;
	struct programs programs;
};

#endif
