/* SPDX-License-Identifier: GPL-2.0 */
/* Declares what elf*.c, dwarf*.c and usdt.c share. */
#ifndef RINGSIDE_PROBE_ELF_FILE_H
#define RINGSIDE_PROBE_ELF_FILE_H

#include "lib/elf/file.h"
#include "lib/probe/ctype.h"
#include "lib/probe/elf.h"

/* Finds the file offset of the source line of @spec. Returns what elf_place() returns for a source line. */
int elf_line(struct elf_file *elf, const struct probe_spec *spec, uint64_t *offset);

/*
 * Returns the source line of the code at byte @offset of the file, such as "main.c:42", in new memory. Returns NULL when the line is not known, when a probe on
 * this line would be placed elsewhere, or when memory runs out.
 */
char *elf_line_of(struct elf_file *elf, uint64_t offset);

/*
 * Returns the source lines of the calls at which a function of the name @function was inlined. The result is a text in new memory, such as "main.c:12,
 * main.c:30 and 4 more". Returns NULL when there are none.
 */
char *dwarf_inlined(struct elf_file *elf, const char *function);

/* Returns the type of the variable or member @die, or the return type of the function @die. When @die has no type, returns void. */
struct ctype dwarf_ctype_of(Dwarf_Die *die);

/*
 * With gcc -fdebug-types-section, a type can have a unit of its own. When *@die refers to a type that has a unit of its own, *@die becomes the DIE of the type.
 * Any other *@die stays as it is.
 */
void dwarf_resolve(Dwarf_Die *die);

/* The language of a compilation unit. Only languages that pass parameters in different ways are told apart. */
enum dwarf_language { DWARF_OTHER, DWARF_C, DWARF_CXX, DWARF_RUST };
enum dwarf_language dwarf_language(Dwarf_Die *unit);

/* Tells how the C++ ABI passes a type. By this ABI, a class is passed by reference if it is not "trivial for the purposes of calls". */
enum ctype_passing dwarf_passing(Dwarf_Die *type);

/* Returns the kernel's name ("%di") of the register with this DWARF number, or NULL when the kernel has no name for it. */
const char *elf_register(const struct elf_file *elf, unsigned int number);

/* Returns the register that carries the integer argument @n of a call, counted from 1, or NULL when there is none. */
const char *elf_argument(const struct elf_file *elf, uint64_t n);

#endif
