/* SPDX-License-Identifier: GPL-2.0 */
/* Describes events in the Common Trace Format, and writes their fields. */
#include "lib/export/ctf.h"
#include "lib/base/quote.h"
#include "lib/event/text.h"

#include <ctype.h>

/* --- values ----------------------------------------------------------------------------------------------------- */

void ctf_number(struct str *out, uint64_t v, unsigned int size)
{
	if (!str_room(out, 8))
		return;
	for (unsigned int i = 0; i < size; i++)
		out->at[out->len++] = (char)(v >> 8 * i);
}

void ctf_text(struct str *out, const char *text, size_t n)
{
	quote_utf8(text, n, out);
	if (str_room(out, 1))
		out->at[out->len++] = '\0';
}

static unsigned int width_of(const struct plan_field *f)
{
	const unsigned int size = f->field->at.size;

	if (f->how == PLAN_BOOL)
		return 1;
	return f->how < PLAN_ADDRESS && (size == 1 || size == 2 || size == 4) ? size : 8;
}

static void add_function(const struct symbols *symbols, uint64_t addr, struct str *scratch, struct str *out)
{
	const struct symbol *sym = symbols ? symbols_find(symbols, addr) : NULL;

	if (sym) {
		ctf_text(out, sym->name, sym->name_len);
		return;
	}
	str_clear(scratch);
	str_addf(scratch, "0x%llx", (unsigned long long)addr);
	ctf_text(out, str_text(scratch), scratch->len);
}

static void add_stack(const struct plan *plan, const struct record *rec, struct str *scratch, struct str *out)
{
	const struct trace *trace = plan->event->trace;
	const bool user = stack_is_user(plan->event);
	addresses_t stack = { 0 };

	out->oom |= stack_get(plan->event, rec, &stack) != 0;
	ctf_number(out, stack.n, 4);
	for (size_t i = 0; i < stack.n; i++) {
		if (user && trace->usermaps) {
			str_clear(scratch);
			usermaps_text(trace->usermaps, stack_tgid(plan->event, rec), rec->ts, stack.at[i], i > 0, scratch);
			ctf_text(out, str_text(scratch), scratch->len);
		} else {
			add_function(user ? NULL : trace->symbols, stack.at[i], scratch, out);
		}
	}
	vec_fini(&stack);
}

static void add_array(const struct plan_field *f, const struct value *value, struct str *out)
{
	const size_t n = value ? value_elements(f->field, value) : 0;

	ctf_number(out, n, 4);
	for (size_t i = 0; i < n; i++)
		ctf_number(out, value_element(f->field, value, i), f->field->element);
}

static void add_text(const struct plan_field *f, const struct record *rec, struct str *scratch, struct str *out)
{
	str_clear(scratch);
	value_text(f->field, rec->data, rec->size, scratch);
	ctf_text(out, str_text(scratch), scratch->len);
}

/* Adds a field. If the record is too short for it, the field is 0 or empty. */
static void add_field(const struct plan *plan, const struct plan_field *f, const struct record *rec, struct str *scratch, struct str *out)
{
	struct value value = { 0 };
	const bool there = f->how != PLAN_TOOK && f->how != PLAN_STACK && value_get(f->field, rec->data, rec->size, &value);

	switch (f->how) {
	case PLAN_STRING:
		ctf_text(out, there ? (const char *)value.at : "", value.size);
		break;
	case PLAN_ARRAY:
		add_array(f, there ? &value : NULL, out);
		break;
	case PLAN_STACK:
		add_stack(plan, rec, scratch, out);
		break;
	case PLAN_TEXT:
		add_text(f, rec, scratch, out);
		break;
	case PLAN_TOOK:
		ctf_number(out, rec->flags & RECORD_TIMED ? rec->took : UINT64_MAX, 8);
		break;
	case PLAN_FUNCTION:
		ctf_number(out, value.number, 8);
		add_function(f->field->symbols, value.number, scratch, out);
		break;
	default:
		ctf_number(out, f->how == PLAN_BOOL ? !!value.number : value.number, width_of(f));
	}
}

void ctf_fields(const struct plan *plan, const struct record *rec, struct str *scratch, struct str *out)
{
	vec_each (&plan->fields, f)
		add_field(plan, f, rec, scratch, out);
}

/* --- declarations ----------------------------------------------------------------------------------------------- */

/*
 * Returns an identifier for a name. It begins with an underscore, which readers remove, because the name may be a keyword of the language. Characters that an
 * identifier cannot have become underscores. @taken has the identifiers before it.
 */
static const char *identifier(strv_t *taken, const char *name, const char *more)
{
	char *made = str_printf("_%s%s", name, more);

	for (char *at = made; at && *at; at++)
		if (!isalnum((unsigned char)*at))
			*at = '_';
	while (made && strv_has(taken, made)) {
		char *longer = str_printf("%s_", made);

		free(made);
		made = longer;
	}
	return strv_own(taken, made) ? NULL : taken->at[taken->n - 1];
}

