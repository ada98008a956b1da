/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers 0, 1, 2 … for keys, in the order in which they are first asked for: indices of arrays that the caller keeps.
 * All zero is an empty one.
 */
#ifndef RINGSIDE_KEYS_H
#define RINGSIDE_KEYS_H

#include "lib/base/map.h"

struct key {
	uint64_t a, b, c;
};

/* What a sequence of numbers is told by: from KEY_MIX on, key_mix() with each, into two parts of a key; different ones hardly ever agree. */
#define KEY_MIX 0xcbf29ce484222325ULL
static inline void key_mix(uint64_t *a, uint64_t *b, uint64_t more)
{
	*a = (*a ^ more) * 0x100000001b3ULL;
	*b = (*b + more) * 0x9e3779b97f4a7c15ULL;
}

struct keys {
	MAP(struct key, struct {}) all;
};

/* The number of @key; it is new when it was the count of all keys before. -ENOMEM. */
int64_t keys_index(struct keys *keys, struct key key);

/* The same of a key that is there; -1: it is not. */
int64_t keys_find(const struct keys *keys, struct key key);

/* The index of the key's element in a vector beside the keys, which gets a new one when the key is new. -ENOMEM. */
#define keys_element(keys, vec, key, ...)                                                            \
	({                                                                                           \
		int64_t index_ = keys_index(keys, key);                                              \
		index_ == (int64_t)(vec)->n && vec_push(vec, __VA_ARGS__) ? -ENOMEM : index_;        \
	})

void keys_fini(struct keys *keys);

#endif
