/* SPDX-License-Identifier: GPL-2.0 */
/* Where the items of long pictures are: in a file without a name, so that memory does not grow with them. */
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/scratch.h"
#include "lib/output/tree-items.h"

/* So many bytes of items and texts are kept in memory. The last items of a task always are, as their call may end next. */
enum { MUCH = 10 << 20, LAST = 2 };

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

int tree_read(const struct tree *tree, const struct tree_block *block, size_t i, struct item *items, size_t n)
{
	return read_at(tree, items, n * sizeof(*items), block->at + i * sizeof(*items));
}

int tree_read_texts(const struct tree *tree, const struct tree_block *block, char *texts)
{
	return read_at(tree, texts, block->texts, block->at + block->room * sizeof(struct item));
}

/* The task's items from @from on become the first in memory, with their texts. Room that the others nearly filled is kept for the next. */
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
	if (mine->items.n < mine->items.cap / 2)
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
	size_t bytes;
	int err;

	block.n = block.room = mine->items.n - MIN(mine->items.n, (size_t)LAST);
	if (!block.n)
		return 0;
	bytes = block.n * sizeof(struct item);
	err = io_pwrite(tree->fd, mine->items.at, bytes, block.at);
	err = err ? err : io_pwrite(tree->fd, mine->texts.at, block.texts, block.at + bytes);
	if (err)
		return failed(err);
	tree->written += bytes + block.texts;
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

/* The text of a block that begins at @at of its texts. */
static int read_text(const struct tree *tree, const struct tree_block *block, size_t at, struct str *out)
{
	const uint64_t texts = block->at + block->room * sizeof(struct item);
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

/* The last items that are away come back. */
static int take_back(struct tree *tree, struct tree_task *mine)
{
	struct tree_block *block = &mine->blocks.at[mine->blocks.n - 1];
	size_t n = MIN(block->n, (size_t)LAST);
	struct item last[LAST];
	int err = tree_read(tree, block, block->n - n, last, n);

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
	struct tree_block *block;
	struct item item;
	int err;

	while (b && mine->blocks.at[b - 1].first > i)
		b--;
	block = &mine->blocks.at[b - 1];
	err = tree_read(tree, block, i - block->first, &item, 1);
	item.func = func;
	item.kind = func ? item.kind : ITEM_NONE;
	return err ? err : io_pwrite(tree->fd, &item, sizeof(item), block->at + (i - block->first) * sizeof(item));
}
