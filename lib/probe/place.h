/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Follows an expression from a variable through members and elements to a place. Makes a fetch
 * argument for this place.
 */
#ifndef RINGSIDE_PLACE_H
#define RINGSIDE_PLACE_H

#include "lib/base/vec.h"
#include "lib/probe/ctype.h"
#include "lib/probe/fetch.h"

enum { PLACE_PARTS = 4 };

/* A value may lie in several registers, or in a part of one register. This struct is one of the parts of a value. */
struct place_part {
	char text[12];	   /* the text that fetches the register, such as "%di" or "$arg1"; "" if the register cannot be fetched, such as %xmm0 */
	unsigned int at;   /* how many bytes of the value are in front of the part */
	unsigned int size; /* how many bytes the part has */
};

/*
 * This is the place at which an expression has arrived. There are three cases:
 * - .memory is true: .text fetches an address. The place is in memory, .offset bytes behind this
 *   address.
 * - .n_parts is not 0: the parts make up a value. The place is in this value, .offset bytes behind
 *   its beginning.
 * - .memory is false and .n_parts is 0: the place is the value that .text fetches.
 */
struct place {
	struct ctype type;
	struct str text;
	bool memory;
	struct place_part parts[PLACE_PARTS];
	unsigned int n_parts; /* 0: .text is used */
	int64_t offset;	      /* bytes */
	uint64_t bit;	      /* for a bit-field: how many bits behind .offset the bit-field begins */
	uint32_t bits;	      /* the width of the bit-field; 0: the place is not a bit-field */
};

void place_fini(struct place *p);

/* Makes *@out a copy of @p with a text of its own. Returns 0 or -ENOMEM. */
int place_copy(struct place *out, const struct place *p);

/*
 * Moves *@p along the part of an expression that follows its first name: "->member", ".member", "[1]". @at points to the beginning of this part in
 * arg->expr. Returns 0, -ENOMEM, or another -errno after a message. When a member does not exist, the message has the nearest names.
 */
int place_walk(struct place *p, const struct probe_spec *spec, const struct probe_arg *arg, const char *at);

/*
 * Changes *@p so that p->text fetches the value itself. Returns 0 or -ENOMEM. A value in registers
 * can be loaded only if it is in one register and begins where this register begins. The register
 * must also be one that can be fetched. For any other value in registers, returns -ENOTSUP. The
 * function prints no message.
 */
int place_load(struct place *p);

/*
 * Moves *@p to the place to which the pointer at *@p points. Returns 0. Returns -EINVAL when there is no pointer at *@p. When the pointer cannot be loaded,
 * returns what place_load() returned. The function prints no message.
 */
int place_follow(struct place *p);

/* Moves *@p to the value for which the C++ reference at *@p stands. Does nothing when there is no reference. Returns what place_follow() returns. */
int place_refer(struct place *p);

/* Makes the fetch argument of the place: out->text, .type, .enums, .shown and .bits. Returns 0, -ENOMEM, or another -errno after a message. */
int place_fetch(const struct place *p, const struct probe_spec *spec, const struct probe_arg *arg, struct fetch *out);

/*
 * Returns the part that has all of these bytes of the value: @size bytes from byte @at on. Returns NULL when no part has all of these bytes, or when the part
 * that has them cannot be fetched.
 */
const struct place_part *place_part(const struct place *p, uint64_t at, uint64_t size);

/* Returns true if the place, or a member of the value at the place, can be fetched. */
bool place_can_be_fetched(const struct place *p);

/* When place_fetch() or place_follow() has failed, returns a text that says why the place cannot be fetched. */
const char *place_why(const struct place *p);

/*
 * Appends an entry for the place @p, whose name is @expr, and entries for its members down to @depth levels. A structure as a whole, a function and a
 * void have no entry. Returns 0 or -ENOMEM.
 */
int place_list(const struct place *p, const char *expr, unsigned int depth, variables_t *out);

/* Appends an entry for @expr, which has the type @type. The entry says why @expr cannot be fetched. Returns 0 or -ENOMEM. */
int place_list_why(const struct ctype *type, const char *expr, const char *why, variables_t *out);

/* Appends "NAME<tab>TYPE" for each member that may follow @p. Members of embedded structures without a name are included. Returns 0 or -ENOMEM. */
int place_members(const struct place *p, strv_t *out);

/* Appends @name, a tab, and @type as C writes it. Returns 0 or -ENOMEM. */
int place_candidate(const char *name, const struct ctype *type, strv_t *out);

/* Returns the length of the name at @at. "$retval" counts as a name, too. */
size_t place_name(const char *at);

/* Appends the names of a structure's members. Members of embedded structures without a name are included. Returns 0 or -ENOMEM. */
int place_member_names(const struct ctype *type, strv_t *names);

/*
 * Returns the name of the event's field for an expression, in new memory. The name is "dentry" for "file->f_path.dentry", and "ret" for "$retval". For an
 * expression that has no name in it, such as "@0x1000", the name is "arg". Returns NULL when memory runs out.
 */
char *place_field(const char *expr);

/*
 * Returns a text for the end of a message about an unknown @word. The text has those of the @names that are most like @word: "; did you mean a or b?". When no
 * name is like @word, the text has the first names of @names: "; there are a, b, …". When @names is empty, the text is "". @len is the length of @word. The
 * caller frees the text. Returns NULL when memory runs out.
 */
char *place_suggestion(const char *word, size_t len, const strv_t *names);

#endif
