/* SPDX-License-Identifier: GPL-2.0 */
/* Keeps the items of long output in a file without a name, so that memory does not grow with them. */
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/scratch.h"
#include "lib/output/tree-items.h"

/* At most this many bytes of items and texts are kept in memory. The last items of a task are always kept, because their call may end next. */
enum { MUCH = 6 << 20, LAST = 2 };

/* The memory of a task that has room for more items than this is given back when the task has no new items. */
enum { SMALL = 64 };

struct item *tree_new(struct tree *tree, struct tree_task *mine)
{
	tree->bytes += sizeof(struct item);
	return vec_reserve(&mine->items, 1) ? NULL : &mine->items.at[mine->items.n++];
}

int tree_add(struct tree *tree, struct tree_task *mine, const struct item *item)
{
	tree->bytes += sizeof(*item);
	if (item->text)
		tree->bytes += strlen(mine->texts.at + item->text) + 1;
	return vec_push(&mine->items, *item);
}

static int failed(int err)
{
	return fail(-err, "cannot keep the calls of a long recording in a file: %m; TMPDIR names the folder");
}

static int read_at(const struct tree *tree, void *to, size_t n, uint64_t at)
{
	ssize_t got = io_pread(tree->fd, to, n, at);

	return got == (ssize_t)n ? 0 : failed(got < 0 ? (int)got : -EIO);
}

/* --- the short form ------------------------------------------------------------------------------------------ */

/*
 * Nearly all items are functions of function_graph without remarks. They are packed into few words, because writing and reading whole items took as long as
 * drawing them.
 */
enum {
	WHAT, /* bits, from the lowest on: 48 function, 10 depth, 3 kind; 1 each: .named, function above 2^63, item is in the other place */
	TOOK, /* 48 bits of the duration, all ones for CALL_UNKNOWN; 16 of the CPU. For an item in the other place: its number there */
	TS,   /* only if times are shown */
	WORDS,
};

#define FUNC_BITS ((1ULL << 48) - 1)
#define WHOLE (1ULL << 63)
enum { DEPTH_BITS = 10, KIND_BITS = 3, PIECE = 2048 };

static size_t words_of(const struct tree *tree)
{
	return tree->reading->exact ? WORDS : TS;
}

static inline bool is_simple(const struct item *item)
{
	const uint64_t high = item->func & ~FUNC_BITS;

	return !(item->text | item->cut) && item->source == CALL_SOURCE_GRAPH && item->depth < 1 << DEPTH_BITS && (!high || high == ~FUNC_BITS) &&
	       (item->duration < FUNC_BITS || item->duration == CALL_UNKNOWN);
}

static inline void pack(const struct item *item, uint64_t *to)
{
	to[WHAT] = (item->func & FUNC_BITS) | (uint64_t)item->depth << 48 | (uint64_t)item->kind << (48 + DEPTH_BITS) |
		   (uint64_t)item->named << (48 + DEPTH_BITS + KIND_BITS) | item->func >> 63 << 62;
	to[TOOK] = (item->duration & FUNC_BITS) | (uint64_t)item->cpu << 48;
}

/* Sets one member after the other. Copying a whole item would make the CPU wait for its parts. */
static inline void unpack(const uint64_t *from, struct item *to)
{
	const uint64_t duration = from[TOOK] & FUNC_BITS;

	to->func = (from[WHAT] & FUNC_BITS) | (from[WHAT] >> 62 & 1 ? ~FUNC_BITS : 0);
	to->duration = duration == FUNC_BITS ? CALL_UNKNOWN : duration;
	to->text = 0;
	to->depth = from[WHAT] >> 48 & ((1 << DEPTH_BITS) - 1);
	to->cpu = (uint16_t)(from[TOOK] >> 48);
	to->kind = from[WHAT] >> (48 + DEPTH_BITS) & ((1 << KIND_BITS) - 1);
	to->cut = 0;
	to->source = CALL_SOURCE_GRAPH;
	to->named = from[WHAT] >> (48 + DEPTH_BITS + KIND_BITS) & 1;
}

static uint64_t whole_at(const struct tree *tree, const struct tree_block *block)
{
	return block->at + block->room * words_of(tree) * sizeof(uint64_t);
}

static uint64_t texts_at(const struct tree *tree, const struct tree_block *block)
{
	return whole_at(tree, block) + block->whole * sizeof(struct item);
}

