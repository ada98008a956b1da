/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/symbols.h"
#include "lib/base/digits.h"
#include "lib/base/map.h"
#include "lib/data/bytes.h"
#include "lib/event/kallsyms.h"
#include <pthread.h>
#include <stdatomic.h>

/*
 * Answers are kept in a cache by address. The lower 48 bits of the address are mixed so that different addresses stay different. The upper bits of the result
 * are the index in the cache. The entry holds the remaining bits and, below them, 1 + the symbol's index.
 */
enum { STIRRED_BITS = 48, CACHE_BITS = 14, INDEX_BITS = 64 - STIRRED_BITS + CACHE_BITS };

enum { BLOCK = 64 << 10 };

/* The symbols of one text. A symbol is filled in when it is first found. */
struct table {
	struct kallsyms all;
	uint32_t *place;	/* of each symbol, 1 + its place in .symbols; 0: not filled in yet */
	struct symbol *symbols; /* in the order in which they were first found, so that frequent ones lie together */
	/* About the symbols that are filled in; changed with the lock held. */
	uint32_t n_symbols;
	VEC(char *) blocks;   /* of names */
	char *block_at;	      /* where the last block is free */
	size_t block_left;    /* how many bytes are free there */
	uint16_t high;	      /* the upper 16 bits of most addresses; answers are kept only for addresses with these bits */
	struct table *before; /* the table that was used before symbols_renew() */
	_Atomic uint64_t cache[1 << CACHE_BITS];
};

struct symbols {
	const struct text *text;
	pthread_mutex_t lock; /* for all below; also held while a symbol is filled in */
	pthread_cond_t made;
	struct table *making; /* the table that is being made, or NULL */
	uint32_t parts_begun, parts_read;
	_Atomic(struct table *) table;
	/* For symbols_name_id(). All tables share it, because their numbers are compared with each other. */
	MAP(struct text, uint32_t) name_ids;
};

int symbols_new(struct symbols **out, const struct text *kallsyms)
{
	struct symbols *syms = calloc(1, sizeof(*syms));

	if (!syms)
		return -ENOMEM;
	syms->text = kallsyms;
	pthread_mutex_init(&syms->lock, NULL);
	pthread_cond_init(&syms->made, NULL);
	*out = syms;
	return 0;
}

static void table_free(struct table *table)
{
	if (!table)
		return;
	vec_each (&table->blocks, block)
		free(*block);
	vec_fini(&table->blocks);
	free(table->symbols);
	free(table->place);
	kallsyms_fini(&table->all);
	free(table);
}

void symbols_free(struct symbols *syms)
{
	struct table *table, *before;

	if (!syms)
		return;
	for (table = atomic_load(&syms->table); table; table = before) {
		before = table->before;
		table_free(table);
	}
	pthread_cond_destroy(&syms->made);
	map_fini(&syms->name_ids);
	pthread_mutex_destroy(&syms->lock);
	free(syms);
}

/* Returns a table whose text is still to be read, or NULL for lack of memory. */
static struct table *table_begin(const struct text *text)
{
	struct table *table = calloc(1, sizeof(*table));

	if (table && kallsyms_begin(&table->all, text))
		table_free(take(table));
	return table;
}

/* Completes the table when all parts are read. For lack of memory, frees the table and returns NULL. */
static struct table *table_end(struct table *table)
{
	if (!kallsyms_end(&table->all)) {
		table->place = calloc(table->all.n + 1, sizeof(*table->place));
		table->symbols = calloc(table->all.n + 1, sizeof(*table->symbols));
	}
	if (!table->place || !table->symbols) {
		table_free(table);
		return NULL;
	}
	table->high = table->all.n ? (uint16_t)(table->all.addrs[table->all.n / 2] >> STIRRED_BITS) : 0;
	return table;
}

static struct table *table_make(const struct text *text)
{
	struct table *table = table_begin(text);

	for (uint32_t i = 0; table && i < table->all.nparts; i++)
		kallsyms_read(&table->all, i);
	return table ? table_end(table) : NULL;
}

