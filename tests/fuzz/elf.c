/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs: an input is an ELF file with its debug information, from which functions, variables, USDT probes and names by address are read;
 * or, when it begins like one, the kernel's BTF, from which prototypes and members are.
 */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/elf/names.h"
#include "lib/probe/elf.h"
#include "lib/probe/fetch.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static void fetch(struct elf_file *elf, const char *text)
{
	struct probe_spec spec = { 0 };
	fetches_t fetches = { 0 };
	uint64_t offset = 0;

	if (!probe_spec_parse(&spec, text) && !elf_place(elf, &spec, &offset)) {
		vec_each (&spec.args, arg) {
			struct fetch one = { 0 };

			elf_fetch(elf, &spec, offset, false, arg, &one);
			if (vec_push(&fetches, one))
				abort();
		}
	}
	fetches_fini(&fetches);
	probe_spec_fini(&spec);
}

static void read_program(const char *path)
{
	variables_t variables = { 0 };
	elf_symbols_t symbols = { 0 };
	struct elf_file *elf;
	usdts_t usdts = { 0 };

	if (elf_open_quietly(&elf, path))
		return;
	free(elf_build_id(elf));
	elf_functions(elf, "*", &symbols);
	elf_usdts(elf, NULL, NULL, &usdts);
	elf_variables(elf, "main", 2, &variables);
	fetch(elf, "uprobe:prog:main argc argv:string $retval");
	fetch(elf, "uprobe:prog:work p->next->name:string n");
	fetch(elf, "uprobe:prog:prog.c:12 n");
	elf_symbols_fini(&symbols);
	usdts_fini(&usdts);
	variables_fini(&variables);
	elf_close(elf);
}

static void read_names(const char *path)
{
	__cleanup(free_ptr) char *stamp = elf_stamp(path);
	struct elf_names *names;
	const char *name;
	uint64_t into;

	if (!stamp || elf_names_load(&names, path, stamp))
		return;
	for (uint64_t offset = 0; offset < 0x4000; offset += 0x39)
		elf_names_find(names, offset, 0x100, &name, &into);
	elf_names_free(names);
}

static void read_btf(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/ringside-fuzz-XXXXXX", path[64];
	variables_t variables = { 0 };
	char *prototype = NULL;
	struct kbtf *btf;
	int fd;

	if (!mkdtemp(folder))
		return;
	snprintf(path, sizeof(path), "%s/vmlinux", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0 && !io_write(fd, data, size) && !kbtf_open(&btf, folder)) {
		if (!kbtf_prototype(btf, "work", &prototype))
			free(prototype);
		kbtf_variables(btf, "work", 3, &variables);
		variables_fini(&variables);
		kbtf_close(btf);
	}
	if (fd >= 0)
		close(fd);
	unlink(path);
	rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t btf_magic[] = { 0x9f, 0xeb };
	__cleanup(close_fd) int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[32];

	if (size > 2 && !memcmp(data, btf_magic, 2)) {
		read_btf(data, size);
		return 0;
	}
	if (fd < 0 || io_write(fd, data, size))
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_program(path);
	read_names(path);
	return 0;
}
