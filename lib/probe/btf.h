/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of kbtf (fetch.h): types of the kernel and its modules, shared by the files btf*.c. */
#ifndef RINGSIDE_BTF_H
#define RINGSIDE_BTF_H

#include "lib/base/str.h"
#include "lib/probe/fetch.h"
#include <bpf/btf.h>

/* A function's prototype in the BTF that has it. */
struct kfunc {
	const struct btf *btf;
	const struct btf_type *proto;
};

/* -ENOENT when no BTF has it; no message. */
int kbtf_function(struct kbtf *btf, const char *name, struct kfunc *out);

/* All functions with BTF, for nearest names. 0 or -errno. */
int kbtf_functions(struct kbtf *btf, strv_t *out);

/* The type behind typedefs and qualifiers; its id in *@id if that is not NULL. */
const struct btf_type *btf_plain(const struct btf *btf, uint32_t type_id, uint32_t *id);

/* Appends a type as C writes it: "const char *". */
void btf_spell(const struct btf *btf, uint32_t type_id, struct str *out);

const char *btf_name(const struct btf *btf, const struct btf_type *type);

/* Is it char (behind qualifiers), so that a pointer to it or an array of it is a string? */
bool btf_is_char(const struct btf *btf, uint32_t type_id);

/*
 * What an expression has come to: a value in @text, or memory at @offset behind the address @text.
 */
struct place {
	uint32_t type_id;
	struct str text;
	bool memory;
	int64_t offset;		/* bytes */
	uint32_t bit, bits;	/* a bitfield: bits from bit on behind offset; 0: none */
};

void place_fini(struct place *p);

/* Parameter @name, or "$retval", as the beginning of a place. -ENOENT: there is none (no message). -ENOTSUP: passed in
 * a way that no fetch argument reaches. */
int place_begin(struct place *p, const struct kfunc *func, const char *name, size_t len);

/* Follows a pointer. -EINVAL: it is none. */
int place_follow(struct place *p, const struct btf *btf);

/* Goes to a member of a struct or union, also of one embedded without a name. -ENOENT: no such member; -EINVAL: no struct. */
int place_member(struct place *p, const struct btf *btf, const char *name, size_t len);

/* Goes to an element of an array or behind a pointer. -EINVAL: neither; -ERANGE: beyond the array. */
int place_index(struct place *p, const struct btf *btf, uint64_t index);

/* The fetch argument's text and type for where it has come to; @type: as the user wants it, NULL: by its type.
 * -EISDIR: a struct; -EINVAL: nothing to print. No message. */
int place_fetch(const struct place *p, const struct btf *btf, const char *type, struct fetch *out);

#endif
