/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/columns.h"
#include "lib/base/digits.h"

void columns_put(struct columns *columns, unsigned int column, uint64_t value)
{
	struct str *to = &columns->at[column];

	columns->n = MAX(columns->n, column + 1);
	if (!str_room(to, VARINT_MOST)) {
		to->oom = true;
		return;
	}
	to->len = (size_t)(put_varint(to->at + to->len, value) - to->at);
	to->at[to->len] = '\0';
}

void columns_put_difference(struct columns *columns, unsigned int column, uint64_t value)
{
	const int64_t difference = (int64_t)(value - columns->before[column]);

	columns->before[column] = value;
	columns_put(columns, column, difference < 0 ? ((uint64_t)-difference << 1) - 1 : (uint64_t)difference << 1);
}

static void put_u32(uint64_t value, struct str *out)
{
	for (unsigned int i = 0; i < 4; i++)
		str_addc(out, (char)(value >> 8 * i));
}

void columns_take(struct columns *columns, struct str *out)
{
	put_u32(columns->n, out);
	for (unsigned int i = 0; i < columns->n; i++)
		put_u32(columns->at[i].len, out);
	for (unsigned int i = 0; i < columns->n; i++) {
		str_addn(out, str_text(&columns->at[i]), columns->at[i].len);
		out->oom |= columns->at[i].oom;
		str_fini(&columns->at[i]);
	}
	*columns = (struct columns){ 0 };
}
