/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs and libraries: where a symbol, a source line or a USDT probe lies in the file, with elfutils.
 */
#ifndef RINGSIDE_PROBE_ELF_H
#define RINGSIDE_PROBE_ELF_H

#include "lib/elf/elf.h"
#include "lib/probe/fetch.h"
#include <sys/types.h>

/*
 * The file that is meant by @name as the loader or the shell would find it: a path, a program in $PATH, a library by
 * "libc", "libc.so.6" or "c" (ld.so's cache and folders). @pid not 0: inside that process's root. New memory; -ENOENT after a
 * message with the nearest.
 */
int elf_find(const char *name, pid_t pid, char **path);

/* For completion: programs in $PATH, and libraries as "libc", whose names begin with @prefix. Returns 0 or -ENOMEM. */
int elf_known(const char *prefix, strv_t *out);

struct elf_symbol {
	char *name;	 /* as in the table: mangled */
	char *demangled; /* NULL: the same */
	uint64_t offset; /* in the file: what uprobe_events wants */
	uint64_t size;
};

typedef VEC(struct elf_symbol) elf_symbols_t;
void elf_symbols_fini(elf_symbols_t *v);

/*
 * Functions whose plain or demangled name matches the glob @pattern (C++: with or without the parameter list), from .symtab,
 * .dynsym, .gnu_debugdata, and the debug file by build-id or debuglink. 0, also when there is none; -errno after a message.
 */
int elf_functions(struct elf_file *elf, const char *pattern, elf_symbols_t *out);

/*
 * The one place for FILE:SYMBOL[+OFFSET], FILE:SOURCE:LINE or FILE:0xOFFSET of @spec, as a file offset. -errno after a message:
 * nearest names, IFUNC and PLT refused with the reason, no code at that line (nearest lines), a line or symbol without debug information.
 */
int elf_place(struct elf_file *elf, const struct probe_spec *spec, uint64_t *offset);

/*
 * The same for a glob of symbols, all of them, each place once: @out gets their names as well. At most @most. Without a glob it is the one
 * place, by its name or none.
 */
int elf_places(struct elf_file *elf, const struct probe_spec *spec, unsigned int most, elf_symbols_t *out);

/*
 * Is the place @offset of @spec the beginning of an instruction; of a function, if @ret? 0; -EINVAL after a message, also when it cannot be
 * told. What a symbol or a source line names is one.
 */
int elf_check_instruction(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret);

/*
 * Compiles an argument at file offset @offset: argN by the calling convention, parameters and variables by name from DWARF
 * (members as for the kernel), $retval, registers as they are. @ret: at a return. -errno after a message (optimised out, ...).
 */
int elf_fetch(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret, const struct probe_arg *arg, struct fetch *out);
int elf_variables(struct elf_file *elf, const char *function, unsigned int depth, variables_t *out);

/* For completion: as kbtf_names(), with the parameters and variables that DWARF knows at @offset. */
int elf_names(struct elf_file *elf, const struct probe_spec *spec, uint64_t offset, bool ret, const struct probe_arg *base, strv_t *out);

/* USDT: one for each place it was compiled into. */
struct usdt {
	char *provider, *name;
	uint64_t offset;    /* in the file */
	uint64_t semaphore; /* file offset of its reference counter; 0: none */
	fetches_t args;	    /* arg1, arg2, ... */
};

typedef VEC(struct usdt) usdts_t;
void usdts_fini(usdts_t *v);

/* The probes of .note.stapsdt that match (globs; NULL: all). Arguments that cannot be fetched have fetch.text NULL. */
int elf_usdts(struct elf_file *elf, const char *provider, const char *name, usdts_t *out);

#endif
