// SPDX-License-Identifier: GPL-2.0
/*
 * The grammar of filters:
 *
 * expression: unit { ("&&" | "||") unit }, read from left to right; both operators have the same precedence, as in trace-cmd
 * unit: "!" unit | value [ comparison value ]
 * value: arithmetic with C's precedences; all its operators bind more tightly than comparisons
 */
#include "lib/event/filter-ast.h"
#include <ctype.h>

enum { NODES_MAX = 4000, DEPTH_MAX = 100 };

enum token_kind { TOKEN_END, TOKEN_OP, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_NUMBER, TOKEN_NAME, TOKEN_TEXT };

struct parser {
	const char *text;
	size_t next; /* offset of the text after the token */
	struct filter_fault *fault;
	size_t nodes, depth;
	/* the current token */
	enum token_kind kind;
	enum filter_op op;
	size_t at, end;
};

/* A longer operator stands before those with which it begins. .rank is the precedence of an arithmetic operator with two sides, and 0 for other operators. */
static const struct operator
{
	char text[3];
	uint8_t op, rank;
}
operators[] = {
	{ "&&", FILTER_OP_AND, 0 },	 { "||", FILTER_OP_OR, 0 },  { "==", FILTER_OP_EQ, 0 },	 { "!=", FILTER_OP_NE, 0 },   { "=~", FILTER_OP_MATCH, 0 },
	{ "!~", FILTER_OP_NO_MATCH, 0 }, { "<<", FILTER_OP_SHL, 4 }, { ">>", FILTER_OP_SHR, 4 }, { "<=", FILTER_OP_LE, 0 },   { ">=", FILTER_OP_GE, 0 },
	{ "<", FILTER_OP_LT, 0 },	 { ">", FILTER_OP_GT, 0 },   { "!", FILTER_OP_NOT, 0 },	 { "|", FILTER_OP_BITOR, 1 }, { "^", FILTER_OP_XOR, 2 },
	{ "&", FILTER_OP_BITAND, 3 },	 { "+", FILTER_OP_ADD, 5 },  { "-", FILTER_OP_SUB, 5 },	 { "*", FILTER_OP_MUL, 6 },   { "/", FILTER_OP_DIV, 6 },
	{ "%", FILTER_OP_MOD, 6 },	 { "~", FILTER_OP_FLIP, 0 },
};

static unsigned int rank_of(enum filter_op op)
{
	for (size_t i = 0; i < ARRAY_LEN(operators); i++)
		if (operators[i].op == op)
			return operators[i].rank;
	return 0;
}

