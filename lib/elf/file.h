/* SPDX-License-Identifier: GPL-2.0 */
/* Defines what struct elf_file (elf.h) consists of, for lib/elf and lib/probe. */
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
	GElf_Addr bias;	   /* addresses in .module minus those in the file */
	GElf_Half machine; /* EM_X86_64 … */
};

/* Convert an address of the file to an offset in the file, and back. Return false when there is no such byte in the file, as for .bss. */
bool elf_offset(const struct elf_file *elf, GElf_Addr addr, uint64_t *offset);
bool elf_address(const struct elf_file *elf, uint64_t offset, GElf_Addr *addr);

#endif
