/* SPDX-License-Identifier: GPL-2.0 */
/* Finds functions of a program or library by address. The table is made once, and any thread may read it. */
#ifndef RINGSIDE_ELF_NAMES_H
#define RINGSIDE_ELF_NAMES_H

#include "lib/base/base.h"

/*
 * Returns a text by which a change of the file is seen later: its build-id in hexadecimal, or without one its size and time of
 * change, "SIZE@SECONDS.NANOSECONDS". Returns "" when neither can be read. The caller frees the text. Returns NULL when there is
 * no memory. elf_stamp_stat() always returns the second form.
 */
char *elf_stamp(const char *path);
char *elf_stamp_stat(const char *path);

struct elf_names;

/*
 * Loads the functions of the file at @path when its stamp still is @stamp, and otherwise those of a file below
 * /usr/lib/debug/.build-id that has this stamp. Returns 0, or -errno without a message; -ENOENT means that there is no such file.
 */
int elf_names_load(struct elf_names **out, const char *path, const char *stamp);
void elf_names_free(struct elf_names *names);

/*
 * Finds the function at byte @offset of the file. @behind is the distance of this byte from the beginning of its mapping. *@name becomes its
 * demangled name, which is valid as long as the table, and *@into the distance from its beginning. Returns false when there is none. Any thread may
 * call it.
 */
bool elf_names_find(struct elf_names *names, uint64_t offset, uint64_t behind, const char **name, uint64_t *into);

#endif
