/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/worst-text.h"
#include "lib/base/visible.h"

enum { FIELD, TEXT };

void stack_lines(const char *path, struct str *out)
{
	const char *end = path + strlen(path), *at = end;
	bool first = true;

	while (at > path) {
		while (at > path && at[-1] != ';')
			at--;
		str_addf(out, "%s=> %.*s", first ? "" : "\n", (int)(end - at), at);
		end = at = at > path ? at - 1 : at;
		first = false;
	}
}

int worst_table(struct table **out, const struct dist_worst *w, const struct table_show *show)
{
	static const struct table_column columns[] = { [FIELD] = { "field", TABLE_TEXT }, [TEXT] = { "text", TABLE_TEXT }, { NULL } };
	static const struct table_spec spec = { .columns = columns };
	const struct table_show plain = { .form = show->form };
	int err = table_new(out, &spec, &plain);

	for (size_t i = 0; !err && i < w->names.n; i++) {
		table_row(*out, TABLE_ROOT);
		table_text(*out, FIELD, w->names.at[i]);
		table_text(*out, TEXT, w->values.at[i]);
	}
	if (!err && w->stack.len) {
		table_row(*out, TABLE_ROOT);
		table_text(*out, FIELD, "stack");
		table_text(*out, TEXT, w->stack.at);
	}
	return err;
}

void worst_text(const struct dist_worst *w, bool ticks, struct str *out)
{
	if (ticks)
		str_addf(out, "The longest, %llu", (unsigned long long)w->value);
	else
		str_addf(out, "The longest, %.3f us", (double)w->value / 1e3);
	str_add(out, w->names.n ? ":" : "");
	for (size_t i = 0; i < w->names.n; i++) {
		str_addf(out, " %s=", w->names.at[i]);
		str_add(out, w->values.at[i]);
	}
	if (w->stack.len) {
		str_addc(out, '\n');
		stack_lines(w->stack.at, out);
	}
	visible_str(out, 0, true);
	str_addc(out, '\n');
}
