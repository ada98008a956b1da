/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of programs by address, process and time: from the maps that record --ustack saved and the files they name. */
#ifndef RINGSIDE_USERMAPS_H
#define RINGSIDE_USERMAPS_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

struct usermaps;

/*
 * From the blocks of metadata.procmaps; *@out is NULL when none of them says what user stacks need, unless more are to come:
 * @live. 0 or -ENOMEM. Files are not read before an address in them is asked for.
 */
int usermaps_new(struct usermaps **out, const strv_t *procmaps, bool live);
void usermaps_free(struct usermaps *maps);

/* Live: more blocks, each in the place of the one of the same process and time, if there is one. 0 or -ENOMEM. */
int usermaps_add(struct usermaps *maps, const strv_t *procmaps);

/*
 * Appends what lies at @addr of process @pid at @ts (raw units of the trace's clock): "main+0x1f (/usr/bin/prog)"; without a
 * name, or when the file is no longer what was mapped, "55d4a0001139 (/usr/bin/prog+0x1139)"; in no file, the address.
 * @returns: it is an address that a call returns to, and the call before it is meant. Any thread.
 */
void usermaps_text(struct usermaps *maps, int pid, uint64_t ts, uint64_t addr, bool returns, struct str *out);

/*
 * The same as a name alone. *@name: the function, NULL when it is not known; *@path: the file, NULL: the address lies in none.
 * Both hold as long as @maps. Any thread.
 */
void usermaps_find(struct usermaps *maps, int pid, uint64_t ts, uint64_t addr, bool returns, const char **name,
		   const char **path);

#endif
