/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/query/store.h"
#include "lib/base/parse.h"
#include "lib/base/err.h"
#include "lib/base/scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* A store takes up to this much memory; what goes beyond is in a file. */
#define STORE_MEMORY (256ULL << 20)

int store_new(struct store **out, const uint8_t *types, unsigned int n, uint64_t wanted)
{
	struct store *store = calloc(1, sizeof(*store));

	if (!store)
		return -ENOMEM;
	*store = (struct store){ .users = 1,
				 .columns = calloc(n + 1, sizeof(*store->columns)),
				 .ncolumns = n,
				 .wanted = wanted,
				 .limit = STORE_MEMORY,
				 .fd = -1,
				 .ts = -1 };
	if (!store->columns) {
		free(store);
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < n; i++)
		store->columns[i] = (struct store_column){ .type = types[i], .kept = store_wants(wanted, i) };
	*out = store;
	return 0;
}

void store_put(struct store *store)
{
	if (!store || --store->users)
		return;
	for (unsigned int i = 0; i < store->ncolumns; i++)
		vec_fini(&store->columns[i].pieces);
	vec_each (&store->maps, map)
		munmap(map->at, map->size);
	vec_fini(&store->maps);
	vec_each (&store->orders, order)
		free(order->rows);
	vec_fini(&store->orders);
	map_fini(&store->ids);
	strv_fini(&store->texts);
	free(store->ranks);
	free(store->columns);
	if (store->fd >= 0)
		close(store->fd);
	free(store);
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

static int failed(struct store *store, int err)
{
	store->err = store->err ? store->err : err;
	return store->err;
}

/* Maps bytes of the file. They are allocated on the disk first, so that writing to them later cannot fail because it is full. */
static void *map_file(struct store *store, size_t size)
{
	const char *folder = "";
	int err;
	void *at;

	if (store->fd < 0)
		store->fd = scratch_open(&folder);
	if (store->fd < 0)
		return failed(store, fail(-store->fd, "cannot use a file in %s for what does not fit into memory: %m", folder)), NULL;
	err = posix_fallocate(store->fd, (off_t)store->file, (off_t)size);
	if (err)
		return failed(store, fail(err, "the rows of the query need %llu MB of files beside the memory: %m; TMPDIR says where",
					  (unsigned long long)((store->file + size) >> 20))),
		       NULL;
	at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, store->fd, (off_t)store->file);
	store->file += size;
	return at;
}

/* Returns a piece of zeros, or NULL after a failure. */
static char *new_piece(struct store *store, size_t size)
{
	const bool in_file = store->memory + size > store->limit;
	struct text map = { .size = size };
	void *at;

	at = in_file ? map_file(store, size) : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!at || at == MAP_FAILED)
		return failed(store, -ENOMEM), NULL;
	store->memory += in_file ? 0 : size;
	map.at = at;
	if (vec_push(&store->maps, map)) {
		munmap(at, size);
		return failed(store, -ENOMEM), NULL;
	}
	return at;
}

static int add_pieces(struct store *store)
{
	for (unsigned int i = 0; i < store->ncolumns; i++) {
		struct store_column *column = &store->columns[i];
		char *piece;

		if (!column->kept)
			continue;
		piece = new_piece(store, STORE_ROWS / 8 + STORE_ROWS * (column->type == COLUMN_TEXT ? 4 : 8));
		if (!piece)
			return store->err;
		if (vec_push(&column->pieces, piece))
			return failed(store, -ENOMEM);
	}
	return 0;
}

uint32_t store_row(struct store *store)
{
	if (unlikely(store->err))
		return UINT32_MAX;
	if (unlikely(store->n == UINT32_MAX - 1))
		return failed(store, fail(E2BIG, "the query wants more than %u rows of one table", UINT32_MAX - 1)), UINT32_MAX;
	if (store->n % STORE_ROWS == 0 && add_pieces(store))
		return UINT32_MAX;
	return store->n++;
}

/* --- values ------------------------------------------------------------------------------------------------------ */

