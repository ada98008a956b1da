/* SPDX-License-Identifier: GPL-2.0 */
/* Makes and opens trace files of all layouts, for the tests of lib/data/reader. */
#ifndef RINGSIDE_UNIT_DAT_OPEN_H
#define RINGSIDE_UNIT_DAT_OPEN_H

#include "lib/data/reader.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

/* Returns an empty struct dat with the byte order and the size of a long that the layout @i has. Layouts are numbered from 0. */
enum { DAT_LAYOUTS = 4 };
struct dat dat_layout(int i);

/*
 * Makes a file of the layout @i. The top buffer has two pages of CPU 0 and one page of CPU 1. The instance "alpha" has three CPUs, and CPU N has N pages.
 * The file is of version 7 and compressed with @codec; when @codec is NULL, it is of version 6. The caller frees the file with dat_done().
 */
struct dat dat_sample(int i, const char *codec);

/*
 * Opens the file of @d by datfile_open(). Checks that datfile_open_ahead(), which lets a thread of a pool read kallsyms, opens the file with the same
 * result. Returns what datfile_open() returns. *@said becomes the messages of datfile_open(), which the caller frees.
 */
int dat_open(const struct dat *d, struct datfile **out, char **said);

/* Opens the file of @d, and checks that it is not damaged and that no message is printed. */
struct datfile *dat_open_whole(const struct dat *d);

/* Closes @file, and frees @said and the bytes of @d and @o. @file, @said and @o may be NULL. */
void dat_done(struct datfile *file, char *said, struct dat *d, struct dat *o);

#endif
