/* SPDX-License-Identifier: GPL-2.0 */
/* Programs and libraries with their symbols and separate debug files, by elfutils. Not for two threads at once. */
#ifndef RINGSIDE_ELF_H
#define RINGSIDE_ELF_H

#include "lib/base/base.h"

struct elf_file;

/* 0; -ENOEXEC (it is no such file) after a message, but for elf_open_quietly(). */
int elf_open(struct elf_file **out, const char *path);
int elf_open_quietly(struct elf_file **out, const char *path);
void elf_close(struct elf_file *elf);
const char *elf_path(const struct elf_file *elf);

/* Its build-id in hexadecimal, "" without one; new memory, NULL: out of memory. */
char *elf_build_id(const struct elf_file *elf);

/* The demangled name (C++, Rust, D) without a type of return, in new memory; NULL: it is not mangled. */
char *elf_demangle(const char *name);

#endif
