/* SPDX-License-Identifier: GPL-2.0 */
/* Opens programs and libraries, with their symbols and separate debug files. elfutils does the work. Only one thread at a time may use these functions. */
#ifndef RINGSIDE_ELF_H
#define RINGSIDE_ELF_H

#include "lib/base/base.h"

struct elf_file;

/*
 * elf_open() and elf_open_quietly() open a file, which the caller closes with elf_close(). Both return 0 or -ENOMEM. Both return -ENOEXEC when the file
 * cannot be read, and when the file is neither a program nor a library. elf_open() prints a message for -ENOEXEC. elf_open_quietly() prints none.
 */
int elf_open(struct elf_file **out, const char *path);
int elf_open_quietly(struct elf_file **out, const char *path);
void elf_close(struct elf_file *elf);
const char *elf_path(const struct elf_file *elf);

/* Returns the build-id in hexadecimal, or "" when there is none. The caller frees it. Returns NULL when memory runs out. */
char *elf_build_id(const struct elf_file *elf);

/* Returns the demangled name (C++, Rust, D), without the return type. The caller frees it. Returns NULL when @name is not mangled or memory runs out. */
char *elf_demangle(const char *name);

#endif
