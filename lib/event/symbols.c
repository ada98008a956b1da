/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/symbols.h"
#include "lib/base/vec.h"
#include <pthread.h>
#include <stdatomic.h>

#define CACHE_BITS 14
#define DIGIT_BITS 16
#define DIGITS (1u << DIGIT_BITS)

/* All symbols of one address; the next run's first symbol follows this one's last. */
struct run {
	uint32_t exact;	/* of the symbol that answers for the address itself */
	uint32_t last;	/* of the symbol that answers for what follows it */
};

struct table {
	struct symbol *symbols;	/* by address; among equals the last in the text first */
	uint64_t *addrs;	/* of the runs, ascending */
	struct run *runs;
	uint32_t n, n_runs;
	char *names;
	uint32_t high;	/* the upper half of most addresses */
	/* Answers: an address's lower half in front of 1 + its symbol's index. Only addresses of the common upper half are in it. */
	_Atomic uint64_t cache[1 << CACHE_BITS];
};

struct symbols {
	const struct text *text;
	pthread_mutex_t lock; /* held while the table is made */
	_Atomic(struct table *) table;
};

/* What of the text is being taken apart. */
struct parser {
	VEC(struct symbol) symbols;
	char *names; /* where the next name goes */
	const char *module;
	size_t module_len;
};

int symbols_new(struct symbols **out, const struct text *kallsyms)
{
	struct symbols *syms = calloc(1, sizeof(*syms));

	if (!syms)
		return -ENOMEM;
	syms->text = kallsyms;
	pthread_mutex_init(&syms->lock, NULL);
	*out = syms;
	return 0;
}

static void table_free(struct table *table)
{
	if (!table)
		return;
	free(table->symbols);
	free(table->addrs);
	free(table->runs);
	free(table->names);
	free(table);
}