void symbols_renew(struct symbols *syms, const struct text *kallsyms)
{
	struct table *old = atomic_load(&syms->table), *table;

	pthread_mutex_lock(&syms->lock);
	syms->text = kallsyms;
	table = old ? table_make(kallsyms) : NULL;
	if (table) {
		table->before = old;
		atomic_store_explicit(&syms->table, table, memory_order_release);
	}
	pthread_mutex_unlock(&syms->lock);
}

/* Reads a part of the text; the lock is released meanwhile. The thread that reads the last part completes the table. Returns false for lack of memory. */
static bool read_part(struct symbols *syms)
{
	struct table *table = syms->making;
	uint32_t part = syms->parts_begun++;

	pthread_mutex_unlock(&syms->lock);
	kallsyms_read(&table->all, part);
	pthread_mutex_lock(&syms->lock);
	if (++syms->parts_read < table->all.nparts)
		return true;
	syms->making = NULL;
	table = table_end(table);
	atomic_store_explicit(&syms->table, table, memory_order_release);
	pthread_cond_broadcast(&syms->made);
	return table != NULL;
}

/* Makes the table, together with the other threads that need it at the same time. Returns NULL for lack of memory; the next call tries again. */
static __attribute__((noinline)) struct table *table_new(struct symbols *syms)
{
	struct table *table;

	pthread_mutex_lock(&syms->lock);
	while (!(table = atomic_load_explicit(&syms->table, memory_order_relaxed))) {
		if (!syms->making) {
			syms->making = table_begin(syms->text);
			syms->parts_begun = syms->parts_read = 0;
		}
		if (!syms->making)
			break;
		if (syms->parts_begun == syms->making->all.nparts)
			pthread_cond_wait(&syms->made, &syms->lock);
		else if (!read_part(syms))
			break;
	}
	pthread_mutex_unlock(&syms->lock);
	return table;
}

/* Returns NULL if there is no memory or no symbols. */
static inline struct table *table_of(struct symbols *syms)
{
	struct table *table = syms ? atomic_load_explicit(&syms->table, memory_order_acquire) : NULL;

	return likely(table) || !syms ? table : table_new(syms);
}

/* Returns a NUL-terminated copy of a name with enough room behind it for put_short(), or NULL for lack of memory. */
static char *keep(struct table *table, const char *at, size_t n)
{
	size_t room = MAX(n + 1, (size_t)SHORT_ROOM);
	char *name;

	if (room > table->block_left) {
		size_t size = MAX(room, (size_t)BLOCK);
		char *block = malloc(size);

		if (!block || vec_push(&table->blocks, block)) {
			free(block);
			return NULL;
		}
		memset(block, 0, size);
		table->block_left = size;
		table->block_at = block;
	}
	name = table->block_at;
	memcpy(name, at, n);
	name[n] = '\0';
	table->block_at += room;
	table->block_left -= room;
	return name;
}

