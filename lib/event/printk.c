/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/printk.h"
#include "lib/base/vec.h"

struct string {
	uint64_t addr;
	size_t at; /* offset in .names */
};

struct printk {
	VEC(struct string) strings; /* ordered by address */
	struct str names;
};

static int by_addr(const void *a, const void *b)
{
	const struct string *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Splits "ADDRESS : TEXT". Returns false if the line has another form. */
static bool split_line(const struct text *line, uint64_t *addr, struct text *string)
{
	const char *colon = memchr(line->at, ':', line->size);
	char digits[24] = "";
	size_t n;

	if (!colon)
		return false;
	n = colon - line->at;
	memcpy(digits, line->at, MIN(n, sizeof(digits) - 1));
	*addr = strtoull(digits, NULL, 16);
	string->at = line->at + n + 1;
	string->size = line->size - n - 1;
	return true;
}

static void strip_quotes(struct text *string)
{
	if (string->size && string->at[0] == ' ') {
		string->at++;
		string->size--;
	}
	if (string->size && string->at[0] == '"') {
		string->at++;
		string->size--;
	}
	if (string->size && string->at[string->size - 1] == '"') {
		string->size--;
		if (string->size >= 2 && !memcmp(string->at + string->size - 2, "\\n", 2))
			string->size -= 2;
	}
}

int printk_new(struct printk **out, const struct text *formats)
{
	struct printk *printk = calloc(1, sizeof(*printk));
	struct text rest = *formats, line, string;
	int err = printk ? 0 : -ENOMEM;

	while (!err && text_line(&rest, &line)) {
		struct string s;

		if (!split_line(&line, &s.addr, &string))
			continue;
		strip_quotes(&string);
		s.at = printk->names.len;
		str_addn(&printk->names, string.at, string.size);
		str_addc(&printk->names, '\0');
		err = vec_push(&printk->strings, s);
		if (!err)
			err = str_ok(&printk->names);
	}
	if (err) {
		printk_free(printk);
		return err;
	}
	if (printk->strings.n)
		qsort(printk->strings.at, printk->strings.n, sizeof(struct string), by_addr);
	*out = printk;
	return 0;
}

void printk_free(struct printk *printk)
{
	if (!printk)
		return;
	vec_fini(&printk->strings);
	str_fini(&printk->names);
	free(printk);
}

const char *printk_find(const struct printk *printk, uint64_t addr)
{
	struct string key = { addr, 0 };
	const struct string *found = NULL;

	if (printk && printk->strings.n)
		found = bsearch(&key, printk->strings.at, printk->strings.n, sizeof(key), by_addr);
	return found ? printk->names.at + found->at : NULL;
}

void printk_each(const struct printk *printk, void (*each)(void *ctx, uint64_t addr, const char *string), void *ctx)
{
	if (!printk)
		return;
	vec_each (&printk->strings, string)
		each(ctx, string->addr, printk->names.at + string->at);
}
