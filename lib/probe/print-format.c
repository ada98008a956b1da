/* SPDX-License-Identifier: GPL-2.0 */
/* Improves the print format of a probe: print fmt: "(%lx) dfd=%d how=%d", REC->__probe_ip, REC->dfd, REC->how */
#include "lib/probe/print-format.h"

#include <ctype.h>

/* Where the text of an argument is (" how=%d"), and where its value is (", REC->how"). */
struct parts {
	const char *label, *label_end, *conversion;
	const char *value, *value_end;
};

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Finds the parts of an argument. Returns false when it is not printed in this way. */
static bool find_parts(const char *line, const char *name, struct parts *out)
{
	__cleanup(free_ptr) char *label = str_printf(" %s=", name);
	__cleanup(free_ptr) char *value = str_printf(", REC->%s", name);

	if (!label || !value)
		return false;
	out->label = strstr(line, label);
	if (!out->label)
		return false;
	out->conversion = out->label + strlen(label);
	out->label_end = out->conversion + strcspn(out->conversion, " \"\\");
	for (out->value = strstr(out->label_end, value); out->value; out->value = strstr(out->value_end, value)) {
		out->value_end = out->value + strlen(value);
		if (!in_name(*out->value_end))
			return true;
	}
	return false;
}

/*
 * Returns the conversion, and appends the value, of an argument that is printed otherwise than the kernel prints it. A number of a few bits gets its sign
 * from the highest bit: twice the worth of that bit is subtracted. (libtraceevent does not parse a shift in brackets correctly.)
 */
static const char *shown_as(const struct fetch *f, struct str *value)
{
	unsigned long long sign = f->bits ? 1ULL << (f->bits - 1) : 0;

	if (f->enums)
		str_addf(value, ", __print_symbolic(REC->%s, %s)", f->name, f->enums);
	else if (f->shown == 's')
		str_addf(value, ", (REC->%s - ((REC->%s & 0x%llx) * 2))", f->name, f->name, sign);
	else
		str_addf(value, ", REC->%s", f->name);
	return f->enums ? "%s" : f->shown == 's' ? "%Ld" : "0x%Lx";
}

/* Returns @line with one argument replaced, in new memory. NULL: out of memory. */
static char *rewrite(const char *line, const struct fetch *f)
{
	struct str s = { 0 }, value = { 0 };
	const char *conversion;
	struct parts p;

	if (!find_parts(line, f->name, &p))
		return strdup(line);
	conversion = shown_as(f, &value);
	str_addn(&s, line, (size_t)((f->hidden ? p.label : p.conversion) - line));
	str_add(&s, f->hidden ? "" : conversion);
	str_addn(&s, p.label_end, (size_t)(p.value - p.label_end));
	str_add(&s, f->hidden ? "" : str_text(&value));
	str_add(&s, p.value_end);
	str_fini(&value);
	return str_take(&s);
}

/*
 * Returns the format with the number of elements put in, in new memory. The kernel describes an array of four as "field:s32 table[];", from which the size
 * of an element is not known. It becomes "field:s32 table[4];". NULL: out of memory.
 */
static char *count_elements(const char *format, const struct fetch *f)
{
	const char *count = strchr(f->type, '[');
	__cleanup(free_ptr) char *empty = str_printf(" %s[];", f->name);
	const char *found = empty ? strstr(format, empty) : NULL;
	struct str s = { 0 };

	if (!found || !count)
		return empty ? strdup(format) : NULL;
	str_addn(&s, format, (size_t)(found - format) + 1 + strlen(f->name));
	str_add(&s, count);
	str_add(&s, found + strlen(empty) - 1);
	return str_take(&s);
}

/* Returns the format changed as @f needs it, in new memory. NULL: out of memory. */
static char *improve(const char *format, const struct fetch *f)
{
	const char *line = strstr(format, "\nprint fmt: ");
	__cleanup(free_ptr) char *better = NULL;
	struct str s = { 0 };

	if (line && (f->enums || f->hidden || f->shown)) {
		better = rewrite(line, f);
		str_addn(&s, format, (size_t)(line - format));
		str_add(&s, better ? better : "");
		return better ? str_take(&s) : NULL;
	}
	return f->type && strchr(f->type, '[') ? count_elements(format, f) : strdup(format);
}

int probe_print_format(const struct probe_command *c, struct text *format)
{
	vec_each (&c->args, f) {
		char *better = format->at ? improve(format->at, f) : NULL;

		if (!better)
			return -ENOMEM;
		free(format->at);
		format->at = better;
		format->size = strlen(better);
	}
	return 0;
}
