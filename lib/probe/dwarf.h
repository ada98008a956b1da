/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares what dwarf-*.c share. These files find the variables that are in scope at a place in a
 * program's code. They also find out where the values of these variables are.
 */
#ifndef RINGSIDE_PROBE_DWARF_H
#define RINGSIDE_PROBE_DWARF_H

#include "lib/probe/abi.h"
#include "lib/probe/elf-file.h"
#include "lib/probe/place.h"

/* This is the function and the blocks around an address, the innermost first. */
struct scopes {
	struct elf_file *elf;
	GElf_Addr addr; /* the address of the place in the code, in the address space of the debug information */
	Dwarf_Die *unit;
	Dwarf_Die *dies;    /* the function and the blocks */
	int n;		    /* how many .dies there are */
	int innermost;	    /* the index in .dies of the block in which the search for a name begins; the search goes on in the blocks around it */
	Dwarf_Die function; /* the innermost function that is not an inlined copy */
	bool entry;	    /* .addr is the address of the function's first instruction */
	GElf_Addr body;	    /* the address behind the function's prologue; 0: not known */
};

/*
 * Finds the function and the blocks around byte @offset of the file. Returns false when there is no debug information for this place. After false there
 * is nothing to free.
 */
bool scopes_at(struct elf_file *elf, uint64_t offset, struct scopes *out);
void scopes_fini(struct scopes *s);

/* Finds the parameter or variable @name (@len bytes) that is in scope at s->addr. Returns false when there is none. */
bool scopes_variable(const struct scopes *s, const char *name, size_t len, Dwarf_Die *out);

/* Appends the names of the parameters and variables that are in scope at s->addr, the innermost first. */
void scopes_names(const struct scopes *s, strv_t *names);

/*
 * Calls @each for a function's parameters in their order. The parameters of a C++ parameter pack are included. Stops when @each does not return 0.
 * Returns what the last call of @each returned, or 0 when there are no parameters.
 */
int dwarf_parameters(Dwarf_Die *function, int (*each)(void *ctx, Dwarf_Die *parameter), void *ctx);

/*
 * Finds out from the debug information where @var is. Returns 0 on success, and then the caller frees @p. On failure the function prints no message, leaves
 * nothing to free, and returns:
 *  - -ENODATA: the variable is optimised out here
 *  - -ENOTSUP: no fetch argument can reach the variable
 *  - -EAGAIN: the function has not yet stored the variable in its place on the stack
 *  - -ENOMEM
 */
int dwarf_location(const struct scopes *s, Dwarf_Die *var, struct place *p);

/* This is the location of a variable as the debug information gives it. */
struct location {
	Dwarf_Op *ops; /* an array of .n operations; when .n is 0, the variable has no location here */
	size_t n;
	bool list; /* true: the location is from a location list, and is valid only for some addresses; false: it is valid in the whole function */
};

/* Finds the location of @var. When @var has no location here, out->n becomes 0. */
void dwarf_written_location(const struct scopes *s, Dwarf_Die *var, struct location *out);

/* Converts the offset @by of a DW_OP_fbreg to an offset from the canonical frame address. Returns false when this address is not known. */
bool dwarf_frame_offset(const struct scopes *s, int64_t by, int64_t *out);

/*
 * Finds where a parameter is at the entry of its function. If the debug information has a location that is valid at the entry, this location is used.
 * Otherwise the calling convention is used. Returns 0 on success, and then the caller frees @p. On failure dwarf_at_entry() returns -errno without a message,
 * and *@why becomes the reason.
 */
int dwarf_at_entry(const struct scopes *s, Dwarf_Die *parameter, struct place *p, const char **why);

/* Finds where the result of the function s->function is when this function returns. Returns what dwarf_at_entry() returns. */
int dwarf_result(const struct scopes *s, struct place *p, const char **why);

#endif
