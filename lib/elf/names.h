/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the function at an offset in the file of a program or library. elf_names_load() makes the table of functions that is searched. */
#ifndef RINGSIDE_ELF_NAMES_H
#define RINGSIDE_ELF_NAMES_H

#include "lib/base/base.h"

/*
 * A stamp is a text that tells whether a file has changed: after a change, the file has another stamp. elf_stamp() returns the file's build-id in
 * hexadecimal. If the file has no build-id, elf_stamp() returns the size and the time of the last change, as "SIZE@SECONDS.NANOSECONDS". elf_stamp_stat()
 * always returns this second form. Both return "" when stat(2) of the file fails, and NULL when memory runs out. The caller frees the text.
 */
char *elf_stamp(const char *path);
char *elf_stamp_stat(const char *path);

struct elf_names;

/*
 * Loads the functions of the file at @path if the stamp of this file still is @stamp. Otherwise, if @stamp is a build-id, loads the functions of the file with
 * this build-id below /usr/lib/debug/.build-id. Returns 0, -ENOMEM or -ENOENT, without a message. -ENOENT means that there is no file with this stamp, or that
 * the file cannot be read.
 */
int elf_names_load(struct elf_names **out, const char *path, const char *stamp);
void elf_names_free(struct elf_names *names);

/*
 * Finds the function at byte @offset of the file. @behind is the distance of this byte from the beginning of the memory mapping that contains the byte.
 * @behind is used instead of @offset when the functions come from a debug file. *@name becomes the demangled name of the function. The name is valid until
 * elf_names_free(). *@into becomes the distance of the byte from the function's beginning. Returns false when there is no function. Any thread may call this
 * function.
 */
bool elf_names_find(struct elf_names *names, uint64_t offset, uint64_t behind, const char **name, uint64_t *into);

#endif
