/* SPDX-License-Identifier: GPL-2.0 */
/* What elf*.c, dwarf*.c and usdt.c share. */
#ifndef RINGSIDE_PROBE_ELF_FILE_H
#define RINGSIDE_PROBE_ELF_FILE_H

#include "lib/elf/file.h"
#include "lib/probe/ctype.h"
#include "lib/probe/elf.h"
/* The offset of a source line: see elf_place(). */
int elf_line(struct elf_file *elf, const struct probe_spec *spec, uint64_t *offset);

/* The type that @die is of, as struct ctype; void if it has none. */
struct ctype dwarf_ctype_of(Dwarf_Die *die);

/* A register by its DWARF number as the kernel calls it ("%di"); NULL: the kernel has no name for it. */
const char *elf_register(const struct elf_file *elf, unsigned int number);

/* The register that carries integer argument @n (from 1) of a call; NULL: there is none. */
const char *elf_argument(const struct elf_file *elf, uint64_t n);

#endif
