/* SPDX-License-Identifier: GPL-2.0 */
/* What dwarf-*.c share: a place in a program's code, the variables that are known there, and where they are. */
#ifndef RINGSIDE_PROBE_DWARF_H
#define RINGSIDE_PROBE_DWARF_H

#include "lib/probe/abi.h"
#include "lib/probe/elf-file.h"
#include "lib/probe/place.h"

/* The function and the blocks around an address, innermost first. */
struct scopes {
	struct elf_file *elf;
	GElf_Addr addr;		/* by the debug information */
	Dwarf_Die *unit;
	Dwarf_Die *dies;
	int n;
	int innermost;		/* the first of them whose names count */
	Dwarf_Die function;	/* the innermost one that is no inlined copy */
	bool entry;		/* the address is its first instruction */
	GElf_Addr body;		/* where its prologue has ended; 0: not known */
};

/* What is around byte @offset of the file. false: no debug information there, and nothing to free. */
bool scopes_at(struct elf_file *elf, uint64_t offset, struct scopes *out);
void scopes_fini(struct scopes *s);

/* The parameter or variable of that name that the address sees. */
bool scopes_variable(const struct scopes *s, const char *name, size_t len, Dwarf_Die *out);

/* Appends the names of what the address sees, the innermost first. */
void scopes_names(const struct scopes *s, strv_t *names);

/*
 * Calls @each for a function's parameters in their order, those of a C++ pack included, until it returns something else than 0;
 * returns that.
 */
int dwarf_parameters(Dwarf_Die *function, int (*each)(void *ctx, Dwarf_Die *parameter), void *ctx);

/*
 * Where the debug information says that @var is. 0, and @p is to be freed; else no message: -ENODATA: nowhere here, it is optimised
 * out; -ENOTSUP: somewhere that no fetch argument reaches; -EAGAIN: in a place of the stack that the function has not yet filled.
 */
int dwarf_location(const struct scopes *s, Dwarf_Die *var, struct place *p);

/* The location of @var as it is written down. */
struct location {
	Dwarf_Op *ops;		/* n 0: there is none here */
	size_t n;
	bool list;		/* it is one for some addresses, this among them; else one for the whole function */
};

void dwarf_written_location(const struct scopes *s, Dwarf_Die *var, struct location *out);

/* How far behind the canonical frame address the function keeps what is at DW_OP_fbreg @by. false: not known. */
bool dwarf_frame_offset(const struct scopes *s, int64_t by, int64_t *out);

/*
 * Where a parameter is at its function's entry: by the debug information if that holds there, else by the calling convention. 0, and
 * @p is to be freed; else no message, and *@why is the reason.
 */
int dwarf_at_entry(const struct scopes *s, Dwarf_Die *parameter, struct place *p, const char **why);

/* Where the result is when the function returns. The same. */
int dwarf_result(const struct scopes *s, struct place *p, const char **why);

#endif
