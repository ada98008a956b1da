/* SPDX-License-Identifier: GPL-2.0 */
/* Gives types of the kernel's BTF the form of a struct ctype. */
#ifndef RINGSIDE_BTF_TYPE_H
#define RINGSIDE_BTF_TYPE_H

#include "lib/probe/ctype.h"
#include <bpf/btf.h>

/* Returns the type of that id. @btf must stay open. */
struct ctype btf_ctype(const struct btf *btf, uint32_t type_id);

/* Returns a name of the string section, or "" when there is none. */
const char *btf_text(const struct btf *btf, uint32_t name_off);

#endif
