/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/ksyms.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"

#include <stdlib.h>

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

typedef VEC(uint64_t) addresses_t;

static int by_address(const void *a, const void *b)
{
	return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Does the symbol's name match? Returns -ENOMEM when memory runs out. */
static int has_name(const struct ksym *sym, const char *glob)
{
	__cleanup(free_ptr) char *name = strndup(sym->name, sym->len);

	return name ? glob_match(glob, name) : -ENOMEM;
}

/* Appends the addresses of the code whose names match, in their order. */
static int find_addresses(struct text symbols, const char *glob, addresses_t *out)
{
	struct ksym sym;
	int is = 0;

	while (is >= 0 && ksym_next(&symbols, &sym))
		if (sym.code && sym.at) {
			is = has_name(&sym, glob);
			if (is > 0 && vec_push(out, sym.at))
				is = -ENOMEM;
		}
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), by_address);
	return MIN(is, 0);
}

int ksyms_others(struct text symbols, const char *glob, strv_t *out)
{
	addresses_t at = { 0 };
	struct ksym sym;
	int err = find_addresses(symbols, glob, &at);

	while (!err && at.n && ksym_next(&symbols, &sym)) {
		if (!sym.code || !bsearch(&sym.at, at.at, at.n, sizeof(*at.at), by_address))
			continue;
		err = has_name(&sym, glob);
		err = err ? MIN(err, 0) : strv_own(out, strndup(sym.name, sym.len));
	}
	vec_fini(&at);
	return err;
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
