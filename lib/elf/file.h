/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of struct elf_file (elf.h), for lib/elf and for what lib/probe looks up in it. */
#ifndef RINGSIDE_ELF_FILE_INSIDE_H
#define RINGSIDE_ELF_FILE_INSIDE_H

#include "lib/elf/elf.h"
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

#endif
