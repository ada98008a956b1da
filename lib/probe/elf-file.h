/* SPDX-License-Identifier: GPL-2.0 */
/* What elf*.c, dwarf*.c and usdt.c share. */
#ifndef RINGSIDE_PROBE_ELF_FILE_H
#define RINGSIDE_PROBE_ELF_FILE_H

#include "lib/elf/file.h"
#include "lib/probe/ctype.h"
#include "lib/probe/elf.h"
/* The offset of a source line: see elf_place(). */
int elf_line(struct elf_file *elf, const struct probe_spec *spec, uint64_t *offset);

/* The source line of the code at byte @offset of the file, as "main.c:42", if a probe on that line lies there; else NULL. New memory. */
char *elf_line_of(struct elf_file *elf, uint64_t offset);

/*
 * The places into which a function of that name was inlined, by the source lines that call it: "main.c:12, main.c:30 and 4 more"; NULL:
 * there are none. New memory.
 */
char *dwarf_inlined(struct elf_file *elf, const char *function);

/* The type that @die is of, as struct ctype; void if it has none. */
struct ctype dwarf_ctype_of(Dwarf_Die *die);

/* Makes @die, the stand-in of a type that has a unit of its own (gcc -fdebug-types-section), the type itself; others stay. */
void dwarf_resolve(Dwarf_Die *die);

/* The language that a compilation unit was written in, as far as it matters for how parameters are passed. */
enum dwarf_language { DWARF_OTHER, DWARF_C, DWARF_CXX, DWARF_RUST };
enum dwarf_language dwarf_language(Dwarf_Die *unit);

/* How the C++ ABI passes a type: classes that are not trivial for the purposes of calls go by reference. */
enum ctype_passing dwarf_passing(Dwarf_Die *type);

/* A register by its DWARF number as the kernel calls it ("%di"); NULL: the kernel has no name for it. */
const char *elf_register(const struct elf_file *elf, unsigned int number);

/* The register that carries integer argument @n (from 1) of a call; NULL: there is none. */
const char *elf_argument(const struct elf_file *elf, uint64_t n);

#endif