static int write_items(struct tree *tree, const struct item *items, struct tree_block *block)
{
	const size_t words = words_of(tree);
	uint64_t piece[PIECE * WORDS], *to;
	VEC(struct item) whole = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < block->room; i += PIECE) {
		const size_t n = MIN(block->room - i, (size_t)PIECE);

		to = piece;
		for (const struct item *item = &items[i]; item < &items[i + n]; item++, to += words) {
			if (likely(is_simple(item))) {
				pack(item, to);
			} else {
				to[WHAT] = WHOLE;
				to[TOOK] = whole.n;
				err = err ? err : vec_push(&whole, *item);
			}
			if (words > TS)
				to[TS] = item->ts;
		}
		err = err ? err : io_pwrite(tree->fd, piece, n * words * sizeof(*to), block->at + i * words * sizeof(*to));
	}
	block->whole = whole.n;
	if (!err && whole.n)
		err = io_pwrite(tree->fd, whole.at, whole.n * sizeof(*whole.at), whole_at(tree, block));
	vec_fini(&whole);
	return err;
}

int tree_read(const struct tree *tree, const struct tree_block *block, const struct tree_rest *rest, size_t i, struct item *items, size_t n)
{
	const size_t words = words_of(tree);
	uint64_t piece[PIECE * WORDS], *from;
	int err = 0;

	for (size_t done = 0, part; !err && done < n; done += part) {
		part = MIN(n - done, (size_t)PIECE);
		err = read_at(tree, piece, part * words * sizeof(*from), block->at + (i + done) * words * sizeof(*from));
		from = piece;
		for (struct item *to = &items[done]; !err && to < &items[done + part]; to++, from += words) {
			to->ts = words > TS ? from[TS] : 0;
			if (likely(!(from[WHAT] & WHOLE)))
				unpack(from, to);
			else if (rest)
				*to = rest->whole[from[TOOK]];
			else
				err = read_at(tree, to, sizeof(*to), whole_at(tree, block) + from[TOOK] * sizeof(*to));
		}
	}
	return err;
}

void tree_free_rest(struct tree_rest *rest)
{
	free(rest->whole);
	free(rest->texts);
}

int tree_read_rest(const struct tree *tree, const struct tree_block *block, struct tree_rest *rest)
{
	int err;

	rest->whole = calloc(block->whole + 1, sizeof(*rest->whole));
	rest->texts = malloc(block->texts + 1);
	err = rest->whole && rest->texts ? read_at(tree, rest->whole, block->whole * sizeof(*rest->whole), whole_at(tree, block)) : -ENOMEM;
	return err ? err : read_at(tree, rest->texts, block->texts, texts_at(tree, block));
}

/* --- what is kept, and what is written away -------------------------------------------------------------------- */

/*
 * Moves the task's items from @from on, and their texts, to the beginning of the memory. The memory is kept for the next items if the former ones filled a good
 * part of it.
 */
static int keep_last(struct tree_task *mine, size_t from)
{
	struct item last[LAST];
	size_t n = mine->items.n - from;
	struct str texts = { 0 };
	int err;

	memcpy(last, mine->items.at + from, n * sizeof(*last));
	str_addc(&texts, '\0');
	for (size_t i = 0; i < n; i++) {
		const char *text = mine->texts.at + last[i].text;

		if (!last[i].text)
			continue;
		last[i].text = (uint32_t)texts.len;
		str_addn(&texts, text, strlen(text) + 1);
	}
	str_fini(&mine->texts);
	mine->texts = texts;
	if (mine->items.n < mine->items.cap / 4)
		vec_fini(&mine->items);
	err = str_ok(&texts) || vec_reserve(&mine->items, n) ? -ENOMEM : 0;
	if (!err)
		memcpy(mine->items.at, last, n * sizeof(*last));
	mine->items.n = err ? 0 : n;
	return err;
}

static int write_task(struct tree *tree, struct tree_task *mine)
{
	struct tree_block block = { .at = tree->written, .first = mine->away, .texts = mine->texts.len };
	int err;

	block.n = block.room = mine->items.n - MIN(mine->items.n, (size_t)LAST);
	/* The task has had no new items, perhaps because it has ended. Its memory is given back. */
	if (!block.n)
		return mine->items.cap > SMALL ? keep_last(mine, 0) : 0;
	err = write_items(tree, mine->items.at, &block);
	err = err ? err : io_pwrite(tree->fd, mine->texts.at, block.texts, texts_at(tree, &block));
	if (err)
		return err == -ENOMEM ? err : failed(err);
	tree->written = texts_at(tree, &block) + block.texts;
	mine->away += block.n;
	return vec_push(&mine->blocks, block) ? -ENOMEM : keep_last(mine, block.n);
}

