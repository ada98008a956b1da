/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/probe/elf-file.h"

/* The kernel's names of registers in the order of their DWARF numbers (System V ABI, x86-64 and AArch64 supplements). */
static const char *const x86_64_registers[] = {
	"%ax", "%dx", "%cx", "%bx", "%si", "%di", "%bp", "%sp", "%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
};

const char *elf_register(const struct elf_file *elf, unsigned int number)
{
	static const char *const arm64_registers[] = {
		"%x0",	"%x1",	"%x2",	"%x3",	"%x4",	"%x5",	"%x6",	"%x7",	"%x8",	"%x9",	"%x10", "%x11", "%x12", "%x13", "%x14", "%x15",
		"%x16", "%x17", "%x18", "%x19", "%x20", "%x21", "%x22", "%x23", "%x24", "%x25", "%x26", "%x27", "%x28", "%x29", "%x30", "%sp",
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
