/* SPDX-License-Identifier: GPL-2.0 */
/* Goes from a variable through members and elements, and makes a fetch argument of the place that it arrives at. */
#ifndef RINGSIDE_PLACE_H
#define RINGSIDE_PLACE_H

#include "lib/base/vec.h"
#include "lib/probe/ctype.h"
#include "lib/probe/fetch.h"

enum { PLACE_PARTS = 4 };

/* Bytes of a value that lies in several registers, or in a part of one. */
struct place_part {
	char text[12];	       /* fetches the register: "%di", "$arg1"; "": the register cannot be fetched, as %xmm0 */
	unsigned int at, size; /* bytes from the value's beginning */
};

/*
 * The place that an expression has arrived at. It is the value that .text fetches. With .memory it is the memory .offset bytes behind the address
 * that .text fetches. With parts it is what lies .offset bytes behind the beginning of the value that the parts make up.
 */
struct place {
	struct ctype type;
	struct str text;
	bool memory;
	struct place_part parts[PLACE_PARTS];
	unsigned int n_parts; /* 0: .text is used */
	int64_t offset;	      /* bytes */
	uint64_t bit;	      /* of a bitfield, from offset on */
	uint32_t bits;	      /* its width; 0: none */
};

void place_fini(struct place *p);

/* Makes a copy with a text of its own. Returns 0 or -ENOMEM. */
int place_copy(struct place *out, const struct place *p);

/*
 * Moves *@p along the rest of an expression behind its first name: "->member", ".member", "[1]". @at points to that rest, into arg->expr.
 * Returns 0, or -errno after a message with the nearest names.
 */
int place_walk(struct place *p, const struct probe_spec *spec, const struct probe_arg *arg, const char *at);

/* Makes p->text fetch the value. Returns 0, or without a message -ENOTSUP when no register has the whole value, or -ENOMEM. */
int place_load(struct place *p);

/*
 * Goes to what a pointer points to. Returns 0, or without a message -EINVAL when it is no pointer, -ENOTSUP when no register has
 * the whole pointer, or -ENOMEM.
 */
int place_follow(struct place *p);

/* Goes to the value that a C++ reference stands for. Returns what place_follow() returns. */
int place_refer(struct place *p);

/* Makes the fetch argument of the place: out->text, .type and .enums. Returns 0, or -errno after a message. */
int place_fetch(const struct place *p, const struct probe_spec *spec, const struct probe_arg *arg, struct fetch *out);

/*
 * Returns the part that has all of the @size bytes from byte @at of the value on, or NULL when there is none that can be fetched.
 */
const struct place_part *place_part(const struct place *p, uint64_t at, uint64_t size);

/* Can the place, or a member of it, be fetched? */
bool place_can_be_fetched(const struct place *p);

/* Says why the place cannot be fetched, when place_fetch() or place_follow() has failed. */
const char *place_why(const struct place *p);

/* Appends what can be fetched at @p, whose name is @expr, and at @depth levels of members below it. Returns 0 or -ENOMEM. */
int place_list(const struct place *p, const char *expr, unsigned int depth, variables_t *out);

/* Appends an entry for @expr, which has the type @type. The entry says why @expr cannot be fetched. Returns 0 or -ENOMEM. */
int place_list_why(const struct ctype *type, const char *expr, const char *why, variables_t *out);

/* Appends "NAME<tab>TYPE" for each member that may follow @p, those of embedded structures without a name too. Returns 0 or -ENOMEM. */
int place_members(const struct place *p, strv_t *out);

/* Appends "@name<tab>TYPE". Returns 0 or -ENOMEM. */
int place_candidate(const char *name, const struct ctype *type, strv_t *out);

/* Returns the length of the name at @at. "$retval" is one, too. */
size_t place_name(const char *at);

/* Appends the names of a structure's members, those of embedded ones without a name too. Returns 0 or -ENOMEM. */
int place_member_names(const struct ctype *type, strv_t *names);

/* Returns a name of a field for an expression, in new memory: "dentry" for "file->f_path.dentry", "ret" for "$retval". */
char *place_field(const char *expr);

/*
 * Returns "; did you mean a or b?", or "; there are a, b, …" when no name is near, or "" when there are no names. The caller frees the text.
 * Returns NULL when memory runs out.
 */
char *place_suggestion(const char *word, size_t len, const strv_t *names);

#endif
