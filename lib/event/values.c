/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/values.h"
#include "lib/base/digits.h"

/* --- bytes ---------------------------------------------------------------------------------------------------- */

/* Finds the data of a field. The number of a dynamic field has the offset of its data in the lower half and the length in the upper one. */
static bool find_data(const struct value_field *f, const void *data, size_t size, size_t *offset, size_t *n)
{
	uint64_t where;

	if (!f->at.dynamic) {
		*offset = f->at.offset;
		*n = f->at.size ? f->at.size : SIZE_MAX;
		return f->at.offset <= size && (!f->at.size || f->at.size <= size - f->at.offset);
	}
	if (!field_get(&(struct field){ .offset = f->at.offset, .size = f->at.size }, data, size, f->swap, &where))
		return false;
	*offset = (where & 0xffff) + (f->relative ? (size_t)f->at.offset + f->at.size : 0);
	*n = f->at.size == 2 ? SIZE_MAX : where >> 16 & 0xffff;
	return *offset <= size;
}

bool value_bytes(const struct value_field *f, const void *data, size_t size, struct value *out)
{
	size_t offset, n;

	if (!find_data(f, data, size, &offset, &n))
		return false;
	out->at = (const uint8_t *)data + offset;
	out->size = MIN(n, size - offset);
	if (f->kind == VALUE_STRING)
		out->size = strnlen((const char *)out->at, out->size);
	return true;
}

static uint64_t extend(uint64_t value, unsigned int size, bool is_signed)
{
	unsigned int shift = 64 - 8 * size;

	return is_signed && shift ? (uint64_t)((int64_t)(value << shift) >> shift) : value;
}

uint64_t value_element(const struct value_field *f, const struct value *value, size_t i)
{
	return extend(load(value->at + i * f->element, f->element, f->swap), f->element, f->at.is_signed);
}

/* --- text ----------------------------------------------------------------------------------------------------- */

static void add_number(const struct value_field *f, uint64_t number, struct str *out)
{
	const struct symbol *sym = f->kind == VALUE_FUNCTION ? symbols_find(f->symbols, number) : NULL;

	if (sym)
		str_add(out, sym->name);
	else if (f->kind == VALUE_BOOL)
		str_add(out, number ? "yes" : "no");
	else if (f->kind == VALUE_POINTER || f->kind == VALUE_FUNCTION)
		str_addf(out, "0x%llx", (unsigned long long)number);
	else if (f->at.is_signed)
		str_addf(out, "%lld", (long long)number);
	else
		str_addf(out, "%llu", (unsigned long long)number);
}

static void add_array(const struct value_field *f, const struct value *value, struct str *out)
{
	size_t n = value_elements(f, value);

	str_addc(out, '{');
	for (size_t i = 0; i < n; i++) {
		str_add(out, i ? "," : "");
		add_number(f, value_element(f, value, i), out);
	}
	str_addc(out, '}');
}

static bool has_bit(const struct value_field *f, const struct value *value, size_t bit)
{
	size_t per = 8 * (size_t)f->element;

	return value_element(f, value, bit / per) >> bit % per & 1;
}

static void add_bits(const struct value_field *f, const struct value *value, struct str *out)
{
	size_t n = value_elements(f, value) * f->element * 8;
	bool more = false;

	for (size_t bit = 0; bit < n; bit++) {
		size_t first = bit;

		if (!has_bit(f, value, bit))
			continue;
		while (bit + 1 < n && has_bit(f, value, bit + 1))
			bit++;
		str_addf(out, bit > first ? "%s%zu-%zu" : "%s%zu", more ? "," : "", first, bit);
		more = true;
	}
}

void value_text(const struct value_field *f, const void *data, size_t size, struct str *out)
{
	struct value value;

	if (!value_get(f, data, size, &value))
		return;
	if (f->text)
		print_run(f->text, data, size, out);
	else if (value_is_number(f))
		add_number(f, value.number, out);
	else if (f->kind == VALUE_STRING)
		str_addn(out, value.at, value.size);
	else if (f->kind == VALUE_ARRAY)
		add_array(f, &value, out);
	else
		add_bits(f, &value, out);
}

/* --- all ------------------------------------------------------------------------------------------------------ */

void values_free(struct values *values)
{
	if (!values)
		return;
	vec_each (&values->fields, f) {
		free(f->name);
		free(f->type);
		print_free(f->text);
	}
	vec_fini(&values->fields);
	free(values);
}

int values_names(struct event *event, bool numbers, strv_t *out)
{
	const struct values *values;
	int err = values_of(&values, event);

	for (size_t i = 0; !err && i < values->fields.n; i++) {
		const struct value_field *field = &values->fields.at[i];

		if (!field->common && (!numbers || value_is_number(field)) && !strv_has(out, field->name))
			err = strv_add(out, field->name);
	}
	return err;
}

const struct value_field *values_field(const struct values *values, const char *name)
{
	vec_each (&values->fields, f)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}
