/* SPDX-License-Identifier: GPL-2.0 */
/* From a variable through members and elements to a fetch argument. */
#ifndef RINGSIDE_PLACE_H
#define RINGSIDE_PLACE_H

#include "lib/base/vec.h"
#include "lib/probe/ctype.h"
#include "lib/probe/fetch.h"

/* What an expression has come to: a value that @text fetches, or memory at @offset behind the address that it fetches. */
struct place {
	struct ctype type;
	struct str text;
	bool memory;
	int64_t offset;		/* bytes */
	uint64_t bit;		/* of a bitfield, from offset on */
	uint32_t bits;		/* its width; 0: none */
};

void place_fini(struct place *p);

/* A copy with a text of its own. */
int place_copy(struct place *out, const struct place *p);

/*
 * Follows the rest of an expression behind its first name: "->member", ".member", "[1]". @at points to it, into
 * arg->expr. 0; -errno after a message with the nearest names.
 */
int place_walk(struct place *p, const struct probe_spec *spec, const struct probe_arg *arg, const char *at);

/* The fetch argument for where it has come to, out->text, type and enums. 0; -errno after a message. */
int place_fetch(const struct place *p, const struct probe_spec *spec, const struct probe_arg *arg,
		struct fetch *out);

/* Appends what can be fetched at @p, called @expr, and @depth levels of members below. 0 or -ENOMEM. */
int place_list(const struct place *p, const char *expr, unsigned int depth, variables_t *out);

/* Appends "NAME<tab>TYPE" for each member that may follow @p, those of embedded structures without a name too. 0 or -ENOMEM. */
int place_members(const struct place *p, strv_t *out);

/* Appends "@name<tab>TYPE". 0 or -ENOMEM. */
int place_candidate(const char *name, const struct ctype *type, strv_t *out);

/* The length of the name at @at, "$retval" included. */
size_t place_name(const char *at);

/* Appends the names of a structure's members, those of embedded ones without a name too. 0 or -ENOMEM. */
int place_member_names(const struct ctype *type, strv_t *names);

/* A field's name for an expression: "file->f_path.dentry" is "dentry", "$retval" is "ret". New memory. */
char *place_field(const char *expr);

/* "; did you mean a or b?", else "; there are a, b, …", else "". New memory. */
char *place_suggestion(const char *word, size_t len, const strv_t *names);

#endif
