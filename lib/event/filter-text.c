// SPDX-License-Identifier: GPL-2.0
/* Writes a filter as it was understood for an event: conditions on fields that the event lacks are gone. */
#include "lib/event/filter-program.h"
#include <traceevent/event-parse.h>

enum truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_DEPENDS };

static const char *const ops[] = {
	[FILTER_OP_AND] = "&&",	 [FILTER_OP_OR] = "||", [FILTER_OP_EQ] = "==",	  [FILTER_OP_NE] = "!=",       [FILTER_OP_LT] = "<",   [FILTER_OP_LE] = "<=",
	[FILTER_OP_GT] = ">",	 [FILTER_OP_GE] = ">=", [FILTER_OP_MATCH] = "=~", [FILTER_OP_NO_MATCH] = "!~", [FILTER_OP_ADD] = "+",  [FILTER_OP_SUB] = "-",
	[FILTER_OP_MUL] = "*",	 [FILTER_OP_DIV] = "/", [FILTER_OP_MOD] = "%",	  [FILTER_OP_SHR] = ">>",      [FILTER_OP_SHL] = "<<", [FILTER_OP_BITAND] = "&",
	[FILTER_OP_BITOR] = "|", [FILTER_OP_XOR] = "^", [FILTER_OP_NEG] = "-",	  [FILTER_OP_FLIP] = "~",
};

static bool is_missing(const struct filter_node *node, struct tep_event *event)
{
	if (!node)
		return false;
	if (node->kind == FILTER_NAME)
		return strcmp(node->text, "COMM") && strcmp(node->text, "CPU") && !tep_find_any_field(event, node->text);
	return is_missing(node->left, event) || is_missing(node->right, event);
}

/* Adds a value: a number, a text, a field, or an operation on these. */
static void add_value(const struct filter_node *node, struct str *out)
{
	switch (node->kind) {
	case FILTER_NUMBER:
		str_addf(out, "%lld", (long long)node->number);
		break;
	case FILTER_TEXT:
		str_addf(out, node->is_char ? "'%s'" : "\"%s\"", node->text);
		break;
	case FILTER_NAME:
		str_add(out, node->text);
		if (node->has_index)
			str_addf(out, "[%llu]", (unsigned long long)node->number);
		break;
	case FILTER_ARITH:
		str_add(out, node->right ? "(" : ops[node->op]);
		add_value(node->left, out);
		if (node->right) {
			str_addf(out, " %s ", ops[node->op]);
			add_value(node->right, out);
			str_addc(out, ')');
		}
		break;
	default:
		break;
	}
}

static enum truth add_node(const struct filter_node *node, struct tep_event *event, struct str *out);

static enum truth add_logic(const struct filter_node *node, struct tep_event *event, struct str *out)
{
	enum truth decides = node->op == FILTER_OP_AND ? TRUTH_FALSE : TRUTH_TRUE, left, right;
	struct str texts[2] = { 0 };

	left = add_node(node->left, event, &texts[0]);
	if (node->op == FILTER_OP_NOT) {
		if (left == TRUTH_DEPENDS)
			str_addf(out, "!(%s)", str_text(&texts[0]));
		str_fini(&texts[0]);
		return left == TRUTH_DEPENDS ? left : left == TRUTH_FALSE ? TRUTH_TRUE : TRUTH_FALSE;
	}
	right = add_node(node->right, event, &texts[1]);
	if (left == decides || right == decides) {
		left = decides;
	} else if (left != TRUTH_DEPENDS || right != TRUTH_DEPENDS) {
		str_add(out, str_text(&texts[left != TRUTH_DEPENDS]));
		left = left == TRUTH_DEPENDS ? left : right;
	} else {
		str_addf(out, "(%s) %s (%s)", str_text(&texts[0]), ops[node->op], str_text(&texts[1]));
	}
	str_fini(&texts[0]);
	str_fini(&texts[1]);
	return left;
}

static enum truth add_node(const struct filter_node *node, struct tep_event *event, struct str *out)
{
	if (node->kind == FILTER_LOGIC)
		return add_logic(node, event, out);
	if (is_missing(node, event))
		return TRUTH_FALSE;
	if (node->kind == FILTER_COMPARE) {
		add_value(node->left, out);
		str_addf(out, " %s ", ops[node->op]);
		add_value(node->right, out);
	} else {
		add_value(node, out);
	}
	return TRUTH_DEPENDS;
}

int filter_text(const struct filter *filter, strv_t *out)
{
	int err = 0;

	vec_each (&filter->clauses, clause) {
		for (size_t i = 0; !err && i < clause->events.n; i++) {
			struct tep_event *event = tep_find_event(filter->tep, clause->events.at[i]);
			struct str text = { 0 };
			enum truth truth = TRUTH_TRUE;

			if (event && clause->root)
				truth = add_node(clause->root, event, &text);
			if (event)
				err = strv_own(out, str_printf("%s: %s", event->name,
							       truth == TRUTH_DEPENDS ? str_text(&text)
							       : truth == TRUTH_TRUE  ? "TRUE"
										      : "FALSE"));
			str_fini(&text);
		}
	}
	return err;
}
