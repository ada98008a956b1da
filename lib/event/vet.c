/* SPDX-License-Identifier: GPL-2.0 */
/* Checks the lines of an event's format up to its print format. */
#include "lib/event/vet.h"

#include <ctype.h>

/*
 * Formats of kernels have at most 11 kB and 34 fields. The limits are higher, but needed, because libtraceevent's time grows with the square of some numbers.
 */
enum { MOST_BYTES = 256 << 10, MOST_FIELDS = 1000, MOST_NAME = 256, MOST_WORDS = 16 };

struct vetter {
	struct text rest;
	struct str *out;
	struct vetted *vetted;
	names_t fields;
};

static void find_fault(struct vetter *v, const char *why)
{
	if (v->vetted->why)
		return;
	v->vetted->why = why;
	v->vetted->damaged = true;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void skip_blanks(struct text *t)
{
	while (t->size && (*t->at == ' ' || *t->at == '\t')) {
		t->at++;
		t->size--;
	}
}

static bool skip(struct text *t, const char *literal)
{
	size_t n = strlen(literal);

	skip_blanks(t);
	if (t->size < n || memcmp(t->at, literal, n))
		return false;
	t->at += n;
	t->size -= n;
	return true;
}

/* Takes a word of letters, digits and underscores. Its .size is 0 if there is none. */
static struct text word(struct text *t)
{
	struct text found;

	skip_blanks(t);
	found = (struct text){ t->at, 0 };
	while (t->size && is_word(*t->at)) {
		t->at++;
		t->size--;
		found.size++;
	}
	return found;
}

/* Reads "KEY:NUMBER;" with a number of 16 bits. */
static bool number_of(struct text *t, const char *key, unsigned int *out)
{
	struct text digits;
	unsigned int value = 0;

	if (!skip(t, key) || !skip(t, ":"))
		return false;
	digits = word(t);
	if (!digits.size || digits.size > 5 || !skip(t, ";"))
		return false;
	for (size_t i = 0; i < digits.size; i++) {
		if (!isdigit((unsigned char)digits.at[i]))
			return false;
		value = value * 10 + (unsigned int)(digits.at[i] - '0');
	}
	*out = value;
	return value <= UINT16_MAX;
}

/* Skips "__attribute__((user))". */
static bool skip_attribute(struct text *t)
{
	int depth = 0;

	do {
		if (skip(t, "("))
			depth++;
		else if (skip(t, ")"))
			depth--;
		else if (!word(t).size)
			return false;
		if (depth > 4)
			return false;
	} while (depth > 0);
	return true;
}

/* Skips the rest of "[16]", "[]" or "[TASK_COMM_LEN + 1]" after the opening bracket. */
static bool skip_brackets(struct text *t)
{
	size_t n = 0;

	for (;; n++) {
		if (skip(t, "]"))
			return true;
		skip_blanks(t);
		if (!t->size || n > MOST_WORDS || !(is_word(*t->at) || strchr("+-*/()", *t->at)))
			return false;
		if (!word(t).size) {
			t->at++;
			t->size--;
		}
	}
}

/* Checks a declaration, such as "unsigned long args[6]", "__data_loc char[] name" or "const char * s". Its last word is the field's name. */
static bool vet_declaration(struct text t, struct text *name)
{
	bool named, last_named = false;
	size_t words = 0;

	for (;; words++) {
		struct text next = word(&t);

		named = next.size;
		if (next.size) {
			*name = next;
			if (next.size == strlen("__attribute__") && !memcmp(next.at, "__attribute__", next.size) && (!words || !skip_attribute(&t)))
				return false;
		} else if (!words || (!skip(&t, "*") && !skip(&t, "."))) {
			break;
		}
		if (words > MOST_WORDS)
			return false;
		last_named = named;
	}
	if (words < 2 || !last_named)
		return false;
	if (skip(&t, "[")) {
		struct text behind;

		if (!skip_brackets(&t))
			return false;
		behind = word(&t);
		if (behind.size)
			*name = behind;
	}
	skip_blanks(&t);
	return !t.size && name->size <= MOST_NAME && !isdigit((unsigned char)*name->at);
}

static bool vet_field(struct text line, struct text *name)
{
	unsigned int offset, size, is_signed;
	struct text declaration;
	const char *end;

	if (!skip(&line, "field"))
		return false;
	skip(&line, "special");
	if (!skip(&line, ":"))
		return false;
	end = memchr(line.at, ';', line.size);
	if (!end)
		return false;
	declaration = (struct text){ line.at, (size_t)(end - line.at) };
	line.size -= declaration.size + 1;
	line.at += declaration.size + 1;
	if (!vet_declaration(declaration, name) || !number_of(&line, "offset", &offset) || !number_of(&line, "size", &size))
		return false;
	skip_blanks(&line);
	if (line.size && !number_of(&line, "signed", &is_signed))
		return false;
	skip_blanks(&line);
	return !line.size;
}

/* Takes the next line that is not blank. Returns false at the end. */
static bool next_line(struct vetter *v, struct text *line)
{
	while (text_line(&v->rest, line)) {
		struct text t = *line;

		skip_blanks(&t);
		if (t.size)
			return true;
	}
	return false;
}

/* Checks the head: "name: NAME", "ID: NUMBER" and "format:". */
static bool vet_head(struct vetter *v)
{
	struct text line, name, id;

	if (!next_line(v, &line) || !skip(&line, "name") || !skip(&line, ":"))
		return false;
	name = word(&line);
	skip_blanks(&line);
	if (!name.size || name.size > MOST_NAME || line.size || !next_line(v, &line) || !skip(&line, "ID") || !skip(&line, ":"))
		return false;
	id = word(&line);
	skip_blanks(&line);
	if (!id.size || id.size > 5 || strspn(id.at, "0123456789") < id.size || line.size)
		return false;
	if (!next_line(v, &line) || !skip(&line, "format") || !skip(&line, ":"))
		return false;
	str_add(v->out, "name: ");
	str_addn(v->out, name.at, name.size);
	str_add(v->out, "\nID: ");
	str_addn(v->out, id.at, id.size);
	str_add(v->out, "\nformat:\n");
	return true;
}

static bool begins_print(struct text line)
{
	return skip(&line, "print") && skip(&line, "fmt");
}

/* Checks two lists of fields with a blank line after each. What follows is left in v->rest. Returns 0 or -ENOMEM. */
static int vet_fields(struct vetter *v)
{
	struct text before = v->rest, line, name;
	int lists = 0, err = 0;

	for (; !err && text_line(&v->rest, &line); before = v->rest) {
		struct text t = line;

		skip_blanks(&t);
		if (begins_print(line)) {
			v->rest = before;
			break;
		}
		if (!t.size) {
			if (lists++ < 2)
				str_addc(v->out, '\n');
		} else if (lists < 2 && v->fields.n < MOST_FIELDS && vet_field(line, &name)) {
			err = vec_push(&v->fields, name);
			str_addn(v->out, line.at, line.size);
			str_addc(v->out, '\n');
		} else {
			find_fault(v, "a line that should describe a field does not");
			v->vetted->no_fields = true;
		}
	}
	for (; lists < 2; lists++)
		str_addc(v->out, '\n');
	return err;
}

static void vet_rest(struct vetter *v)
{
	struct text print = v->rest;
	bool passes = skip(&print, "print") && skip(&print, "fmt") && skip(&print, ":");

	if (!passes)
		find_fault(v, "it breaks off before its print format");
	else
		passes = vet_print(&print, &v->fields, v->vetted);
	v->vetted->no_print = !passes;
	str_add(v->out, "print fmt:");
	if (passes)
		str_addn(v->out, print.at, print.size);
	else
		str_add(v->out, " \"\"\n");
}

int vet_format(const struct text *format, struct str *out, struct vetted *vetted)
{
	struct vetter v = { .rest = *format, .out = out, .vetted = vetted };
	int err = 0;

	*vetted = (struct vetted){ 0 };
	/* For libtraceevent the text ends at a NUL. */
	v.rest.size = strnlen(v.rest.at ? v.rest.at : "", MIN(v.rest.size, (size_t)MOST_BYTES + 1));
	if (v.rest.size < format->size)
		find_fault(&v, v.rest.size > MOST_BYTES ? "it is far too long" : "there is a NUL in it");
	if (!vet_head(&v))
		find_fault(&v, "it does not begin with a name and an ID");
	else
		err = vet_fields(&v);
	if (!err && v.fields.n)
		vet_rest(&v);
	else if (!err)
		find_fault(&v, "it has no fields");
	if (!v.fields.n)
		str_clear(out);
	vec_fini(&v.fields);
	return err ? err : str_ok(out);
}
