/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of a program or library by address: a table that is made once and then read by any thread. */
#ifndef RINGSIDE_ELF_NAMES_H
#define RINGSIDE_ELF_NAMES_H

#include "lib/base/base.h"

/*
 * What a file was when it was mapped, as text: its build-id in hexadecimal; or "SIZE@SECONDS.NANOSECONDS", its size and time
 * of change, if it has none. "": it cannot be told. New memory, NULL: out of memory. elf_stamp_stat() gives the second form.
 */
char *elf_stamp(const char *path);
char *elf_stamp_stat(const char *path);

struct elf_names;

/*
 * The functions of the file at @path if that is still what @stamp says, else of a file below /usr/lib/debug/.build-id that
 * is. -ENOENT: there is neither; no message.
 */
int elf_names_load(struct elf_names **out, const char *path, const char *stamp);
void elf_names_free(struct elf_names *names);

/*
 * The function at byte @offset of the file, which lies @behind bytes behind the beginning of its mapping: its name, demangled (it
 * holds as long as the table), and how far in. false: there is none. Any thread.
 */
bool elf_names_find(struct elf_names *names, uint64_t offset, uint64_t behind, const char **name, uint64_t *into);

#endif
