/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds where a symbol, a source line or a USDT probe lies in the file of a program or library, with elfutils.
 */
#ifndef RINGSIDE_PROBE_ELF_H
#define RINGSIDE_PROBE_ELF_H

#include "lib/elf/elf.h"
#include "lib/probe/fetch.h"
#include <sys/types.h>

/*
 * Finds the file that @name means. @name is a path, a program in $PATH, or a library ("libc", "libc.so", "libc.so.6" or "c"). A library is looked for in the
 * folders that /etc/ld.so.conf and the files that it includes name, and then in the usual ones, such as /lib and /usr/lib. When @pid is not 0, the file is
 * looked for inside of that process's root, unless @name is a relative path, which begins in our current folder. *@path is new memory. Returns 0, -ENOMEM,
 * or another -errno after a message, which is -ENOENT when there is no such file.
 */
int elf_find(const char *name, pid_t pid, char **path);

/*
 * For completion: appends the names of the programs in $PATH and of the libraries that begin with @prefix. The name of a library is appended without
 * ".so" and what follows it, as in "libc". Returns 0 or -ENOMEM.
 */
int elf_known(const char *prefix, strv_t *out);

struct elf_symbol {
	char *name;	 /* as in the symbol table: it may be mangled */
	char *demangled; /* NULL: .name is not mangled */
	uint64_t offset; /* in the file, as uprobe_events wants it */
	uint64_t size;
};

typedef VEC(struct elf_symbol) elf_symbols_t;
void elf_symbols_fini(elf_symbols_t *v);

/*
 * Appends the functions whose name matches the glob @pattern. The name may be that in the symbol table, or the demangled name with or without its
 * parameter list. The functions come from .symtab, .dynsym, .gnu_debugdata, and the separate debug file, which is found by build-id or debuglink.
 * Returns 0, also when no function matches. Returns -ENOMEM, or another -errno after a message.
 */
int elf_functions(struct elf_file *elf, const char *pattern, elf_symbols_t *out);

/*
 * Finds the file offset of the one place that FILE:SYMBOL[+OFFSET], FILE:SOURCE:LINE or FILE:0xOFFSET of @spec means. Returns 0, -ENOMEM, or another
 * -errno after a message when there is no such symbol (with the nearest names), when it is an IFUNC or in the PLT, when there is no code at that line (with the
 * nearest lines), or when there is no debug information.
 */
int elf_place(struct elf_file *elf, const struct probe_spec *spec, uint64_t *offset);

/*
 * Does what elf_place() does, also when @spec has a glob of symbols. *@out has to be empty. For a glob, it gets each matching place only once,
 * with its name, and when there are more than @most places, -E2BIG is returned after a message. Without a glob, it gets the one place, with its name if
 * that is known.
 */
int elf_places(struct elf_file *elf, const struct probe_spec *spec, unsigned int most, elf_symbols_t *out);

/*
 * Checks that a probe at @offset, the place of @spec, cannot kill the program. @ret says that the probe is at a return. These are accepted: the
 * beginning of a function that has a symbol; an offset in a part of the file that is not loaded into memory; and, unless @ret is true, a source line,
 * because an instruction begins there. If @ret is true, any other place is refused if @spec has an .offset or a source line. In all other cases it is
 * checked that an instruction begins at @offset. Returns 0, or after a message -EINVAL when @offset is refused or cannot be checked, or -ENOSYS when
 * capstone, which decodes instructions, is missing.
 */
int elf_check_instruction(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret);

/*
 * Compiles an argument of a probe at file offset @offset: argN by the calling convention, parameters and variables by their names in DWARF (with
 * members, as in kbtf_fetch() of lib/probe/fetch.h), and $retval. An argument in the kernel's own syntax for registers, memory and the stack (such as
 * %di or +8($stack)) becomes out->text unchanged. The same is true of $comm. @ret says that the probe is at a return. Returns 0, -ENOMEM, or another
 * -errno after a message, such as when the variable is optimised out.
 */
int elf_fetch(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret, const struct probe_arg *arg, struct fetch *out);
/* Does what kbtf_variables() (lib/probe/fetch.h) does, for the parameters of a function of the file. */
int elf_variables(struct elf_file *elf, const char *function, unsigned int depth, variables_t *out);

/* For completion: does what kbtf_names() (lib/probe/fetch.h) does, for the parameters and variables that DWARF knows at @offset. */
int elf_names(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret, const struct probe_arg *base, strv_t *out);

/* One place of a USDT probe. The compiler may have put the same probe into several places; then there is a struct usdt for each. */
struct usdt {
	char *provider, *name;
	uint64_t offset;    /* in the file */
	uint64_t semaphore; /* the file offset of the probe's reference counter; 0: none */
	fetches_t args;	    /* arg1, arg2, ... */
};

typedef VEC(struct usdt) usdts_t;
void usdts_fini(usdts_t *v);

/*
 * Appends the probes of .note.stapsdt that match the globs @provider and @name (NULL: all). In usdt.args, an argument that cannot be fetched has .text
 * NULL. Returns 0, -ENOMEM, or another -errno after a message.
 */
int elf_usdts(struct elf_file *elf, const char *provider, const char *name, usdts_t *out);

#endif
