// SPDX-License-Identifier: GPL-2.0
/* Block requests: the letters of rwbs in words (kernel/trace/blktrace.c, blk_fill_rwbs), sizes in bytes. */
#include "plugins/plugin.h"

/* "FWFSM": an F before the operation is a flush, one behind it forced unit access. */
static void show_rwbs(const struct cell *cell, const struct column *column)
{
	static const char *const operations[] = {
		['R'] = "read", ['W'] = "write", ['D'] = "discard", ['E'] = "erase", ['N'] = "none", ['Z'] = "zone",
	};
	static const char *const flags[] = {
		['F'] = "fua",	 ['A'] = "ahead", ['S'] = "sync", ['M'] = "meta",  ['U'] = "atomic",
		['E'] = "erase", ['R'] = "reset", ['O'] = "open", ['C'] = "close",
	};
	bool begun = false, operation = false;
	size_t n = 0;
	const char *at = bytes_of(cell->shown, cell->field, cell->record, &n);

	(void)column;
	for (size_t i = 0; at && i < n && at[i]; i++) {
		unsigned char c = at[i];
		const char *name = NULL;

		if (!operation && c == 'F')
			name = "flush";
		else if (!operation)
			name = c < PLUGIN_LEN(operations) ? operations[c] : NULL;
		else
			name = c < PLUGIN_LEN(flags) ? flags[c] : NULL;
		operation = operation || c != 'F';
		if (begun)
			put_char(cell->s, '|');
		begun = true;
		if (name)
			put_str(cell->s, name);
		else
			put_char(cell->s, c);
	}
}

/* Sectors of 512 bytes. */
static void show_sectors(const struct cell *cell, const struct column *column)
{
	(void)column;
	if (cell->value % 2) {
		put_u64(cell->s, cell->value * 512);
		put_str(cell->s, " B");
	} else {
		put_u64(cell->s, cell->value / 2);
		put_str(cell->s, " KiB");
	}
}

/* 0 is success, else -EIO and the like as a number: what the driver said is not always an errno. */
static void show_error(const struct cell *cell, const struct column *column)
{
	(void)column;
	if (!cell->value) {
		put_str(cell->s, "ok");
		return;
	}
	put_str(cell->s, "error ");
	put_s64(cell->s, cell->value);
}

static void show_task(const struct cell *cell, const struct column *column)
{
	show_string(cell, column);
	put_char(cell->s, ']');
}

static const struct column columns[] = {
	{ "", "dev", show_dev, NULL },
	{ " ", "rwbs", show_rwbs, NULL },
	{ " ", "nr_sector", show_sectors, NULL },
	{ " at ", "sector", show_dec, NULL },
	{ " was ", "old_dev", show_dev, NULL },
	{ " at ", "old_sector", show_dec, NULL },
	{ " split at ", "new_sector", show_dec, NULL },
	{ " ", "error", show_error, NULL },
	{ " [", "comm", show_task, NULL },
	{ NULL, NULL, NULL, NULL },
};

/* clang-format off */
#define BLOCK(name) { "block", "block_" name, columns, NULL }
/* clang-format on */

static const struct printer printers[] = {
	BLOCK("rq_insert"),	 BLOCK("rq_issue"),  BLOCK("rq_merge"),	 BLOCK("rq_requeue"), BLOCK("rq_complete"),  BLOCK("rq_error"),
	BLOCK("rq_remap"),	 BLOCK("io_start"),  BLOCK("io_done"),	 BLOCK("bio_bounce"), BLOCK("bio_complete"), BLOCK("bio_backmerge"),
	BLOCK("bio_frontmerge"), BLOCK("bio_queue"), BLOCK("bio_remap"), BLOCK("getrq"),      BLOCK("split"),
};

PLUGIN("block", "operations and flags in words, sizes in KiB", printers)
