/* SPDX-License-Identifier: GPL-2.0 */
/* Defines the members of struct elf_file (lib/elf/elf.h) for lib/elf and lib/probe. */
#ifndef RINGSIDE_ELF_FILE_INSIDE_H
#define RINGSIDE_ELF_FILE_INSIDE_H

#include "lib/elf/elf.h"
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

struct elf_file {
	char *path;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;	   /* the file itself, not a separate debug file */
	GElf_Addr bias;	   /* an address in .module minus .bias is the address in the file */
	GElf_Half machine; /* EM_X86_64 … */
};

/*
 * elf_offset() converts an address in the file's address space to an offset in the file, and elf_address() does the reverse. elf_offset() returns false
 * when the file has no byte for the address, as for an address in .bss. elf_address() returns false when the byte at the offset has no address.
 */
bool elf_offset(const struct elf_file *elf, GElf_Addr addr, uint64_t *offset);
bool elf_address(const struct elf_file *elf, uint64_t offset, GElf_Addr *addr);

#endif
