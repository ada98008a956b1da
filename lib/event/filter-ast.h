/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the tree into which the expression of one option -F is parsed (lib/event/filter.h). Parsing does not need the events. Only lib/event/filter*.c
 * use this header.
 */
#ifndef RINGSIDE_FILTER_AST_H
#define RINGSIDE_FILTER_AST_H

#include "lib/base/str.h"

struct pattern;

enum filter_op {
	FILTER_OP_NONE,
	FILTER_OP_AND,
	FILTER_OP_OR,
	FILTER_OP_NOT,
	FILTER_OP_EQ,
	FILTER_OP_NE,
	FILTER_OP_LT,
	FILTER_OP_LE,
	FILTER_OP_GT,
	FILTER_OP_GE,
	FILTER_OP_MATCH,
	FILTER_OP_NO_MATCH,
	FILTER_OP_ADD,
	FILTER_OP_SUB,
	FILTER_OP_MUL,
	FILTER_OP_DIV,
	FILTER_OP_MOD,
	FILTER_OP_SHR,
	FILTER_OP_SHL,
	FILTER_OP_BITAND,
	FILTER_OP_BITOR,
	FILTER_OP_XOR,
	FILTER_OP_NEG,
	FILTER_OP_FLIP,
};

enum filter_kind {
	FILTER_LOGIC,	/* && and || with .left and .right; ! with .left only */
	FILTER_COMPARE, /* .left and .right; a text is always .right, because the parser exchanges the sides if need be */
	FILTER_ARITH,	/* .left and .right; the operators '-' and '~' in front of a value have .left only */
	FILTER_NUMBER,
	FILTER_TEXT, /* a text; if .is_char is set, it is a single character in single quotes, which can also be used as a number */
	FILTER_NAME, /* a field, an element of an array, or one of the words COMM and CPU (lib/event/filter.h) */
};

/*
 * This tells what was found when a name of the filter was looked up in an event. If the filter is for several events, only the best result is kept. In
 * this list, each result is better than those above it:
 *  - NAME_UNKNOWN: there is no such field.
 *  - NAME_NO_NUMBER: the field cannot be used as a number.
 *  - NAME_SHORT: the array has fewer elements than the filter needs. For example, a[4] needs five.
 *  - NAME_FOUND: the name can be used.
 */
enum filter_found { NAME_UNKNOWN, NAME_NO_NUMBER, NAME_SHORT, NAME_FOUND };

struct filter_node {
	enum filter_kind kind;
	enum filter_op op; /* the operator, for FILTER_LOGIC, FILTER_COMPARE and FILTER_ARITH */
	size_t at;	   /* offset into the -F text, for the caret in a message */
	struct filter_node *left, *right;
	char *text;	/* FILTER_TEXT: the text; FILTER_NAME: the name */
	bool is_char;	/* FILTER_TEXT: a single character in single quotes */
	bool has_index; /* FILTER_NAME: the name is an element of the array whose name is .text */
	/* FILTER_NUMBER: the number. FILTER_TEXT with .is_char: the character. FILTER_NAME with .has_index: the index of the element. */
	uint64_t number;
	struct pattern *pattern; /* FILTER_COMPARE, when .right is a text: the pattern that is made from this text */
	enum filter_found found; /* FILTER_NAME: whether the event has the name; filter_compile() sets this */
};

/* This tells what is wrong with a -F: .why is a sentence for the user, and .at is an offset into the -F text. */
struct filter_fault {
	size_t at;
	struct str why;
};

/* If *@fault is not set yet, stores @at and the message in *@fault. Returns -EINVAL in any case. */
int filter_fault_set(struct filter_fault *fault, size_t at, const char *fmt, ...) __printf(3, 4);

/*
 * Parses the part of @text from offset @from to the end of @text. Returns 0, -EINVAL with *@fault set, or -ENOMEM. The caller frees *@out with
 * filter_node_free().
 */
int filter_parse(struct filter_node **out, const char *text, size_t from, struct filter_fault *fault);

/* Frees the node and all nodes below it. Accepts NULL. */
void filter_node_free(struct filter_node *node);

/*
 * Makes a pattern to compare texts with. When @regex is false, a text matches when it is equal to @text. When @regex is true, @text is a basic regular
 * expression. In this case, a text matches when the expression matches a part of the text, and upper and lower case letters are treated alike. A pattern does
 * not change, so any thread may use it. Returns 0, -ENOMEM, or -EINVAL when @text is not a valid regular expression. After -EINVAL, *@why says what is wrong
 * with the expression. The caller frees *@why.
 */
int pattern_new(struct pattern **out, const char *text, bool regex, char **why);
void pattern_free(struct pattern *pattern);

/* Returns true if @pattern matches the @n bytes at @at. There must be no NUL among these bytes. Returns false when memory runs out. */
bool pattern_match(const struct pattern *pattern, const char *at, size_t n);

#endif
