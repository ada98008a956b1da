/* SPDX-License-Identifier: GPL-2.0 */
/* Files of all layouts that tests of lib/data/reader make and open. */
#ifndef RINGSIDE_UNIT_DAT_OPEN_H
#define RINGSIDE_UNIT_DAT_OPEN_H

#include "lib/data/reader.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

/* An empty one of each byte order and each size of a long, by its number. */
enum { DAT_LAYOUTS = 4 };
struct dat dat_layout(int i);

/* Makes a file with two CPUs of two pages and one, and an instance "alpha" of three CPUs: of version 7 with @codec, or 6 when that is NULL. */
struct dat dat_sample(int i, const char *codec);

/* Opens the file of @d, also with kallsyms read by a job. What was said is the caller's to free. */
int dat_open(const struct dat *d, struct datfile **out, char **said);

/* Opens a file that is whole, so that nothing is said. */
struct datfile *dat_open_whole(const struct dat *d);

/* Frees what a test has made of them; @said and @o may be NULL. */
void dat_done(struct datfile *file, char *said, struct dat *d, struct dat *o);

#endif
