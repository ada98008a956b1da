/* SPDX-License-Identifier: GPL-2.0 */
/* Defines what dwarf-*.c share: a place in a program's code, the variables that are known there, and where their values are. */
#ifndef RINGSIDE_PROBE_DWARF_H
#define RINGSIDE_PROBE_DWARF_H

#include "lib/probe/abi.h"
#include "lib/probe/elf-file.h"
#include "lib/probe/place.h"

/* The function and the blocks around an address, the innermost first. */
struct scopes {
	struct elf_file *elf;
	GElf_Addr addr; /* as the debug information has it */
	Dwarf_Die *unit;
	Dwarf_Die *dies;
	int n;
	int innermost;	    /* the index in .dies of the block in which a name is looked for first; the search goes on outwards */
	Dwarf_Die function; /* the innermost one that is no inlined copy */
	bool entry;	    /* the address is its first instruction */
	GElf_Addr body;	    /* where its prologue has ended; 0: not known */
};

/* Finds what is around byte @offset of the file. Returns false, with nothing to free, when this place has no debug information. */
bool scopes_at(struct elf_file *elf, uint64_t offset, struct scopes *out);
void scopes_fini(struct scopes *s);

/* Finds the parameter or variable of that name that is in scope at the address. Returns false when there is none. */
bool scopes_variable(const struct scopes *s, const char *name, size_t len, Dwarf_Die *out);

/* Appends the names of the parameters and variables that are in scope at the address, the innermost first. */
void scopes_names(const struct scopes *s, strv_t *names);

/*
 * Calls @each for a function's parameters in their order, those of a C++ pack included, until one call does not return 0. Returns what the
 * last call returned, or 0 when there are no parameters.
 */
int dwarf_parameters(Dwarf_Die *function, int (*each)(void *ctx, Dwarf_Die *parameter), void *ctx);

/*
 * Finds by the debug information where @var is. Returns 0, and the caller frees @p. Otherwise there is nothing to free, no message is
 * printed, and one of these is returned: -ENODATA when the variable is optimised out here, -ENOTSUP when it is where no fetch argument
 * reaches, or -EAGAIN when it is in a place of the stack that the function has not yet filled.
 */
int dwarf_location(const struct scopes *s, Dwarf_Die *var, struct place *p);

/* The location of a variable as the debug information gives it. */
struct location {
	Dwarf_Op *ops; /* .n of them; when .n is 0, the variable has no location here */
	size_t n;
	bool list; /* it is valid for some addresses, of which this is one; false: it is valid in the whole function */
};

/* Finds the location of @var. When it has none here, out->n becomes 0. */
void dwarf_written_location(const struct scopes *s, Dwarf_Die *var, struct location *out);

/* Converts the offset @by of a DW_OP_fbreg to the offset from the canonical frame address. Returns false when that is not known. */
bool dwarf_frame_offset(const struct scopes *s, int64_t by, int64_t *out);

/*
 * Finds where a parameter is at its function's entry. The debug information tells this if it is valid there, and the calling convention
 * tells it otherwise. Returns 0, and the caller frees @p. Otherwise -errno is returned without a message, and *@why becomes the reason.
 */
int dwarf_at_entry(const struct scopes *s, Dwarf_Die *parameter, struct place *p, const char **why);

/* Finds where the function's result is when the function returns. Returns what dwarf_at_entry() returns. */
int dwarf_result(const struct scopes *s, struct place *p, const char **why);

#endif
