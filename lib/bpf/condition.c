/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/bpf/condition.h"
#include "lib/base/parse.h"

#include <ctype.h>

/* --- parsing ------------------------------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " ");
}

/* Parses "FIELD == NUMBER" and returns where it ends. Returns NULL when the text is something else. */
static const char *parse_test(const char *at, char *name, size_t size, uint64_t *number)
{
	char digits[24];
	size_t n = 0;

	at = skip_blanks(at);
	while (n + 1 < size && (isalnum((unsigned char)at[n]) || at[n] == '_'))
		n++;
	memcpy(name, at, n);
	name[n] = '\0';
	at = skip_blanks(at + n);
	if (!n || isdigit((unsigned char)*name) || strncmp(at, "==", 2))
		return NULL;
	at = skip_blanks(at + 2);
	n = strspn(at, "0123456789");
	if (!n || n >= sizeof(digits))
		return NULL;
	memcpy(digits, at, n);
	digits[n] = '\0';
	return parse_u64(digits, number) ? NULL : skip_blanks(at + n);
}

/* Parses tests of one field with || between them, and returns where they end. Returns NULL when the text is something else. */
static const char *parse_part(struct bpf_condition *out, struct bpf_types *types, const char *event, const char *at)
{
	char first[64] = "", name[64];
	uint64_t number;

	if (out->n == CONDITION_PARTS)
		return NULL;
	for (;;) {
		at = parse_test(at, name, sizeof(name), &number);
		if (!at || (*first && strcmp(first, name)) || out->parts[out->n].n == CONDITION_NUMBERS)
			return NULL;
		memcpy(first, name, sizeof(first));
		out->parts[out->n].numbers[out->parts[out->n].n++] = number;
		if (strncmp(at, "||", 2))
			break;
		at += 2;
	}
	if (!bpf_field_find(types, event, first, &out->parts[out->n].field) || out->parts[out->n].field.kind == BPF_FIELD_TEXT)
		return NULL;
	out->n++;
	return at;
}

bool bpf_condition_parse(struct bpf_condition *out, struct bpf_types *types, const char *event, const char *text)
{
	*out = (struct bpf_condition){ .n = 0 };
	text = skip_blanks(text);
	if (*text != '(') {
		text = parse_part(out, types, event, text);
		return text && !*text;
	}
	for (;;) {
		text = parse_part(out, types, event, text + 1);
		if (!text || *text != ')')
			return false;
		text = skip_blanks(text + 1);
		if (!*text)
			return true;
		if (strncmp(text, "&&", 2) || *(text = skip_blanks(text + 2)) != '(')
			return false;
	}
}

/* --- checking ------------------------------------------------------------------------------------------------------ */

bool bpf_condition_typed(const struct bpf_condition *condition)
{
	bool typed = false;

	for (size_t i = 0; i < condition->n; i++)
		typed |= bpf_field_typed(&condition->parts[i].field);
	return typed;
}

void bpf_condition_check(struct bpf_code *c, const struct bpf_condition *condition, int context, unsigned int label, unsigned int otherwise)
{
	for (size_t i = 0; i < condition->n; i++, label++) {
		bpf_field_read(c, &condition->parts[i].field, context, BPF_REG_7);
		for (size_t k = 0; k < condition->parts[i].n; k++) {
			code_set64(c, BPF_REG_1, condition->parts[i].numbers[k]);
			code_jump(c, BPF_JEQ, BPF_REG_7, BPF_REG_1, label);
		}
		code_go(c, otherwise);
		code_label(c, label);
	}
}
