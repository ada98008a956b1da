/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of struct elf_file (elf.h), for the files elf*.c, dwarf*.c and usdt.c. */
#ifndef RINGSIDE_ELF_FILE_H
#define RINGSIDE_ELF_FILE_H

#include "lib/probe/ctype.h"
#include "lib/probe/elf.h"
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

struct elf_file {
	char *path;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;		/* of the file itself, not of a separate debug file */
	GElf_Addr bias;		/* module addresses minus the file's own */
	GElf_Half machine;	/* EM_X86_64 … */
};

/* A place in memory, by the file's own addresses, as an offset in the file. false: it is not in the file (.bss, nothing). */
bool elf_offset(const struct elf_file *elf, GElf_Addr addr, uint64_t *offset);
bool elf_address(const struct elf_file *elf, uint64_t offset, GElf_Addr *addr);

/* The demangled name (C++, Rust, D) without a type of return, in new memory; NULL: it is not mangled. */
char *elf_demangle(const char *name);

/* The offset of a source line: see elf_place(). */
int elf_line(struct elf_file *elf, const struct probe_spec *spec, uint64_t *offset);

/* The compilation unit with the code at @addr; NULL: no debug information for it. */
Dwarf_Die *elf_unit_at(struct elf_file *elf, GElf_Addr addr, GElf_Addr *bias);

/* The type that @die is of, as struct ctype; void if it has none. */
struct ctype dwarf_ctype_of(Dwarf_Die *die);

/* A register by its DWARF number as the kernel calls it ("%di"); NULL: the kernel has no name for it. */
const char *elf_register(const struct elf_file *elf, unsigned int number);

/* The register that carries integer argument @n (from 1) of a call; NULL: there is none. */
const char *elf_argument(const struct elf_file *elf, uint64_t n);

#endif