static char *place(struct store *store, uint32_t row, unsigned int column, unsigned int width)
{
	const struct store_column *c = &store->columns[column];
	const uint32_t at = row % STORE_ROWS;
	char *piece;

	if (!c->kept || row >= store->n || row / STORE_ROWS >= c->pieces.n)
		return NULL;
	piece = c->pieces.at[row / STORE_ROWS];
	piece[at / 8] = (char)((uint8_t)piece[at / 8] | 1 << at % 8);
	return piece + STORE_ROWS / 8 + width * (size_t)at;
}

void store_number(struct store *store, uint32_t row, unsigned int column, uint64_t v)
{
	char *at = place(store, row, column, 8);

	if (at)
		memcpy(at, &v, sizeof(v));
}

void store_forget(struct store *store, uint32_t row, unsigned int column)
{
	const struct store_column *c = &store->columns[column];
	const uint32_t at = row % STORE_ROWS;

	if (c->kept && row < store->n && row / STORE_ROWS < c->pieces.n)
		c->pieces.at[row / STORE_ROWS][at / 8] &= (char)~(1U << at % 8);
}

void store_id(struct store *store, uint32_t row, unsigned int column, uint32_t id)
{
	char *at = id == UINT32_MAX ? NULL : place(store, row, column, 4);

	if (at)
		memcpy(at, &id, sizeof(id));
}

uint32_t store_text_id(struct store *store, const char *text, size_t n)
{
	map_entry(&store->ids) entry = map_find_text(&store->ids, text, n);
	uint32_t id = (uint32_t)store->texts.n;
	char *copy;

	if (likely(entry))
		return entry->value;
	copy = strndup(text, n);
	if (strv_own(&store->texts, copy))
		return failed(store, -ENOMEM), UINT32_MAX;
	entry = map_add_text(&store->ids, copy, strlen(copy));
	if (!entry)
		return failed(store, -ENOMEM), UINT32_MAX;
	entry->value = id;
	return id;
}

void store_text(struct store *store, uint32_t row, unsigned int column, const char *text, size_t n)
{
	if (store->columns[column].kept)
		store_id(store, row, column, store_text_id(store, text, strnlen(text, n)));
}

void store_cell(struct store *store, uint32_t row, unsigned int column, const struct cell *cell)
{
	const bool text = store->columns[column].type == COLUMN_TEXT;
	char digits[32];
	uint64_t v;

	if (cell->kind == CELL_NULL || !store->columns[column].kept)
		return;
	if (text && cell->kind == CELL_TEXT) {
		store_text(store, row, column, cell->text, cell->size);
	} else if (text) {
		snprintf(digits, sizeof(digits), "%lld", (long long)cell->number);
		store_text(store, row, column, digits, strlen(digits));
	} else if (cell->kind == CELL_INTEGER) {
		store_number(store, row, column, (uint64_t)cell->number);
	} else if (store->columns[column].type != COLUMN_INTEGER && !parse_u64(cell->text, &v)) {
		store_number(store, row, column, v);
	}
}

void store_value(const struct store *store, uint32_t row, unsigned int column, struct str *room, struct cell *out)
{
	uint64_t v;

	*out = (struct cell){ 0 };
	if (!store_get(store, row, column, &v))
		return;
	if (store->columns[column].type == COLUMN_TEXT)
		*out = (struct cell){ .kind = CELL_TEXT, .text = store->texts.at[v], .size = strlen(store->texts.at[v]) };
	else if (store->columns[column].type != COLUMN_INTEGER)
		cell_unsigned(out, v, room);
	else
		*out = (struct cell){ .kind = CELL_INTEGER, .number = (int64_t)v };
}

int store_done(struct store *store, int ts)
{
	uint64_t before = 0, now;

	if (store->err)
		return store->err;
	store->ts = ts;
	store->in_order = ts >= 0 && store->columns[ts].kept;
	for (uint32_t row = 0; store->in_order && row < store->n; row++) {
		store->in_order = store_get(store, row, (unsigned int)ts, &now) && now >= before;
		before = now;
	}
	return 0;
}
