/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/probe/elf-file.h"
#include "lib/base/err.h"

#include <libiberty/demangle.h>

static int unusable(const char *path)
{
	int number = dwfl_errno();

	return fail(ENOEXEC, "%s cannot be probed: %s", path,
		    number ? dwfl_errmsg(number) : "it is no ELF program or library");
}

int elf_open(struct elf_file **out, const char *path)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct elf_file *elf = calloc(1, sizeof(*elf));
	GElf_Ehdr header;

	if (!elf)
		return -ENOMEM;
	elf->path = strdup(path);
	elf->dwfl = elf->path ? dwfl_begin(&callbacks) : NULL;
	if (!elf->dwfl) {
		elf_close(elf);
		return -ENOMEM;
	}
	dwfl_report_begin(elf->dwfl);
	elf->module = dwfl_report_offline(elf->dwfl, "", path, -1);
	dwfl_report_end(elf->dwfl, NULL, NULL);
	elf->elf = elf->module ? dwfl_module_getelf(elf->module, &elf->bias) : NULL;
	if (!elf->elf || !gelf_getehdr(elf->elf, &header)) {
		elf_close(elf);
		return unusable(path);
	}
	elf->machine = header.e_machine;
	*out = elf;
	return 0;
}

void elf_close(struct elf_file *elf)
{
	if (!elf)
		return;
	dwfl_end(elf->dwfl);
	free(elf->path);
	free(elf);
}

const char *elf_path(const struct elf_file *elf)
{
	return elf->path;
}

/* The loaded segment that holds @at, an address or (@by_offset) an offset in the file. */
static bool segment_of(const struct elf_file *elf, uint64_t at, bool by_offset, GElf_Phdr *out)
{
	size_t n = 0;

	elf_getphdrnum(elf->elf, &n);
	for (size_t i = 0; i < n; i++) {
		uint64_t begin;

		if (!gelf_getphdr(elf->elf, (int)i, out) || out->p_type != PT_LOAD)
			continue;
		begin = by_offset ? out->p_offset : out->p_vaddr;
		if (at >= begin && at - begin < out->p_filesz)
			return true;
	}
	return false;
}

bool elf_offset(const struct elf_file *elf, GElf_Addr addr, uint64_t *offset)
{
	GElf_Phdr segment;

	if (!segment_of(elf, addr, false, &segment))
		return false;
	*offset = addr - segment.p_vaddr + segment.p_offset;
	return true;
}

bool elf_address(const struct elf_file *elf, uint64_t offset, GElf_Addr *addr)
{
	GElf_Phdr segment;

	if (!segment_of(elf, offset, true, &segment))
		return false;
	*addr = offset - segment.p_offset + segment.p_vaddr;
	return true;
}

char *elf_demangle(const char *name)
{
	return cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO | DMGL_RET_DROP);
}

int elf_function_at(struct elf_file *elf, uint64_t offset, char **name, uint64_t *into)
{
	GElf_Addr addr;
	GElf_Off from;
	GElf_Sym sym;
	const char *found;
	char *plain;

	if (!elf_address(elf, offset, &addr))
		return -ENOENT;
	found = dwfl_module_addrinfo(elf->module, addr + elf->bias, &from, &sym, NULL, NULL, NULL);
	if (!found)
		return -ENOENT;
	plain = elf_demangle(found);
	*name = plain ? plain : strdup(found);
	*into = from;
	return *name ? 0 : -ENOMEM;
}

/* The kernel's names of registers in the order of their DWARF numbers (System V ABI, x86-64 and AArch64 supplements). */
static const char *const x86_64_registers[] = {
	"%ax", "%dx", "%cx", "%bx", "%si", "%di", "%bp", "%sp", "%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
};

const char *elf_register(const struct elf_file *elf, unsigned int number)
{
	static const char *const arm64_registers[] = {
		"%x0",	"%x1",	"%x2",	"%x3",	"%x4",	"%x5",	"%x6",	"%x7",	"%x8",	"%x9",	"%x10",
		"%x11", "%x12", "%x13", "%x14", "%x15", "%x16", "%x17", "%x18", "%x19", "%x20", "%x21",
		"%x22", "%x23", "%x24", "%x25", "%x26", "%x27", "%x28", "%x29", "%x30", "%sp",
	};

	if (elf->machine == EM_X86_64)
		return number < ARRAY_LEN(x86_64_registers) ? x86_64_registers[number] : NULL;
	if (elf->machine == EM_AARCH64)
		return number < ARRAY_LEN(arm64_registers) ? arm64_registers[number] : NULL;
	return NULL;
}

const char *elf_argument(const struct elf_file *elf, uint64_t n)
{
	static const unsigned int x86_64[] = { 5, 4, 1, 2, 8, 9 };

	if (n == 0)
		return NULL;
	if (elf->machine == EM_X86_64)
		return n <= ARRAY_LEN(x86_64) ? elf_register(elf, x86_64[n - 1]) : NULL;
	return elf->machine == EM_AARCH64 && n <= 8 ? elf_register(elf, (unsigned int)n - 1) : NULL;
}