int filter_fault_set(struct filter_fault *fault, size_t at, const char *fmt, ...)
{
	va_list ap;

	if (fault->why.len)
		return -EINVAL;
	fault->at = at;
	va_start(ap, fmt);
	str_vaddf(&fault->why, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

void filter_node_free(struct filter_node *node)
{
	if (!node)
		return;
	filter_node_free(node->left);
	filter_node_free(node->right);
	pattern_free(node->pattern);
	free(node->text);
	free(node);
}

static void node_cleanup(struct filter_node **node)
{
	filter_node_free(*node);
}

static int scan_quoted(struct parser *p)
{
	char quote = p->text[p->at];
	size_t i = p->at + 1;

	while (p->text[i] && p->text[i] != quote)
		i += p->text[i] == '\\' && p->text[i + 1] ? 2 : 1;
	if (!p->text[i])
		return filter_fault_set(p->fault, p->at, "this text has no closing %c", quote);
	p->end = i + 1;
	p->kind = TOKEN_TEXT;
	return 0;
}

static int scan_operator(struct parser *p)
{
	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		if (!str_starts(p->text + p->at, operators[i].text))
			continue;
		p->kind = TOKEN_OP;
		p->op = operators[i].op;
		p->end = p->at + strlen(operators[i].text);
		return 0;
	}
	if (p->text[p->at] == '=')
		return filter_fault_set(p->fault, p->at, "a comparison is written ==");
	if (p->text[p->at] == ',')
		return filter_fault_set(p->fault, p->at, "a comma only separates events, before the colon");
	return filter_fault_set(p->fault, p->at, "this character means nothing in a filter");
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Reads the next token. */
static int scan(struct parser *p)
{
	while (isspace((unsigned char)p->text[p->next]))
		p->next++;
	p->at = p->end = p->next;
	p->op = FILTER_OP_NONE;

	char c = p->text[p->at];
	int err = 0;

	if (!c) {
		p->kind = TOKEN_END;
	} else if (c == '(' || c == ')') {
		p->kind = c == '(' ? TOKEN_OPEN : TOKEN_CLOSE;
		p->end++;
	} else if (c == '"' || c == '\'') {
		err = scan_quoted(p);
	} else if (is_word(c)) {
		p->kind = isdigit((unsigned char)c) ? TOKEN_NUMBER : TOKEN_NAME;
		while (is_word(p->text[p->end]))
			p->end++;
	} else {
		err = scan_operator(p);
	}
	p->next = p->end;
	return err;
}

/* Makes a node. Takes over @left and @right even if it fails. */
static int node_new(struct parser *p, struct filter_node **out, enum filter_kind kind, size_t at, struct filter_node *left, struct filter_node *right)
{
	struct filter_node *node = NULL;
	int err = 0;

	if (p->nodes++ >= NODES_MAX)
		err = filter_fault_set(p->fault, at, "the filter is too long: more than %d terms", NODES_MAX);
	else if (!(node = calloc(1, sizeof(*node))))
		err = -ENOMEM;
	if (err) {
		filter_node_free(left);
		filter_node_free(right);
		return err;
	}
	*node = (struct filter_node){ .kind = kind, .at = at, .left = left, .right = right };
	*out = node;
	return 0;
}

static int parse_number(struct parser *p, struct filter_node *node)
{
	char *end;

	errno = 0;
	node->number = strtoull(p->text + p->at, &end, 0);
	if (end != p->text + p->end)
		return filter_fault_set(p->fault, p->at, "this is not a number");
	if (errno)
		return filter_fault_set(p->fault, p->at, "this number does not fit into 64 bits");
	return 0;
}

/* Takes the text without its quotes, and without the backslashes in front of quotes inside it. */
static int parse_text(struct parser *p, struct filter_node *node)
{
	char quote = p->text[p->at], *to;

	node->text = to = malloc(p->end - p->at);
	if (!to)
		return -ENOMEM;
	for (size_t i = p->at + 1; i < p->end - 1; i++)
		if (p->text[i] != '\\' || p->text[i + 1] != quote)
			*to++ = p->text[i];
	*to = '\0';
	node->is_char = quote == '\'' && to == node->text + 1;
	node->number = node->is_char ? (unsigned char)*node->text : 0;
	return 0;
}

static int parse_expression(struct parser *p, struct filter_node **out);

static int parse_parens(struct parser *p, struct filter_node **out)
{
	__cleanup(node_cleanup) struct filter_node *inner = NULL;
	size_t open = p->at;
	int err;

	if (p->depth++ >= DEPTH_MAX)
		return filter_fault_set(p->fault, open, "parentheses are nested too deeply");
	err = scan(p);
	if (!err)
		err = parse_expression(p, &inner);
	if (err)
		return err;
	if (p->kind != TOKEN_CLOSE)
		return filter_fault_set(p->fault, open, "this parenthesis is not closed");
	p->depth--;
	*out = take(inner);
	return scan(p);
}

/* Reads name or name[number], which is one token. */
static int parse_name(struct parser *p, struct filter_node *node)
{
	const char *open = p->text + p->end;
	char *close;

	node->text = strndup(p->text + p->at, p->end - p->at);
	if (!node->text)
		return -ENOMEM;
	if (*open != '[')
		return 0;
	errno = 0;
	node->number = strtoull(open + 1, &close, 0);
	if (!isdigit((unsigned char)open[1]) || *close != ']' || errno)
		return filter_fault_set(p->fault, p->end, "the number of an array's element is expected, as in args[1]");
	node->has_index = true;
	p->next = close + 1 - p->text;
	return 0;
}

static int parse_item(struct parser *p, struct filter_node **out)
{
	static const enum filter_kind kinds[] = {
		[TOKEN_NUMBER] = FILTER_NUMBER,
		[TOKEN_NAME] = FILTER_NAME,
		[TOKEN_TEXT] = FILTER_TEXT,
	};
	__cleanup(node_cleanup) struct filter_node *node = NULL;
	int err;

	if (p->kind == TOKEN_OPEN)
		return parse_parens(p, out);
	if (p->kind == TOKEN_END)
		return filter_fault_set(p->fault, p->at, "the filter ends where a value is expected");
	if (p->kind == TOKEN_OP || p->kind == TOKEN_CLOSE)
		return filter_fault_set(p->fault, p->at, "a field, number or text is expected here");
	err = node_new(p, &node, kinds[p->kind], p->at, NULL, NULL);
	if (err)
		return err;
	if (p->kind == TOKEN_NUMBER)
		err = parse_number(p, node);
	else if (p->kind == TOKEN_TEXT)
		err = parse_text(p, node);
	else
		err = parse_name(p, node);
	if (!err)
		err = scan(p);
	if (!err)
		*out = take(node);
	return err;
}

static int need_value(struct parser *p, const struct filter_node *node)
{
	if (node->kind == FILTER_TEXT && !node->is_char)
		return filter_fault_set(p->fault, node->at, "one cannot calculate with text");
	if (node->kind == FILTER_LOGIC || node->kind == FILTER_COMPARE)
		return filter_fault_set(p->fault, node->at, "this is true or false, where a number is expected");
	return 0;
}

typedef int parse_fn(struct parser *p, struct filter_node **out);

/* Parses the operand of an operator with one side (- ~ !). @self parses the operand, which may begin with such an operator again. */
static int parse_behind(struct parser *p, struct filter_node **out, enum filter_op op, parse_fn *self)
{
	bool logic = op == FILTER_OP_NOT;
	__cleanup(node_cleanup) struct filter_node *inner = NULL;
	size_t at = p->at;
	int err;

	if (p->depth++ >= DEPTH_MAX)
		return filter_fault_set(p->fault, at, logic ? "too many !" : "too many signs");
	err = scan(p);
	if (!err)
		err = self(p, &inner);
	p->depth--;
	if (!err && !logic)
		err = need_value(p, inner);
	if (!err)
		err = node_new(p, out, logic ? FILTER_LOGIC : FILTER_ARITH, at, take(inner), NULL);
	if (!err)
		(*out)->op = op;
	return err;
}

static int parse_signed(struct parser *p, struct filter_node **out)
{
	enum filter_op op = p->op == FILTER_OP_SUB ? FILTER_OP_NEG : p->op;

	if (p->kind != TOKEN_OP || (op != FILTER_OP_NEG && op != FILTER_OP_FLIP))
		return parse_item(p, out);
	return parse_behind(p, out, op, parse_signed);
}

/* Parses values that are joined by operators of precedence @rank or higher. */
static int parse_value(struct parser *p, struct filter_node **out, unsigned int rank)
{
	__cleanup(node_cleanup) struct filter_node *left = NULL;
	int err = parse_signed(p, &left);

	while (!err && p->kind == TOKEN_OP && rank_of(p->op) >= rank) {
		__cleanup(node_cleanup) struct filter_node *right = NULL;
		enum filter_op op = p->op;
		size_t at = p->at;

		err = scan(p);
		if (!err)
			err = parse_value(p, &right, rank_of(op) + 1);
		if (!err)
			err = need_value(p, left);
		if (!err)
			err = need_value(p, right);
		if (err)
			return err;
		err = node_new(p, &left, FILTER_ARITH, at, take(left), take(right));
		if (err)
			left = NULL;
		else
			left->op = op;
	}
	if (!err)
		*out = take(left);
	return err;
}

static int new_pattern(struct parser *p, struct filter_node *node)
{
	bool regex = node->op == FILTER_OP_MATCH || node->op == FILTER_OP_NO_MATCH;
	__cleanup(free_ptr) char *why = NULL;
	int err = pattern_new(&node->pattern, node->right->text, regex, &why);

	if (err == -EINVAL)
		return filter_fault_set(p->fault, node->right->at, "this is not a regular expression: %s", why);
	return err;
}

/* Checks a comparison with a text. Its left side becomes the name, and its right side the text. */
static int finish_text(struct parser *p, struct filter_node *node)
{
	struct filter_node *left = node->left;
	bool equal = node->op == FILTER_OP_EQ || node->op == FILTER_OP_NE;
	bool regex = node->op == FILTER_OP_MATCH || node->op == FILTER_OP_NO_MATCH;

	if (equal && left->kind == FILTER_TEXT && node->right->kind != FILTER_TEXT) {
		node->left = node->right;
		node->right = left;
	}
	if (regex && node->right->kind != FILTER_TEXT)
		return filter_fault_set(p->fault, node->right->at, "a regular expression in quotes is expected here");
	if (node->right->kind != FILTER_TEXT && node->left->kind != FILTER_TEXT)
		return 0;
	if (node->right->kind == FILTER_TEXT && node->right->is_char && !regex && node->left->kind != FILTER_NAME)
		return 0;
	if (!equal && !regex) {
		if (node->right->kind != FILTER_TEXT || node->right->is_char)
			return 0;
		return filter_fault_set(p->fault, node->at, "text can be compared with == != =~ !~ only");
	}
	if (node->left->kind != FILTER_NAME)
		return filter_fault_set(p->fault, node->left->at, "text can be compared with a field or COMM only");
	if (node->left->has_index && node->right->is_char && !regex)
		return 0;
	if (node->left->has_index)
		return filter_fault_set(p->fault, node->at, "an array's element can be compared with a number only");
	return new_pattern(p, node);
}

static int parse_compare(struct parser *p, struct filter_node **out)
{
	__cleanup(node_cleanup) struct filter_node *left = NULL, *right = NULL;
	enum filter_op op;
	size_t at;
	int err = parse_value(p, &left, 1);

	op = p->op;
	at = p->at;
	if (!err && p->kind == TOKEN_OP && op >= FILTER_OP_EQ && op <= FILTER_OP_NO_MATCH) {
		err = scan(p);
		if (!err)
			err = parse_value(p, &right, 1);
		if (err)
			return err;
		err = node_new(p, &left, FILTER_COMPARE, at, take(left), take(right));
		if (err) {
			left = NULL;
			return err;
		}
		left->op = op;
		err = finish_text(p, left);
		if (!err && !left->pattern)
			err = need_value(p, left->left);
		if (!err && !left->pattern)
			err = need_value(p, left->right);
	} else if (!err && left->kind == FILTER_TEXT) {
		err = filter_fault_set(p->fault, left->at, "a text alone says nothing: compare it with a field");
	}
	if (!err)
		*out = take(left);
	return err;
}

static int parse_unit(struct parser *p, struct filter_node **out)
{
	if (p->kind != TOKEN_OP || p->op != FILTER_OP_NOT)
		return parse_compare(p, out);
	return parse_behind(p, out, FILTER_OP_NOT, parse_unit);
}

static int parse_expression(struct parser *p, struct filter_node **out)
{
	__cleanup(node_cleanup) struct filter_node *left = NULL;
	int err = parse_unit(p, &left);

	while (!err && p->kind == TOKEN_OP && (p->op == FILTER_OP_AND || p->op == FILTER_OP_OR)) {
		struct filter_node *right = NULL;
		enum filter_op op = p->op;
		size_t at = p->at;

		err = scan(p);
		if (!err)
			err = parse_unit(p, &right);
		if (err)
			return err;
		err = node_new(p, &left, FILTER_LOGIC, at, take(left), right);
		if (err)
			left = NULL;
		else
			left->op = op;
	}
	if (!err)
		*out = take(left);
	return err;
}

int filter_parse(struct filter_node **out, const char *text, size_t from, struct filter_fault *fault)
{
	__cleanup(node_cleanup) struct filter_node *root = NULL;
	struct parser p = { .text = text, .next = from, .fault = fault };
	int err = scan(&p);

	if (!err)
		err = parse_expression(&p, &root);
	if (err)
		return err;
	if (p.kind == TOKEN_CLOSE)
		return filter_fault_set(fault, p.at, "this parenthesis was never opened");
	if (p.kind != TOKEN_END)
		return filter_fault_set(fault, p.at,
					text[p.at] == '~' ? "an operator is expected here; =~ compares with a regular expression"
							  : "an operator is expected here");
	*out = take(root);
	return 0;
}
