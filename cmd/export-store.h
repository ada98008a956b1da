/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exports the tables of a recording for `ringside export`. A store is a ClickHouse database with the recordings of many machines (ringside-fleet(1)). All
 * tables can be exported directly into a store. A single table can be exported to a file or to standard output, as TabSeparated text or as RowBinary.
 */
#ifndef RINGSIDE_CMD_EXPORT_STORE_H
#define RINGSIDE_CMD_EXPORT_STORE_H

#include "cmd/reading.h"

struct store_opts {
	/* The values of the options of the same names. false or NULL: not given. */
	bool create, dry_run;
	const char *cluster, *ttl, *table;
	uint64_t wait_ns; /* --wait; 0: not given */
};

/* These are rows of options for OPT_ROWS (cmd/opt.h). Their context structure is struct store_opts. */
extern const struct opt store_options[];

/* Returns the name of an option of store_options that was given. Returns NULL when none of them was given. */
const char *store_opts_given(const struct store_opts *opts);

/*
 * Tells whether store_export() writes the format or the store that @to names. @to is the value of --to: the name of a format, or the address of a store.
 * When @to is NULL, the ending of the file name @output tells the format.
 */
bool store_is_target(const char *to, const char *output);

/* Prints the lines of `export --list` for the formats and the store that store_export() writes. */
void store_list(void);

/*
 * Does the whole export. @words are the @argc words of the command line. The store keeps the words that choose a part of the recording. If a later export
 * chooses other events of the same recording, the later export is refused. Returns the exit status.
 */
int store_export(struct reading_opts *read, const struct store_opts *opts, const char *to, const char *output, int argc, char **words);

#endif