int tree_write_away(struct tree *tree)
{
	const char *folder;
	int err = 0;

	if (tree->fd < 0)
		tree->fd = scratch_open(&folder);
	if (tree->fd < 0)
		return failed(tree->fd);
	tree->bytes = 0;
	for (size_t i = 0; !err && i < calls_ntasks(tree->reading->calls); i++) {
		struct tree_task *mine = tree_task_of(tree, calls_task(tree->reading->calls, i));

		err = write_task(tree, mine);
		tree->bytes += mine->items.n * sizeof(struct item) + mine->texts.len;
	}
	tree->much = MAX((size_t)MUCH, 2 * tree->bytes);
	return err;
}

int tree_keep(struct tree *tree)
{
	return likely(tree->bytes < MAX(tree->much, (size_t)MUCH)) || tree->opt.live ? 0 : tree_write_away(tree);
}

/* Reads the text that begins at @at in the texts of a block. */
static int read_text(const struct tree *tree, const struct tree_block *block, size_t at, struct str *out)
{
	const uint64_t texts = texts_at(tree, block);
	char part[256];
	int err = 0;

	for (size_t n; !err && at < block->texts; at += n) {
		const char *end;

		n = MIN(sizeof(part), block->texts - at);
		err = read_at(tree, part, n, texts + at);
		end = err ? NULL : memchr(part, '\0', n);
		if (!err)
			str_addn(out, part, end ? (size_t)(end - part) : n);
		if (end)
			break;
	}
	return err ? err : str_ok(out);
}

/* Reads the last items of the file back into memory. */
static int take_back(struct tree *tree, struct tree_task *mine)
{
	struct tree_block *block = &mine->blocks.at[mine->blocks.n - 1];
	size_t n = MIN(block->n, (size_t)LAST);
	struct item last[LAST];
	int err = tree_read(tree, block, NULL, block->n - n, last, n);

	for (size_t i = 0; !err && i < n; i++) {
		struct str text = { 0 };

		err = last[i].text ? read_text(tree, block, last[i].text, &text) : 0;
		if (!err && last[i].text) {
			last[i].text = (uint32_t)mine->texts.len;
			str_addn(&mine->texts, str_text(&text), text.len + 1);
		}
		str_fini(&text);
		err = err ? err : tree_add(tree, mine, &last[i]);
	}
	mine->away -= n;
	block->n -= n;
	if (!block->n)
		mine->blocks.n--;
	return err ? err : str_ok(&mine->texts);
}

int tree_cut(struct tree *tree, struct tree_task *mine, size_t n)
{
	if (n >= mine->away) {
		mine->items.n = n - mine->away;
	} else {
		mine->items.n = 0;
		while (mine->blocks.n && mine->blocks.at[mine->blocks.n - 1].first >= n)
			mine->blocks.n--;
		if (mine->blocks.n)
			mine->blocks.at[mine->blocks.n - 1].n = n - mine->blocks.at[mine->blocks.n - 1].first;
		mine->away = n;
	}
	return mine->items.n || !mine->away ? 0 : take_back(tree, mine);
}

int tree_rename(struct tree *tree, struct tree_task *mine, size_t i, uint64_t func)
{
	size_t b = mine->blocks.n;
	const size_t size = words_of(tree) * sizeof(uint64_t);
	struct tree_block *block;
	uint64_t packed[TS];
	struct item item;
	int err;

	while (b && mine->blocks.at[b - 1].first > i)
		b--;
	block = &mine->blocks.at[b - 1];
	err = read_at(tree, packed, sizeof(packed), block->at + (i - block->first) * size);
	/* The packed entry is not there, so the item is in the other place. */
	if (err || !(packed[WHAT] & WHOLE))
		return err;
	err = tree_read(tree, block, NULL, i - block->first, &item, 1);
	item.func = func;
	item.kind = func ? item.kind : ITEM_NONE;
	if (err)
		return err;
	err = io_pwrite(tree->fd, &item, sizeof(item), whole_at(tree, block) + packed[TOOK] * sizeof(item));
	return err ? failed(err) : 0;
}