static bool is_plain(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char c = at[i], lower = (char)(c | 0x20);

		if (!((lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$'))
			return false;
	}
	return true;
}

/* Is the symbol data? The letter before its name is the type, as in nm(1). */
static bool is_data(const char *name)
{
	do
		name--;
	while (*name == ' ' || (*name >= '\t' && *name <= '\r'));
	return *name && strchr("bBdDrR", *name);
}

/* Takes the names of symbol @i and of its module from the text. The lock must be held. For lack of memory, the symbol stays without a place. */
static void fill_in(struct table *table, uint32_t i)
{
	struct text module, text = kallsyms_name(&table->all, i, &module);
	const char *name = keep(table, text.at, text.size);
	const char *module_name = module.at ? keep(table, module.at, module.size) : NULL;

	if (!name || (module.at && !module_name))
		return;
	table->symbols[table->n_symbols] = (struct symbol){
		.addr = table->all.addrs[i],
		.name = name,
		.module = module_name,
		.name_len = (uint32_t)text.size,
		.data = is_data(text.at),
		.plain = is_plain(text.at, text.size),
	};
	/* A thread that reads the place then also sees the symbol. */
	__atomic_store_n(&table->place[i], ++table->n_symbols, __ATOMIC_RELEASE);
}

/* Returns symbol @i, filled in, or NULL for lack of memory. */
static const struct symbol *symbol_of(struct symbols *syms, struct table *table, uint32_t i)
{
	uint32_t place = __atomic_load_n(&table->place[i], __ATOMIC_ACQUIRE);

	if (!place) {
		pthread_mutex_lock(&syms->lock);
		if (!table->place[i])
			fill_in(table, i);
		place = table->place[i];
		pthread_mutex_unlock(&syms->lock);
	}
	return place ? &table->symbols[place - 1] : NULL;
}

static const struct symbol *find_slowly(struct symbols *syms, struct table *table, uint64_t addr)
{
	int64_t i = kallsyms_search(&table->all, addr);

	return i < 0 ? NULL : symbol_of(syms, table, (uint32_t)i);
}

const struct symbol *symbols_find(const struct symbols *constant, uint64_t addr)
{
	const uint64_t indexes = (1ULL << INDEX_BITS) - 1;
	struct symbols *syms = (struct symbols *)constant;
	struct table *table = table_of(syms);
	uint64_t stirred = addr * 0x9e3779b97f4a7c15u << (64 - STIRRED_BITS), answer;
	const uint64_t key = stirred << CACHE_BITS;
	const struct symbol *found;
	_Atomic uint64_t *slot;

	if (!table || addr >> STIRRED_BITS != table->high)
		return table ? find_slowly(syms, table, addr) : NULL;
	slot = &table->cache[stirred >> (64 - CACHE_BITS)];
	answer = atomic_load_explicit(slot, memory_order_acquire);
	if (likely((answer & ~indexes) == key && answer & indexes))
		return &table->symbols[(answer & indexes) - 1];
	found = find_slowly(syms, table, addr);
	if (found)
		atomic_store_explicit(slot, key | (uint64_t)(found - table->symbols + 1), memory_order_release);
	return found;
}

/* Returns a hash of the 4 bytes at @name. */
static inline uint8_t beginning(const char *name)
{
	return (uint8_t)(get32(name, HOST_BIG_ENDIAN) * 0x9e3779b1U >> 24);
}

void symbols_addresses(const struct symbols *constant, const char *const *names, size_t n, uint64_t *addrs)
{
	const struct table *table = table_of((struct symbols *)constant);
	bool begins[UINT8_MAX + 1] = { false };

	memset(addrs, 0, n * sizeof(*addrs));
	for (size_t k = 0; k < n; k++)
		begins[beginning(names[k])] = true;
	for (uint32_t i = 0; table && i < table->all.n; i++) {
		const char *at = table->all.text + table->all.names[i];
		struct text name, module;

		if (table->all.end - at < SYMBOLS_LEAST || likely(!begins[beginning(at)]))
			continue;
		name = kallsyms_name(&table->all, i, &module);
		for (size_t k = 0; k < n; k++)
			if (!addrs[k] && !module.at && strlen(names[k]) == name.size && !memcmp(names[k], name.at, name.size))
				addrs[k] = table->all.addrs[i];
	}
}

uint64_t symbols_address(const struct symbols *constant, const char *name)
{
	const struct table *table = table_of((struct symbols *)constant);
	size_t len = strlen(name);

	for (uint32_t i = 0; table && i < table->all.n; i++) {
		const char *at = table->all.text + table->all.names[i];

		if ((size_t)(table->all.end - at) >= len && !memcmp(at, name, len)) {
			struct text module;

			if (kallsyms_name(&table->all, i, &module).size == len)
				return table->all.addrs[i];
		}
	}
	return 0;
}

uint32_t symbols_name_id_(const struct symbols *constant, const struct symbol *constant_sym)
{
	struct symbols *syms = (struct symbols *)constant;
	struct symbol *sym = (struct symbol *)constant_sym;
	map_entry(&syms->name_ids) id = map_add_text(&syms->name_ids, sym->name, sym->name_len);

	if (!id)
		return 0;
	if (!id->value)
		id->value = (uint32_t)map_count(&syms->name_ids);
	return sym->name_id = id->value;
}

void symbols_each(const struct symbols *constant, void (*each)(void *ctx, const struct symbol *sym), void *ctx)
{
	struct symbols *syms = (struct symbols *)constant;
	struct table *table = table_of(syms);

	for (uint32_t i = 0; table && i < table->all.n; i++) {
		const struct symbol *sym = symbol_of(syms, table, i);

		if (sym)
			each(ctx, sym);
	}
}
