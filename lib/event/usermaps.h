/* SPDX-License-Identifier: GPL-2.0 */
/* Finds functions of programs by address, process and time. Uses the maps that `record --ustack` saved, and the files that these maps name. */
#ifndef RINGSIDE_USERMAPS_H
#define RINGSIDE_USERMAPS_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

struct usermaps;

/*
 * Reads the blocks of metadata.procmaps (lib/data/metadata.h). A block lists the maps of one process while it ran one program. Only blocks that
 * were recorded with `record --ustack` can be used. Other blocks lack the times of the maps and the offsets in the files. @live is true if usermaps_add() will
 * add more blocks. When @live is false and no block can be used, *@out becomes NULL. Returns 0 or -ENOMEM. A program's file is read only when an address in it
 * is looked up.
 */
int usermaps_new(struct usermaps **out, const strv_t *procmaps, bool live);
void usermaps_free(struct usermaps *maps);

/*
 * Adds more blocks to maps that usermaps_new() made with @live true. A new block replaces an earlier block of the same process if both name the same time at
 * which the program began to run. Returns 0 or -ENOMEM.
 */
int usermaps_add(struct usermaps *maps, const strv_t *procmaps);

/*
 * Appends what lay at @addr of the process @pid at the time @ts (raw units of the trace's clock). The text is one of these:
 *  - "main+0x1f (/usr/bin/prog)";
 *  - "55d4a0001139 (/usr/bin/prog+0x1139)" when the file has no name for the address, cannot be read, or has changed since it was mapped;
 *  - "55d4a0001139", the address alone, when the address lies in no file.
 * When @returns is true, @addr is a return address. Then the text names the function that made the call, even when the call is the last instruction of
 * this function. Any thread may call usermaps_text().
 */
void usermaps_text(struct usermaps *maps, int pid, uint64_t ts, uint64_t addr, bool returns, struct str *out);

/*
 * Does what usermaps_text() does, but returns names instead of text. *@name becomes the function, or NULL when it is not known. *@path becomes the path
 * of the file, or NULL when the address lies in no file. Both texts are valid until usermaps_free(). Any thread may call this function.
 */
void usermaps_find(struct usermaps *maps, int pid, uint64_t ts, uint64_t addr, bool returns, const char **name, const char **path);

#endif