void symbols_free(struct symbols *syms)
{
	if (!syms)
		return;
	table_free(atomic_load(&syms->table));
	pthread_mutex_destroy(&syms->lock);
	free(syms);
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

static const char *skip_word(const char *at, const char *end)
{
	while (at < end && !is_blank(*at))
		at++;
	return at;
}

static const char *parse_hex(const char *at, const char *end, uint64_t *out)
{
	uint64_t value = 0;

	for (; at < end; at++) {
		unsigned int c = (unsigned char)*at, low = c | 0x20;

		if (c - '0' < 10)
			value = value << 4 | (c - '0');
		else if (low - 'a' < 6)
			value = value << 4 | (low - 'a' + 10);
		else
			break;
	}
	*out = value;
	return at;
}

static const char *keep(struct parser *p, const char *at, size_t n)
{
	char *name = p->names;

	memcpy(name, at, n);
	name[n] = '\0';
	p->names += n + 1;
	return name;
}

/*
 * "ADDRESS TYPE NAME" and perhaps "\t[MODULE]". Absolute symbols (on x86 the offsets of per-CPU variables) and
 * ARM's mapping symbols ($a, $d, …) are no places in the kernel. A line that is not of that form is passed over.
 */
static int parse_line(struct parser *p, const char *at, const char *end)
{
	struct symbol sym = { 0 };
	const char *digits = skip_blanks(at, end), *name;
	char type;

	at = parse_hex(digits, end, &sym.addr);
	if (at == digits)
		return 0;
	at = skip_blanks(at, end);
	if (at == end)
		return 0;
	type = *at;
	name = skip_blanks(at + 1, end);
	at = skip_word(name, end);
	if (at == name || *name == '$' || type == 'A' || type == 'a')
		return 0;
	sym.name_len = at - name;
	sym.name = keep(p, name, sym.name_len);
	if (end - at > 2 && at[0] == '\t' && at[1] == '[') {
		size_t n = skip_word(at + 2, end) - (at + 2);

		n -= n > 0; /* the bracket */
		if (!p->module || p->module_len != n || memcmp(p->module, at + 2, n)) {
			p->module = keep(p, at + 2, n);
			p->module_len = n;
		}
		sym.module = p->module;
	}
	return vec_push(&p->symbols, sym);
}

/* Names are never longer than the text: each gets its NUL in place of the blank or newline after it. */
static int parse_text(struct table *table, const struct text *text)
{
	size_t size = text->at ? strnlen(text->at, text->size) : 0;
	const char *at = text->at, *end = at + size;
	struct parser p = { 0 };
	int err;

	table->names = malloc(size + 1);
	p.names = table->names;
	err = table->names ? vec_reserve(&p.symbols, size / 48 + 1) : -ENOMEM;
	while (!err && at < end) {
		const char *newline = memchr(at, '\n', end - at);

		newline = newline ? newline : end;
		err = parse_line(&p, at, newline);
		at = newline + 1;
	}
	table->symbols = p.symbols.at;
	table->n = p.symbols.n;
	return err;
}

/* One pass of a radix sort that keeps the order of equals; false: this digit is the same in all of them. */
static bool sort_digit(const struct symbol *from, struct symbol *to, uint32_t n, uint32_t *count,
		       int shift)
{
	uint32_t sum = 0;

	memset(count, 0, DIGITS * sizeof(*count));
	for (uint32_t i = 0; i < n; i++)
		count[from[i].addr >> shift & (DIGITS - 1)]++;
	if (count[from[0].addr >> shift & (DIGITS - 1)] == n)
		return false;
	for (uint32_t i = 0; i < DIGITS; i++) {
		uint32_t here = count[i];

		count[i] = sum;
		sum += here;
	}
	for (uint32_t i = 0; i < n; i++)
		to[count[from[i].addr >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

static int sort_symbols(struct table *table)
{
	__cleanup(free_ptr) uint32_t *count = malloc(DIGITS * sizeof(*count));
	struct symbol *other = malloc((table->n + 1) * sizeof(*other));

	if (!count || !other) {
		free(other);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < table->n; i++)
		other[i] = table->symbols[table->n - 1 - i];
	for (int shift = 0; table->n && shift < 64; shift += DIGIT_BITS) {
		if (sort_digit(other, table->symbols, table->n, count, shift)) {
			struct symbol *sorted = table->symbols;

			table->symbols = other;
			other = sorted;
		}
	}
	free(table->symbols);
	table->symbols = other;
	return 0;
}

/* The symbol among equals at which a binary search over all @n halving [low, high) arrives first. */
static uint32_t first_hit(uint32_t n, uint32_t first, uint32_t last)
{
	uint32_t low = 0, high = n;

	for (;;) {
		uint32_t mid = low + (high - low) / 2;

		if (mid < first)
			low = mid + 1;
		else if (mid > last)
			high = mid;
		else
			return mid;
	}
}

static int index_runs(struct table *table)
{
	uint32_t n = table->n, next;

	table->addrs = malloc((n + 1) * sizeof(*table->addrs));
	table->runs = malloc((n + 1) * sizeof(*table->runs));
	if (!table->addrs || !table->runs)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i = next) {
		uint64_t addr = table->symbols[i].addr;

		for (next = i + 1; next < n && table->symbols[next].addr == addr; next++)
			;
		table->addrs[table->n_runs] = addr;
		table->runs[table->n_runs] = (struct run){ first_hit(n, i, next - 1), next - 1 };
		table->n_runs++;
	}
	return 0;
}

static struct table *table_make(const struct text *text)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	if (parse_text(table, text) || sort_symbols(table) || index_runs(table)) {
		table_free(table);
		return NULL;
	}
	table->high = table->n_runs ? (uint32_t)(table->addrs[table->n_runs / 2] >> 32) : 0;
	return table;
}

/* Made by whoever needs it first; NULL: no memory for it (the next one tries again). */
static struct table *table_of(const struct symbols *constant)
{
	struct symbols *syms = (struct symbols *)constant;
	struct table *table = atomic_load_explicit(&syms->table, memory_order_acquire);

	if (likely(table))
		return table;
	pthread_mutex_lock(&syms->lock);
	table = atomic_load_explicit(&syms->table, memory_order_relaxed);
	if (!table) {
		table = table_make(syms->text);
		atomic_store_explicit(&syms->table, table, memory_order_release);
	}
	pthread_mutex_unlock(&syms->lock);
	return table;
}

/* Does run @i answer for @addr? Nothing is known of what follows the last symbol. */
static bool run_covers(const struct table *table, uint32_t i, uint64_t addr)
{
	if (addr < table->addrs[i])
		return false;
	return addr == table->addrs[i] || (i + 1 < table->n_runs && addr < table->addrs[i + 1]);
}

static uint32_t run_search(const struct table *table, uint64_t addr)
{
	const uint64_t *base = table->addrs;
	uint32_t n = table->n_runs;

	while (n > 1) {
		uint32_t half = n / 2;

		base = base[half] <= addr ? base + half : base;
		n -= half;
	}
	return (uint32_t)(base - table->addrs);
}

static const struct symbol *search(struct table *table, uint64_t addr)
{
	uint32_t i;

	if (!table->n_runs)
		return NULL;
	i = run_search(table, addr);
	if (!run_covers(table, i, addr))
		return NULL;
	return &table->symbols[addr == table->addrs[i] ? table->runs[i].exact : table->runs[i].last];
}

const struct symbol *symbols_find(const struct symbols *syms, uint64_t addr)
{
	struct table *table = syms ? table_of(syms) : NULL;
	const struct symbol *found;
	_Atomic uint64_t *slot;
	uint64_t answer;

	if (!table || addr >> 32 != table->high)
		return table ? search(table, addr) : NULL;
	slot = &table->cache[(uint32_t)addr * 0x9e3779b1u >> (32 - CACHE_BITS)];
	answer = atomic_load_explicit(slot, memory_order_relaxed);
	if (likely(answer >> 32 == (uint32_t)addr && (uint32_t)answer))
		return &table->symbols[(uint32_t)answer - 1];
	found = search(table, addr);
	if (found)
		atomic_store_explicit(slot, addr << 32 | (uint64_t)(found - table->symbols + 1), memory_order_relaxed);
	return found;
}

uint64_t symbols_address(const struct symbols *syms, const char *name)
{
	struct table *table = syms ? table_of(syms) : NULL;
	size_t len = strlen(name);

	for (uint32_t i = 0; table && i < table->n; i++) {
		const struct symbol *sym = &table->symbols[i];

		if (sym->name_len == len && !memcmp(sym->name, name, len))
			return sym->addr;
	}
	return 0;
}

void symbols_each(const struct symbols *syms, void (*each)(void *ctx, const struct symbol *sym), void *ctx)
{
	const struct table *table = syms ? table_of(syms) : NULL;

	for (uint32_t i = 0; table && i < table->n; i++)
		each(ctx, &table->symbols[i]);
}