static void add_string(const char *text, struct str *out)
{
	struct str clean = { 0 };

	quote_utf8(text, strlen(text), &clean);
	str_addc(out, '"');
	for (const char *at = str_text(&clean); *at; at++) {
		if (*at == '"' || *at == '\\')
			str_addc(out, '\\');
		if ((unsigned char)*at < ' ')
			str_addf(out, "\\%03o", *at);
		else
			str_addc(out, *at);
	}
	str_addc(out, '"');
	out->oom |= clean.oom;
	str_fini(&clean);
}

static void begin_event(uint32_t id, const char *name, struct str *out)
{
	str_add(out, "event {\n\tname = ");
	add_string(name, out);
	str_addf(out, ";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct {\n", id);
}

static void declare_field(const struct plan_field *f, strv_t *taken, struct str *out)
{
	const char *length = f->how == PLAN_ARRAY || f->how == PLAN_STACK ? identifier(taken, f->name, "_length") : "";
	const char *name = identifier(taken, f->name, ""), *text = f->how == PLAN_FUNCTION ? identifier(taken, f->name, "_name") : "";

	if (!length || !name || !text) {
		out->oom = true;
		return;
	}
	if (*length)
		str_addf(out, "\t\tuint32_t %s;\n", length);
	if (f->how == PLAN_STRING || f->how == PLAN_TEXT)
		str_addf(out, "\t\tstring %s;\n", name);
	else if (f->how == PLAN_STACK)
		str_addf(out, "\t\tstring %s[%s];\n", name, length);
	else if (f->how == PLAN_ARRAY)
		str_addf(out, "\t\t%sint%u_t %s[%s];\n", f->field->at.is_signed ? "" : "u", 8 * f->field->element, name, length);
	else if (f->how == PLAN_ADDRESS || f->how == PLAN_FUNCTION)
		str_addf(out, "\t\taddress_t %s;\n", name);
	else if (f->how == PLAN_TOOK)
		str_addf(out, "\t\tint64_t %s;\n", name);
	else
		str_addf(out, "\t\t%sint%u_t %s;\n", f->how == PLAN_SIGNED ? "" : "u", 8 * width_of(f), name);
	if (*text)
		str_addf(out, "\t\tstring %s;\n", text);
}

void ctf_declare(const struct plan *plan, uint32_t id, const char *name, struct str *out)
{
	strv_t taken = { 0 };

	begin_event(id, name, out);
	vec_each (&plan->fields, f)
		declare_field(f, &taken, out);
	str_add(out, "\t};\n};\n\n");
	strv_fini(&taken);
}

void ctf_declare_unknown(uint32_t id, struct str *out)
{
	begin_event(id, "unknown", out);
	str_add(out, "\t\tuint16_t _id;\n\t\tuint32_t _size;\n\t};\n};\n\n");
}

/* --- what stands in front --------------------------------------------------------------------------------------- */

static void add_types(struct str *out)
{
	for (unsigned int size = 8; size <= 64; size *= 2)
		str_addf(out,
			 "typealias integer { size = %u; align = 8; signed = false; } := uint%u_t;\n"
			 "typealias integer { size = %u; align = 8; signed = true; } := int%u_t;\n",
			 size, size, size, size);
	str_add(out, "typealias integer { size = 64; align = 8; signed = false; base = 16; } := address_t;\n\n");
}

static void add_stream(bool buffers, struct str *out)
{
	str_add(out, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n\tpacket.header := struct {\n\t\tuint32_t magic;\n\t\tuint32_t stream_id;\n"
		     "\t\tuint64_t stream_instance_id;\n\t};\n};\n\n");
	str_add(out, "typealias integer { size = 64; align = 8; signed = false; map = clock.trace.value; } := time_t;\n\n");
	str_add(out, "stream {\n\tid = 0;\n\tpacket.context := struct {\n\t\ttime_t timestamp_begin;\n\t\ttime_t timestamp_end;\n\t\tuint64_t content_size;\n"
		     "\t\tuint64_t packet_size;\n\t\tuint64_t events_discarded;\n\t\tuint32_t cpu_id;\n");
	str_add(out, buffers ? "\t\tstring _buffer;\n\t};\n" : "\t};\n");
	str_add(out, "\tevent.header := struct {\n\t\tuint32_t id;\n\t\ttime_t timestamp;\n\t};\n"
		     "\tevent.context := struct {\n\t\tint32_t _pid;\n\t\tstring _comm;\n\t\tuint8_t _flags;\n\t\tuint8_t _preempt;\n\t};\n};\n\n");
}

void ctf_preamble(const struct input *in, bool in_ns, bool buffers, struct str *out)
{
	str_add(out, "/* CTF 1.8 */\n\n");
	add_types(out);
	str_add(out, "env {\n\ttracer_name = \"ringside\";\n\ttime_unit = ");
	str_add(out, in_ns ? "\"ns\";\n\tfile = " : "\"ticks\";\n\tfile = ");
	add_string(in->path, out);
	str_add(out, ";\n};\n\nclock {\n\tname = trace;\n\tfreq = 1000000000;\n\toffset = 0;\n};\n\n");
	add_stream(buffers, out);
}
