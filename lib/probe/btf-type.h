/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's BTF as struct ctype. */
#ifndef RINGSIDE_BTF_TYPE_H
#define RINGSIDE_BTF_TYPE_H

#include "lib/probe/ctype.h"
#include <bpf/btf.h>

/* The type of that id; @btf must stay open. */
struct ctype btf_ctype(const struct btf *btf, uint32_t type_id);

/* A name in the string section; "" for none. */
const char *btf_text(const struct btf *btf, uint32_t name_off);

#endif
