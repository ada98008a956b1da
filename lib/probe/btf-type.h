/* SPDX-License-Identifier: GPL-2.0 */
/* Makes a struct ctype from a type in the kernel's BTF. */
#ifndef RINGSIDE_BTF_TYPE_H
#define RINGSIDE_BTF_TYPE_H

#include "lib/probe/ctype.h"
#include <bpf/btf.h>

/* Returns the type with the id @type_id. The result borrows @btf. */
struct ctype btf_ctype(const struct btf *btf, uint32_t type_id);

/* Returns the name at @name_off in the string section of the BTF, or "" when there is none. */
const char *btf_text(const struct btf *btf, uint32_t name_off);

#endif
