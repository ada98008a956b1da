/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/ksyms.h"
#include "lib/base/io.h"

bool ksym_next(struct text *rest, struct ksym *out)
{
	struct text line;

	while (text_line(rest, &line)) {
		const char *blank = memchr(line.at, ' ', line.size), *tab;
		size_t left = blank ? (size_t)(line.at + line.size - blank) : 0;

		if (left < 4)
			continue;
		tab = memchr(blank, '\t', left);
		*out = (struct ksym){
			.at = strtoull(line.at, NULL, 16),
			.name = blank + 3,
			.len = (tab ? (size_t)(tab - blank) : left) - 3,
			.code = strchr("tTwW", blank[1]) != NULL,
		};
		return true;
	}
	return false;
}

int ksym_exists(const char *name)
{
	struct text all = { 0 }, rest;
	struct ksym sym;
	size_t len = strlen(name);
	bool found = false;
	int err = io_slurp(KALLSYMS, &all);

	rest = all;
	while (!err && !found && ksym_next(&rest, &sym))
		found = sym.code && sym.len == len && memcmp(sym.name, name, len) == 0;
	free(all.at);
	return err ? err : found;
}

int ksyms_blacklist(strv_t *out)
{
	struct text all = { 0 }, rest, line;
	int err = 0;

	if (io_slurp("/sys/kernel/debug/kprobes/blacklist", &all))
		return 0;
	rest = all;
	/* A line is "0xffffffff81000000-0xffffffff81000080	name". */
	while (!err && text_line(&rest, &line)) {
		const char *tab = memchr(line.at, '\t', line.size);

		if (tab)
			err = strv_own(out, strndup(tab + 1, (size_t)(line.at + line.size - tab - 1)));
	}
	strv_sort(out);
	free(all.at);
	return err;
}

bool ksyms_has(const strv_t *names, const char *name)
{
	for (size_t low = 0, high = names->n; low < high;) {
		size_t middle = (low + high) / 2;
		int order = strcmp(name, names->at[middle]);

		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}
