/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Uses elfutils to find where a symbol, a source line or a USDT probe lies in the file of a program or library.
 */
#ifndef RINGSIDE_PROBE_ELF_H
#define RINGSIDE_PROBE_ELF_H

#include "lib/elf/elf.h"
#include "lib/probe/fetch.h"
#include <sys/types.h>

/*
 * Finds the file that @name means. @name is one of these:
 *  - a path, which has a slash. A relative path begins in our current folder.
 *  - a program in $PATH.
 *  - a library: "libc", "libc.so", "libc.so.6" or "c". The folders in /etc/ld.so.conf, and in the files that ld.so.conf includes, are searched first. Then the
 *    usual folders are searched, such as /lib and /usr/lib.
 * If @pid is not 0, the file is looked for inside the root directory of the process @pid. This does not apply to a relative path. *@path is new memory. Returns
 * 0 or -ENOMEM. Returns -ENOENT after a message when the file does not exist. Returns any other -errno after a message.
 */
int elf_find(const char *name, pid_t pid, char **path);

/*
 * This is for the completion of command lines. Appends the names of programs in $PATH and the names of libraries, if these names begin with @prefix. Names of
 * libraries are appended without ".so" and the text after it, as in "libc". Returns 0 or -ENOMEM.
 */
int elf_known(const char *prefix, strv_t *out);

struct elf_symbol {
	char *name;	 /* the name in the symbol table, which may be mangled */
	char *demangled; /* NULL: .name is not mangled */
	uint64_t offset; /* the offset in the file, as uprobe_events needs it */
	uint64_t size;
};

typedef VEC(struct elf_symbol) elf_symbols_t;
void elf_symbols_fini(elf_symbols_t *v);

/*
 * Appends the functions whose name matches the glob @pattern. The glob is compared with these names of a function:
 * - the name in the symbol table;
 * - the demangled name;
 * - the demangled name without its parameter list.
 * Two things are ignored in demangled names: blanks that separate no words, and tags such as [abi:cxx11]. The Rust name <a::Type>::f is also compared as
 * a::Type::f. The functions come from .symtab, .dynsym, .gnu_debugdata and the separate debug file. The separate debug file is found by build-id or debuglink.
 * Returns 0, even when no function matches. Returns -ENOMEM, or another -errno after a message.
 */
int elf_functions(struct elf_file *elf, const char *pattern, elf_symbols_t *out);

/*
 * Finds the file offset of the place that @spec names as FILE:SYMBOL[+OFFSET], FILE:SOURCE:LINE or FILE:0xOFFSET. Returns 0 or -ENOMEM. In these cases,
 * returns another -errno after a message:
 *  - The symbol does not exist. The message has the nearest names.
 *  - Several functions have the name. The message lists at most six of them.
 *  - The symbol is an IFUNC or in the PLT, or was inlined at all of its calls.
 *  - +OFFSET leads out of the function, or 0xOFFSET is not in a part of the file that is loaded into memory.
 *  - There is no code at the line. The message has the nearest lines.
 *  - There is no debug information.
 */
int elf_place(struct elf_file *elf, const struct probe_spec *spec, uint64_t *offset);

/*
 * Does what elf_place() does, and also accepts a @spec with a glob of symbols. *@out has to be empty. For a glob, *@out gets each matching place once, with its
 * name. When there are more than @most places, returns -E2BIG after a message. Without a glob, *@out gets the one place. The .name of this place is the symbol
 * or the source file in @spec, or "probe" when @spec has neither.
 */
int elf_places(struct elf_file *elf, const struct probe_spec *spec, unsigned int most, elf_symbols_t *out);

/*
 * Checks that a probe cannot kill the program. The probe is at @offset, which is the place of @spec. @ret is true if the probe is at a return. The rules are
 * tried in this order:
 *  - An offset in a part of the file that is not loaded into memory is accepted.
 *  - The beginning of a function that has a symbol is accepted.
 *  - If @ret is false, a @spec with a source line is accepted, because an instruction begins at @offset.
 *  - If @ret is true, a @spec with a source line or an .offset is refused.
 *  - Any other @offset is accepted if an instruction begins there.
 * Returns 0. Returns -EINVAL after a message when @offset is refused or cannot be checked. Returns -ENOSYS after a message when capstone, which decodes
 * instructions, is missing.
 */
int elf_check_instruction(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret);

/*
 * Compiles an argument of a probe at file offset @offset. @ret is true if the probe is at a return. The argument may be:
 *  - argN, which is found by the calling convention;
 *  - a parameter or variable by its name in DWARF, with members as in kbtf_fetch() of lib/probe/fetch.h;
 *  - $retval;
 *  - $comm, or the kernel's own syntax for registers, memory and the stack, such as %di or +8($stack). Such an argument becomes out->text unchanged.
 * Returns 0, -ENOMEM, or another -errno after a message. The function fails, for example, when the variable is optimised out.
 */
int elf_fetch(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret, const struct probe_arg *arg, struct fetch *out);
/* Does what kbtf_variables() (lib/probe/fetch.h) does, for a function of the file. But there is no entry for $retval. */
int elf_variables(struct elf_file *elf, const char *function, unsigned int depth, variables_t *out);

/*
 * This is for the completion of command lines. Does what kbtf_names() (lib/probe/fetch.h) does, for the parameters and variables that DWARF knows at
 * @offset.
 */
int elf_names(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret, const struct probe_arg *base, strv_t *out);

/* One place of a USDT probe. If the compiler has put the same probe into several places, there is a struct usdt for each place. */
struct usdt {
	char *provider, *name;
	uint64_t offset;    /* the offset of the place in the file */
	uint64_t semaphore; /* the file offset of the probe's reference counter; 0: none */
	fetches_t args;	    /* arg1, arg2, ... */
};

typedef VEC(struct usdt) usdts_t;
void usdts_fini(usdts_t *v);

/*
 * Appends the probes of .note.stapsdt that match the globs @provider and @name. A NULL glob matches all. If an argument cannot be fetched, its .text in
 * usdt.args is NULL. Returns 0, -ENOMEM, or another -errno after a message.
 */
int elf_usdts(struct elf_file *elf, const char *provider, const char *name, usdts_t *out);

#endif
