/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/elf/file.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

#include <libiberty/demangle.h>
#include <sys/stat.h>

/* Opens the file. Errors have no message. After -ENOEXEC, dwfl_errno() has the reason, or 0. */
static int try(struct elf_file **out, const char *path)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct elf_file *elf;
	GElf_Ehdr header;
	struct stat st;

	/* Opening a pipe would make us wait. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return -ENOEXEC;
	elf = calloc(1, sizeof(*elf));
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
		return -ENOEXEC;
	}
	elf->machine = header.e_machine;
	*out = elf;
	return 0;
}

int elf_open(struct elf_file **out, const char *path)
{
	int err = try(out, path), number = err == -ENOEXEC ? dwfl_errno() : 0;

	if (err == -ENOEXEC)
		return fail(ENOEXEC, "%s cannot be read: %s", path, number ? dwfl_errmsg(number) : "it is no ELF program or library");
	return err;
}

int elf_open_quietly(struct elf_file **out, const char *path)
{
	return try(out, path);
}

char *elf_build_id(const struct elf_file *elf)
{
	struct str s = { 0 };
	const unsigned char *bits;
	GElf_Addr addr;
	int n = dwfl_module_build_id(elf->module, &bits, &addr);

	for (int i = 0; i < n; i++)
		str_addf(&s, "%02x", bits[i]);
	return str_take(&s);
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

/* Finds the loaded segment that holds @at. @at is an offset in the file if @by_offset is true, and otherwise an address. */
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
